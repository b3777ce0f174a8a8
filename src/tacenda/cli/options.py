"""Arguments and options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..documents.columns import Others
    from ..policy import Policy

_PICTURES = ("png", "svg", "pdf")


def _picture(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower().removeprefix(".") not in _PICTURES:
        choices = ", ".join(f".{name}" for name in _PICTURES)
        raise typer.BadParameter(f"{str(path)!r} must end in one of {choices}")
    return path


Gold = Annotated[
    str, typer.Argument(metavar="GOLD", help="Gold annotations, TAB standoff JSON; - is stdin.")
]
Split = Annotated[str | None, typer.Option(help="Count only the documents of this split.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=_picture,
        help="Also draw it to a .png, .svg or .pdf (extra plot).",
    ),
]


# A running count on stderr, where a person is watching.


@contextmanager
def progress_counter(unit: str) -> Iterator[Callable[[], None]]:
    """Show how many of ``unit`` are done; yields the function to call after each."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), MofNCompleteColumn(), unit, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda: progress.advance(task)


# Options that say what becomes of the columns of a table, or the fields of JSON lines.


Field = Annotated[
    str, typer.Option(help="JSONL: the field that holds the text, by name or path (prompt.text).")
]
Column = Annotated[
    list[str] | None, typer.Option(help="CSV: a column that holds text; may be repeated.")
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-columns",
        metavar="NAMES",
        help="CSV, JSONL: other columns or fields (id,ward; author.name) that stay, but for who is "
        "masked; '*' is all that are not named.",
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop-columns", metavar="NAMES", help="CSV, JSONL: others that are left out."),
]
PseudonymOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pseudonym-columns",
        metavar="NAMES",
        help="CSV, JSONL: others whose values become [ID 1] …: alike for the same value, under a key "
        "in every run.",
    ),
]
Neutralize = Annotated[
    bool,
    typer.Option(
        "--neutralize-formulas",
        help="CSV: put an apostrophe before cells that a spreadsheet would compute (=, +, -, @).",
    ),
]


def rules_for_columns(
    keep: Sequence[str] | None,
    drop: Sequence[str] | None,
    pseudonym: Sequence[str] | None,
    policy: Policy,
    *,
    neutralize: bool,
) -> Others:
    """Return what the options say of columns that are no text.

    Raises:
        typer.BadParameter: if they say two things of one.
        PolicyError: if the policy's key is needed and can't be used.
    """
    from ..documents.columns import Others, RunningNumbers, names_of
    from ..errors import InputError
    from ..rewrite.operators import digest

    def names(values: Sequence[str] | None) -> frozenset[str]:
        return frozenset(name for value in values or () for name in names_of(value))

    def keyed(key: bytes, value: str) -> str:
        message = f"ID\0{value}".encode("utf-8", "surrogatepass")
        return f"[ID {digest(key, message)}]"

    has_key = policy.key_env is not None or policy.key_file is not None
    name = partial(keyed, policy.key()) if pseudonym and has_key else RunningNumbers()
    try:
        return Others(names(keep), names(drop), names(pseudonym), name, harmless=neutralize)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
