"""Ages in years: ``aged 42`` → in their forties · of adult age (from 18 on).

What the number is, the string or the words around it say: ``at the age of 65`` has only 65
marked. An age is a date of birth known to the year; dates of birth are what is counted.
"""

from __future__ import annotations

import re

from ...document import Document, Entity, Mention
from .candidate import Candidate
from .numbers import WORDS, plain, readings

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
    found = {_parse(document.text, mention) for mention in entity.mentions}
    parsed = found.pop()
    if found or parsed is None:
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
