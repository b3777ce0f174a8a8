"""The same person, place or thing in another document: by equal strings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...document import Entity, SemanticType, Span
from ...text.folding import fold
from ...text.matching import occurrences
from ...text.surface_forms import Case, normalise
from .redecide import Reviewed


@dataclass(frozen=True, slots=True)
class Names:
    """The folded strings that an entity is known by elsewhere, and its type."""

    type: SemanticType
    strings: frozenset[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Found:
    """Where the entity is in a document.

    Attributes:
        mentions: of entities that bear one of the names, undecided or decided the same way.
        unseen: occurrences of the names that no mention covers.
        contrary: entities that bear one of the names, and a person decided otherwise.
    """

    mentions: tuple[Span, ...]
    unseen: tuple[Span, ...]
    contrary: int


def names_of(text: str, entity: Entity) -> Names:
    """Return the names by which an entity is found in other documents.

    Of a person only whole names: elsewhere the surname alone may be somebody else's.
    """
    strings = {normalise(mention.span.of(text)) for mention in entity.mentions} - {""}
    if entity.type is SemanticType.PERSON:
        strings = {string for string in strings if " " in string} or strings
    return Names(entity.type, frozenset(strings))


def find(reviewed: Reviewed, names: Names, action: str) -> Found:
    """Return where the names are in a document, to do ``action`` there."""
    document = reviewed.sanitized.document
    mentions: list[Span] = []
    contrary = 0
    for entity in reviewed.sanitized.entities:
        if names_of_any(document.text, entity).isdisjoint(names.strings):
            continue
        verdict = reviewed.verdicts.get(entity.id)
        if verdict is not None and verdict.action != action:
            contrary += 1
        elif verdict is None:
            mentions += [mention.span for mention in entity.mentions]
    unseen = tuple(_unseen(reviewed, names)) if action == "mask" else ()
    return Found(tuple(sorted(mentions)), unseen, contrary)


def names_of_any(text: str, entity: Entity) -> frozenset[str]:
    """Return all folded strings of an entity."""
    return frozenset(normalise(mention.span.of(text)) for mention in entity.mentions)


def _unseen(reviewed: Reviewed, names: Names) -> Iterator[Span]:
    text = reviewed.sanitized.document.text
    covered = sorted(
        mention.span for entity in reviewed.sanitized.entities for mention in entity.mentions
    )
    forms = dict.fromkeys(names.strings, Case.ANY)
    for span, _ in occurrences(text, fold(text), forms):
        if not any(span.overlaps(other) for other in covered):
            yield span
