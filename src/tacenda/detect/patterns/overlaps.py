"""Settle overlaps among the hits of the pattern families.

| two hits that overlap | outcome |
|---|---|
| of different length | the longer stays whole |
| of equal length | the earlier stays whole |
| of equal length and start | the one of the family that is named first in `families` |
| what sticks out of the other | stays where it has a letter or digit, as its own kind |

No letter or digit that a family found is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable

from .hit import Hit


def settle(text: str, hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits that stay, in order of the text; none overlaps another.

    Args:
        text: the folded text.
        hits: in order of the families; each of bounded length, so that this takes linear time
            but for the sorting.
    """
    taken = bytearray(len(text))
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        untouched = taken.find(1, hit.start, hit.end) < 0
        free = [hit] if untouched else _pieces(text, hit, taken)
        for piece in free:
            taken[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
        kept.extend(free)
    kept.sort(key=lambda hit: hit.start)
    return kept


def _pieces(text: str, hit: Hit, taken: bytearray) -> list[Hit]:
    """Return the parts of a hit that nothing has taken and that hold a letter or digit."""
    pieces = []
    start = hit.start
    while start < hit.end:
        end = taken.find(1, start, hit.end)
        if end < 0:
            end = hit.end
        while start < end and not text[start].isalnum():
            start += 1
        last = end
        while last > start and not text[last - 1].isalnum():
            last -= 1
        if start < last:
            pieces.append(Hit(start, last, hit.kind))
        start = taken.find(0, end, hit.end)
        if start < 0:
            break
    return pieces
