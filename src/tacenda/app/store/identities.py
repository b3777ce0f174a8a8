"""The numbers of people and things in a project's tags: each is assigned once and never reused."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import count

from ...document import SemanticType
from ...rewrite.identities import MadeUpPerson
from .database import ProjectDatabase, from_column, to_column


class Identities:
    """The table of identities."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def numbers(
        self, project: int, type: SemanticType, keys: Sequence[str], taken: Collection[int] = ()
    ) -> list[int]:
        """Return the numbers of identities of a type, in order; new ones get the next numbers.

        Args:
            project: number of their project.
            type: their type.
            keys: one key for each.
            taken: numbers that mean something else in a text.
        """
        numbers = [self._number(project, type, key) for key in keys]
        if None in numbers:
            with self._database.transaction() as connection:
                for key in keys:
                    if self._number(project, type, key) is None:
                        ((last,),) = connection.execute(
                            "SELECT ifnull(max(number), 0) FROM identity WHERE project = ? AND type = ?",
                            (project, type),
                        )
                        number = next(n for n in count(last + 1) if n not in taken)
                        connection.execute(
                            "INSERT INTO identity (project, type, key, number) VALUES (?, ?, ?, ?)",
                            (project, type, to_column(key), number),
                        )
                numbers = [self._number(project, type, key) for key in keys]
        return [number for number in numbers if number is not None]

    def made_up(self, project: int) -> dict[str, MadeUpPerson]:
        """Return the made-up people of a project, by the keys of the people they stand for."""
        rows = self._database.rows(
            "SELECT key, made_up FROM identity WHERE project = ? AND type = ? AND made_up != ''",
            project,
            SemanticType.PERSON,
        )
        return {from_column(key): MadeUpPerson(**json.loads(text)) for key, text in rows}

    def make_up(self, project: int, people: Mapping[str, MadeUpPerson]) -> bool:
        """Add names to made-up people, by key; return False, and write nothing, if a name was already made up differently."""
        with self._database.transaction() as connection:
            stored = self.made_up(project)
            surnames = {
                name: made for one in stored.values() for name, made in one.surnames.items()
            }
            for key, person in people.items():
                known = stored.get(key, replace(person, names={}, surnames={}))
                names, own = {**person.names, **known.names}, {**person.surnames, **surnames}
                if any(names[name] != made for name, made in person.names.items()) or any(
                    own[name] != made for name, made in person.surnames.items()
                ):
                    return False
                merged = replace(known, names=names, surnames={**person.surnames, **known.surnames})
                if merged != known or key not in stored:
                    connection.execute(
                        "UPDATE identity SET made_up = ? WHERE project = ? AND type = ? AND key = ?",
                        (json.dumps(asdict(merged)), project, SemanticType.PERSON, to_column(key)),
                    )
        return True

    def _number(self, project: int, type: SemanticType, key: str) -> int | None:
        rows = self._database.rows(
            "SELECT number FROM identity WHERE project = ? AND type = ? AND key = ?",
            project,
            type,
            to_column(key),
        )
        return rows[0][0] if rows else None
