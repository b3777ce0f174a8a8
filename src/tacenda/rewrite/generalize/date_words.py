"""The words of which dates consist, as one pattern over lower-case text."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = {
    name: number
    for number, name in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1
    )
}
"""The first three letters of a month to its number."""


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a date.

    Attributes:
        kind: D day, M month, Y year or decade, N the number of a day (in pairs: both readings);
            R range, P part of a period, S season, A approximately.
        value: day, month, year, or ordinal of the day; 0 for marks.
        length: years that a Y is long, 1 or 10.
    """

    kind: str
    value: int
    length: int = 1


_MONTH = (
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_PART = (
    r"(?:early|mid|late|later|(?:the\s)?(?:beginning|start|middle|end|(?:first|second|latter)\shalf"
    r"|(?:first|second|third|fourth|last)\squarter)\sof|(?:christmas|easter)(?:\sof)?)"
)
_TIME = r"(?:at\s|t|(?<!\d))[0-2]?\d[:.][0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s?z|\s?[+-]\d\d:?\d\d)?(?:\s?[ap]\.?m\.?)?"

TOKEN = re.compile(
    r"(?P<iso>[12]\d{3}[-./]\d{2}[-./]\d{2}(?!\d))"
    r"|(?P<digits>\d{1,2}(?P<mark>[-./])\s?\d{1,2}(?P=mark)\s?(?:[12]\d{3}|\d{2})(?!\d))"
    rf"|(?P<time>{_TIME}(?!\d))"
    r"|(?P<decade>[12]\d{2}0'?s|'?[2-9]0s)"
    r"|(?P<short>(?<=\d)[-/]\d{2}(?!\d))"
    r"|(?P<year>[12]\d{3}(?!\d))"
    r"|(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\da-z])"
    rf"|(?P<month>{_MONTH})\b\.?"
    rf"|(?P<weekday>{_WEEKDAY})\b\.?"
    rf"|(?P<part>{_PART})(?=[\s-])"
    r"|(?P<season>(?:spring|summer|autumn|fall|winter)(?:\sof)?)\b"
    r"|(?P<circa>(?:circa|about|around|approximately|approx\.|ca?\.))"
    r"|(?P<range>\b(?:to|until|till|through|between)\b|(?<=[\da-z])\s?-\s?(?=[\da-z])|(?<=\d)/(?=\d))"
    r"|(?P<word>(?:and|or|of|in|on|the|from|since|during|for|by|before|after|as)\b|&|[,\s.()\"'-])"
)
