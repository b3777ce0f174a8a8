"""What ``tacenda attack`` and ``anonymize`` share: documents, and whom they are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Document
    from ..documents.record import Failure, Record

Background = Annotated[
    Path, typer.Option(metavar="STORE", help="What is known: made by tacenda index people.")
]
Documents = Annotated[
    list[str], typer.Argument(metavar="PATH...", help="Files or folders; - is stdin.")
]
Table = Annotated[
    Path | None,
    typer.Option("--people", metavar="CSV", help="Columns document and person (id or name)."),
]
PersonField = Annotated[str, typer.Option(help="JSONL: the field that names the person.")]
CameIn = Annotated[
    str | None,
    typer.Option("--from", help="text, markdown, html, jsonl, csv, json, …; else by extension."),
]
Field = Annotated[str, typer.Option(help="JSONL: the field that holds the text.")]
Which = Annotated[
    str,
    typer.Option(
        "--attacker", help="bm25, bayes, encoder, joint, encoder:FOLDER; ensemble: any of them."
    ),
]


class About(NamedTuple):
    """A document and the number of the person it is about."""

    document: Document
    person: int


def documents_about(
    paths: Sequence[str],
    people: People,
    table: Path | None,
    person_field: str,
    came_in: str | None,
    field: str,
) -> Iterator[About | None]:
    """Yield documents with their people; None, and a message, for each that has a fault."""
    from ..documents.record import Record
    from ..errors import InputError
    from ..reidentify.subjects import PersonNames, read_table

    names = PersonNames(person_field, {} if table is None else read_table(table))
    for item in texts(paths, came_in, field):
        try:
            if not isinstance(item, Record):
                raise item.error
            yield About(item.document, people.find(names.of(item)))
        except InputError as error:
            place = f"{item.document.id}: " if isinstance(item, Record) else ""
            message = str(error)
            typer.echo(f"tacenda: {'' if message.startswith(place) else place}{message}", err=True)
            yield None


def texts(paths: Sequence[str], came_in: str | None, field: str) -> Iterator[Record | Failure]:
    """Yield what is in some files.

    Raises:
        typer.BadParameter: if the format is none.
    """
    from ..documents.reading import read
    from ..errors import InputError

    try:
        readers = [read(path, came_in, field=field) for path in paths]
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    return (item for reader in readers for item in reader)
