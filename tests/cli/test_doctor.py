"""The command `tacenda doctor`: each part that doesn't work is named with what to do."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, version
from typing import Any

import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.installation import install_command
from tacenda.models import store
from tacenda.models.session import ENGINE_VARIABLE

DOCTOR = import_module("tacenda.cli.doctor")
"""The module; the package has the command by this name."""


def findings(expected: int = 0) -> dict[str, dict[str, Any]]:
    """Return what the command finds, by part."""
    run = CliRunner().invoke(app, ["doctor", "--json"])
    assert run.exit_code == expected, run.output
    report = json.loads(run.stdout)
    assert report["works"] is (expected == 0)
    return {row["part"]: row for row in report["findings"]}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what other tests here see: the weights' digests and the sentence."""
    monkeypatch.setattr(DOCTOR, "_models", lambda: "")
    monkeypatch.setattr(DOCTOR, "_self_test", lambda: "")


def test_all_that_is_core_works() -> None:
    """Exit code 0, a line for each part, and the sentence is not shown."""
    run = CliRunner().invoke(app, ["doctor"])
    assert run.exit_code == 0, run.output
    assert run.stdout.endswith("All that is core works.\n")
    assert "a first sentence sanitized in" in run.stdout
    assert "as shipped, by their SHA-256" in run.stdout
    assert "Anna" not in run.stdout


@pytest.mark.usefixtures("quick")
def test_the_extras_are_those_of_the_installed_distribution() -> None:
    """Each is a row."""
    extras = distribution("tacenda").metadata.get_all("Provides-Extra") or []
    rows = findings()
    assert {part for part in rows if part.startswith("extra ")} == {f"extra {e}" for e in extras}


@pytest.mark.usefixtures("quick")
def test_an_absent_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not there, or too old; the core works without."""

    def of_package(name: str) -> str:
        if name == "lxml":
            raise PackageNotFoundError(name)
        return "2.0.1" if name == "pikepdf" else version(name)

    monkeypatch.setattr("importlib.metadata.version", of_package)
    rows = findings()
    assert rows["extra documents"]["state"] == "absent"
    assert rows["extra documents"]["remedy"] == install_command("documents")
    assert (
        rows["extra documents"]["detail"] == "lxml is not installed, pikepdf 2.0.1 is older than 9"
    )


def test_a_changed_model_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1, and the message says which file and what to do."""
    monkeypatch.setattr(DOCTOR, "_self_test", lambda: "")
    model = store.find()
    name = next(iter(model.digests))
    changed = replace(model, digests={name: "0" * 64})
    monkeypatch.setattr(store, "shipped", lambda: [changed])
    row = findings(expected=1)["models"]
    assert row["state"] == "fault"
    assert f"{model.name}: {name}" in row["detail"]
    assert "Reinstall" in row["detail"]


@pytest.mark.usefixtures("quick")
def test_the_engine_comes_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable, where it is set; a value that names none is a fault."""
    monkeypatch.setenv(ENGINE_VARIABLE, "onnxruntime")
    assert findings()["engine"]["detail"] == f"onnxruntime: {ENGINE_VARIABLE} names it"
    monkeypatch.setenv(ENGINE_VARIABLE, "abacus")
    row = findings(expected=1)["engine"]
    assert row["state"] == "fault"
    assert "'abacus'" in row["detail"]


@pytest.mark.usefixtures("quick")
def test_pictures_are_no_part_of_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Tesseract, or with a setting that means nothing, the rest works; what to do is said."""
    monkeypatch.setenv("TACENDA_OCR_LANGUAGES", "12")
    row = findings()["OCR"]
    assert (row["state"], "'12'" in row["detail"]) == ("absent", True)
    monkeypatch.delenv("TACENDA_OCR_LANGUAGES")
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert "apt install tesseract-ocr" in findings()["OCR"]["remedy"]


def test_a_name_that_stays_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The self-test looks at what came out."""
    monkeypatch.setattr(DOCTOR, "_models", lambda: "")
    monkeypatch.setattr(DOCTOR, "_NAME", "works")
    row = findings(expected=1)["self-test"]
    assert row["state"] == "fault"
    assert row["remedy"]
