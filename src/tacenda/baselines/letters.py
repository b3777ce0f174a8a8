"""Capital letters of every script, which Python's regular expressions have no name for."""

from __future__ import annotations

from typing import Final

_LAST = 0x1FFFF
"""Planes 0 and 1 hold all scripts that have cases."""

CAPITAL: Final = "[{}]".format("".join(filter(str.isupper, map(chr, range(_LAST + 1)))))
"""A character class."""
