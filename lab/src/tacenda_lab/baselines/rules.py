"""Handwritten patterns for dates, codes, quantities and persons, as in TAB's pre-annotation.

The kinds of entities come from the paper's heuristics (section 4.2, step 1); the patterns are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tacenda.document import Document, Span

from .base import union
from .tools import DEFAULT_MODEL, NamedEntity, SpacyPipeline, worth_masking

# Capital letters in every script, since Python's regular expressions have no class for them.


_LAST = 0x1FFFF
"""Planes 0 and 1 hold all scripts that have cases."""

CAPITAL: Final = "[{}]".format("".join(filter(str.isupper, map(chr, range(_LAST + 1)))))
"""A character class."""


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
_NAME_WORD = rf"{CAPITAL}\w*(?:['’-]{CAPITAL}\w*)*"
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
        rf"\b{_TITLE}\b\.?(?:{_GAP}(?:{_PARTICLE}{_GAP}){{0,3}}(?:{_INITIALS}|{_NAME_WORD}))+",
        rf"\b{_INITIALS}{_GAP}?(?:{_PARTICLE}{_GAP}){{0,3}}(?!{CAPITAL}{CAPITAL}){_NAME_WORD}",
    )
)


def find(text: str) -> Iterator[Span]:
    """Yield the patterns' matches, which may overlap and are in no particular order."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield Span(*match.span())


# Named entities and handwritten rules: the idea of TAB's pre-annotation (section 4.2, step 1).
#
# Entities of a spaCy model that can be personal information, without those that plainly aren't, and
# the patterns above. The benchmark's annotators started from such a proposal: it marks by type what
# might identify someone, before anyone decides what to mask.


_IMPERSONAL: Final = frozenset({"LAW", "ORDINAL"})
"""Statutes and ranks, which reveal nothing about a person (section 7.1)."""

_DATED: Final = re.compile(
    rf"\d|\b(?:{MONTHS}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)
"""Words that make a DATE or TIME specific; "the same day" has none."""

_GENERIC: Final = frozenset(
    "article board chamber commission committee convention council court department directorate "
    "government grand inspectorate judge ministry office parliament prosecution prosecutor "
    "registry section senate state tribunal".split()
)
"""Words that make no name of an organisation by themselves: "the Court", "Grand Chamber"."""

_AROUND: Final = re.compile(
    r"\s*(?:(?:the|a|an)\s+)?(.*?)(?:['’]s?)?\s*", re.IGNORECASE | re.DOTALL
)


class Rules:
    """Masks named entities of personal kinds and the patterns' matches.

    Args:
        model: name of an installed spaCy model, or the path of its folder.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        self._pipeline = SpacyPipeline(model)

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the spans of both, merging those that overlap."""
        entities = self._pipeline.entities(document)
        return union([*_personal(entities, document.text), *find(document.text)])


def _personal(entities: tuple[NamedEntity, ...], text: str) -> Iterator[Span]:
    for span, label in entities:
        match = _AROUND.fullmatch(text, span.start, span.end)
        if match is None or not match[1]:
            continue
        if _is_personal(label, match[1]):
            yield Span(*match.span(1))


def _is_personal(label: str, string: str) -> bool:
    if label in ("DATE", "TIME"):
        return bool(_DATED.search(string))
    if label == "ORG":
        return not _GENERIC.issuperset(string.lower().split())
    return label not in _IMPERSONAL and worth_masking(label, string)


# Dates, numbers and capitalised words by regular expression, without a model.
#
# A capital at the start of a sentence counts like any other, unless the word is a function word:
# recall is high, but many of the masked words reveal nothing.


_MONTH: Final = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_FUNCTION_WORD: Final = (
    "(?i:a|according|after|all|also|although|an|and|any|as|at|because|before|both|but|by|during|"
    "each|following|for|from|further|furthermore|he|her|his|however|i|if|in|is|it|its|moreover|no|"
    "not|of|on|or|she|since|some|such|that|the|their|then|there|therefore|these|they|this|those|"
    "thus|to|under|until|was|we|were|when|where|which|while|who|with|within|without)"
)
_CAPITALISED: Final = rf"(?!{_FUNCTION_WORD}\b) {CAPITAL} \w* (?: ['’-] \w+ )*"
_PATTERN: Final = re.compile(
    rf"""
      \b \d{{1,2}} \s+ {_MONTH} (?: ,? \s+ \d{{4}} )? \b           # 4 May 1999
    | \b {_MONTH} \s+ \d{{1,2}} (?: ,? \s+ \d{{4}} )? \b           # May 4, 1999
    | \b \w*\d\w* (?: [./,:–-] \w*\d\w* )*                         # 12345/67, 10.30, 4.5.1999, A4
    | \b {_CAPITALISED} (?: [ ] {_CAPITALISED} )*
    """,
    re.VERBOSE,
)


class Capitals:
    """Masks names, dates and numbers by spelling alone."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the patterns' matches, in order."""
        return tuple(Span(*match.span()) for match in _PATTERN.finditer(document.text))
