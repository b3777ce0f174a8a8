"""The command that installs what is missing fits how tacenda was installed."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tacenda.errors import InputError, MissingExtraError, MissingLabError, unforeseen
from tacenda.installation import install_command

_GIT = {"url": "https://example.org/tacenda.git", "vcs_info": {"vcs": "git", "commit_id": "0"}}


def _installed(monkeypatch: pytest.MonkeyPatch, record: Any) -> None:
    def distribution(_name: str) -> Any:
        if record == "nowhere":
            raise PackageNotFoundError
        text = None if record is None else json.dumps(record)
        return SimpleNamespace(read_text=lambda _file: text)

    monkeypatch.setattr("importlib.metadata.distribution", distribution)


@pytest.mark.parametrize(
    ("record", "library", "lab"),
    [
        (None, "pip install 'tacenda[tables]'", "pip install tacenda-lab"),
        (
            _GIT,
            "pip install 'tacenda[tables] @ git+https://example.org/tacenda.git'",
            "pip install 'tacenda-lab @ git+https://example.org/tacenda.git#subdirectory=lab'",
        ),
        *[
            (
                record,
                "pip install '.[tables]' in a copy of the repository",
                "pip install ./lab in a copy of the repository",
            )
            for record in (
                "nowhere",
                {"url": "file:///gone/tacenda", "dir_info": {}},
                {"url": "file:///wheels/tacenda-1-py3-none-any.whl", "archive_info": {}},
            )
        ],
    ],
)
def test_the_command_fits_the_origin(
    record: Any, library: str, lab: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From an index, from git, from a copy that is gone, from a wheel, or not installed at all."""
    _installed(monkeypatch, record)
    assert str(MissingExtraError("Parquet", "tables")) == f"Parquet needs an extra: {library}"
    assert str(MissingLabError("Training")) == f"Training needs a package: {lab}"


def test_a_copy_of_the_repository_is_named_by_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the command works in any folder, also where the path has spaces."""
    copy = tmp_path / "a copy"
    copy.mkdir()
    (copy / "pyproject.toml").touch()
    _installed(monkeypatch, {"url": copy.as_uri(), "dir_info": {}})
    assert install_command("tables") == f"pip install '{copy}[tables]'"
    assert install_command(package="tacenda-lab") == f"pip install '{copy}/lab'"
    _installed(monkeypatch, {"url": copy.as_uri(), "dir_info": {"editable": True}})
    assert install_command("tables") == f"pip install -e '{copy}[tables]'"


def test_an_absent_package_is_named() -> None:
    """Where no code foresaw that it may be absent: the message says what it is, and where to look."""
    error = unforeseen(ModuleNotFoundError("No module named 'ducks'", name="ducks.wild"), "a.csv")
    assert isinstance(error, InputError)
    assert str(error).startswith("a.csv: needs the package ducks, which is not installed; ")
    assert "tacenda doctor" in str(error)
