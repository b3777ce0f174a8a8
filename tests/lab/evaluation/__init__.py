"""Tests of what the lab measures with."""
