"""Offsets of the original and of the output, each found from the other by the edits.

Outside edits one code point stands for one; an edit stands for its whole original span. Both
functions need O(log n) of the number of edits, which are in order of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..document import Replacement, Span


def to_output(span: Span, replacements: Sequence[Replacement]) -> tuple[int, int]:
    """Return the ``[start, end)`` of the output that came from ``span`` of the original.

    An edit that ``span`` touches comes whole. Start and end are equal where nothing was written,
    which is why this is no ``Span``.
    """
    return (
        _output_of(span.start, replacements)[0],
        _output_of(span.end - 1, replacements)[1],
    )


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


def _output_of(offset: int, replacements: Sequence[Replacement]) -> tuple[int, int]:
    """Return what became of one code point of the original."""
    index = bisect_right(replacements, offset, key=lambda edit: edit.original.start) - 1
    if index < 0:
        return offset, offset + 1
    edit = replacements[index]
    if offset < edit.original.end:
        return edit.output_start, edit.output_end
    start = edit.output_end + offset - edit.original.end
    return start, start + 1
