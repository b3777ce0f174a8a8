"""The same person, place or thing in another document of a project, found by equal strings; see ``terms``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from ..document import Entity, SemanticType, Span
from ..text.folding import fold_aligned
from ..text.normal_form import mention_key
from ..text.surface_forms import LetterCase
from ..text.word_search import occurrences
from .events import Event, EventKind, ReviewAction
from .review.redecide import LinkedEntities
from .service import DocumentView, Service


@dataclass(frozen=True, slots=True)
class EntityNames:
    """An entity's type and the case-folded strings used to find it in other documents."""

    type: SemanticType
    strings: frozenset[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Places of the entity in a document.

    Attributes:
        mentions: mentions of entities with one of the names, undecided or decided the same way.
        unseen: occurrences of the names that aren't mentions.
        contrary: one entry for each entity with one of the names that a person decided differently.
    """

    mentions: tuple[Span, ...]
    unseen: tuple[Span, ...]
    contrary: tuple[ReviewAction, ...]


def names_of(text: str, entity: Entity) -> EntityNames:
    """Return the names of an entity, for finding it in other documents.

    For people, only whole names count: elsewhere, the surname alone may be someone else's.
    """
    strings = {mention_key(mention.span.of(text)) for mention in entity.mentions} - {""}
    if entity.type is SemanticType.PERSON:
        strings = {string for string in strings if " " in string} or strings
    return EntityNames(entity.type, frozenset(strings))


def find(
    linked: LinkedEntities, names: EntityNames, action: ReviewAction, *, overrules: bool = False
) -> Occurrences:
    """Return the places in a document where the names occur and ``action`` applies.

    Args:
        linked: the entities of the document.
        names: names of the entity.
        action: what to do there.
        overrules: whether to do it even where a person decided differently.
    """
    mentions: list[Span] = []
    contrary: list[ReviewAction] = []
    for entity in linked.entities:
        if names_of_any(linked.document.text, entity).isdisjoint(names.strings):
            continue
        verdict = linked.verdicts.get(entity.id)
        if verdict is None or (overrules and verdict.action is not action):
            mentions += [mention.span for mention in entity.mentions]
        elif verdict.action is not action:
            contrary.append(verdict.action)
    unseen = tuple(_unseen(linked, names)) if action is ReviewAction.MASK else ()
    return Occurrences(tuple(sorted(mentions)), unseen, tuple(contrary))


def names_of_any(text: str, entity: Entity) -> frozenset[str]:
    """Return all case-folded strings of an entity."""
    return frozenset(mention_key(mention.span.of(text)) for mention in entity.mentions)


def _unseen(linked: LinkedEntities, names: EntityNames) -> Iterator[Span]:
    text = linked.document.text
    covered = sorted(mention.span for entity in linked.entities for mention in entity.mentions)
    forms = dict.fromkeys(names.strings, LetterCase.ANY)
    for span, _ in occurrences(text, fold_aligned(text), forms):
        if not any(span.overlaps(place) for place in covered):
            yield span


_TOGETHER = 16
"""Documents that are written together."""


def others_with(service: Service, view: DocumentView, span: Span) -> list[str]:
    """Return the names of the project's other documents that contain the words of a span as written."""
    string = span.of(view.reviewed.sanitized.document.text)
    form = {mention_key(string): LetterCase.ANY}
    names = []
    for id, name in service.store.documents.containing(view.project.id, string):
        text = service.store.documents.text(id).text
        if id != view.row.id and any(occurrences(text, fold_aligned(text), form)):
            names.append(name)
    return names


def events_of(places: Occurrences, type: SemanticType, action: ReviewAction) -> list[Event]:
    """Return the events that apply a decision to its places in a document, or none if there are no places."""
    events = []
    if places.mentions:
        events.append(Event(EventKind.DECIDE, places.mentions, action))
    if places.unseen:
        events.append(Event(EventKind.ADD, places.unseen, str(type)))
    return events


_Item = TypeVar("_Item")


def batched(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Yield items in groups of as many documents as are written at once, since each write waits for the disk."""
    iterator = iter(items)
    while group := list(islice(iterator, _TOGETHER)):
        yield group
