"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of the large corpora; skips where the checkout stands alone."""
    if not _SHARED.is_dir():
        pytest.skip(f"needs the large corpora in {_SHARED}, which are not here")
    return _SHARED
