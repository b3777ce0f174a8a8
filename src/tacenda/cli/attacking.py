"""``sanitize --attack``: what people of a store could be taken for, before masking and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..background.people import People
    from ..documents.record import Failure, Record
    from ..reidentify.pipeline import AttackIndicator, ResidualAttack
    from ..reidentify.subjects import PersonNames
    from ..result import Result

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
Table = Annotated[
    Path | None,
    typer.Option(
        "--people", metavar="CSV", help="--attack: columns document and person (id or name)."
    ),
]
PersonField = Annotated[str, typer.Option(help="--attack: JSONL: the field that names the person.")]
Attacker = Annotated[str, typer.Option(help="--attack: bm25, bayes … or ensemble (any of them).")]
K = Annotated[
    int, typer.Option("--k", min=1, help="--attack: the person must not be among the first K.")
]
OnlyCheck = Annotated[
    bool, typer.Option("--only-check", help="--attack: mask nothing for it, say who is found.")
]


@dataclass(frozen=True, slots=True)
class Attacking:
    """An adversary, and the people that documents are about.

    Attributes:
        people: the store.
        names: whom a document is about; None where ``person`` is everybody's.
        person: whom all documents are about; empty where ``names`` says it.
        indicators: one, or none with ``--only-check``.
        check: of results.
    """

    people: People
    names: PersonNames | None
    person: str
    indicators: tuple[AttackIndicator, ...]
    check: ResidualAttack

    def named(self, items: Iterable[Record | Failure]) -> Iterator[Record | Failure]:
        """Yield the records with their people; a failure for each whose person is not known."""
        from ..documents.record import Failure, Record
        from ..errors import InputError
        from ..reidentify.subjects import number_of

        for item in items:
            if not isinstance(item, Record):
                yield item
                continue
            try:
                person = self.person if self.names is None else self.names.of(item)
                document = replace(item.document, person=person)
                number_of(self.people, document)
            except InputError as error:
                yield Failure(error)
                continue
            yield replace(item, document=document)


def attacking(
    store: Path | None,
    person: str | None,
    table: Path | None,
    person_field: str,
    attacker: str,
    k: int,
    *,
    only_check: bool,
) -> Attacking | None:
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
    from ..reidentify.subjects import PersonNames, read_table

    people = People(store)
    attackers = open_attackers(attacker, people)
    names = None
    if person is None:
        hint = ", or name one person for all with --person"
        names = PersonNames(person_field, {} if table is None else read_table(table), hint)
    return Attacking(
        people=people,
        names=names,
        person=person or "",
        indicators=() if only_check else (AttackIndicator(people, attackers, k),),
        check=ResidualAttack(people, attackers, k),
    )


def say_found(result: Result) -> int:
    """Print which attackers find the person of a result, on stderr; return 1 if any does."""
    from ..explanation import identified

    found = [each for each in result.identifications if each.found]
    for each in found:
        typer.echo(f"tacenda: {result.document.id}: {identified(each)}", err=True)
    return int(bool(found))
