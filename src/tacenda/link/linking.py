"""Propagation: every other occurrence of a mention's string becomes a mention too.

The table of ``text.surface_forms`` has the strings and their case; a word is also found where the end of a line
or paragraph divides it (``word_parts.divided_words``), and an acronym defined after a
mention is looked for as well. An occurrence takes type and probabilities of the most certain
mention it comes from, and is left out where a mention at least as certain covers it already.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, filterfalse

from ..document import Document, Entity, Mention, MentionSource, SemanticType, Span
from ..text.acronyms import defined_after, spells
from ..text.folding import fold_aligned
from ..text.names import titled
from ..text.normal_form import mention_key
from ..text.placeholders import taken_numbers
from ..text.surface_forms import Form, LetterCase, propagation_forms
from ..text.tokens import unify_gaps
from ..text.word_parts import divided_words
from ..text.word_search import agrees, occurrences
from .names import Clusters, NamedString, join_acronyms
from .people import join_people
from .relations import is_relative

_NAMESAKE = " (namesake)"
_ADDRESSED = re.compile(r"(?:W?PC|PCSO|Sgt|Insp|Supt|Cpl|Det|Mrs?|Ms)\.?\s\w", re.IGNORECASE)
_LEAST_MASKING = 0.05
_WITH_ACRONYMS = (SemanticType.ORG, SemanticType.LOC, SemanticType.MISC)


def propagate(document: Document, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the additional mentions, in text order.

    Args:
        document: where the mentions are.
        mentions: in text order, without overlaps. Mentions with a masking probability below 0.05
            are skipped: their occurrences would change nothing.
    """
    text = document.text
    origins: dict[str, Mention] = {}
    cases: dict[str, LetterCase] = {}
    for mention, forms in _forms(text, mentions):
        for form in forms:
            source = origins.get(form.text)
            if source is None:
                origins[form.text], cases[form.text] = mention, form.case
                continue
            cases[form.text] = min(cases[form.text], form.case)
            if (mention.p_mask, mention.p_direct) > (source.p_mask, source.p_direct):
                origins[form.text] = mention
    if not origins:
        return ()
    weights = {form: origin.p_mask for form, origin in origins.items()}
    hits = [
        *occurrences(text, fold_aligned(text), cases, weights),
        *(
            (span, word)
            for span, word in divided_words(text)
            if word in cases and agrees(cases[word], text, span)
        ),
    ]
    hits.sort(key=lambda hit: (hit[0].start, -hit[0].end))
    return tuple(_uncovered(((origins[form], span) for span, form in hits), mentions))


def _forms(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Iterable[Form]]]:
    sources: dict[tuple[str, SemanticType], Mention] = {}
    for mention in mentions:
        if mention.p_mask < _LEAST_MASKING:
            continue
        key = (mention.span.of(text), mention.type)
        source = sources.get(key)
        if source is None or (mention.p_mask, mention.p_direct) > (source.p_mask, source.p_direct):
            sources[key] = mention
        if mention.type in _WITH_ACRONYMS:
            yield mention, _defined(text, mention)
    for (surface, type), mention in sources.items():
        yield mention, propagation_forms(surface, type)


def _defined(text: str, mention: Mention) -> Iterator[Form]:
    short = defined_after(text, mention.span.end)
    if short is None:
        return
    acronym = mention_key(text[slice(*short)])
    if mention.type is SemanticType.ORG or spells(acronym, mention_key(mention.span.of(text))):
        yield Form(unify_gaps(acronym), LetterCase.SAME)


def _uncovered(
    candidates: Iterable[tuple[Mention, Span]], mentions: Sequence[Mention]
) -> Iterator[Mention]:
    """Yield the occurrences that no mention covers, each with the probabilities of its origin."""
    starts = [mention.span.start for mention in mentions]
    last: Mention | None = None
    for origin, span in candidates:
        place = bisect_right(starts, span.start) - 1
        if place >= 0 and _covers(mentions[place], origin, span):
            continue
        if last is not None and _covers(last, origin, span):
            continue
        source = MentionSource.PROPAGATION
        last = Mention(span, origin.type, origin.p_mask, origin.p_direct, source)
        yield last


def _covers(outer: Mention, origin: Mention, span: Span) -> bool:
    return outer.p_mask >= origin.p_mask and outer.span.contains(span)


# Mentions to entities: equal strings first, then the rules of each type.


