"""``tacenda attack``: can somebody who knows something still say whom the documents are about?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Document
    from ..documents.record import Failure, SourceDocument
    from ..reidentify.pipeline import AttackIndicator, ResidualAttack
    from ..reidentify.report import Rows
    from ..reidentify.subjects import SubjectResolver
    from ..reidentify.tokens import TokenizedDocument
    from ..result import Result

# What ``tacenda attack`` and ``anonymize`` share: documents, and whom they are about.


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
InputFormat = Annotated[
    str | None,
    typer.Option("--from", help="text, markdown, html, jsonl, csv, json, …; else by extension."),
]
Field = Annotated[str, typer.Option(help="JSONL: the field that holds the text.")]
AttackerOption = Annotated[
    str,
    typer.Option(
        "--attacker", help="bm25, bayes, encoder, joint, encoder:FOLDER; ensemble: any of them."
    ),
]


class SubjectDocument(NamedTuple):
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
) -> Iterator[SubjectDocument | None]:
    """Yield documents with their people; None, and a message, for each that has a fault."""
    from ..documents.record import SourceDocument
    from ..errors import InputError
    from ..reidentify.subjects import SubjectResolver, read_table

    names = SubjectResolver(person_field, {} if table is None else read_table(table))
    for item in texts(paths, came_in, field):
        try:
            if not isinstance(item, SourceDocument):
                raise item.error
            yield SubjectDocument(item.document, people.find(names.of(item)))
        except InputError as error:
            place = f"{item.document.id}: " if isinstance(item, SourceDocument) else ""
            message = str(error)
            typer.echo(f"tacenda: {'' if message.startswith(place) else place}{message}", err=True)
            yield None


def texts(
    paths: Sequence[str], came_in: str | None, field: str
) -> Iterator[SourceDocument | Failure]:
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


_FORMATS = ("table", "json", "html")


def attack(
    paths: Documents,
    background: Background,
    attacker: AttackerOption = "ensemble",
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
    came_in: InputFormat = None,
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
    from ..reidentify.report import AttackCase, as_object, outcome_rows, people_shown, rate_rows
    from ..reidentify.report import attack as measure
    from ..reidentify.tokens import read_words

    if to not in _FORMATS:
        raise typer.BadParameter(f"{to!r} is none of {', '.join(_FORMATS)}", param_hint="--to")
    people = People(background)
    attackers = open_attackers(attacker, people)
    items = list(documents_about(paths, people, table, person_field, came_in, field))
    before = _originals(original, len(items), came_in, field) if original else [None] * len(items)
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
    paths: Sequence[str], n: int, came_in: str | None, field: str
) -> list[TokenizedDocument | None]:
    """Return the originals; a fault in one, or another number of them, ends the run."""
    from ..documents.record import SourceDocument
    from ..errors import InputError
    from ..reidentify.tokens import read_words

    documents: list[TokenizedDocument | None] = []
    for item in texts(paths, came_in, field):
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


# ``sanitize --attack``: what people of a store could be taken for, before masking and after it.


Attack = Annotated[
    Path | None,
    typer.Option(
        "--attack",
        metavar="STORE",
        help="People that an adversary knows (tacenda index people): what leads them to the person "
        "is masked, and the result attacked; exit code 1 if the person is found.",
    ),
]
Person = Annotated[
    str | None, typer.Option(help="--attack: whom all documents are about, by id or name.")
]
AttackTable = Annotated[
    Path | None,
    typer.Option(
        "--people", metavar="CSV", help="--attack: columns document and person (id or name)."
    ),
]
AttackPersonField = Annotated[
    str, typer.Option(help="--attack: JSONL: the field that names the person.")
]
Attacker = Annotated[str, typer.Option(help="--attack: bm25, bayes … or ensemble (any of them).")]
K = Annotated[
    int, typer.Option("--k", min=1, help="--attack: the person must not be among the first K.")
]
OnlyCheck = Annotated[
    bool, typer.Option("--only-check", help="--attack: mask nothing for it, say who is found.")
]


@dataclass(frozen=True, slots=True)
class Adversary:
    """An adversary, and the people that documents are about.

    Attributes:
        people: the store.
        names: whom a document is about; None where ``person`` is everybody's.
        person: whom all documents are about; empty where ``names`` says it.
        indicators: one, or none with ``--only-check``.
        check: of results.
    """

    people: People
    names: SubjectResolver | None
    person: str
    indicators: tuple[AttackIndicator, ...]
    check: ResidualAttack

    def named(
        self, items: Iterable[SourceDocument | Failure]
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the records with their people; a failure for each whose person is not known."""
        from ..documents.record import Failure, SourceDocument
        from ..errors import InputError
        from ..reidentify.subjects import person_index

        for item in items:
            if not isinstance(item, SourceDocument):
                yield item
                continue
            try:
                person = self.person if self.names is None else self.names.of(item)
                document = replace(item.document, person=person)
                person_index(self.people, document)
            except InputError as error:
                yield Failure(error)
                continue
            yield replace(item, document=document)


def open_adversary(
    store: Path | None,
    person: str | None,
    table: Path | None,
    person_field: str,
    attacker: str,
    k: int,
    *,
    only_check: bool,
) -> Adversary | None:
    """Return the adversary that the options ask for; None without ``--attack``.

    Raises:
        typer.BadParameter: if options contradict each other.
        InputError: if the store, the table or the attacker can't be used.
    """
    if store is None:
        for value, name in (
            (person, "--person"),
            (table, "--people"),
            (only_check, "--only-check"),
        ):
            if value:
                raise typer.BadParameter("needs --attack STORE", param_hint=name)
        return None
    if person is not None and table is not None:
        raise typer.BadParameter(
            "says it already; leave one out", param_hint="--people or --person"
        )
    from ..background.people import People
    from ..reidentify.attackers import open_attackers
    from ..reidentify.pipeline import AttackIndicator, ResidualAttack
    from ..reidentify.subjects import SubjectResolver, read_table

    people = People(store)
    attackers = open_attackers(attacker, people)
    names = None
    if person is None:
        hint = ", or name one person for all with --person"
        names = SubjectResolver(person_field, {} if table is None else read_table(table), hint)
    return Adversary(
        people=people,
        names=names,
        person=person or "",
        indicators=() if only_check else (AttackIndicator(people, attackers, k),),
        check=ResidualAttack(people, attackers, k),
    )


def print_identifications(result: Result) -> int:
    """Print which attackers find the person of a result, on stderr; return 1 if any does."""
    from ..explain import identified

    identifications = [
        identification for identification in result.identifications if identification.found
    ]
    for identification in identifications:
        typer.echo(f"tacenda: {result.document.id}: {identified(identification)}", err=True)
    return int(bool(identifications))
