"""Numbers as English texts write them: in digits with separators, in words, or both."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

from ...text.numerals import CARDINALS, TENS

_SMALL = {word: number for number, word in enumerate(CARDINALS)} | {
    word: 10 * number for number, word in enumerate(TENS, start=2)
}
SCALES = dict(
    zip(
        "hundred thousand million billion trillion".split(),
        (100, 10**3, 10**6, 10**9, 10**12),
        strict=True,
    )
)
"""Multipliers of a number."""

_FIXED = {"dozen": 12.0, "once": 1.0, "twice": 2.0, "thrice": 3.0, "half": 0.5}

_WORD = "|".join(sorted((*_SMALL, *SCALES), key=len, reverse=True))
WORDS = rf"(?:(?:a\s)?(?:dozen|half)\b|once\b|twice\b|thrice\b|(?:(?:a\s)?(?:{_WORD}))(?:(?:\s|-|\sand\s)(?:{_WORD}))*(?![a-z]))"
"""A number in words, for use in a pattern over lower-case text."""

DIGITS = r"(?:[0-9]{1,3}(?:[ ,.'’][0-9]{3})+(?:[.,][0-9]{1,2})?(?![0-9])|[0-9]*[.,]?[0-9]+)"
"""A number in digits."""

_GROUPED = re.compile(r"[0-9]{1,3}(?P<mark>[ ,.'’])[0-9]{3}(?:(?P=mark)[0-9]{3})*")


def fold_numerals(text: str) -> str:
    """Return ``text`` in lower case, with ASCII digits, spaces and hyphens."""
    normal = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in unicodedata.normalize("NFKC", text)
    )
    return " ".join(re.sub("[\u2010-\u2015\u2212]", "-", normal).lower().replace("’", "'").split())


_LARGEST = 1e15
"""Larger numbers are not exact, and count nothing that texts speak of."""


def readings(number: str) -> tuple[float, ...]:
    """Return every value ``number`` can have, or none if it isn't a number or is too large.

    ``1,234`` is a thousand in English; ``1.234`` may be that or a little more than one.
    """
    if not any(map(str.isdigit, number)):
        value = spelled(number)
        return () if value is None else (value,)
    grouped = _GROUPED.match(number)
    if grouped is None:
        value = float(number.replace(",", "."))
        return (value,) if value < _LARGEST else ()
    fraction = number[grouped.end() :].replace(",", ".")
    if fraction.count(".") > 1:
        return ()
    integer = re.sub(r"[ ,.'’]", "", grouped[0])
    values = [float(integer + (fraction or ""))]
    if grouped["mark"] == "." and grouped[0].count(".") == 1 and not fraction:
        values.append(float(grouped[0]))
    return tuple(values) if max(values) < _LARGEST else ()


def spelled(text: str) -> float | None:
    """Return the value of a number in words (``twenty-eight``, ``two hundred and six``), or None for two numbers."""
    words = text.replace("-", " ").split()
    if words[:1] == ["a"]:
        words = words[1:]
    if len(words) == 1 and words[0] in _FIXED:
        return _FIXED[words[0]]
    total = current = 0
    for before, word in zip(["", *words], words, strict=False):
        if word == "and":
            if before not in ("hundred", *SCALES):
                return None  # two numbers: eleven and eight
            continue
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in SCALES:
            total += max(current, 1) * SCALES[word]
            current = 0
        else:
            return None
        if total + current >= _LARGEST:
            return None
    return float(total + current) if words else None


# Bins: the round numbers around a value, never the value itself.
#
# Edges are 1 and 5 times powers of ten, then powers of ten. The value lies strictly between them,
# so that no bin names it: 23 is between 10 and 50, 10 between 5 and 50.


FINER = (1, 2, 5)
FINE = (1, 5)
COARSE = (1,)
_SHARES = (0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 100.0)


@dataclass(frozen=True, slots=True)
class Bin:
    """Numbers strictly between ``low`` and ``high``."""

    low: float
    high: float

    def between(self, before: str = "", scale: str = "", after: str = "") -> str:
        """Return the bin in words.

        ``between 10 and 50 €``, ``between 1 and 5 million kroner``; with a unit before it,
        ``between €10m and €50m``; as an adjective with a hyphen, ``10-to-50-metre``.
        """
        if after.startswith("-"):
            return f"{written(self.low)}-to-{written(self.high)}{scale}{after}"
        low, high = (
            (written(end), "") if scale else _rounded(end) for end in (self.low, self.high)
        )
        if low[1] == high[1] and not before:
            return f"between {low[0]} and {high[0]}{scale or high[1]}{after}"
        low_scale, high_scale = scale or low[1], scale or high[1]
        return f"between {before}{low[0]}{low_scale} and {before}{high[0]}{high_scale}{after}"


def _rounded(number: float) -> tuple[str, str]:
    """Return a number and its scale word, the way people write large round numbers."""
    for word, size in reversed(SCALES.items()):
        if size >= 1_000_000 <= number and size <= number:
            return written(number / size), f" {word}"
    return written(number), ""


def around(low: float, high: float, steps: tuple[int, ...]) -> Bin | None:
    """Return the narrowest bin of powers of ten times ``steps`` around ``[low, high]``.

    Return None unless ``0 < low <= high`` and both are between 1e-6 and 1e15, where edges are
    exact.
    """
    if not 1e-6 < low <= high < 1e15:
        return None
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    edges = [round(step * 10.0**power, 9) for power in powers for step in steps]
    return Bin(
        max(edge for edge in edges if edge < low), min(edge for edge in edges if edge > high)
    )


def share(low: float, high: float) -> Bin | None:
    """Return the part of a hundred around ``[low, high]``, or None if neither end is inside."""
    if not 0 < low <= high < 100:
        return None
    return Bin(
        max(edge for edge in _SHARES if edge < low), min(edge for edge in _SHARES if edge > high)
    )


def written(number: float) -> str:
    """Return a number as written in English: ``1,000``, ``0.5``."""
    return f"{number:,.0f}" if number == int(number) else f"{number:.7f}".rstrip("0")
