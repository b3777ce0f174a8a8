"""`tacenda --help`: quick, in panels, with examples at its end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from tacenda.cli import app

HEAVY = {
    "ahocorasick",
    "fastapi",
    "jinja2",
    "lxml",
    "numpy",
    "onnxruntime",
    "ortools",
    "phonenumbers",
    "regex",
    "tokenizers",
    "torch",
    "yaml",
}
"""Packages that take long to load, or that only a command's work needs."""
SEEN_BY_TYPER = {"pydantic", "rich"}
"""Typer loads them to render help."""


def loaded(code: str) -> set[str]:
    """Return the packages that are loaded when some code is done."""
    ending = (
        "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code + ending], capture_output=True, text=True, check=True
    )
    return set(run.stderr.split())


def called(*arguments: str) -> str:
    """Return code that calls the command line."""
    return f"""import sys
from tacenda.cli import main
sys.argv = ["tacenda", *{arguments}]
try:
    main()
except SystemExit:
    pass"""


@pytest.mark.parametrize("code", ["import tacenda.cli", called("--version")])
def test_importing_the_command_line_loads_nothing_heavy(code: str) -> None:
    """What a command needs is loaded when it is called."""
    assert not loaded(code) & (HEAVY | SEEN_BY_TYPER)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["sanitize", "--help"], ["serve", "app", "--help"]]
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Nor does a page of help, but for what renders it."""
    assert not loaded(called(*arguments)) & HEAVY


def commands(group: Any, context: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the commands of a group, of those within it too, by their names."""
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        inner = typer.Context(command, parent=context, info_name=part)
        if hasattr(command, "list_commands"):
            yield from commands(command, inner, f"{name} {part}")
        else:
            yield f"{name} {part}".strip(), command, inner


def all_commands() -> Iterator[tuple[str, Any, Any]]:
    """Yield the commands of this package by their names."""
    root = typer.main.get_command(app)
    for name, command, context in commands(root, typer.Context(root)):
        if command.callback.__module__.startswith("tacenda."):
            yield name, command, context


def test_the_help_of_every_command_ends_with_examples() -> None:
    """They call the command itself, and stand below its options."""
    for name, command, _ in all_commands():
        assert "Examples" in (command.epilog or ""), name
        assert f"tacenda {name} " in f"{command.epilog} ".replace("\n", " \n"), name
        assert "Example" not in command.help, name


def test_every_option_has_a_panel() -> None:
    """But for ``--help`` itself."""
    for name, command, _ in all_commands():
        options = [param for param in command.params if param.param_type_name == "option"]
        assert not [param.name for param in options if not param.rich_help_panel], name
