"""Edits of an annotated text, and where its mentions are afterwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

# Offsets [start, end) in code points, semantic type, identifier type.
Mention = tuple[int, int, str, str]
Annotated = tuple[str, tuple[Mention, ...]]
# Code points [start, end) become this text.
Edit = tuple[int, int, str]


def apply_edits(text: str, mentions: Sequence[Mention], edits: Iterable[Edit]) -> Annotated:
    """Carry out edits and move the mentions with them.

    A mention keeps what its characters became. White space that an edit leaves at its edges is
    cut off, and a mention of which nothing is left is dropped.

    Args:
        text: the document.
        mentions: its annotation; overlaps are fine.
        edits: without overlaps, in any order. One that straddles an edge of a mention counts as
            inside of it.

    Raises:
        ValueError: if edits overlap or leave the text.
    """
    ordered = sorted(edits)
    position = 0
    pieces = []
    for start, end, new in ordered:
        if not position <= start <= end <= len(text):
            raise ValueError(
                f"Edit [{start}, {end}) overlaps the one before, which ends at {position}, or "
                f"leaves the text of {len(text)} code points; give each place one edit."
            )
        pieces += [text[position:start], new]
        position = end
    pieces.append(text[position:])
    edited = "".join(pieces)

    starts = [start for start, _, _ in ordered]
    ends = [end for _, end, _ in ordered]
    shifts = [0, *accumulate(len(new) - (end - start) for start, end, new in ordered)]

    def moved(offset: int, *, closing: bool) -> int:
        # Edits that end at or before an opening offset have moved it; text that is inserted at
        # a closing offset stays outside.
        done = bisect_left(ends, offset) if closing else bisect_right(ends, offset)
        if closing:
            while done < len(ordered) and ends[done] == offset and starts[done] < offset:
                done += 1
        if done < len(ordered) and starts[done] < offset < ends[done]:
            begin = starts[done] + shifts[done]
            return begin + len(ordered[done][2]) if closing else begin
        return offset + shifts[done]

    kept = []
    for start, end, type, identifier in mentions:
        new_start, new_end = moved(start, closing=False), moved(end, closing=True)
        while new_start < new_end and edited[new_start].isspace():
            new_start += 1
        while new_end > new_start and edited[new_end - 1].isspace():
            new_end -= 1
        if new_start < new_end:
            kept.append((new_start, new_end, type, identifier))
    return edited, tuple(kept)
