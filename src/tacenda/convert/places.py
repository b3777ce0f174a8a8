"""Where mentions are: discontinuous ones joined or split, moved to tokens, overlaps resolved."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from ..document import IdentifierType, Span
from ..errors import InputError
from .corpus import AnnotatedMention
from .fitting import Fragments, Overlaps

Mentions = tuple[AnnotatedMention, ...]

_STRICTNESS = (None, IdentifierType.NO_MASK, IdentifierType.QUASI, IdentifierType.DIRECT)


def join_fragments(mentions: Mentions, how: Fragments) -> tuple[Mentions, int]:
    """Return mentions of one span each, and how many had several."""
    result: list[AnnotatedMention] = []
    for mention in mentions:
        if len(mention.spans) == 1 or how is Fragments.COVER:
            result.append(replace(mention, spans=(mention.extent,)))
        else:
            # One id can't name several mentions.
            result += (replace(mention, spans=(span,), id="") for span in mention.spans)
    return tuple(result), sum(len(mention.spans) > 1 for mention in mentions)


def snap(mentions: Mentions, tokens: Sequence[Span], document: str) -> tuple[Mentions, int]:
    """Return mentions that cover all tokens they touch and nothing else, and how many moved.

    Args:
        mentions: of one annotator.
        tokens: of the text, in order and disjoint.
        document: its id, for messages.

    Raises:
        InputError: a mention touches no token.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    result = []
    for mention in mentions:
        first = bisect_right(ends, mention.start)
        last = bisect_left(starts, mention.end) - 1
        if first > last:
            raise InputError(
                f"the mention at [{mention.start}, {mention.end}) is white space alone and "
                "touches no token; remove it at its source.",
                document,
            )
        span = Span(starts[first], ends[last])
        result.append(mention if mention.spans == (span,) else replace(mention, spans=(span,)))
    moved = sum(old is not new for old, new in zip(mentions, result, strict=True))
    return tuple(result), moved


def resolve_overlaps(mentions: Mentions, how: Overlaps) -> Mentions:
    """Return mentions of which no two overlap, in order of the text."""
    return _merged(mentions) if how is Overlaps.MERGE else _longest(mentions)


def _merged(mentions: Mentions) -> Mentions:
    groups: list[list[AnnotatedMention]] = []
    end = 0
    for mention in sorted(mentions, key=lambda mention: mention.extent):
        if groups and mention.start < end:
            groups[-1].append(mention)
        else:
            groups.append([mention])
        end = max(end, mention.end)
    return tuple(group[0] if len(group) == 1 else _one(group) for group in groups)


def _one(group: Sequence[AnnotatedMention]) -> AnnotatedMention:
    longest = max(group, key=lambda mention: len(mention.extent))
    cover = Span(min(mention.start for mention in group), max(mention.end for mention in group))
    strictest = max((mention.identifier for mention in group), key=_STRICTNESS.index)
    return replace(longest, spans=(cover,), identifier=strictest)


def _longest(mentions: Mentions) -> Mentions:
    kept: list[AnnotatedMention] = []
    starts: list[int] = []
    for mention in sorted(mentions, key=lambda mention: (-len(mention.extent), mention.start)):
        at = bisect_left(starts, mention.start)
        before = at == 0 or kept[at - 1].end <= mention.start
        after = at == len(kept) or mention.end <= kept[at].start
        if before and after:
            kept.insert(at, mention)
            starts.insert(at, mention.start)
    return tuple(kept)
