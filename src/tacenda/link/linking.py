"""Mentions to entities: equal strings first, then the rules of each type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..document import Document, Entity, Mention, SemanticType
from ..text.surface_forms import normalise
from .organisations import join_acronyms
from .people import join_people
from .strings import Clusters, NamedString

_WITH_ACRONYMS = (SemanticType.ORG, SemanticType.LOC, SemanticType.MISC)


def link(document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
    """The entities of ``mentions``, in order of their first mention.

    Args:
        document: where the mentions are.
        mentions: in order of the text, without overlaps.
    """
    strings = _distinct(document.text, mentions)
    clusters = Clusters(len(strings))
    by_type: dict[SemanticType, list[int]] = {}
    for index, string in enumerate(strings):
        by_type.setdefault(string.type, []).append(index)
    join_people(strings, by_type.get(SemanticType.PERSON, ()), clusters)
    _join_codes(strings, by_type.get(SemanticType.CODE, ()), clusters)
    indexes = sorted(index for type in _WITH_ACRONYMS for index in by_type.get(type, ()))
    join_acronyms(document.text, strings, indexes, clusters)
    return _entities(mentions, strings, clusters)


def _distinct(text: str, mentions: Sequence[Mention]) -> list[NamedString]:
    keys: dict[str, str] = {}
    positions: dict[str, list[int]] = {}
    for position, mention in enumerate(mentions):
        surface = mention.span.of(text)
        key = keys.get(surface)
        if key is None:
            key = keys[surface] = normalise(surface)
        positions.setdefault(key, []).append(position)
    return [
        NamedString(key, _most_certain(group), tuple(where), tuple(group))
        for key, where in positions.items()
        if (group := [mentions[position] for position in where])
    ]


def _most_certain(mentions: Sequence[Mention]) -> SemanticType:
    return max(mentions, key=lambda mention: mention.masking).type


def _join_codes(strings: Sequence[NamedString], indexes: Sequence[int], clusters: Clusters) -> None:
    first: dict[str, int] = {}
    for index in indexes:
        key = "".join(filter(str.isalnum, strings[index].key))
        if key:
            clusters.join(index, first.setdefault(key, index))


def _entities(
    mentions: Sequence[Mention], strings: Sequence[NamedString], clusters: Clusters
) -> tuple[Entity, ...]:
    positions: dict[int, list[int]] = {}
    # Strings come in order of first mention and the smallest number stands for its set, so the
    # sets come in that order too.
    for index, string in enumerate(strings):
        positions.setdefault(clusters.find(index), []).extend(string.positions)
    numbers: Counter[SemanticType] = Counter()
    entities = []
    for count, members in enumerate(positions.values(), start=1):
        of_entity = tuple(mentions[position] for position in sorted(members))
        type = _most_certain(of_entity)
        numbers[type] += 1
        entities.append(Entity(f"e{count}", type, numbers[type], of_entity))
    return tuple(entities)
