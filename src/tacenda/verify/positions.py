"""Places of the output traced back to the original."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..document import Replacement, Span


def to_original(output_start: int, output_end: int, replacements: Sequence[Replacement]) -> Span:
    """Return the original code points that output ``[output_start, output_end)`` came from.

    Outside edits the offsets shift; an edit that is touched comes whole, with all of its original
    span. Text deleted at either end of the range, outside of it, is left out.

    Args:
        output_start: first code point of the range in the sanitized text.
        output_end: the one after its last.
        replacements: the edits, in order of the text, without overlaps.

    Raises:
        ValueError: unless ``0 <= output_start < output_end``.
    """
    if not 0 <= output_start < output_end:
        raise ValueError(
            f"Output range [{output_start!r}, {output_end!r}) is none: 0 <= start < end must hold."
        )
    return Span(
        _origin(output_start, replacements).start, _origin(output_end - 1, replacements).end
    )


def _origin(position: int, replacements: Sequence[Replacement]) -> Span:
    """Return what the one code point at ``position`` of the output came from."""
    place = bisect_right(replacements, position, key=lambda edit: edit.output_start) - 1
    if place < 0:
        return Span(position, position + 1)
    edit = replacements[place]
    if position < edit.output_end:
        return edit.original
    start = position - edit.output_end + edit.original.end
    return Span(start, start + 1)
