"""Values by span, found again by any span that shares a code point with theirs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from ...document import Span

_Value = TypeVar("_Value")


class Places(Generic[_Value]):
    """A mapping by span, in which the latest entry that overlaps is found in O(log n).

    Args:
        values: in order of time.
    """

    def __init__(self, values: Mapping[Span, _Value]) -> None:
        entries = [(span, order, value) for order, (span, value) in enumerate(values.items())]
        self._entries = sorted(entries, key=lambda entry: entry[:2])
        self._starts = [span.start for span, _, _ in self._entries]
        self._longest = max(map(len, values), default=0)

    def latest(self, spans: Iterable[Span]) -> _Value | None:
        """Return the latest value at a span that overlaps one of ``spans``; None if none does."""
        best: tuple[int, _Value] | None = None
        for span in spans:
            first = bisect_left(self._starts, span.start - self._longest)
            for index in range(first, bisect_left(self._starts, span.end)):
                place, order, value = self._entries[index]
                if place.overlaps(span) and (best is None or order > best[0]):
                    best = (order, value)
        return None if best is None else best[1]
