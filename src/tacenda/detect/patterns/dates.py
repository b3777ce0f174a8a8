"""Dates with a month in English words: ``3 December 2004``, ``9 and 10 May``, ``March 1994``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .context import before
from .hit import Hit
from .periods import start_of_period
from .statutes import dates_statute
from .tries import alternation

MONTH_NAMES = (
    "January February March April May June July August September October November December"
).split()
_SHORT = "Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec".split()
# The dot of an abbreviation, not of the sentence: no month with a dot has more lower-case letters.
_MONTH = (
    alternation([*MONTH_NAMES, *(name.upper() for name in MONTH_NAMES), *_SHORT])
    + r"(?![A-Za-z])(?:(?<![a-z]{4})\.(?=\s?[0-9,]))?"
)
_DAY = r"(?:[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"[12][0-9]{3,4}(?![0-9])(?:[-–/][0-9]{2}(?![0-9]|\s[JFMASOND][a-z]{2}))?"
_JOIN = r"\s?(?:,\s?and\b|,|and|or|to|until|till|through|[-–—/&])\s?(?:on\s|the\s)?(?:the\s)?"

_DAY_FIRST = re.compile(
    rf"[0-9](?<!\w[0-9])(?<![0-9][.,/:][0-9])(?:(?<=[0-2])[0-9]|(?<=3)[01])?(?:st|nd|rd|th)?(?:{_JOIN}{_DAY}){{0,8}}"
    rf"(?:\s?-?(?:of\s)?(?:the\s)?{_MONTH})(?:(?:,?\s|-|/)(?:of\s|in\s)?{_YEAR})?"
)
_MONTH_FIRST = re.compile(
    rf"{_MONTH}(?:{_JOIN}{_MONTH}){{0,3}}"
    rf"(?P<day>\s{_DAY}(?:\s?[-–]\s?{_DAY}|\s(?:and|to|or)\s{_DAY})?(?![\w%]|[.,:/][0-9])"
    rf"(?:,?\s{_YEAR})?|,?\s(?:of\s)?{_YEAR})?"
)
_ONLY_MONTHS = frozenset(
    name for name in MONTH_NAMES if name not in {"March", "April", "May", "June", "August"}
)
# March, April, May, June and August are words or given names as well: alone they are months only
# where the words before them say so.
_POINTS_TO_MONTH = before(
    r"\b(?:in|since|until|till|during|from|between|last|next|early|late|mid|(?:beginning|end"
    r"|start|middle|month)\sof)[\s-]"
)
_WEEKDAY = re.compile(
    alternation(
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun".split()
    )
    + r"\b\.?,?\s(?:the\s)?"
)


def find_dates(text: str) -> Iterator[Hit]:
    """Yield dates (kind ``date``) and dates of statutes (``statute_date``)."""
    weekdays = {match.end(): match.start() for match in _WEEKDAY.finditer(text)}
    for match in _DAY_FIRST.finditer(text):
        start, end = match.span()
        yield _hit(text, weekdays.get(start, start), end)
    for match in _months(text):
        start, end = match.span()
        if start and (text[start - 1].isalnum() or text[start - 1] in "_@"):
            continue
        if match["day"] is None and not _is_month(text, match):
            continue
        yield _hit(text, weekdays.get(start, start_of_period(text, start)), end)


def _months(text: str) -> Iterator[re.Match[str]]:
    """Yield what begins with a month that no day stands before."""
    match = _MONTH_FIRST.search(text)
    while match is not None:
        start, end = match.span()
        if text[start - 1 : start].isspace() and text[start - 2 : start - 1].isdigit():
            end = start + 3  # the shortest month; what follows may begin a date of its own
        else:
            yield match
        match = _MONTH_FIRST.search(text, end)


def _is_month(text: str, match: re.Match[str]) -> bool:
    """Tell whether months without day or year are meant as months."""
    names = re.findall(r"[A-Z][a-z]+", match[0])
    if any(name in _ONLY_MONTHS for name in names):
        return True
    return _POINTS_TO_MONTH.match(text, match.start()) is not None and all(
        name in MONTH_NAMES for name in names
    )


def _hit(text: str, start: int, end: int) -> Hit:
    return Hit(start, end, "statute_date" if dates_statute(text, start, end) else "date")