def link(document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
    """Group ``mentions`` into entities, in order of first mention.

    Args:
        document: where the mentions are.
        mentions: in order of the text, without overlaps.
    """
    strings = _distinct(document.text, mentions)
    clusters = Clusters(len(strings))
    by_type: dict[SemanticType, list[int]] = {}
    for index, string in enumerate(strings):
        by_type.setdefault(string.type, []).append(index)
    people = [index for index, string in enumerate(strings) if _is_person(string.type, string.key)]
    outsiders = {index for index, string in enumerate(strings) if _may_name_person(string)}
    outsiders = outsiders.difference(people) if SemanticType.PERSON in by_type else set()
    join_people(document, strings, people, sorted(outsiders), clusters)
    _join_codes(strings, by_type.get(SemanticType.CODE, ()), clusters)
    indexes = sorted(index for type in _WITH_ACRONYMS for index in by_type.get(type, ()))
    join_acronyms(document.text, strings, indexes, clusters)
    return number_entities(document.text, _entities(mentions, strings, clusters))


def number_entities(
    text: str, groups: Iterable[tuple[SemanticType, tuple[Mention, ...]]]
) -> tuple[Entity, ...]:
    """Number the entities within each type, in order, skipping numbers of tags already in ``text``."""
    numbers = {
        type: filterfalse(taken.__contains__, count(1))
        for type, taken in taken_numbers(text).items()
    }
    return tuple(
        Entity(f"e{place}", type, next(numbers[type]), mentions)
        for place, (type, mentions) in enumerate(groups, start=1)
    )


def _distinct(text: str, mentions: Sequence[Mention]) -> list[NamedString]:
    keys: dict[str, str] = {}
    positions: dict[str, list[int]] = {}
    before, last = "", 0
    for position, mention in enumerate(mentions):
        span = titled(text, mention.span)
        is_person = _is_person(mention.type, span.of(text))
        surface = (span if is_person else mention.span).of(text)
        key = keys.get(surface)
        if key is None:
            key = keys[surface] = mention_key(surface)
        if is_person:
            if key == before and is_relative(text[last : span.start]):
                key += _NAMESAKE
            before, last = key, span.end
        positions.setdefault(key, []).append(position)
    return [
        NamedString(key, _most_certain(group), tuple(where), tuple(group))
        for key, where in positions.items()
        if (group := [mentions[position] for position in where])
    ]


def _is_person(type: SemanticType, string: str) -> bool:
    """Return whether a string names a person: by its type or, if typed otherwise, by a title (``PC Marsh``)."""
    return type is SemanticType.PERSON or (
        type in _WITH_ACRONYMS and _ADDRESSED.match(string) is not None
    )


def _may_name_person(string: NamedString) -> bool:
    if string.type is SemanticType.CODE:
        return any(mention.kind == "user_name" for mention in string.mentions)
    return string.type in (*_WITH_ACRONYMS, SemanticType.DEM)


_PLACES_AND_PEOPLES = (SemanticType.LOC, SemanticType.DEM)


def _most_certain(mentions: Sequence[Mention]) -> SemanticType:
    """Return the type of the most certain mention; between a place and its demonym, the commoner one.

    In "A Djibouti national … lives in Djibouti", a place describes a person once.
    """
    type = max(mentions, key=lambda mention: mention.p_mask).type
    if type not in _PLACES_AND_PEOPLES:
        return type
    sums = dict.fromkeys((type, *_PLACES_AND_PEOPLES), 0.0)
    for mention in mentions:
        if mention.type in sums:
            sums[mention.type] += mention.p_mask
    return max(sums, key=sums.__getitem__)


def _join_codes(strings: Sequence[NamedString], indexes: Sequence[int], clusters: Clusters) -> None:
    first: dict[str, int] = {}
    for index in indexes:
        key = "".join(filter(str.isalnum, strings[index].key))
        if key:
            clusters.join(index, first.setdefault(key, index))


def _entities(
    mentions: Sequence[Mention], strings: Sequence[NamedString], clusters: Clusters
) -> Iterator[tuple[SemanticType, tuple[Mention, ...]]]:
    positions: dict[int, list[int]] = {}
    types: dict[int, set[SemanticType]] = {}
    # Strings come in order of first mention and the smallest number stands for its set, so the
    # sets come in that order too.
    for index, string in enumerate(strings):
        representative = clusters.find(index)
        positions.setdefault(representative, []).extend(string.positions)
        types.setdefault(representative, set()).add(string.type)
    for representative, members in positions.items():
        # Join a user name, or a surname mistaken for a company, with its person.
        is_person = SemanticType.PERSON in types[representative]
        of_entity = tuple(mentions[position] for position in sorted(members))
        yield SemanticType.PERSON if is_person else _most_certain(of_entity), of_entity
