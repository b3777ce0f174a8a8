"""Months, years, decades and centuries after the prepositions of dates."""

from __future__ import annotations

import re

from .articles import article
from .surroundings import DETERMINERS, Surroundings

_PHRASE = re.compile(r"(?P<noun>dates?|period) (?:in|(?P<from>from)) (?P<rest>.+)")
_OWN = re.compile(
    r"(from|between|in|on|at|during|since|until|till|about|around|circa|before|after|by)\s",
    re.IGNORECASE,
)
# A period may stand after these; what began in 1994 began in the 1990s.
_OF_PERIODS = frozenset(
    "in during since of around about circa throughout from to until till through and or".split()
)
_OF_DATES = frozenset("on at by before after following preceding dated".split())
_ABSORBED = frozenset("from between in on at during".split())


def place_date(place: Surroundings, text: str) -> tuple[str, str]:
    """Return the words before the brackets and those in them."""
    match = _PHRASE.fullmatch(text)
    noun = match["noun"] if match else "date"
    rest = match["rest"] if match else text
    stretch = bool(match and match["from"])
    link = "from" if stretch else "in"
    full = f"{noun} {link} {rest}"
    lead = "" if noun == "dates" else article(noun)
    own = _OWN.match(place.original)
    if own is not None:
        word = own[1].lower()
        if word in _ABSORBED:
            return "", f"{link} {rest}"
        return (
            ("", f"{word} {rest}")
            if word in _OF_PERIODS and not stretch
            else (
                f"{word} {lead}".rstrip(),
                full,
            )
        )
    if place.starts_sentence or place.word in _OF_DATES:
        return _start(lead, full) if place.starts_sentence else (lead, full)
    if stretch:
        return (lead, full) if place.word in _OF_PERIODS else ("", f"from {rest}")
    if place.word in DETERMINERS:
        return "", rest.removeprefix("the ")
    if place.word in _OF_PERIODS or not place.word or not place.word.isalpha():
        return "", rest
    return "", f"in {rest}"


def _start(lead: str, full: str) -> tuple[str, str]:
    return "", f"{lead} {full}".lstrip()
