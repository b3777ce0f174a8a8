"""What nobody foresaw ends one document, not the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tacenda.pipeline
from tacenda.cli import app

SECRET = "Qyzzyx"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of letters, of which one makes deciding stumble over its text."""
    (tmp_path / "in").mkdir()
    for index in range(3):
        text = f"{SECRET} was here.\n" if index == 1 else "Rain fell.\n"
        (tmp_path / "in" / f"letter{index}.txt").write_text(text)
    (tmp_path / "policy.yaml").write_text("recognizer: false\nthreshold: 0.5\n")
    complete = tacenda.pipeline.complete

    def stumbling(analysis: Any, *arguments: Any, **options: Any) -> Any:
        if SECRET in analysis.document.text:
            raise KeyError(analysis.document.text)
        return complete(analysis, *arguments, **options)

    monkeypatch.setattr(tacenda.pipeline, "complete", stumbling)
    monkeypatch.delenv("TACENDA_DEBUG", raising=False)
    return tmp_path


def test_the_others_are_written(folder: Path) -> None:
    """The one is named with the error's type and place, and none of its text is shown."""
    out = folder / "out"
    run = CliRunner().invoke(
        app,
        ["sanitize", str(folder / "in"), "-o", str(out), "--policy", str(folder / "policy.yaml")],
    )
    assert run.exit_code == 1
    assert sorted(path.name for path in out.iterdir() if path.suffix == ".txt") == [
        "letter0.txt",
        "letter2.txt",
    ]
    assert "letter1.txt: unforeseen error: KeyError in tacenda" in run.output
    assert SECRET not in run.output


def test_an_encoded_word_of_no_charset_is_text(folder: Path) -> None:
    """Mail headers name charsets that nobody knows."""
    (folder / "in" / "mail.txt").write_text("Subject: =?q-unknown-1?q?Rain=FF?= and =?x?b?%%?=\n")
    run = CliRunner().invoke(
        app,
        [
            *("sanitize", str(folder / "in" / "mail.txt"), "-o", str(folder / "mail.txt")),
            *("--policy", str(folder / "policy.yaml"), "--target", "Galip Yalman"),
        ],
    )
    assert (run.exit_code, (folder / "mail.txt").is_file()) == (0, True)
