r"""The ``\w+`` words of a text, to ask which of them are in a span.

A span may cut words; the part that it holds is a token of it too. Spans may be nested a
thousandfold, so that words are looked up by bisection and never gone through for each span.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ..document import Span
from ..text.information import WORD

Token = tuple[int, int]
"""A word or the part of one that is in a span: ``[start, end)``."""


class Words:
    """The words of a text, in order.

    Args:
        text: any text.
    """

    __slots__ = ("ends", "starts")

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for match in WORD.finditer(text):
            self.starts.append(match.start())
            self.ends.append(match.end())

    def __len__(self) -> int:
        return len(self.starts)

    def inside(self, start: int, end: int) -> tuple[int, int, tuple[Token, ...]]:
        """Return (first, last, cut): words ``[first, last)`` are whole, the others are parts."""
        first = bisect_left(self.starts, start)
        last = bisect_right(self.ends, end)
        if first > last:
            return first, first, ((start, end),)
        cut: list[Token] = []
        if first and self.ends[first - 1] > start:
            cut.append((start, self.ends[first - 1]))
        if last < len(self.starts) and self.starts[last] < end:
            cut.append((self.starts[last], end))
        return first, last, tuple(cut)

    def tokens(self, spans: Iterable[Span]) -> Counter[Token]:
        """Return the tokens of some spans, with how many of the spans hold each."""
        counts: Counter[Token] = Counter()
        changes = [0] * (len(self) + 1)
        for span in spans:
            first, last, cut = self.inside(span.start, span.end)
            changes[first] += 1
            changes[last] -= 1
            counts.update(cut)
        for idx, n in enumerate(accumulate(changes[:-1])):
            if n:
                counts[self.starts[idx], self.ends[idx]] += n
        return counts

    def touched(self, spans: Sequence[Span]) -> int:
        """Return how many words have a code point in disjoint spans, given in order."""
        n = done = 0
        for span in spans:
            first = max(done, bisect_right(self.ends, span.start))
            done = max(first, bisect_left(self.starts, span.end))
            n += done - first
        return n
