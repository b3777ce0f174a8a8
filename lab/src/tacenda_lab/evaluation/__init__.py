"""Measures beyond the benchmark: similarity of what people mask, replacements, plots."""
