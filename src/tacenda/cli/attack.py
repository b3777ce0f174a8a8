"""``tacenda attack``: do attackers with background knowledge find the people of a release?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from .adversary import ReleaseOptions
from .options import ATTACK, INPUT, OUTPUT, Paths, check_choice, grouped

if TYPE_CHECKING:
    from ..reidentify.report import Rows
    from ..reidentify.tokens import TokenizedDocument

_FORMATS: Final = ("table", "json", "html")

_K = Annotated[
    int,
    typer.Option(
        "--k", min=1, help="Of the second rate: among the first K.", rich_help_panel=ATTACK
    ),
]
_Original = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH",
        help="The documents before masking, in the same order.",
        rich_help_panel=INPUT,
    ),
]
_MaxRate = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Exit with 1 if more than this share is found at rank 1.",
        rich_help_panel=ATTACK,
    ),
]
_To = Annotated[str, typer.Option(help="table, json or html.", rich_help_panel=OUTPUT)]
_Clues = Annotated[
    int, typer.Option(min=0, help="Telling words a document, at most.", rich_help_panel=OUTPUT)
]
_Reveal = Annotated[
    bool,
    typer.Option(
        "--reveal",
        help="JSON: add the telling words; HTML: and the texts. For review.",
        rich_help_panel=OUTPUT,
    ),
]


@grouped
def attack(
    paths: Paths,
    original: _Original = None,
    *,
    release: ReleaseOptions,
    k: _K = 10,
    max_rate: _MaxRate = None,
    to: _To = "table",
    clues: _Clues = 5,
    reveal: _Reveal = False,
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
    from ..reidentify.report import AttackCase, as_object, outcome_rows, people_shown, rate_rows
    from ..reidentify.report import attack as measure
    from ..reidentify.tokens import read_words

    check_choice(to, _FORMATS, "--to")
    people = People(release.background)
    attackers = open_attackers(release.attacker, people)
    items = list(release.documents(paths, people))
    before = _originals(release, original, len(items)) if original else [None] * len(items)
    cases = [
        AttackCase(read_words(item.document), item.person, unmasked)
        for item, unmasked in zip(items, before, strict=True)
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
    if len(cases) < len(items):
        raise typer.Exit(1)


def _originals(
    release: ReleaseOptions, paths: Sequence[str], n: int
) -> list[TokenizedDocument | None]:
    """Originals of a release; a fault in one, or another number of them, ends the run."""
    from ..documents.record import SourceDocument
    from ..errors import InputError
    from ..reidentify.tokens import read_words

    documents: list[TokenizedDocument | None] = []
    for item in release.read(paths):
        if not isinstance(item, SourceDocument):
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
        grid = RichTable()
        for heading in headings:
            # Cut off, a document's name would tell nothing.
            grid.add_column(heading, overflow="fold")
        for row in rows:
            grid.add_row(*map(Text, row))
        console.print(grid)
