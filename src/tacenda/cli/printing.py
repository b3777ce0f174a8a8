"""How commands print figures: tables for people, one JSON value for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..documents.fields import Fields
    from ..reidentify.report import Rows


def print_note(message: object) -> None:
    """Print a message on stderr, prefixed with the program's name."""
    typer.echo(f"tacenda: {message}", err=True)


def print_dropped(fields: Fields) -> None:
    """Print how many values of each field were dropped as unreadable."""
    for name, count in fields.dropped.items():
        values = "1 value" if count == 1 else f"{count:,} values"
        print_note(f"dropped {values} of field {name!r} that can't be read")


def print_notes(notes: Iterable[str]) -> None:
    """Print notes about a measurement on stderr."""
    for note in notes:
        typer.echo(f"note: {note}", err=True)


def print_json(value: Any) -> None:
    """Print one JSON value on stdout, as ``--json`` promises."""
    print(json.dumps(value, indent=1, ensure_ascii=False))


def write_output(content: bytes, path: Path | None, *, private: bool = False) -> None:
    """Write to stdout, or to a file, either completely or not at all."""
    from ..atomic import write_atomically

    if path is not None and str(path) != "-":
        write_atomically(path, content, private=private)
        return
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def print_tables(*tables: Rows) -> None:
    """Print tables, each with its headings in the first row."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for headings, *rows in tables:
        grid = RichTable()
        for heading in headings:
            # A truncated document name would be useless.
            grid.add_column(heading, overflow="fold")
        for row in rows:
            grid.add_row(*map(Text, row))
        console.print(grid)


@contextmanager
def progress_counter(unit: str) -> Iterator[Callable[[], None]]:
    """Count ``unit`` on stderr if it is a terminal; yield a function to call after each.

    For a document with many pages, the page is also shown.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    from ..isolation import workers

    page = TextColumn("{task.description}")
    columns = (SpinnerColumn(), MofNCompleteColumn(), unit, page, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        workers.on_progress = lambda each: progress.update(
            task, description=f"page {each.done} of {each.total}"
        )
        yield lambda: progress.update(task, advance=1, description="")
