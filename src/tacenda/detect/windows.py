"""Overlapping windows over a long token sequence, and the merge of what was said about each token.

A token near the edge of a window has seen half of its context. Each token is therefore read
from the window in which it lies farthest from an edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens ``[start, end)`` of a document, of which ``[keep_start, keep_end)`` are read."""

    start: int
    end: int
    keep_start: int
    keep_end: int

    def __len__(self) -> int:
        return self.end - self.start


def windows(n: int, size: int, overlap: int) -> list[Window]:
    """Cover ``n`` tokens by windows of at most ``size`` that overlap by at least ``overlap``.

    The kept parts partition ``[0, n)``: between two neighbours the border lies in the middle
    of their overlap, which is where the distance to the nearer edge is equal.

    Raises:
        ValueError: if ``overlap`` is not in ``[0, size)``.
    """
    if not 0 <= overlap < size:
        raise ValueError(
            f"Overlap {overlap!r} must be at least 0 and below the window size {size!r}."
        )
    if n <= 0:
        return []
    count = 1 if n <= size else -(-(n - overlap) // (size - overlap))
    # Windows of equal length cost less than full ones and a rest, and give each the same context.
    length = -(-(n + (count - 1) * overlap) // count)
    starts = [min(i * (length - overlap), n - length) for i in range(count)]
    borders = [0]
    for left, right in pairwise(starts):
        borders.append((left + length + right) // 2)
    borders.append(n)
    return [
        Window(start, start + length, keep_start, keep_end)
        for start, keep_start, keep_end in zip(starts, borders[:-1], borders[1:], strict=True)
    ]
