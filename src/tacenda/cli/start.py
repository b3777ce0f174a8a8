"""Starting without arguments: ``tacenda`` on its own, and ``tacenda serve shortcut`` for the desktop."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ..atomic import write_atomically
from .options import cli_option

_APP = ("fastapi", "jinja2", "python_multipart", "uvicorn")
_NAMES = {"darwin": "tacenda.command", "win32": "tacenda.bat"}


def can_open_page() -> bool:
    """Return whether there is a terminal and a display, so that the application can open in a browser."""
    is_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    has_display = sys.platform in _NAMES or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return is_terminal and has_display and all(map(find_spec, _APP))


def starter(platform: str, python: str) -> tuple[str, str]:
    """Return name and contents of a file that opens the application when double-clicked.

    Args:
        platform: a value of ``sys.platform``.
        python: the interpreter in which tacenda is installed.
    """
    name = _NAMES.get(platform, "tacenda.desktop")
    if platform == "win32":
        command = f'"{python.replace("%", "%%")}" -m tacenda review'
        return name, f"@echo off\r\n{command}\r\nif errorlevel 1 pause\r\n"
    if platform == "darwin":
        return name, f"#!/bin/sh\nexec {shlex.quote(python)} -m tacenda review\n"
    # Quoted as an argument, then escaped as a string (Desktop Entry Specification, "The Exec key").
    quoted = "".join(f"\\{c}" if c in '\\"`$' else c for c in python.replace("%", "%%"))
    path = quoted.replace("\\", "\\\\")
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=tacenda",
        "Comment=Try a text, review documents",
        f'Exec="{path}" -m tacenda review',
        "Terminal=true",  # where to stop it
        "Categories=Office;",
    )
    return name, "\n".join(lines) + "\n"


def shortcut(
    to: Annotated[Path | None, cli_option("start.to", metavar="FOLDER")] = None,
) -> None:
    """Create a desktop shortcut that opens the application.

    Examples:
      tacenda serve shortcut
      tacenda serve shortcut --to .
    """
    desktop = Path.home() / "Desktop"
    folder = to or (desktop if desktop.is_dir() else Path())
    if not folder.is_dir():
        raise typer.BadParameter(f"{str(folder)!r} is not a folder", param_hint="--to")
    name, contents = starter(sys.platform, sys.executable)
    path = folder / name
    write_atomically(path, contents.encode())
    path.chmod(0o755)
    typer.echo(f"Written: {path}. Double-click it to start; close its window to stop.")
