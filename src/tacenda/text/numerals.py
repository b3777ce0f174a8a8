"""Whole numbers as words, and back: 82 as ``eighty two`` and ``eighty second``; ``82nd`` as 82."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .word_lists import ordered_words

LARGEST: Final = 999
"""The largest number that is written out; nearly all texts write larger ones in digits."""

CARDINALS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
"""Words for 0 to 19."""
_ORDINALS = ordered_words("numerals_ordinals")
TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
"""Words for 20, 30 … 90."""


def cardinal(number: int) -> str:
    """Return 82 as ``eighty two``, 112 as ``one hundred twelve``.

    Raises:
        ValueError: unless the number is between 0 and ``LARGEST``.
    """
    return _written(number, CARDINALS)


def ordinal(number: int) -> str:
    """Return 82 as ``eighty second``, 112 as ``one hundred twelfth``.

    Raises:
        ValueError: unless the number is between 0 and ``LARGEST``.
    """
    return _written(number, _ORDINALS)


def ordinal_ending(number: int) -> str:
    """Return what follows the digits of an ordinal: ``st``, ``nd``, ``rd`` or ``th``."""
    return "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _written(number: int, names: Sequence[str]) -> str:
    if not 0 <= number <= LARGEST:
        raise ValueError(f"{number} is not between 0 and {LARGEST}.")
    ordinals = names is _ORDINALS
    hundreds, rest = divmod(number, 100)
    words = [f"{CARDINALS[hundreds]} hundred"] if hundreds else []
    if hundreds and not rest:
        words = [f"{words[0]}th"] if ordinals else words
    elif rest < 20:
        words.append(names[rest])
    else:
        ten, unit = divmod(rest, 10)
        stem = TENS[ten - 2]
        words += [stem, names[unit]] if unit else [f"{stem[:-1]}ieth" if ordinals else stem]
    return " ".join(words)


# From folded words back to numbers.


_DIGITS = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)?")
_UNITS = {name: number for number, name in enumerate(CARDINALS)} | {
    name: number for number, name in enumerate(_ORDINALS)
}
_OF_TENS = {name: 10 * number for number, name in enumerate(TENS, 2)} | {
    f"{name[:-1]}ieth": 10 * number for number, name in enumerate(TENS, 2)
}
_HUNDREDS = {"hundred", "hundredth"}


def read_number(words: Sequence[str], start: int) -> tuple[int, int] | None:
    """Return the number that starts at a folded word, and how many words it takes; None if there is none.

    Numbers may be up to three digits, cardinals or ordinals: ``82``, ``82nd``, ``eighty``
    ``second``.
    """
    if (match := _DIGITS.fullmatch(words[start])) is not None:
        return int(match[1]), 1
    place, total = start, 0
    following = words[start + 1] if start + 1 < len(words) else ""
    if _UNITS.get(words[start], 0) in range(1, 10) and following in _HUNDREDS:
        total, place = 100 * _UNITS[words[start]], start + 2
        if words[place : place + 1] == ["and"]:
            rest = read_number(words, place + 1) if place + 1 < len(words) else None
            return (total, 2) if rest is None or rest[0] >= 100 else (total + rest[0], 3 + rest[1])
    if place < len(words) and words[place] in _OF_TENS:
        total, place = total + _OF_TENS[words[place]], place + 1
        ended = words[place - 1].endswith("th")
        if not ended and place < len(words) and _UNITS.get(words[place], 0) in range(1, 10):
            total, place = total + _UNITS[words[place]], place + 1
    elif place < len(words) and words[place] in _UNITS:
        total, place = total + _UNITS[words[place]], place + 1
    return (total, place - start) if place > start else None
