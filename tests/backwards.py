"""A plug-in that runs the tests in reverse: ``python -m pytest -p tests.backwards``."""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the last test be the first."""
    items.reverse()
