"""Marks left around nothing: emphasis whose whole content was edited away goes too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Edit = tuple[int, int, str]
"""``[start, end)`` of the source and what is written there."""


def emptied_marks(
    marks: Sequence[tuple[int, int]], edits: Iterable[Edit], source: str
) -> list[Edit]:
    """Return the edits that delete pairs of equal marks with nothing left between them.

    Without this, ``Galip **Yalman**`` would end in ``****``, which Markdown shows as asterisks.

    Args:
        marks: ``[start, end)`` of the source, in order, disjoint.
        edits: those made in the source, disjoint from the marks.
        source: the source itself.
    """
    jumps = {start: end for start, end, text in edits if not text}
    if not jumps:
        return []
    pending: list[tuple[int, int]] = []
    deletions: list[Edit] = []
    for start, end in marks:
        if pending:
            opening, position = pending[-1]
            while position in jumps:
                position = jumps[position]
            # Marks with nothing between them from the start are none of our doing.
            emptied = position == start and pending[-1][1] < start
            if emptied and source[opening : pending[-1][1]] == source[start:end]:
                deletions += ((*pending.pop(), ""), (start, end, ""))
                jumps[opening] = end
                continue
        pending.append((start, end))
    return deletions
