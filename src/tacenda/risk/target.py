"""The person to protect: an entity that bears one of the target's names is a direct identifier.

A name matches if its surname is the target's and no given name contradicts: "Mr Yalman",
"G. Yalman" and "Yalman" match the target "Mr Galip Yalman", "Ayşe Yalman" does not. Such a
namesake is often a relative; it keeps its own risk, but at least that of a quasi-identifier.
Case and diacritics don't matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ..document import Document, Entity, Evidence, IdentifierType, SemanticType
from .indicator import Finding

_TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady judge justice captain colonel general major "
    "sergeant rev reverend father sister brother herr frau monsieur madame mme mlle the and".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_NAMESAKE = 0.6


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name in parts, folded: given names or initials, and the surname."""

    given: tuple[str, ...]
    surname: str

    @classmethod
    def parse(cls, name: str) -> PersonName | None:
        """Return the parts of ``name``; None if nothing but titles is in it."""
        flat = "".join(
            letter
            for letter in unicodedata.normalize("NFKD", name.casefold())
            if not unicodedata.combining(letter)
        )
        words = [word for word in _WORD.findall(flat) if word not in _TITLES]
        if words and words[-1] == "s" and len(words) > 1:
            words.pop()  # Possessive: "Yalman's".
        return cls(tuple(words[:-1]), words[-1]) if words else None

    def matches(self, target: PersonName) -> bool:
        """Tell whether this can be another way to write ``target``."""
        if self.surname == target.surname:
            return all(_agrees(given, target.given) for given in self.given)
        # A given name alone, or the names in another order: "YALMAN Galip".
        own = {*self.given, self.surname}
        return own <= {*target.given, target.surname} and len(self.surname) > 1

    def is_namesake(self, target: PersonName) -> bool:
        """Tell whether the surname is the same but a given name contradicts."""
        return self.surname == target.surname and not self.matches(target)


def _agrees(given: str, targets: tuple[str, ...]) -> bool:
    return not targets or any(
        given == target or (min(len(given), len(target)) == 1 and given[0] == target[0])
        for target in targets
    )


class Target:
    """Risk 1 for the names of the document's target.

    Args:
        names: further names to protect, from the policy.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = tuple(names)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that bears a target's name, or its surname only."""
        parsed = (PersonName.parse(name) for name in (*document.target, *self._names))
        targets = [name for name in parsed if name is not None]
        if not targets:
            return [None] * len(entities)
        return [_finding(document, entity, targets) for entity in entities]


def _finding(document: Document, entity: Entity, targets: Sequence[PersonName]) -> Finding | None:
    if entity.type is not SemanticType.PERSON:
        return None
    namesake = False
    for mention in entity.mentions:
        name = PersonName.parse(mention.span.of(document.text))
        if name is None:
            continue
        if any(name.matches(target) for target in targets):
            return Finding(
                Evidence("target", 1.0, "It is a name of the person to protect: always masked."),
                IdentifierType.DIRECT,
            )
        namesake = namesake or any(name.is_namesake(target) for target in targets)
    if not namesake:
        return None
    statement = "It has the surname of the person to protect with another given name."
    return Finding(Evidence("namesake", _NAMESAKE, statement), IdentifierType.QUASI)
