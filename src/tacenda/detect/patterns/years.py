"""Years, decades, ranges of years and centuries: ``1994``, ``the 1990s``, ``1990–95``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .context import before
from .currencies import CODES
from .dates import MONTH_NAMES
from .hit import Hit
from .periods import start_of_period
from .statutes import dates_statute
from .tries import alternation

_YEAR = re.compile(
    r"[12](?<![\w$€£¥#§/][12])(?<![0-9][.,:/–][12])(?<!\w-[12])"
    r"(?:(?<=1)[89]|(?<=2)0)[0-9]{2}"
    r"(?:['’]?s(?![A-Za-z])|\s?[-–—/]\s?(?:1[89]|20)[0-9]{2}|\s?[-–—]\s?present"
    r"|[-–/][0-9]{2}(?![0-9]))?"
    r"(?![\w%€£$]|[.,:/][0-9]|[-–][0-9]|-[IVX])"
)
_MONTHS = tuple(MONTH_NAMES)
_MIDDLE = re.compile(r"[Mm]id-[12](?:(?<=1)[89]|(?<=2)0)[0-9]{2}(?:['’]?s)?(?![\w%]|[.,:/-][0-9])")
_DECADE = re.compile(
    r"(?:['’](?<!\w.)[2-9]0s|[2-9](?:(?<=[0-9]s\sand\s.)|(?<=\bthe\s.))0s)(?![A-Za-z])"
)
_ORDINAL = r"(?:[12]?[0-9](?:st|nd|rd|th)|[a-z]{3,6}teenth|eleventh|twelfth|twentieth|twenty-first)"
_CENTURY = before(
    rf"\b{_ORDINAL}(?:(?:,\s|\sand\s|\sto\sthe\s)(?:early\s|late\s)?{_ORDINAL}){{0,3}}[\s-]",
    endings=("st", "nd", "rd", "th"),
)
# Numbers that only look like years: parts of a law, amounts, counts.
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
    for match in _YEAR.finditer(text):
        start, end = match.span()
        if start and text[start - 1] == " " and text.endswith(_MONTHS, 0, start - 1):
            continue  # a part of a date, which is found by its month
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
