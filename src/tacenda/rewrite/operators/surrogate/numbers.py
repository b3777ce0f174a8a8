"""Numbers moved a little: as many digits, the same separators, the same kind of size.

| | becomes |
|---|---|
| below 10 | another digit, at most 2 away |
| an age or the like, 10 to 120 | at most 4 away, on the same side of 18 |
| a percentage | as any number, below 100 |
| larger | 5 to 20 % away, rounded as it was |
| in words | another word of its kind, at most 2 away |
"""

from __future__ import annotations

import re

from .draw import Draw
from .months import same_letters
from .shapes import like

NUMBER = r"\d+(?:[,.' \u00a0\u202f]\d{3})*(?:[.,]\d+)?"
_CLASSES = tuple(
    words.split()
    for words in (
        "one two three four five six seven eight nine",
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
        "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
        "nineteenth twentieth",
        "once twice thrice",
    )
)
_PLACES = {word: (words, place) for words in _CLASSES for place, word in enumerate(words)}
WORDS = "|".join(sorted(_PLACES, key=len, reverse=True))
_ANY = re.compile(
    rf"(?P<number>{NUMBER})(?:(?P<percent>\s?%|\sper\s?cent)|(?P<ordinal>st|nd|rd|th)\b)?|\b(?:{WORDS})\b",
    re.I,
)
_ADULT = 18
_LONGEST = 30  # Digits; what has more counts nothing.
_OLDEST = 120


def jitter(string: str, draw: Draw) -> str | None:
    """Return ``string`` with its numbers moved; None where it has none."""
    written, found = _ANY.subn(lambda match: _instead(match, draw), string)
    return written if found else None


def _instead(match: re.Match[str], draw: Draw) -> str:
    number = match["number"]
    if number is None:
        return word(match[0], draw)
    moved = digits(number, draw, percent=match["percent"] is not None)
    return moved + (ordinal(int(moved)) if match["ordinal"] else match["percent"] or "")


def ordinal(number: int) -> str:
    """Return the letters that make an English ordinal of a number."""
    return "th" if 10 < number % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def word(written: str, draw: Draw) -> str:
    """Return another number word of the same kind, in the same case."""
    folded = same_letters(written)
    words, place = _PLACES[folded]
    near = [p for p in range(place - 2, place + 3) if 0 <= p < len(words) and p != place]
    found = words[draw.source("number word", folded).choice(near)]
    return found.capitalize() if written[0].isupper() else found


def digits(written: str, draw: Draw, *, percent: bool = False) -> str:
    """Return another number in the digits and separators of ``written``."""
    plain = [sign for sign in written if sign.isdigit()]
    if len(plain) > _LONGEST:
        return like(written, draw.source("number", written))
    value = int("".join(plain))
    low = 10 ** (len(plain) - 1) if plain[0] != "0" and len(plain) > 1 else 0
    high = 10 ** len(plain) - 1
    if percent and value <= 100 and len(plain) <= 3:
        low, high = 1, 99
    moved = str(_moved(value, low, high, draw)).zfill(len(plain))[-len(plain) :]
    if percent and len(plain) == 3 and high == 99:
        return moved.lstrip("0")
    rest = iter(moved)
    return "".join(next(rest) if sign.isdigit() else sign for sign in written)


def _moved(value: int, low: int, high: int, draw: Draw) -> int:
    source = draw.source("number", str(value))
    if value < 10:
        options = [v for v in range(value - 2, value + 3) if max(low, 1) <= v <= high]
    elif value <= _OLDEST:
        adult = value >= _ADULT
        options = [
            v for v in range(value - 4, value + 5) if low <= v <= high and (v >= _ADULT) == adult
        ]
    else:
        step = 1
        while value % (step * 10) == 0:
            step *= 10
        # In whole numbers: there are longer ones than a float can hold.
        far = [
            (value * (100 + sign * part) + 50 * step) // (100 * step)
            for part in range(5, 21)
            for sign in (-1, 1)
        ]
        options = [v * step for v in far if low <= v * step <= high]
    options = [v for v in options if v != value]
    # Where rounding leaves nothing else, the next number that has as many digits.
    return source.choice(options) if options else value + (1 if value < high else -1)
