"""A keyed permutation of the 31-bit integers, so that no two identifiers get the same pseudonym.

A balanced 32-bit Feistel network is a permutation whatever its rounds are (Luby and Rackoff, *How
to construct pseudorandom permutations*, 1988). A number outside 31 bits is permuted again until it
is back inside, which preserves the permutation (cycle walking: Black and Rogaway, *Ciphers with
arbitrary finite domains*, 2002, section 4). So a signed 32-bit column can store every pseudonym.
The ten rounds are those of FF1 (NIST SP 800-38G), with HMAC-SHA-256.
"""

from __future__ import annotations

import hmac

SIZE = 1 << 31
"""Numbers from 0 to below this are permuted."""
_ROUNDS = 10
_HALF = 16
_MASK = (1 << _HALF) - 1


def permuted(number: int, key: bytes, tweak: bytes = b"") -> int:
    """Return the number that replaces another one.

    Args:
        number: at least 0, below ``SIZE``.
        key: chooses the permutation.
        tweak: chooses another one under the same key.
    """
    while True:
        number = _through(number, key, tweak)
        if number < SIZE:
            return number


def _through(number: int, key: bytes, tweak: bytes) -> int:
    high, right = number >> _HALF, number & _MASK
    for index in range(_ROUNDS):
        message = b"ID31\0" + tweak + bytes((index,)) + right.to_bytes(2, "big")
        digest = hmac.digest(key, message, "sha256")
        high, right = right, high ^ int.from_bytes(digest[:2], "big")
    return high << _HALF | right
