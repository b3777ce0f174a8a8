"""Offsets of the original, found from those of the output by the edits.

Outside edits one code point stands for one; an edit stands for its whole original span. It needs
O(log n) of the number of edits, which are in order of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..document import Replacement, Span


def to_original(start: int, end: int, replacements: Sequence[Replacement]) -> Span:
    """Return the code points of the original that output ``[start, end)`` came from.

    An edit that is touched comes whole. Text deleted at either end of the range, outside of it,
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
    """Return what one code point of the output came from."""
    index = bisect_right(replacements, offset, key=lambda edit: edit.output_start) - 1
    if index < 0:
        return Span(offset, offset + 1)
    edit = replacements[index]
    if offset < edit.output_end:
        return edit.original
    start = edit.original.end + offset - edit.output_end
    return Span(start, start + 1)
