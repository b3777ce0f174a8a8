"""Map offsets in the output to offsets in the original, given the edits.

Outside edits, code points correspond one to one; an edit corresponds to its whole original span.
Takes O(log n) for n edits, given in text order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..document import Replacement, Span


def to_original(start: int, end: int, replacements: Sequence[Replacement]) -> Span:
    """Return the original code points for output ``[start, end)``.

    An edit in the range is included whole. Text deleted just outside either end of the range is
    left out.

    Raises:
        ValueError: unless ``0 <= start < end``.
    """
    output = Span(start, end)
    return Span(
        _original_of(output.start, replacements).start,
        _original_of(output.end - 1, replacements).end,
    )


def _original_of(offset: int, replacements: Sequence[Replacement]) -> Span:
    """Return the original span for one code point in the output."""
    index = bisect_right(replacements, offset, key=lambda edit: edit.output_start) - 1
    if index < 0:
        return Span(offset, offset + 1)
    edit = replacements[index]
    if offset < edit.output_end:
        return edit.original
    start = edit.original.end + offset - edit.output_end
    return Span(start, start + 1)
