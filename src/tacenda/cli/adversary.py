"""Subjects of documents and their adversary: ``attack``, ``anonymize``, ``sanitize --attack``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .options import ATTACK, Attacker, Field, InputFormat, PersonField, SubjectTable

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Document
    from ..documents.record import Failure, SourceDocument
    from ..reidentify.pipeline import AttackIndicator, ResidualAttack, SubjectResolver
    from ..result import Result

_Background = Annotated[
    Path,
    typer.Option(
        metavar="STORE",
        help="What is known: made by tacenda index people.",
        rich_help_panel=ATTACK,
    ),
]


class SubjectDocument(NamedTuple):
    """A document and the number of the person it is about."""

    document: Document
    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """Options of the input of a release, and of its attackers."""

    input_format: InputFormat = None
    field: Field = "text"
    background: _Background
    attacker: Attacker = "ensemble"
    people: SubjectTable = None
    person_field: PersonField = "person"

    def read(self, paths: Sequence[str]) -> Iterator[SourceDocument | Failure]:
        """Documents of some files.

        Raises:
            typer.BadParameter: if the format is none.
        """
        from ..documents.reading import read
        from ..errors import InputError

        try:
            readers = [read(path, self.input_format, field=self.field) for path in paths]
        except InputError as error:
            raise typer.BadParameter(str(error)) from error
        return (item for reader in readers for item in reader)

    def documents(self, paths: Sequence[str], people: People) -> Iterator[SubjectDocument | None]:
        """Documents with their subjects; None, and a message, for each invalid one."""
        from ..documents.record import SourceDocument
        from ..errors import InputError
        from ..reidentify.pipeline import SubjectResolver, read_table

        table = {} if self.people is None else read_table(self.people)
        subjects = SubjectResolver(self.person_field, table)
        for item in self.read(paths):
            try:
                if not isinstance(item, SourceDocument):
                    raise item.error
                yield SubjectDocument(item.document, people.find(subjects.of(item)))
            except InputError as error:
                place = f"{item.document.id}: " if isinstance(item, SourceDocument) else ""
                message = str(error).removeprefix(place)
                typer.echo(f"tacenda: {place}{message}", err=True)
                yield None


_Store = Annotated[
    Path | None,
    typer.Option(
        metavar="STORE",
        help="People that an adversary knows (tacenda index people): what leads them to the person "
        "is masked, and the result attacked; exit code 1 if the person is found.",
        rich_help_panel=ATTACK,
    ),
]
_Person = Annotated[
    str | None,
    typer.Option(help="Whom all documents are about, by id or name.", rich_help_panel=ATTACK),
]
_K = Annotated[
    int,
    typer.Option(
        "--k", min=1, help="The person must not be among the first K.", rich_help_panel=ATTACK
    ),
]
_OnlyCheck = Annotated[
    bool,
    typer.Option(
        "--only-check", help="Mask nothing for it, say who is found.", rich_help_panel=ATTACK
    ),
]


@dataclass(frozen=True, slots=True)
class AdversaryOptions:
    """Options of the attackers of a run, and of the subjects of its documents."""

    attack: _Store = None
    person: _Person = None
    people: SubjectTable = None
    person_field: PersonField = "person"
    attacker: Attacker = "ensemble"
    k: _K = 1
    only_check: _OnlyCheck = False

    def open(self) -> Adversary | None:
        """Adversary of these options; None without ``--attack``.

        Raises:
            typer.BadParameter: if options contradict each other.
            InputError: if the store, the table or the attacker can't be used.
        """
        if self.attack is None:
            for value, name in (
                (self.person, "--person"),
                (self.people, "--people"),
                (self.only_check, "--only-check"),
            ):
                if value:
                    raise typer.BadParameter("needs --attack STORE", param_hint=name)
            return None
        if self.person is not None and self.people is not None:
            raise typer.BadParameter(
                "says it already; leave one out", param_hint="--people or --person"
            )
        from ..background.people import People
        from ..reidentify.attackers import open_attackers
        from ..reidentify.pipeline import (
            AttackIndicator,
            ResidualAttack,
            SubjectResolver,
            read_table,
        )

        people = People(self.attack)
        attackers = open_attackers(self.attacker, people)
        subjects = None
        if self.person is None:
            hint = ", or name one person for all with --person"
            table = {} if self.people is None else read_table(self.people)
            subjects = SubjectResolver(self.person_field, table, hint)
        return Adversary(
            people=people,
            subjects=subjects,
            person=self.person or "",
            indicators=() if self.only_check else (AttackIndicator(people, attackers, self.k),),
            check=ResidualAttack(people, attackers, self.k),
        )


@dataclass(frozen=True, slots=True)
class Adversary:
    """An adversary, and the subjects of documents.

    Attributes:
        people: the store.
        subjects: resolver of a document's subject; None where ``person`` holds for all.
        person: the subject of all documents; empty with ``subjects``.
        indicators: one, or none with ``--only-check``.
        check: of results.
    """

    people: People
    subjects: SubjectResolver | None
    person: str
    indicators: tuple[AttackIndicator, ...]
    check: ResidualAttack

    def with_people(
        self, items: Iterable[SourceDocument | Failure]
    ) -> Iterator[SourceDocument | Failure]:
        """Documents with their subjects; a failure for each with an unknown subject."""
        from ..documents.record import Failure, SourceDocument
        from ..errors import InputError
        from ..reidentify.pipeline import person_index

        for item in items:
            if not isinstance(item, SourceDocument):
                yield item
                continue
            try:
                person = self.person if self.subjects is None else self.subjects.of(item)
                document = replace(item.document, subject=person)
                person_index(self.people, document)
            except InputError as error:
                yield Failure(error)
                continue
            yield replace(item, document=document)


def print_identifications(result: Result) -> int:
    """Print the attackers that find the person of a result, on stderr; return 1 for any, else 0."""
    from ..explain import identified

    identifications = [
        identification for identification in result.identifications if identification.found
    ]
    for identification in identifications:
        typer.echo(f"tacenda: {result.document.id}: {identified(identification)}", err=True)
    return int(bool(identifications))
