"""Dates with a month in English words: ``3 December 2004``, ``9 and 10 May``, ``March 1994``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...policy.forms import ZONE
from ...shipped import shipped_patterns, shipped_table
from ...text.word_lists import ordered_words
from .amounts import CODES, NUMBER_WORDS
from .base import Hit, alternation, before
from .references import dates_statute, numbers_statute

_PATTERNS = shipped_patterns("pattern_forms", "dates")

# Words before a date that name part of a period: ``early``, ``the end of``, ``summer of``.


_SEASON = r"(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter)"
_PART = before(
    r"\b(?:[Ee]arly|[Mm]id|[Ll]ate(?:r|st)?|(?:[Bb]eginning|[Ss]tart|[Mm]iddle|[Ee]nd"
    r"|(?:first|second|latter)\shalf|(?:first|second|third|fourth|last)\squarter)\sof"
    rf"|(?:{_SEASON}\s(?:and|or)\s)?(?:{_SEASON}|[Ff]all|Christmas|Easter)(?:\sof)?)"
    r"(?:\sthe)?[\s-]",
    endings=(
        *("of", "the", "arly", "ate", "ater", "latest", "mid", "Mid"),
        *("pring", "ummer", "utumn", "inter", "fall", "Fall", "Christmas", "Easter"),
    ),
)


def start_of_period(text: str, start: int) -> int:
    """Return the start of the period whose date or year is at ``start``."""
    match = _PART.match(text, start)
    return match.start() if match else start


MONTH_NAMES = ordered_words("dates_month_names")
_SHORT = "Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec".split()
# The dot of an abbreviation, not of the sentence: no abbreviated month has more lowercase letters.
_MONTH = (
    alternation([*MONTH_NAMES, *(name.upper() for name in MONTH_NAMES), *_SHORT])
    + r"(?![A-Za-z])(?:(?<![a-z]{4})\.(?=\s?[0-9,]))?"
)
_DAY = r"(?:[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"[12][0-9]{3,4}(?![0-9])(?:[-–/][0-9]{2}(?![0-9]|\s[JFMASOND][a-z]{2}))?"
_JOIN = r"\s?(?:,\s?and\b|,|and|or|to|until|till|through|[-–—/&])\s?(?:on\s|the\s)?(?:the\s)?"

# With the time zone as written in mail and by servers: 3 Sep 2024 10:00:00 +0200 (RFC 5322, 3.3) is
# one date.
_ZONE = r"\s?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9](?![0-9]|[.,:-][0-9])(?:\s\([A-Z]{2,5}\))?"
_MOMENT = (
    r"(?:,?\s[0-2]?[0-9]:[0-5][0-9](?::[0-6][0-9])?"
    rf"(?:{_ZONE}|\s?{ZONE}(?!\w)))?"
)

_DAY_FIRST = re.compile(
    rf"[0-9](?<!\w[0-9])(?<![0-9][.,/:][0-9])(?:(?<=[0-2])[0-9]|(?<=3)[01])?(?:st|nd|rd|th)?(?:{_JOIN}{_DAY}){{0,8}}"
    rf"(?:\s?-?(?:of\s)?(?:the\s)?{_MONTH})(?:(?:,?\s|-|/)(?:of\s|in\s)?{_YEAR}{_MOMENT})?"
)
_MONTH_FIRST = re.compile(
    rf"{_MONTH}(?:{_JOIN}{_MONTH}){{0,3}}"
    rf"(?P<day>\s{_DAY}(?:\s?[-–]\s?{_DAY}|\s(?:and|to|or)\s{_DAY})?(?![\w%]|[.,:/][0-9])"
    rf"(?:,?\s{_YEAR}{_MOMENT})?|,?\s(?:of\s)?{_YEAR})?"
)
_ONLY_MONTHS = frozenset(
    name for name in MONTH_NAMES if name not in {"March", "April", "May", "June", "August"}
)
# March, April, May, June and August are also words or given names: on their own they are months
# only after certain words.
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
    """Yield dates that start with a month, without a day before it."""
    match = _MONTH_FIRST.search(text)
    while match is not None:
        start, end = match.span()
        if text[start - 1 : start].isspace() and text[start - 2 : start - 1].isdigit():
            end = start + 3  # the shortest month; what follows may start another date
        else:
            yield match
        match = _MONTH_FIRST.search(text, end)


def _is_month(text: str, match: re.Match[str]) -> bool:
    """Return whether months without day or year are meant as months."""
    names = re.findall(r"[A-Z][a-z]+", match[0])
    if any(name in _ONLY_MONTHS for name in names):
        return True
    return _POINTS_TO_MONTH.match(text, match.start()) is not None and all(
        name in MONTH_NAMES for name in names
    )


def _hit(text: str, start: int, end: int) -> Hit:
    return Hit(start, end, "statute_date" if dates_statute(text, start, end) else "date")


# Dates in digits, with or without a time of day: ``12.03.1994``, ``3/12/2004``, ``1994-03-12``.


_TIME_OF_DAY = (
    r"(?:(?:T|,?\s)[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"
    r"(?:\s?Z|\s?[+-][0-9]{2}:?[0-9]{2})?(?!\w))?"
)
_DATE = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,/:-][0-9])(?:"
    r"[0-9]?(?P<sep>[./-])\s?(?P<middle>[0-9]{1,2})(?P=sep)\s?(?P<last>[12][0-9]{3}|[0-9]{2})"
    r"|[0-9]{3}(?P<iso>[./-])(?P<month>[0-9]{2})(?P=iso)(?P<day>[0-9]{2}))"
    rf"(?![0-9]|[A-SU-Za-z]|[./-][0-9]){_TIME_OF_DAY}"
)
# ISO 8601's basic format, ``20090816T054321Z``, with a valid day.
_BASIC = _PATTERNS["basic"]


def find_numeric_dates(text: str) -> Iterator[Hit]:
    """Yield dates in digits that are valid in at least one order of day, month and year."""
    for match in _DATE.finditer(text):
        start, end = match.span()
        if match["iso"] is not None:
            year = int(match[0][:4])
            is_possible = 1000 <= year <= 2999 and 1 <= int(match["month"]) <= 12
            is_possible = is_possible and 1 <= int(match["day"]) <= 31
        else:
            first = int(match[0][: match.start("sep") - start])
            second = int(match["middle"])
            is_possible = 1 <= min(first, second) <= 12 and max(first, second) <= 31
            # Two-digit years look like section numbers: 1.2.33 is one, 01.02.33 is a date.
            if len(match["last"]) == 2:
                is_possible = is_possible and end - start >= 7 and not numbers_statute(text, start)
        if is_possible:
            yield Hit(start, end, "statute_date" if dates_statute(text, start, end) else "date")
    for match in _BASIC.finditer(text):
        yield Hit(*match.span(), "date")


# A date after a label for dates of birth, in any order and form: ``DOB 3-5-71``, ``"birthDate":
# "1987-02-09"``.


_BIRTH = re.compile(
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:d\.?o\.?b\b\.?|date[ _-]?of[ _-]?birth|birth[ _-]?da(?:te|y)|geb(?:oren|\.)(?: am)?|née? le"
    r"|nacid[oa](?: el)?|nat[oa] il|f[øö]dt|fødselsdato|födelsedatum|data urodzenia|ur\."
    rf"|(?:{'|'.join(shipped_table('field_words')['birth'].split())})(?!\w))(?:\s?(?:value|on|am|den))?[\"'\s:=>(|-]{{1,6}}(?:on\s)?"
)
_BIRTH_DATE = re.compile(
    r"[0-9]{1,4}\s?(?P<sep>[./-])\s?(?:[0-9]{1,2}|[IVX]{1,4}|[^\W\d_]{3,9})(?P=sep)\s?[0-9]{1,4}(?![0-9]|[./-][0-9])"
    r"|[0-9]{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?[^\W\d_]{3,10}\.?,?\s(?:de\s)?['’]?[0-9]{2,4}(?![0-9])"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}|{_MONTH}\s[0-9]{{1,2}}(?:st|nd|rd|th)?(?:,?\s[12][0-9]{{3}})?(?![0-9])"
    r"|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9])"
)


def find_births(text: str) -> Iterator[Hit]:
    """Yield labeled dates of birth (kind ``birth_date``)."""
    for label in _BIRTH.finditer(text):
        date = _BIRTH_DATE.match(text, label.end())
        if date is not None:
            yield Hit(*date.span(), "birth_date")


# Years, decades, ranges of years and centuries: ``1994``, ``the 1990s``, ``1990–95``.


_YEARS = _PATTERNS["years"]
_MONTHS = tuple(MONTH_NAMES)
_MIDDLE = re.compile(r"[Mm]id-[12](?:(?<=1)[89]|(?<=2)0)[0-9]{2}(?:['’]?s)?(?![\w%]|[.,:/-][0-9])")
_DECADE = _PATTERNS["decade"]
_ORDINAL = r"(?:[12]?[0-9](?:st|nd|rd|th)|[a-z]{3,6}teenth|eleventh|twelfth|twentieth|twenty-first)"
_CENTURY = before(
    rf"\b{_ORDINAL}(?:(?:,\s|\sand\s|\sto\sthe\s)(?:early\s|late\s)?{_ORDINAL}){{0,3}}[\s-]",
    endings=("st", "nd", "rd", "th"),
)
# Numbers that only look like years: parts of laws, amounts, counts.
_OTHER_BEFORE = before(
    r"(?:\b(?:[Aa]rticles?|[Aa]rts?\.|[Ss]ections?|[Rr]ules?|[Pp]aragraphs?|[Pp]aras?\.?|[Nn]os?\.?"
    r"|[Nn]umbers?|[Pp]ages?|pp?\.|[Vv]ol\.|[Rr]oom|[Ff]light|[Mm]odel|[Cc]hapter|[A-Z]{3}"
    r"|over|than|about|approximately|nearly|almost|some)|§§?|[$€£¥#])\s?"
)
_OTHER_AFTER = re.compile(
    r"\s(?:(?:euros?|dollars?|pounds?|francs?|marks?|lira|liras|kroner|kronor|zlotys?|people"
    r"|persons?|men|women|children|employees?|members?|shares?|square|metres?|meters?|km|kg|cc"
    r"|hectares?|tons?|tonnes?|copies|votes?|pages?|miles?|feet|years|days|hours|hrs|units"
    r"|litres?|prisoners|inhabitants|workers|soldiers|students|sq\.|m|ha|m²"
    rf"|{alternation(CODES)})\b|%)"
)


def find_years(text: str) -> Iterator[Hit]:
    """Yield years from 1800 to 2099, decades and centuries (kind ``year``).

    Years in the names of laws are of the kind ``statute_date``.
    """
    for match in _YEARS.finditer(text):
        start, end = match.span()
        if start and text[start - 1] == " " and text.endswith(_MONTHS, 0, start - 1):
            continue  # part of a date, which is found by its month
        if _OTHER_BEFORE.match(text, start) or (end - start == 4 and _OTHER_AFTER.match(text, end)):
            continue
        if dates_statute(text, start, end):
            yield Hit(start, end, "statute_date")
        else:
            yield Hit(start_of_period(text, start), end, "year")
    for pattern in (_MIDDLE, _DECADE):
        for match in pattern.finditer(text):
            yield Hit(start_of_period(text, match.start()), match.end(), "year")
    yield from _centuries(text)


def _centuries(text: str) -> Iterator[Hit]:
    word = text.find("centur")
    while word >= 0:
        end = word + (9 if text.startswith("centuries", word) else 7)
        ordinal = _CENTURY.match(text, word)
        if ordinal is not None and text[word:end] in {"century", "centuries"}:
            yield Hit(start_of_period(text, ordinal.start()), end, "year")
        word = text.find("centur", end)


# Times of day: ``10.30 a.m.``, ``14:30``, ``14h30``, ``at 9.15``, ``noon``.


_HALF_DAY = r"(?:a\.m\.?|p\.m\.?|am\b|pm\b|AM\b|PM\b|noon\b|midnight\b|o['’]clock\b)"
_TIMES = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,/:-][0-9])(?:"
    rf"[0-9]?(?:[.:][0-9]{{2}}){{0,2}}\s?{_HALF_DAY}"
    rf"|(?:(?<=[01])[0-9]|(?<=2)[0-3])?(?::[0-5][0-9]){{1,2}}(?![\w:]|[.,-][0-9])(?:\s?(?:hours|hrs|h)\b)?(?:{_ZONE})?"
    r"|(?:(?<=[01])[0-9]|(?<=2)[0-3])?h[0-5][0-9](?!\w)"
    r"|[0-9]{3}\s(?:hours|hrs)\b"
    r"|(?<=[Aa]t\s[0-9])(?:(?<=[01])[0-9]|(?<=2)[0-3])?\.[0-5][0-9](?![\w%]|[.,][0-9]|\sper\s?cent)"
    r")"
)
_WORDS = ("noon", "midnight", "midday")


def find_times(text: str) -> Iterator[Hit]:
    """Yield times of day (kind ``time``)."""
    for match in _TIMES.finditer(text):
        yield Hit(match.start(), match.end(), "time")
    for word in _WORDS:
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
                yield Hit(start, end, "time")
            start = text.find(word, end)


# Durations and ages in years: ``two years``, ``ten-day``, ``three years and nine months``.


_UNIT = _PATTERNS["unit"]
_COUNT = before(
    rf"(?<![\w.,/-])(?:[0-9]{{1,4}}(?:[.,][0-9])?|(?:{NUMBER_WORDS})(?:[\s-](?:{NUMBER_WORDS})){{0,3}}"
    r"|several|few|half\sa)(?:\sand\sa\shalf)?(?:\sfull|\sconsecutive|\sfurther|\sadditional)?[\s-]"
)
_BETWEEN_PARTS = re.compile(r"['’]?,?\s(?:and\s)?")


def find_durations(text: str) -> Iterator[Hit]:
    """Yield durations with a number (kind ``duration``); adjacent ones joined with ``and`` are one."""
    start = end = -1
    for unit in _UNIT.finditer(text):
        if not unit.start() or text[unit.start() - 1] not in " -\n":
            continue
        count = _COUNT.match(text, unit.start())
        if count is None:
            continue
        join = _BETWEEN_PARTS.match(text, end) if end >= 0 else None
        if join is None or join.end() != count.start():
            if end >= 0:
                yield Hit(start, end, "duration")
            start = count.start()
        end = unit.end()
    if end >= 0:
        yield Hit(start, end, "duration")
