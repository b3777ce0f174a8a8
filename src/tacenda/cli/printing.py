"""How commands print figures: as tables for people, as one JSON value for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..reidentify.report import Rows


def print_note(message: object) -> None:
    """Print a message on stderr, under the program's name."""
    typer.echo(f"tacenda: {message}", err=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print remarks on a measurement on stderr."""
    for note in notes:
        typer.echo(f"note: {note}", err=True)


def print_json(value: Any) -> None:
    """Print one JSON value on stdout, as ``--json`` promises."""
    print(json.dumps(value, indent=1, ensure_ascii=False))


def print_tables(*tables: Rows) -> None:
    """Print tables, each with its headings in the first row."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for headings, *rows in tables:
        grid = RichTable()
        for heading in headings:
            # Cut off, a document's name would tell nothing.
            grid.add_column(heading, overflow="fold")
        for row in rows:
            grid.add_row(*map(Text, row))
        console.print(grid)
