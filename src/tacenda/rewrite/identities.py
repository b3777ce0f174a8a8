"""What a project knows of a document's people and things from its other documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MadeUpPerson:
    """A made-up person.

    Attributes:
        gender: ``m``, ``f`` or empty.
        culture: of the names.
        names: made-up given names by those that they stand for, folded.
        surnames: made-up surnames, as men bear them, likewise.
    """

    gender: str
    culture: str
    names: dict[str, str] = field(repr=False)
    surnames: dict[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class KnownIdentities:
    """What is known of the entities of a document.

    Attributes:
        numbers: in tags, by the id of the entity; those of other entities are of this document alone.
        people: made-up people likewise; those of this document are added.
        others: all made-up people of the project.
        words: function that gives the folded words of all its texts; no made-up name is one of them.
    """

    numbers: Mapping[str, int] = field(default_factory=dict)
    people: dict[str, MadeUpPerson] = field(default_factory=dict)
    others: Collection[MadeUpPerson] = ()
    words: Callable[[], Collection[str]] | None = None
