"""Spans of time: ``two years`` → between 1 and 5 years · X years; ``18 months`` → 1 to 5 years.

What is counted in small units is told in the next coarser ones as well: 895 days are between 1
and 5 years, nine months less than a year.
"""

from __future__ import annotations

import re

from ...document import Document, Entity, Mention
from .candidates import Candidate, strings
from .numerals import FINE, WORDS, around, plain, readings

_DAYS = {
    "second": 1 / 86_400,
    "minute": 1 / 1_440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 30.44,
    "year": 365.25,
    "decade": 3652.5,
    "century": 36_525.0,
}
_COARSER = {"minute": "hour", "hour": "day", "day": "month", "week": "month", "month": "year"}
SPANS = 36_525.0 * 1_440
"""Scope of spans of time: minutes of a century."""

_UNIT = "seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?"
_PART = re.compile(
    rf"(?P<number>[0-9]+(?:[.,][0-9]+)?|{WORDS})(?P<half>\sand\sa\shalf)?"
    rf"(?:\s(?:full|consecutive|further|additional|more))?(?P<join>[\s-])(?P<unit>{_UNIT})\b"
)
_JOIN = re.compile(r"'?(?:,\s?|\s)(?:and\s)?")
_LEAD = re.compile(r"(?:for|about|approximately|around|nearly|almost)\s")
_SIDED = re.compile(r"(?:more than|less than|over|under|at least|up to)\s")
_TAIL = re.compile(r"(?:'s?|-long|\slong)?")


def duration_candidates(document: Document, entity: Entity) -> list[Candidate]:
    """Return what may be written instead of a span of time; nothing if it is not one."""
    originals = [plain(original) for original in strings(document, entity)]
    parsed = [parse_duration(original) for original in originals]
    durations = [duration for duration in parsed if duration is not None]
    if len(durations) != len(parsed) or len(set(durations)) > 1:
        return []
    days, unit, adjective = durations[0]
    label = f"X-{unit}" if adjective else f"X {_plural(unit)}"
    candidates = [Candidate(label, "rule:unit", SPANS / 10, SPANS)]
    if days is not None:
        units = [unit, _COARSER[unit]] if unit in _COARSER else [unit]
        for grain in units:
            candidates += _bin(days, grain, adjective)
    return candidates


def parse_duration(text: str) -> tuple[float | None, str, bool] | None:
    """Return length in days, largest unit, and whether it is an adjective; None if it is none.

    The length is None where the text says only a bound of it.
    """
    lead = _LEAD.match(text)
    sided = None if lead else _SIDED.match(text)
    position = lead.end() if lead else sided.end() if sided else 0
    days = 0.0
    unit = ""
    adjective = False
    while (part := _PART.match(text, position)) is not None:
        values = readings(part["number"])
        if not values:
            return None
        unit_name = part["unit"].rstrip("s")
        unit = unit or unit_name
        days += (values[0] + (0.5 if part["half"] else 0.0)) * _DAYS[unit_name]
        adjective = part["join"] == "-" or not part["unit"].endswith("s")
        adjective = adjective and values[0] != 1
        position = part.end()
        join = _JOIN.match(text, position)
        if join is None or _PART.match(text, join.end()) is None:
            break
        position = join.end()
    if not unit or _TAIL.fullmatch(text, position) is None:
        return None
    return (None if sided else days), unit, adjective


def _bin(days: float, unit: str, adjective: bool) -> list[Candidate]:
    size = _DAYS[unit]
    value = days / size
    grain = 1.0 if size >= 7 else 1 / 1_440
    if value < 1:
        if adjective:
            return []
        article = "an" if unit == "hour" else "a"
        text = f"less than {article} {unit}"
        return [Candidate(text, "rule:coarser", size / grain, SPANS)]
    bin = around(value, value, FINE)
    if bin is None:
        return []
    text = (
        f"{bin.low:g}-to-{bin.high:g}-{unit}"
        if adjective
        else bin.between(after=f" {_plural(unit)}")
    )
    return [Candidate(text, "rule:duration", (bin.high - bin.low) * size / grain, SPANS)]


