"""``tacenda attack``: can somebody who knows something still say whom the documents are about?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .people_documents import (
    Background,
    CameIn,
    Documents,
    Field,
    PersonField,
    Table,
    Which,
    documents_about,
    texts,
)

if TYPE_CHECKING:
    from ..reidentify.report import Rows
    from ..reidentify.tokens import WordedDocument

_FORMATS = ("table", "json", "html")


def attack(
    paths: Documents,
    background: Background,
    attacker: Which = "ensemble",
    k: Annotated[
        int, typer.Option("--k", min=1, help="Of the second rate: among the first K.")
    ] = 10,
    table: Table = None,
    person_field: PersonField = "person",
    original: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="The documents before masking, in the same order."),
    ] = None,
    max_rate: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Exit with 1 if more than this share is found at rank 1."),
    ] = None,
    to: Annotated[str, typer.Option(help="table, json or html.")] = "table",
    clues: Annotated[int, typer.Option(min=0, help="Telling words a document, at most.")] = 5,
    reveal: Annotated[
        bool,
        typer.Option(
            "--reveal", help="JSON: add the telling words; HTML: and the texts. For review."
        ),
    ] = False,
    came_in: CameIn = None,
    field: Field = "text",
) -> None:
    """Attack a release: how many people are found, by whom, and by which words.

    Whom a document is about is said by a field of its line (JSONL), or by a table of documents and
    people; a person is named by id, or by a name that nobody else has.

    Examples:
      tacenda index people register.csv -o people.db

      tacenda attack release.jsonl --background people.db --max-rate 0.01

      tacenda attack clean/ --background people.db --people who.csv --to html > attack.html
    """
    from ..background.people import People
    from ..reidentify.attackers import open_attackers
    from ..reidentify.report import Case, as_object, outcome_rows, people_shown, rate_rows
    from ..reidentify.report import attack as measure
    from ..reidentify.tokens import read_words

    if to not in _FORMATS:
        raise typer.BadParameter(f"{to!r} is none of {', '.join(_FORMATS)}", param_hint="--to")
    people = People(background)
    attackers = open_attackers(attacker, people)
    found = list(documents_about(paths, people, table, person_field, came_in, field))
    before = _originals(original, len(found), came_in, field) if original else [None] * len(found)
    cases = [
        Case(read_words(item.document), item.person, unmasked)
        for item, unmasked in zip(found, before, strict=True)
        if item is not None
    ]
    if not cases:
        typer.echo("tacenda: there is no document to attack.", err=True)
        raise typer.Exit(1)
    report = measure(cases, attackers, k, clues)
    if to == "json":
        print(json.dumps(as_object(report, people, reveal=reveal), indent=1, ensure_ascii=False))
    elif to == "html":
        from ..pages.attack import page

        sys.stdout.write(
            page(report, rate_rows(report), people_shown(report, people), reveal=reveal)
        )
    else:
        _print(rate_rows(report), outcome_rows(report, people, reveal=True))
    if max_rate is not None and report.rate.value > max_rate:
        typer.echo(
            f"tacenda: {report.rate.value:.3f} of the documents are re-identified, more than "
            f"--max-rate {max_rate:g}.",
            err=True,
        )
        raise typer.Exit(1)
    if len(cases) < len(found):
        raise typer.Exit(1)


def _originals(
    paths: Sequence[str], n: int, came_in: str | None, field: str
) -> list[WordedDocument | None]:
    """Return the originals; a fault in one, or another number of them, ends the run."""
    from ..documents.record import Record
    from ..errors import InputError
    from ..reidentify.tokens import read_words

    documents: list[WordedDocument | None] = []
    for item in texts(paths, came_in, field):
        if not isinstance(item, Record):
            raise item.error
        documents.append(read_words(item.document))
    if len(documents) != n:
        raise InputError(
            f"--original has {len(documents)} documents, the release has {n}; give the same ones in "
            "the same order."
        )
    return documents


def _print(*tables: Rows) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for headings, *rows in tables:
        shown = RichTable()
        for heading in headings:
            # Cut off, a document's name would tell nothing.
            shown.add_column(heading, overflow="fold")
        for row in rows:
            shown.add_row(*map(Text, row))
        console.print(shown)
