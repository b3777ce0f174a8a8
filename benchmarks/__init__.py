"""Runnable measurements, by ``python -m benchmarks NAME``; their results are in ``RESULTS.md``."""
