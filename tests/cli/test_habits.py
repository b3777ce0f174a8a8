"""What people try first: the completion of the shell, and explanations of two lengths."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda.cli import app


def test_an_explanation_is_short_unless_asked_otherwise(tmp_path: Path) -> None:
    """A line for each masked entity and the riskiest that were kept; at length with all reasons."""
    path = tmp_path / "a.txt"
    text = "Anna Berg wrote to Uppsala on 070-123 45 67. It rained for two days.\n"
    path.write_text(text, encoding="utf-8")
    run = ["sanitize", str(path), "--threshold", "0.6"]
    short = CliRunner().invoke(app, [*run, "--explain"]).stderr
    long = CliRunner().invoke(app, [*run, "--explain-all"]).stderr
    (line,) = (line for line in short.splitlines() if "070-123 45 67" in line)
    assert line.endswith("Masked: contact and identity numbers always are.")
    assert "Alternatives" not in short
    assert "Alternatives" in long
    assert "'two days'  Kept: its risk is" in short.partition(" kept\n")[2]
    last = short.strip().splitlines()[-1]
    assert last == long.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        (["tacenda", "sani"], 1, "sanitize"),
        (["tacenda", "sanitize", "--explain-"], 2, "--explain-all"),
        (["tacenda", "sanitize", "--policy", "cli"], 3, "clinical"),
    ],
)
def test_a_shell_completes(words: list[str], place: int, expected: str) -> None:
    """Commands, options, and names of policies."""
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv = ['tacenda']; from tacenda.cli import main; main()",
        ],
        env=os.environ
        | {
            "_TACENDA_COMPLETE": "complete_bash",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(place),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [expected]
