"""The pattern detector: finds mentions only by their form, without learning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ...document import Mention, MentionSource, Span
from ...text.passages import Passages
from .addresses import hits_inside
from .base import Hit, normalize_width
from .overlaps import resolve_overlaps
from .phones import DEFAULT_REGIONS
from .table import PRIORS, families


def in_context(mentions: Iterable[Mention], recognized: Iterable[Mention]) -> Iterator[Mention]:
    """Yield pattern mentions; those of contextual kinds get the recognizer's probability.

    Args:
        mentions: mentions from `PatternDetector`, in order, without overlaps.
        recognized: all mentions that the recognizer found in the same text, in order, without
            overlaps; it considers the rest of the text innocent.
    """
    stack = list(reversed(list(recognized)))
    for mention in mentions:
        if not PRIORS[mention.kind].contextual:
            yield mention
            continue
        while stack and stack[-1].span.end <= mention.span.start:
            stack.pop()
        p_mask = 0.0
        for candidate in reversed(stack):
            if candidate.span.start >= mention.span.end:
                break
            p_mask = max(p_mask, candidate.p_mask)
        p_direct = min(mention.p_direct, p_mask)
        yield Mention(mention.span, mention.type, p_mask, p_direct, mention.source, mention.kind)


class PatternDetector:
    """Detects contacts, numbers, dates, amounts, addresses and positions by their form.

    Args:
        regions: uppercase ISO 3166 codes of the regions whose national telephone numbers are
            recognized; international numbers always are.
        off: table row names and kinds to ignore.
    """

    def __init__(self, regions: Sequence[str] = DEFAULT_REGIONS, off: Collection[str] = ()) -> None:
        self._families = families(regions, off)
        self._off = frozenset(off)

    def detect(self, text: str) -> tuple[Mention, ...]:
        """Return mentions in text order, without overlaps.

        Each has the source ``pattern``, its kind, and the probabilities from ``PRIORS``. Offsets
        are code points of ``text``. Takes time linear in its length.
        """
        folded = _unwrapped(normalize_width(text), text)
        return tuple(_mention(hit) for hit in resolve_overlaps(folded, self._hits(folded)))

    def _hits(self, folded: str) -> Iterator[Hit]:
        for find in self._families:
            yield from find(folded)
        for hit in hits_inside(folded, self._families):
            if hit.kind not in self._off:
                yield hit


def _unwrapped(folded: str, text: str) -> str:
    """Return the folded text with a blank for each line end that merely wraps a line."""
    if "\n" not in text:
        return folded
    passages = Passages.of(text)
    parts: list[str] = []
    position = 0
    for start, end, wraps in zip(passages.starts, passages.ends, passages.wraps, strict=True):
        if wraps:
            parts += (folded[position:start], " " * (end - start))
            position = end
    return "".join((*parts, folded[position:]))


def _mention(hit: Hit) -> Mention:
    prior = PRIORS[hit.kind]
    span = Span(hit.start, hit.end)
    return Mention(span, prior.type, prior.p_mask, prior.p_direct, MentionSource.PATTERN, hit.kind)
