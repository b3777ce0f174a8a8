"""Signatures of names: what two similar names must share, in 64 bits.

A signature has one bit for each pair of neighbouring letters. An edit of one letter changes at
most four bits (two pairs go, two come), so names within an edit distance of *d* have signatures
that differ in at most 4·*d* bits. Comparing all signatures of a length is one pass of XOR over an
array; almost nothing but the similar names is left.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BITS_AN_EDIT = 4


def signature(name: str) -> int:
    """Return the bits of a folded name."""
    bits = 0
    for first, second in pairwise(name):
        bits |= 1 << ((ord(first) * 31 + ord(second)) % 64)
    return bits


def differing_bits(signatures: NDArray[np.uint64], other: int) -> NDArray[np.uint64]:
    """Return in how many bits each signature differs from ``other``, shape as ``signatures``."""
    # Counting bits in parallel within a word; numpy counts them itself only from 2.0 on.
    bits = signatures ^ np.uint64(other)
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    low = np.uint64(0x3333333333333333)
    bits = (bits & low) + ((bits >> np.uint64(2)) & low)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    result: NDArray[np.uint64] = (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return result
