"""Resolve overlaps among the pattern detectors' hits.

| two hits that overlap | outcome |
|---|---|
| one that is always masked, inside an address | the address is cut around it |
| of different lengths | the longer one stays whole |
| of equal length | the earlier one stays whole |
| of equal length and start | the one whose detector comes first in the table |
| the part outside the other | stays, with its own kind, if it has a letter or digit |

No letter or digit that was found is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable

from .base import Hit
from .table import PRIORS

_ADDRESSES = frozenset({"url", "personal_url"})


def resolve_overlaps(text: str, hits: Iterable[Hit]) -> list[Hit]:
    """Return hits without overlaps, in text order.

    Args:
        text: the folded text.
        hits: the hits, in order of families; each has bounded length, so this takes linear time
            except for sorting.
    """
    hits = list(hits)
    mask = bytearray(len(text))
    for address in (hit for hit in hits if hit.kind in _ADDRESSES):
        mask[address.start : address.end] = b"\1" * (address.end - address.start)

    def order(hit: Hit) -> tuple[bool, int, int]:
        is_inside = (
            hit.kind not in _ADDRESSES and PRIORS[hit.kind].p_mask == 1.0 and mask[hit.start] == 1
        )
        return not is_inside, hit.start - hit.end, hit.start

    ordered = sorted(hits, key=order)
    mask = bytearray(len(text))
    result: list[Hit] = []
    for hit in ordered:
        is_whole = mask.find(1, hit.start, hit.end) < 0
        pieces = [hit] if is_whole else _pieces(text, hit, mask)
        for piece in pieces:
            mask[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
        result.extend(pieces)
    result.sort(key=lambda hit: hit.start)
    return result


def _pieces(text: str, hit: Hit, mask: bytearray) -> list[Hit]:
    """Return the free parts of a hit that have a letter or digit."""
    pieces = []
    start = hit.start
    while start < hit.end:
        end = mask.find(1, start, hit.end)
        if end < 0:
            end = hit.end
        last = end
        if hit.kind in _ADDRESSES:  # with its punctuation, so that tags for its parts are adjacent
            last = last if any(map(str.isalnum, text[start:end])) else start
        else:
            while start < end and not text[start].isalnum():
                start += 1
            while last > start and not text[last - 1].isalnum():
                last -= 1
        if start < last:
            pieces.append(Hit(start, last, hit.kind))
        start = mask.find(0, end, hit.end)
        if start < 0:
            break
    return pieces
