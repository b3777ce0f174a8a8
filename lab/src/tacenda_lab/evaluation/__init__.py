"""Measures beyond the benchmark: similarity of masked texts, replacements, plots."""
