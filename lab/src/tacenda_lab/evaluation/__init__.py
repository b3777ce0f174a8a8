"""Measures beyond the benchmark: how similar masked texts stay, replacements, plots."""
