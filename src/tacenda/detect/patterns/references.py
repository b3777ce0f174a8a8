"""Numbers of applications, cases, files and register entries.

``application (no. 4027/05)``, ``nos. 12345/98 and 12346/98``, ``II C 123/99``, ``1:20-cv-01234``,
``C-131/12``, ``[2001] EWCA Civ 12``. Numbers of laws, articles and pages are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...policy.forms import FORMS
from ...shipped import shipped_patterns
from ...text.word_lists import ordered_words
from .base import Hit, before

_PATTERNS = shipped_patterns("pattern_forms", "references")

# Numbers and dates of laws, in contrast to those of cases and events.
#
# The annotators of TAB leave ``Law no. 2935``, ``the 1991 Act`` and ``the Law of 6 June 1990``
# alone nine times in ten: a law for everyone doesn't identify anyone.


_SINGULAR = ordered_words("references_singular")
_NAMES = (*_SINGULAR, *(f"{name}s" for name in _SINGULAR), "law", "decree", "laws")
_NAME = "(?:" + "|".join(_NAMES) + ")"

_NUMBERED = before(
    rf"\b(?:{_NAME}|Articles?|[Ss]ections?|[Pp]aragraphs?|[Ss]chedules?|Series|Gazette|OJ"
    r"|Instrument|Bulletin|ETS|CETS|[Vv]olume|[Pp]ages?|[Ii]ssues?)"
    r"(?:\s[A-Z]{1,3})?,?\s?\(?(?:[Nn]os?\.?|[Nn]umbers?)?\s?(?:\([A-Z]{2,4}\)\s)?"
    r"(?:[Nn]o\.?\s?)?(?:[A-Z]{1,2}\s)?"
)
_DATED = before(
    rf"\b{_NAME}(?:,?\s\(?(?:[Nn]o\.?|[Nn]umber)\s?[\w/-]{{1,12}}\)?)?,?\s(?:of|from|dated)\s"
    rf"|\b{_NAME}\s",
    endings=(" of", " from", " dated", *_NAMES),
)
_NAMED_AFTER = re.compile(rf"\s(?:\(?[A-Z][\w'’-]{{1,20}}\)?\s){{0,3}}{_NAME}\b")
# The day when the Convention's system changed for everyone.
_IN_FORCE_AFTER = re.compile(r",?\s(?:when|the\sdate\s(?:on|of)\s\w{2,5})\s(?:the\s)?Protocol\b")


def numbers_statute(text: str, start: int) -> bool:
    """Return whether the number at ``start`` belongs to a law, an article or a page."""
    return _NUMBERED.match(text, start) is not None


def dates_statute(text: str, start: int, end: int) -> bool:
    """Return whether the date ``[start, end)`` is part of the name of a law."""
    return (
        _NAMED_AFTER.match(text, end) is not None
        or _IN_FORCE_AFTER.match(text, end) is not None
        or _DATED.match(text, start) is not None
    )


_NUMBER_WORD = _PATTERNS["number_word"]
_CODE = _PATTERNS["code"]
_NEXT = re.compile(r"(?:,|;|\s(?:and|to|or)|\s?&|,\s(?:and))\s(?:nos?\.\s)?")
_SLASHED = re.compile(r"[0-9]{1,6}/[0-9]{2,4}")

_APPLICATION = before(r"\b(?:[Aa]pplications?|APPLICATIONS?)[\s,]{0,2}\(?")
_CASE = before(
    r"\b(?:[Cc]ases?|CASE|[Ff]iles?|[Cc]ase-?files?|[Dd]ockets?|[Cc]omplaints?|[Pp]etitions?|[Cc]laims?"
    r"|[Aa]ppeals?|[Rr]ef(?:erences?|s|\.)?|[Jj]udgments?|[Dd]ecisions?|[Pp]roceedings|[Dd]ossiers?"
    r"|[Ii]ndictments?|[Ii]nvestigations?|[Ww]arrants?|[Ss]uits?|[Vv]erdicts?)[\s,]{0,2}\(?"
)
_REGISTER = before(
    r"\b(?:[Pp]lots?|[Pp]arcels?|[Rr]egist(?:er|ry|ration)|[Ll]and [Rr]egister|[Ff]olio|[Tt]itle|[Dd]eeds?"
    r"|[Ii]nvoices?|[Oo]rders?|[Rr]eceipts?|[Bb]ooking|[Tt]ickets?|[Cc]ontracts?|[Ll]eases?|[Pp]ermits?"
    r"|[Cc]ertificates?|under)[\s,]{0,2}(?:the\splots?\s)?\(?"
)

# 4027/05, as the European Court of Human Rights and its Commission number applications.
_STRASBOURG = _PATTERNS["strasbourg"]
_SEASON = re.compile(r"(?:1[89]|20)([0-9]{2})/([0-9]{2})")
# Divisions and registers of continental courts: II C 123/99, III SA/Wa 12/04, 1 BvR 2378/98.
_DIVISION = _PATTERNS["division"]
# Not weeks: PCP 2/52 in a clinical note.
_LETTERS = _PATTERNS["letters"]
# The month of an illness, an operation or a picture in a clinical note: DVT 3/24.
_EVENT = re.compile(
    rf"(?:{'|'.join(ordered_words('clinical_events'))})\s(?:0?[1-9]|1[0-2])/[0-9]{{2}}"
)
_EUROPEAN_UNION = re.compile(r"[CTF](?<!\w.)[-–][0-9]{1,4}/[0-9]{2}(?:\s(?:PPU|P|R)\b)?(?![\w/])")
_UNITED_STATES = _PATTERNS["united_states"]
# Law report volumes, and judgments quoted by paragraph, are law: [1932] AC 562; [2019] EWFC 33 at
# [14].
REPORT = (
    r"\[(?:18|19|20)[0-9]{2}\]\s[0-9]{0,2}\s?(?:AC|QB|KB|Ch|Fam|P|WLR|All\sER|FLR|FCR|Cr\sApp\sR|ICR|IRLR|BCLC|STC|PIQR|SLT|SC|IR|NI|CLR|NZLR"
    r"|SCR|EHRR)\s(?:\([A-Z]{1,2}\)\s)?[0-9]{1,4}"
)
_NEUTRAL = re.compile(
    rf"(?!{REPORT})"
    r"\[(?:19|20)[0-9]{2}\]\s(?:[0-9]\s)?[A-Z][A-Za-z]{1,6}(?:\s[A-Z][A-Za-z]{1,5}){0,2}\s[0-9]{1,5}"
    r"(?!\w|(?:\s\([A-Z][a-z]+\))?,?\s(?:at\s)?(?:para|\[[0-9]))"
)
_ECLI = re.compile(r"ECLI:[A-Z]{2}:[A-Z0-9]{1,8}:[0-9]{4}:[A-Z0-9.]{1,25}")

_BY_SIGN = (("/", _EUROPEAN_UNION), (":", _UNITED_STATES), ("[", _NEUTRAL), ("ECLI:", _ECLI))
"""Patterns of further numbers, each with a sign that all of these have."""


def find_case_numbers(text: str) -> Iterator[Hit]:
    """Yield ``application_number``, ``case_number`` and ``register_number`` hits."""
    yield from _named(text)
    for match in _STRASBOURG.finditer(text) if "/" in text else ():
        season = _SEASON.fullmatch(match[0])
        if season and (int(season[1]) + 1) % 100 == int(season[2]):
            continue
        if not numbers_statute(text, match.start()):
            yield Hit(match.start(), match.end(), "application_number")
    for pattern in (_DIVISION, _LETTERS) if "/" in text else ():
        for match in pattern.finditer(text):
            is_measure = FORMS["measure"].fullmatch(text, *match.span())  # BP 132/88
            is_event = _EVENT.fullmatch(text, *match.span())
            if not (is_measure or is_event or numbers_statute(text, match.start())):
                yield Hit(match.start(), match.end(), "case_number")
    for sign, pattern in _BY_SIGN:
        for match in pattern.finditer(text) if sign in text else ():
            yield Hit(match.start(), match.end(), "case_number")


def _named(text: str) -> Iterator[Hit]:
    """Yield the numbers after ``no.``, ``nos.`` or ``number`` that follow a noun for their kind."""
    cursor = 0
    for word in _NUMBER_WORD.finditer(text):
        start = word.start()
        if start < cursor or (start and text[start - 1].isalnum()):
            continue
        kind = _kind(text, start)
        position = word.end()
        while code := _CODE.match(text, position):
            begin, end = code.span()
            if kind and sum(map(str.isdigit, code[0])) > 1:
                yield Hit(begin, end, kind)
            elif _SLASHED.fullmatch(text, begin, end) and not numbers_statute(text, start):
                strasbourg = _STRASBOURG.fullmatch(text, begin, end)
                yield Hit(begin, end, "application_number" if strasbourg else "case_number")
            cursor = end
            following = _NEXT.match(text, end)
            if following is None:
                break
            position = following.end()


_NOUNS = {"application_number": _APPLICATION, "case_number": _CASE, "register_number": _REGISTER}


def _kind(text: str, start: int) -> str:
    return next((kind for kind, noun in _NOUNS.items() if noun.match(text, start)), "")
