"""Fixtures shared by all tests."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_ORACLE = Path(__file__).parent / "data" / "tab_oracle" / "tab_oracle.tar.xz"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of the large corpora; skips where the checkout stands alone."""
    if not _SHARED.is_dir():
        pytest.skip(f"needs the large corpora in {_SHARED}, which are not here")
    return _SHARED


@pytest.fixture(scope="session")
def tab_oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with TAB's development split, and what its reference implementation says of systems."""
    folder = tmp_path_factory.mktemp("tab")
    with tarfile.open(_ORACLE) as archive:
        archive.extractall(folder, filter="data")
    return folder
