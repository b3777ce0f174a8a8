"""Merge several detectors' mentions into one list without overlaps.

| two mentions that overlap | outcome |
|---|---|
| of the same type | one mention that covers both, with the higher probabilities and the source and kind of the more certain one; but a contact or identity number found by its form isn't merged with anything beyond it |
| of different types, one inside a longer one more likely to be masked than not | the longer one, with the higher probabilities, since splitting a sure mask helps nobody; but a contact or identity number found by its form stays separate |
| of different types, the inner one found because its string occurs elsewhere (propagation) | the same, since a longer name with a masked one inside can't be kept |
| of different types otherwise | the one with the higher masking probability keeps its whole span; the other keeps the pieces outside it, with its own probabilities |
| people, the first given by an office, the second by a name (``Deputy``, ``Carl Voss``) | one mention |
| what was read on both sides of the point or comma of a number (``1``.``4 metres``) | one mention |
| a leftover piece without a letter or digit | joins its neighbor |
| equal masking probability | contacts and identity numbers found by form first; then policy, pattern, neural, gazetteer, propagation; then the longer one; then the earlier one |

No letter or digit ever gets a lower masking probability than any detector gave it, so the result
covers everything that any of them covered. ``bounds`` says what is trimmed at a mention's ends. A
mention that extends over several passages (paragraph, list item, cell) becomes one mention in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..document import Mention, MentionSource, SemanticType, Span
from ..text.folding import is_telling
from ..text.normal_form import fold_text
from ..text.passages import Passages, has_separator
from ..text.word_lists import FORMS_OF_ADDRESS, is_ordinary, word_list_of
from .bounds import READ, settled_span, with_initials

_LIKELY = 0.5
_SURE = 1.0
_OFFICES = FORMS_OF_ADDRESS | word_list_of("offices_before_names")
_CUT_NUMBER = re.compile("[0-9][.,]?[0-9]")
_PRECEDENCE = {
    MentionSource.POLICY: 0,
    MentionSource.PATTERN: 1,
    MentionSource.NEURAL: 2,
    MentionSource.GAZETTEER: 3,
    MentionSource.PROPAGATION: 4,
}


def merge(text: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return mentions that cover the same characters, in text order, without overlaps."""
    winners: list[Mention] = []
    for group in _overlapping(_parted(text, mentions)):
        winners.extend(group if len(group) == 1 else _resolve(text, group))
    return tuple(_settled(text, winners))


