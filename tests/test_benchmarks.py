"""The runner of the measurements."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.__main__ import commands

ROOT = Path(__file__).parents[1]
SHARED = {"reidentification_data", "independent_attacker", "sets", "tables"}
"""Modules that measurements import from."""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the runner in the root of the repository."""
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_module_is_a_measurement_or_shared() -> None:
    """A measurement has a `main`, and a first line that the list shows."""
    modules = {path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")}
    assert modules - commands().keys() <= SHARED
    assert all(commands().values())


def test_the_list_has_every_measurement() -> None:
    """One a line, in the order of the alphabet."""
    lines = run("--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(commands())


def test_an_unknown_measurement_is_named() -> None:
    """The message says where the names are."""
    result = run("speeed")
    assert result.returncode == 1
    assert "'speeed'; see --list" in result.stderr
    assert "Traceback" not in result.stderr


def test_help_is_the_documentation_of_the_measurement() -> None:
    """With the options below it."""
    result = run("optimal", "--help")
    assert result.returncode == 0
    assert "usage: python -m benchmarks optimal" in result.stdout
    assert commands()["optimal"] in result.stdout
