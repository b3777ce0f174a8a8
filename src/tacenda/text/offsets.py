"""Offsets of the original, from offsets of the output by the edits.

Outside edits one code point stands for one; an edit stands for its whole original span. It needs
O(log n) of the number of edits, given in order of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..document import Replacement, Span


def to_original(start: int, end: int, replacements: Sequence[Replacement]) -> Span:
    """Return the original code points of output ``[start, end)``.

    An edit in the range comes whole. Text deleted at either end of the range, outside of it,
    is left out.

    Raises:
        ValueError: unless ``0 <= start < end``.
    """
    output = Span(start, end)
    return Span(
        _original_of(output.start, replacements).start,
        _original_of(output.end - 1, replacements).end,
    )


def _original_of(offset: int, replacements: Sequence[Replacement]) -> Span:
    """Return the original span of one code point of the output."""
    index = bisect_right(replacements, offset, key=lambda edit: edit.output_start) - 1
    if index < 0:
        return Span(offset, offset + 1)
    edit = replacements[index]
    if offset < edit.output_end:
        return edit.original
    start = edit.original.end + offset - edit.output_end
    return Span(start, start + 1)
