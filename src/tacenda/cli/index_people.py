"""``tacenda index people``: profiles of people, made what an attack searches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .progress import counting


def people(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help=".jsonl, .json, .csv or .tsv; also with .gz."),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The store; built anew.")],
    id_field: Annotated[str, typer.Option(help="The field with a person's id.")] = "id",
    name_field: Annotated[str, typer.Option(help="The field with a person's name.")] = "name",
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="A field nobody knows; may be repeated."),
    ] = None,
) -> None:
    """Store what an adversary could know of people: profiles, or texts about them.

    Each object or row is a person; all fields but those left out are known. A person without an id
    has their name as id. Two people may have one name, but not one id. A person of whom nothing but
    the name is known stays among the candidates.

    Example: tacenda index people staff.csv register.jsonl -o people.db
    """
    from ..background.people import PeopleBuilder
    from ..background.reading import PeopleReader
    from ..errors import InputError

    reader = PeopleReader(id_field, name_field, frozenset(without or ()))
    faults = 0
    with PeopleBuilder(output) as builder, counting("people") as advance:
        for path in paths:
            for item in reader.read(path):
                if isinstance(item, InputError):
                    typer.echo(f"tacenda: {item}", err=True)
                    faults += 1
                else:
                    builder.add(item, str(path))
                    advance()
    typer.echo(f"{output}: {builder.written} people", err=True)
    if builder.shared_names:
        typer.echo(f"{builder.shared_names} names belong to several people: use ids.", err=True)
    if builder.empty:
        some = ", ".join(map(repr, builder.empty_ids))
        typer.echo(
            f"{builder.empty} people have an empty profile ({some}, …): they are candidates of whom "
            "nothing but the name can be found.",
            err=True,
        )
    if faults:
        raise typer.Exit(1)
