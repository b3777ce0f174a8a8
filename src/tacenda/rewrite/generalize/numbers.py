"""Numbers as English texts write them: in digits with separators, in words, or both."""

from __future__ import annotations

import re
import unicodedata

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: number for number, word in enumerate(_UNITS)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
"""What multiplies a number."""

_FIXED = {"dozen": 12.0, "once": 1.0, "twice": 2.0, "thrice": 3.0, "half": 0.5}

_WORD = "|".join(sorted((*_SMALL, *SCALES), key=len, reverse=True))
WORDS = rf"(?:(?:a\s)?(?:dozen|half)\b|once\b|twice\b|thrice\b|(?:(?:a\s)?(?:{_WORD}))(?:(?:\s|-|\sand\s)(?:{_WORD}))*(?![a-z]))"
"""A number in words, for use in a pattern over lower-case text."""

DIGITS = r"(?:[0-9]{1,3}(?:[ ,.'’][0-9]{3})+(?:[.,][0-9]{1,2})?(?![0-9])|[0-9]*[.,]?[0-9]+)"
"""A number in digits."""

_GROUPED = re.compile(r"[0-9]{1,3}(?P<mark>[ ,.'’])[0-9]{3}(?:(?P=mark)[0-9]{3})*")


def plain(text: str) -> str:
    """Return ``text`` in lower case with digits, spaces and hyphens in their ASCII form."""
    normal = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in unicodedata.normalize("NFKC", text)
    )
    return " ".join(re.sub("[\u2010-\u2015\u2212]", "-", normal).lower().replace("’", "'").split())


_LARGEST = 1e15
"""Larger numbers are not exact, and count nothing that texts speak of."""


def readings(number: str) -> tuple[float, ...]:
    """Return every value that ``number`` may be read as; none if it is not a number or too large.

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
    whole = re.sub(r"[ ,.'’]", "", grouped[0])
    found = [float(whole + (fraction or ""))]
    if grouped["mark"] == "." and grouped[0].count(".") == 1 and not fraction:
        found.append(float(grouped[0]))
    return tuple(found) if max(found) < _LARGEST else ()


def spelled(text: str) -> float | None:
    """Return the value of a number in words: ``twenty-eight``, ``two hundred and six``."""
    words = text.replace("-", " ").split()
    if words[:1] == ["a"]:
        words = words[1:]
    if len(words) == 1 and words[0] in _FIXED:
        return _FIXED[words[0]]
    total = current = 0
    for word in words:
        if word == "and":
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
