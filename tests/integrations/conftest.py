"""Fixtures shared by the tests of integrations."""

from __future__ import annotations

import pytest

from tacenda.pipeline import Sanitizer, load


@pytest.fixture(scope="session")
def sanitizer() -> Sanitizer:
    """Return the default sanitizer, loaded once."""
    return load(threads=1)