def _parted(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the mentions, each within one passage."""
    passages: Passages | None = None
    for mention in mentions:
        if not has_separator(text, mention.span):
            yield mention
            continue
        if passages is None:
            passages = Passages.of(text)
        parts = passages.split(mention.span)
        yield from (replace(mention, span=part) for part in parts)


def _overlapping(mentions: Iterable[Mention]) -> Iterable[list[Mention]]:
    """Yield the connected groups of overlapping mentions."""
    group: list[Mention] = []
    end = 0
    for mention in sorted(mentions, key=lambda item: (item.span.start, item.span.end)):
        if group and mention.span.start >= end:
            yield group
            group = []
        group.append(mention)
        end = max(end, mention.span.end) if len(group) > 1 else mention.span.end
    if group:
        yield group


def _resolve(text: str, group: list[Mention]) -> list[Mention]:
    mentions = _absorb_contained(_join_same_type(group))
    if len(mentions) == 1:
        return mentions
    mentions.sort(key=_rank)
    # Each character of the group goes to the highest-ranked mention that covers it.
    begin = min(mention.span.start for mention in mentions)
    length = max(mention.span.end for mention in mentions) - begin
    owner = [-1] * length
    free = list(range(length + 1))  # free[i]: the first unowned position from i on

    def next_free(position: int) -> int:
        root = position
        while free[root] != root:
            root = free[root]
        while free[position] != root:
            free[position], position = root, free[position]
        return root

    for index, mention in enumerate(mentions):
        position = next_free(mention.span.start - begin)
        while position < mention.span.end - begin:
            owner[position] = index
            free[position] = position + 1
            position = next_free(position)
    return _pieces(text, begin, owner, mentions)


def _pieces(text: str, begin: int, owner: list[int], mentions: list[Mention]) -> list[Mention]:
    pieces: list[Mention] = []
    first = 0
    for position in range(1, len(owner) + 1):
        if position < len(owner) and owner[position] == owner[first]:
            continue
        mention = mentions[owner[first]]
        span = Span(begin + first, begin + position)
        first = position
        if span == mention.span:
            pieces.append(mention)
        elif any(map(is_telling, span.of(text))):
            pieces.append(replace(mention, span=span))
        elif pieces:
            last = pieces[-1]
            pieces[-1] = replace(
                with_max_probabilities(last, mention), span=Span(last.span.start, span.end)
            )
        else:
            # Nothing precedes it in the group, so it stays a separate mention.
            pieces.append(replace(mention, span=span))
    return pieces


def _join_same_type(group: list[Mention]) -> list[Mention]:
    last_of_type: dict[str, int] = {}
    result: list[Mention] = []
    for mention in group:
        index = last_of_type.get(mention.type)
        if index is not None and _is_one(result[index], mention):
            result[index] = _union(result[index], mention)
        else:
            last_of_type[mention.type] = len(result)
            result.append(mention)
    return result


def _is_one(first: Mention, second: Mention) -> bool:
    """Return whether two possibly overlapping mentions of one type are one mention, which a number never is with anything beyond itself."""
    if not first.span.overlaps(second.span):
        return False
    number, rest = sorted((first, second), key=_rank)
    return not _is_number(number) or number.span.contains(rest.span)


def _absorb_contained(mentions: list[Mention]) -> list[Mention]:
    """Absorb mentions into longer ones that are likely to be masked."""
    result: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.span.start, -mention.span.end)):
        outer = result[-1] if result else None
        is_number = _is_number(mention)
        if (
            outer
            and (outer.p_mask >= _LIKELY or mention.source is MentionSource.PROPAGATION)
            and outer.span.contains(mention.span)
            and not (is_number and not (_is_number(outer) and outer.type is mention.type))
        ):
            result[-1] = with_max_probabilities(outer, mention)
        else:
            result.append(mention)
    return result


def _union(first: Mention, second: Mention) -> Mention:
    certain, rest = sorted((first, second), key=_rank)
    union = with_max_probabilities(certain, rest)
    if certain.span.contains(rest.span):
        return union
    span = Span(min(first.span.start, second.span.start), max(first.span.end, second.span.end))
    return replace(union, span=span)


def with_max_probabilities(mention: Mention, peer: Mention) -> Mention:
    """Return ``mention`` with the higher probabilities of the two, either's deny rule, and whether either may be a person."""
    may_be_person = mention.type is not SemanticType.PERSON and (
        mention.may_be_person or peer.may_be_person or peer.type is SemanticType.PERSON
    )
    if (
        mention.p_mask >= peer.p_mask
        and mention.p_direct >= peer.p_direct
        and (peer.deny is None or mention.deny is not None)
        and may_be_person is mention.may_be_person
        and _min_word(mention, peer) == mention.p_mask_min_word
    ):
        return mention
    return replace(
        mention,
        p_mask=max(mention.p_mask, peer.p_mask),
        p_direct=max(mention.p_direct, peer.p_direct),
        p_mask_min_word=_min_word(mention, peer),
        deny=peer.deny if mention.deny is None else mention.deny,
        may_be_person=may_be_person,
    )


def _min_word(mention: Mention, peer: Mention) -> float | None:
    if mention.p_mask_min_word is None and peer.p_mask_min_word is None:
        return None
    return max(
        item.p_mask if item.p_mask_min_word is None else item.p_mask_min_word
        for item in (mention, peer)
    )


def _is_number(mention: Mention) -> bool:
    """Return whether a mention is a contact or identity number found by its form.

    It keeps its own string, to search for its other occurrences.
    """
    return mention.source is MentionSource.PATTERN and mention.p_direct >= _SURE


def _rank(mention: Mention) -> tuple[float, bool, int, int, int]:
    return (
        -mention.p_mask,
        not _is_number(mention),
        _PRECEDENCE.get(mention.source, len(_PRECEDENCE)),
        -len(mention.span),
        mention.span.start,
    )


def _settled(text: str, mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions, which don't overlap, with their final bounds."""
    result: list[Mention] = []
    for mention in mentions:
        end = result[-1].span.end if result else 0
        if end >= mention.span.end:
            result[-1] = with_max_probabilities(result[-1], mention)
            continue
        if end > mention.span.start:
            mention = replace(mention, span=Span(end, mention.span.end))
        span = settled_span(text, mention)
        if span is None:
            continue
        longer = with_initials(text, mention, span)
        if not result or result[-1].span.end <= longer.start:
            span = longer
        elif result[-1].type is mention.type and longer.start <= result[-1].span.start:
            mention = with_max_probabilities(mention, result.pop())
            span = longer
        mention = mention if span == mention.span else replace(mention, span=span)
        if result and (
            _is_office_of(text, result[-1], mention) or _is_cut_number(text, result[-1], mention)
        ):
            mention = _union(result.pop(), mention)
        result.append(mention)
    return result


def _is_cut_number(text: str, first: Mention, rest: Mention) -> bool:
    """Return whether two mentions that were read are one number with a point or a comma inside."""
    middle = text[first.span.end - 1 : rest.span.start + 1]
    are_amounts = first.type is rest.type is SemanticType.QUANTITY
    is_read = are_amounts and {first.source, rest.source} <= READ
    return is_read and _CUT_NUMBER.fullmatch(middle) is not None


def _is_office_of(text: str, office: Mention, mention: Mention) -> bool:
    """Return whether what was read as a person is the office of the person named after it."""
    is_beside = text[office.span.end : mention.span.start] in (" ", "\u00a0")
    are_people = {office.type, mention.type} == {SemanticType.PERSON}
    if not (is_beside and are_people and {office.source, mention.source} <= READ):
        return False
    words = fold_text(office.span.of(text)).split()
    first = fold_text(mention.span.of(text)).split()[0]
    is_called = all(word.rstrip(".") in _OFFICES for word in words)
    return is_called or (first.rstrip(".") in _OFFICES and all(map(is_ordinary, words)))
