"""Patterns of numbers and codes: ``#`` a digit, ``%`` a digit but 0, ``@`` a capital letter."""

from __future__ import annotations

from random import Random

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def written(pattern: str, random: Random) -> str:
    """Return the pattern with its places filled."""
    return "".join(
        random.choice("0123456789")
        if char == "#"
        else random.choice("123456789")
        if char == "%"
        else random.choice(_LETTERS)
        if char == "@"
        else char
        for char in pattern
    )
