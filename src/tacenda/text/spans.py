"""Ranges in a text: which one contains a span, whether they cover it, and replacing them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import AnyStr

from ..document import Span
from .folding import is_telling


def edited_text(text: AnyStr, edits: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """Return a text with edits applied: positions ``[start, end)``, and what to write there.

    Args:
        text: the original.
        edits: in order; if one starts inside another, its range is removed and nothing is written
            for it.
    """
    parts: list[AnyStr] = []
    position = 0
    for start, end, new in edits:
        if start >= position:
            parts += (text[position:start], new)
        position = max(position, end)
    parts.append(text[position:])
    return text[:0].join(parts)


class DisjointSpans:
    """Spans in a text; among overlapping spans the first counts, then the longest."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans: list[Span] = []
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if not self._spans or span.start >= self._spans[-1].end:
                self._spans.append(span)
        self._starts = [span.start for span in self._spans]

    def around(self, span: Span) -> Span | None:
        """Return the span that contains another one, or None."""
        place = bisect_right(self._starts, span.start) - 1
        is_inside = place >= 0 and self._spans[place].contains(span)
        return self._spans[place] if is_inside else None


class CoveredRanges:
    """The ranges covered by spans; adjacent ranges are merged."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in sorted(spans):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def holds(self, text: str, span: Span) -> bool:
        """Return whether every letter and digit in a span is covered."""
        position = span.start
        while position < span.end:
            place = bisect_right(self._starts, position) - 1
            if place >= 0 and position < self._ends[place]:
                position = self._ends[place]
            elif is_telling(text[position]):
                return False
            else:
                position += 1
        return True
