"""A data set, its spec, and what one process makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

for package in ("pyarrow",):
    pytest.importorskip(package, reason=f"needs {package}")

from tacenda.scale import Spec, sanitize  # noqa: E402

from .building import COLUMNS, KEY, KEY_ENV, POLICY, make_data, parts_of  # noqa: E402

PART_BYTES = 3_000


@pytest.fixture(scope="session", autouse=True)
def key() -> Iterator[None]:
    """Set the key that the policy names, for this process and the workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_ENV, KEY)
        yield


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a data set."""
    return make_data(tmp_path_factory.mktemp("scale") / "data")


@pytest.fixture(scope="session")
def spec(key: None) -> Spec:
    """Return the spec for it."""
    return Spec.of("note", POLICY, **COLUMNS)


@pytest.fixture(scope="session")
def expected(data: Path, spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files that one process writes."""
    folder = tmp_path_factory.mktemp("one") / "out"
    run = sanitize(data, spec, folder, processes=1, part_bytes=PART_BYTES)
    assert run.complete
    return parts_of(folder)
