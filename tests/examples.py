"""How many examples a property tries: by default as many as the profile says (``conftest.py``)."""

from __future__ import annotations

from hypothesis import settings

MANY = settings(max_examples=4 * settings().max_examples)
"""Of properties that hold a promise of the program, and take little time."""
