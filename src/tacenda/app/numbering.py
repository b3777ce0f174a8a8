"""One numbering for all documents of a project: a person has the same tag in all of them.

texts of all documents ─ names in them ─▶ key of a person ─ the store ─▶ number

The texts of a project don't change, so a person's key depends only on their names in a document,
not on the order of the documents or on what people decide. No two entities of one document share a
number: if two have the same key, the later one is numbered in that document alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from ..document import Decision, Document, SemanticType
from ..link.across import NamesAcross
from ..rewrite.identities import KnownIdentities
from ..rewrite.rewrite import canonical
from ..text.placeholders import taken_numbers
from .store import Store

NUMBERED = (SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC, SemanticType.CODE)
"""Types of who and what is the same in several documents; a date or an amount may be of something else."""


class ProjectNames:
    """The names in all documents of a project, and the numbers of tags their texts already contain.

    Args:
        store: the project's store.
        project: its number.
    """

    def __init__(self, store: Store, project: int) -> None:
        self.taken: dict[SemanticType, set[int]] = {type: set() for type in SemanticType}
        self._store, self._ids = store, [row.id for row in store.documents.of(project)]
        self.across = NamesAcross(map(self._with_numbers, self._texts()))

    def _texts(self) -> Iterator[str]:
        return (self._store.documents.text(id).text for id in self._ids)

    @cached_property
    def words(self) -> frozenset[str]:
        """The case-folded words of all texts."""
        from ..rewrite.surrogate.drawing import words_of

        return frozenset(word for text in self._texts() for word in words_of(text))

    def _with_numbers(self, text: str) -> str:
        for type, numbers in taken_numbers(text).items():
            self.taken[type] |= numbers
        return text


class ProjectNumbering:
    """The numbers of a document's entities, the same in all documents of its project.

    Args:
        store: the project's store.
        project: its number.
        names: the project's names.
        handle: the document's handle.
    """

    def __init__(self, store: Store, project: int, names: ProjectNames, handle: str) -> None:
        self._store, self._project, self._names = store, project, names
        self._handle = handle
        self._people: dict[str, str] = {}
        self._known = KnownIdentities()

    def known(self, document: Document, decisions: Sequence[Decision]) -> KnownIdentities:
        """Return what is written for a document's entities in the other documents, and the people made up so far."""
        makes_up = any(item.masked and item.operator == "surrogate" for item in decisions)
        keys = self._keys(document, decisions, makes_up=makes_up)
        numbers: dict[str, int] = {}
        for type, of_type in keys.items():
            taken = self._names.taken[type]
            given = self._store.identities.numbers(
                self._project, type, list(of_type.values()), taken
            )
            numbers |= zip(of_type, given, strict=True)
        if not makes_up:
            return KnownIdentities(numbers)
        self._people = keys[SemanticType.PERSON]
        stored = self._store.identities.made_up(self._project)
        people = {id: stored[key] for id, key in self._people.items() if key in stored}
        self._known = KnownIdentities(
            numbers, people, tuple(stored.values()), lambda: self._names.words
        )
        return self._known

    def keep(self) -> bool:
        """Store the people made up last; return whether nobody stored other names for them meanwhile."""
        people = {self._people[id]: made for id, made in self._known.people.items()}
        return not people or self._store.identities.make_up(self._project, people)

    def _keys(
        self, document: Document, decisions: Sequence[Decision], *, makes_up: bool
    ) -> dict[SemanticType, dict[str, str]]:
        """Return the keys of masked entities by type and entity, and, if people are made up, of kept ones, too."""
        people = self._names.across.keys(document, [decision.entity for decision in decisions])
        keys: dict[SemanticType, dict[str, str]] = {type: {} for type in NUMBERED}
        counts: Counter[tuple[SemanticType, str]] = Counter()
        for decision in decisions:
            entity = decision.entity
            if entity.type not in keys:
                continue
            name = canonical(document, entity)
            key = people.get(entity.id, name) or f"{name}\0{self._handle}"
            counts[entity.type, key] += 1
            if (number := counts[entity.type, key]) > 1:
                key = f"{name}\0{self._handle}\0{number}"
            # Kept people have a key, too, so that masking one later doesn't change others.
            if decision.masked or (makes_up and entity.id in people):
                keys[entity.type][entity.id] = key
        return keys