def _plural(unit: str) -> str:
    return "centuries" if unit == "century" else f"{unit}s"


# Ages in years: ``aged 42`` → in their forties · of adult age (from 18 on).
#
# What the number is, the string or the words around it say: ``at the age of 65`` has only 65
# marked. An age is a date of birth known to the year; dates of birth are what is counted.


_LIVES = 36_525.0
"""Scope of ages: days of birth in a century."""
_YEAR = 365.25
_ADULT = 18
_OLDEST = 90

_NUMBER = rf"([0-9]{{1,3}}|{WORDS})"
_FORMS = (
    ("aged", re.compile(rf"aged\s{_NUMBER}")),
    ("aged", re.compile(rf"{_NUMBER}\syears?\s(?:old|of\sage)")),
    ("of", re.compile(rf"(?:the\s)?age\s(?:of\s)?{_NUMBER}")),
    ("adjective", re.compile(rf"{_NUMBER}[\s-]years?-old")),
)
_BEFORE = re.compile(r"\bage(?:d|\sof)?\s\Z")
_AFTER = re.compile(r"[\s-]years?[\s-](?:old|of age)\b")
_BARE = re.compile(_NUMBER)
_DECADES = "twenties thirties forties fifties sixties seventies eighties".split()


def age_candidates(document: Document, entity: Entity) -> list[Candidate]:
    """Return what may be written instead of an age; nothing if it is not one."""
    results = {_parse(document.text, mention) for mention in entity.mentions}
    parsed = results.pop()
    if results or parsed is None:
        return []
    form, age = parsed
    candidates = []
    if (decade := _decade(form, age)) is not None:
        text, years = decade
        candidates.append(Candidate(text, "rule:age", years * _YEAR, _LIVES))
    adult = age >= _ADULT
    years = 100 - _ADULT if adult else _ADULT
    text = {"aged": "of adult age" if adult else "under age", "of": "", "bare": ""}.get(
        form, "adult" if adult else "underage"
    )
    if text:
        candidates.append(Candidate(text, "rule:adult", years * _YEAR, _LIVES))
    return candidates


def _parse(text: str, mention: Mention) -> tuple[str, int] | None:
    string = plain(mention.span.of(text))
    for form, pattern in _FORMS:
        if (match := pattern.fullmatch(string)) is not None:
            return _age(form, match[1])
    around = _BEFORE.search(
        text[max(0, mention.span.start - 12) : mention.span.start]
    ) or _AFTER.match(text, mention.span.end)
    return _age("bare", string) if around and _BARE.fullmatch(string) else None


def _age(form: str, number: str) -> tuple[str, int] | None:
    values = readings(number)
    return (form, int(values[0])) if values and values[0] <= 120 else None


def _decade(form: str, age: int) -> tuple[str, int] | None:
    """Return the words for ten years of life around ``age``, and how many years they are."""
    if age >= _OLDEST:
        # Few live that long: one class for all of them, as HIPAA's safe harbour has it.
        words = {"aged": "aged over 85", "of": "age over 85", "bare": "over 85"}
        return words.get(form, "over-85-year-old"), 15
    if form == "aged" and age >= 20:
        return f"in their {_DECADES[age // 10 - 2]}", 10
    if form == "aged" and age >= 13:
        return "in their teens", 7
    low = age // 10 * 10
    # The bin must not name the age: 50 is between 45 and 54.
    if age == low:
        low -= 5
    elif age == low + 9:
        low += 5
    if low < 1:
        under = age + 5
        words = {"aged": f"under {under}", "of": f"age under {under}", "bare": f"under {under}"}
        return (words[form], under) if form in words else None
    if form == "adjective":
        return f"{low}-to-{low + 9}-year-old", 10
    head = {"aged": "aged ", "of": "age "}.get(form, "")
    return f"{head}between {low} and {low + 9}", 10
