"""What every baseline is: a document in, the spans to mask out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..document import Document, Span


class Baseline(Protocol):
    """A system that masks one document at a time and knows nothing of the others."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the spans to mask, disjoint and in order.

        Raises:
            InputError: the document is more than the system can take.
        """


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the code points of ``spans`` as disjoint spans in order.

    Overlapping spans become one; those that only touch stay apart.
    """
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)
