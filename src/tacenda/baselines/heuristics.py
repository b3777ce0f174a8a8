"""Handwritten patterns for dates, codes, quantities and persons, as TAB's pre-annotation had.

The paper (section 4.2, step 1) says which kinds of entities its heuristics were for; the
patterns are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..document import Span
from .letters import CAPITAL

MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[6-9]|20)\d\d"
_NUMBER = r"\d+(?:[.,\s]\d{3}){0,6}(?:[.,]\d+)?"
_CURRENCY = (
    r"(?:euros?|dollars?|pounds?(?:\ssterling)?|francs?|marks?|zlotys?|lir[ae]s?|kron[ae]r?|"
    r"forints?|roubles?|rubles?|hryvnias?|EUR|USD|GBP|CHF|DEM|FRF|PLN|ITL|TRL|TRY|SEK|NOK|DKK|"
    r"HUF|RUB|UAH|CZK|SKK|BGN|RON|ROL)"
)
_UNIT = (
    r"(?:%|per\scent|percent|kg|kilograms?|grams?|km|kilometres?|metres?|miles?|hectares?|acres?|"
    r"sq(?:uare)?\.?\s(?:metres?|kilometres?|m)|m²|litres?|tonnes?)"
)
_GAP = r"[^\S\n]"
"""White space in a line: a name does not go on in the next heading."""
_NAME = rf"{CAPITAL}\w*(?:['’-]{CAPITAL}\w*)*"
_INITIALS = rf"{CAPITAL}\.(?:{_GAP}?-?{CAPITAL}\.)*"
_PARTICLE = r"(?:al|bin|da|de|del|della|den|der|di|dos|du|el|la|le|ten|van|von|y)"
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Messrs|Dr|Prof|Professor|Judge|Justice|Sir|Lady|Lord|Captain|Colonel|"
    r"General|Lieutenant|Major|Sergeant|Inspector|Father|Sister|Mgr)"
)

_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # Dates: 4 May 1999, 4 and 5 May, May 4 1999, May 1999, 4.5.1999, 1999-05-04, 1999, 1990s
        rf"\b{_DAY}(?:\s?(?:-|–|,|and|to)\s?{_DAY}){{0,4}}\s(?:of\s)?(?:{MONTHS})(?:,?\s{_YEAR})?\b",
        rf"\b(?:{MONTHS})\s{_DAY}(?:,?\s{_YEAR})?\b",
        rf"\b(?:{MONTHS}),?\s(?:of\s)?{_YEAR}\b",
        r"\b\d{1,2}([./-])\d{1,2}\1(?:\d\d){1,2}\b",
        r"\b\d{4}-\d\d-\d\d\b",
        rf"\b{_YEAR}s?\b",
        # Times: 10.30 a.m., 14:05
        r"\b\d{1,2}[.:]\d\d(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.m\.",
        # Codes: 12345/67, II K 123/95, AB-12/c3, 1234 and longer, e-mail and web
        rf"\b(?:(?:[IVX]+\s)?{CAPITAL}\w{{0,3}}\s)?\d+/\d{{2,4}}\b",
        rf"\b(?=[\w/.-]{{0,40}}\d)(?=[\w/.-]{{0,40}}{CAPITAL})\w+(?:[/.-]\w+)+\b",
        r"\b\d{4,}\b",
        r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b",
        r"\b(?:https?://|www\.)[^\s<>]+[^\s<>.,;:)]",
        # Quantities: 1,000 euros, EUR 1,000, €1,000, 12 %, 30 square metres
        rf"\b{_NUMBER}\s(?:{CAPITAL}\w+\s)?{_CURRENCY}\b",
        rf"(?:\b{_CURRENCY}|[€$£])\s?{_NUMBER}",
        rf"\b{_NUMBER}\s?{_UNIT}(?!\w)",
        # Persons: Mr A. Smith, Mrs van der Berg, J.-P. Smith, but not the heading I. THE FACTS
        rf"\b{_TITLE}\b\.?(?:{_GAP}(?:{_PARTICLE}{_GAP}){{0,3}}(?:{_INITIALS}|{_NAME}))+",
        rf"\b{_INITIALS}{_GAP}?(?:{_PARTICLE}{_GAP}){{0,3}}(?!{CAPITAL}{CAPITAL}){_NAME}",
    )
)


def find(text: str) -> Iterator[Span]:
    """Yield what the patterns find; the spans may overlap and are in no order."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield Span(*match.span())
