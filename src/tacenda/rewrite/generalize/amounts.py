"""Amounts as texts write them: a number or a range of numbers with its unit before or after."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .numbers import DIGITS, SCALES, WORDS, plain, readings

_LEAD = re.compile(
    r"(?P<vague>approximately|approx\.?|about|around|almost|nearly|roughly|some|circa|ca?\.|~)\s?"
    r"|(?P<sided>more than|less than|fewer than|at least|at most|not more than|no more than|over"
    r"|under|up to|exceeding|below|above|hundreds|thousands|dozens|millions|several|many|few)\b\s?"
)
_NUMBER = re.compile(rf"{DIGITS}|{WORDS}")
_BEFORE = re.compile(r"(?:[a-z]{1,3}\s?)?[€£¥₺₽₹₴₪₩฿$]\s?|[a-z]{2,4}\.?\s?(?=[0-9])")
_TO = re.compile(r"\s?(?:-|to|and|or)\s?")
_SCALE = re.compile(rf"[\s-](?P<word>{'|'.join(SCALES)})\b|\s?(?P<short>m|bn|k)(?=\s|$)")
_SHORT = {"m": 1_000_000, "bn": 1_000_000_000, "k": 1_000}
# Units have no digits; what else has some says the amount again, and goes.
_UNIT = re.compile(r"(?:\s?[%°‰€£¥₺₽₹₴₪₩฿$]|[\s-]?[^\W\d_][^\d()\[\],;/#]*)")
_OF = re.compile(r"\s?of\s")
_TIMES = frozenset(("once", "twice", "thrice"))
_SEVERAL_NUMBERS = re.compile(r"\s?(?:/|x|by|,|;)\s?[0-9]")
_MORE = re.compile(r"\s?[0-9]")
_ORDINAL = re.compile(
    r"(?:[0-9]+(?:st|nd|rd|th)\b|(?:\w+-)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
    r"|\w+teenth|tenth|eleventh|twelfth|\w+tieth)\b)"
)
_MARGIN = 0.1
"""How far, at most, a number that is said to be approximate is from the true one."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity as parsed.

    Attributes:
        low: smallest value that it may be; None where the value is not known.
        high: largest value that it may be.
        before: unit before the number, with its blank.
        scale: word of the scale after the number, with its blank.
        after: unit after the number, with its blank or hyphen.
        factor: what the scale multiplies by.
    """

    low: float | None
    high: float
    before: str = field(default="", repr=False)
    scale: str = ""
    after: str = field(default="", repr=False)
    factor: float = 1.0


def parse_amount(original: str) -> Amount:
    """Return the amount that ``original`` says; its value is None where that can't be told."""
    stripped = " ".join(original.strip("()[] #,;:").split())
    text = plain(stripped)
    # Units in the letters of the original (EUR, not eur), where folding keeps their places.
    kept = stripped if len(stripped) == len(text) else text
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    before = _BEFORE.match(text, start)
    sign = kept[before.start() : before.end()] if before else ""
    start = before.end() if before else start
    ordinal = _ORDINAL.match(text, start)
    number = None if ordinal else _NUMBER.match(text, start)
    if number is None:
        if ordinal is None and lead is None:
            return Amount(None, 0.0)
        unit, _ = _unit(kept, text, ordinal.end() if ordinal else start)
        return Amount(None, 0.0, sign, after=_OF.sub(" ", unit) if lead else unit)
    values = list(readings(number[0]))
    end = number.end()
    to = _TO.match(text, end)
    second = _NUMBER.match(text, to.end()) if to else None
    if second is not None:
        values += readings(second[0])
        end = second.end()
    scale = _SCALE.match(text, end)
    if scale is not None and scale["short"] and not sign:
        scale = None  # metres, not millions
    after = scale.end() if scale else end
    unit, rest = _unit(kept, text, after)
    if number[0] in _TIMES:
        unit = " times"
    if not values or _SEVERAL_NUMBERS.match(text, after):
        return Amount(None, 0.0, sign)
    if lead is not None and lead["sided"]:
        return Amount(None, 0.0, sign, after=unit)
    # Digits after the unit make it more exact: 5 ft 9 in is less than 6 ft.
    low, high = min(values), max(values) + (1.0 if _MORE.match(rest) else 0.0)
    if lead is not None:
        low, high = low * (1 - _MARGIN), high * (1 + _MARGIN)
    factor = float(SCALES.get(scale["word"]) or _SHORT[scale["short"]]) if scale else 1.0
    return Amount(low, high, sign, kept[end:after], unit, factor)


def _unit(kept: str, text: str, start: int) -> tuple[str, str]:
    """Return the unit at ``start`` in the letters of ``kept``, and what follows it."""
    match = _UNIT.match(text, start)
    if match is None:
        return "", text[start:]
    return kept[match.start() : match.end()].rstrip(" .,;:-"), text[match.end() :]
