"""Amounts as texts write them: a number or a range of numbers with its unit before or after."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...document import Document, Entity, Option
from .candidates import Candidate, build_options, strings
from .date_parsing import parse_month
from .durations import age_candidates, duration_candidates
from .numerals import COARSE, DIGITS, FINE, SCALES, WORDS, around, plain, readings, share

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
    source = stripped if len(stripped) == len(text) else text
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    before = _BEFORE.match(text, start)
    sign = source[before.start() : before.end()] if before else ""
    start = before.end() if before else start
    ordinal = _ORDINAL.match(text, start)
    number = None if ordinal else _NUMBER.match(text, start)
    if number is None:
        if ordinal is None and lead is None:
            return Amount(None, 0.0)
        unit, _ = _unit(source, text, ordinal.end() if ordinal else start)
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
    unit, rest = _unit(source, text, after)
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
    return Amount(low, high, sign, source[end:after], unit, factor)


def _unit(source: str, text: str, start: int) -> tuple[str, str]:
    """Return the unit at ``start`` in the letters of ``source``, and what follows it."""
    match = _UNIT.match(text, start)
    if match is None:
        return "", text[start:]
    return source[match.start() : match.end()].rstrip(" .,;:-"), text[match.end() :]


# QUANTITY: a bin around the amount, its unit, ``X`` (Olstad et al., section 3.1, and bins).
#
# | original | options |
# |---|---|
# | ``23 €`` | between 10 and 50 € · between 10 and 100 € · X € |
# | ``$1,654,120`` | between $1,000,000 and $5,000,000 · between $1,000,000 and $10,000,000 · $X |
# | ``45 %`` | between 25 and 50 % · X % |
# | ``more than 90 books`` | X books: a bin would not be true |
# | ``sixth``, ``2/3``, ``15 x 10 mm`` | X, X, X mm |


AMOUNTS = 1e12
"""Scope of amounts: cents up to ten thousand million."""

_PERCENT = re.compile(r"\s?(?:%|per\s?cent\b)")
_MONEY = re.compile(r"[€£¥₺₽₹₴₪₩฿$]")


class Quantity:
    """Writes amounts as bins with their unit; ages and spans of time as those."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return bins, ``X`` with its unit, and ``***``."""
        originals = strings(document, entity)
        special = age_candidates(document, entity) or duration_candidates(document, entity)
        amounts = amount_candidates(originals)
        # Of an age only the unit is left to say, and not a bin of numbers as well.
        return build_options(document, entity, [*special, amounts[-1]] if special else amounts)


def amount_candidates(originals: tuple[str, ...]) -> list[Candidate]:
    """Return what may be written instead of all of ``originals``, forms of one amount."""
    amounts = {parse_amount(original) for original in originals}
    first = parse_amount(originals[0])
    candidates = _bins(first) if len(amounts) == 1 else []
    if parse_month(first.after) is not None:  # a date that its detector took for an amount
        return [Candidate("X", "rule:unit", AMOUNTS, AMOUNTS)]
    return [*candidates, Candidate(f"{first.before}X{first.after}", "rule:unit", AMOUNTS, AMOUNTS)]


def _bins(amount: Amount) -> list[Candidate]:
    if amount.low is None:
        return []
    percent = _PERCENT.fullmatch(amount.after) is not None
    if percent:
        bins = [("rule:share", share(amount.low, amount.high))]
    else:
        bins = [
            ("rule:bin", around(amount.low, amount.high, FINE)),
            ("rule:magnitude", around(amount.low, amount.high, COARSE)),
        ]
    money = bool(amount.before) or _MONEY.search(amount.after) is not None
    grain = 0.1 if percent else 0.01 if money or amount.low != int(amount.low) else 1.0
    return [
        Candidate(
            bin.between(amount.before, amount.scale, amount.after),
            source,
            (bin.high - bin.low) * amount.factor / grain,
            AMOUNTS,
        )
        for source, bin in bins
        if bin is not None
    ]
