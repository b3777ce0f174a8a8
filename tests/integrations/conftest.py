"""Fixtures shared by the tests of integrations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tacenda.pipeline import Sanitizer, load


@pytest.fixture(scope="session")
def sanitizer() -> Sanitizer:
    """Return the default sanitizer, loaded once."""
    return load(threads=1)


@pytest.fixture(scope="module", autouse=True)
def without_a_loop() -> Iterator[None]:
    """Hide the loop that a browser of other tests keeps running in this thread."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)
