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
    "in during since of around about circa throughout from to until till through between and or".split()
)
_OF_DATES = frozenset("on at by before after following preceding dated".split())
# "Born 22 March 1991" has no preposition, and "born the 1990s" is not English.
_VERB = re.compile(r"\w{2,}ed|born|held|won|began|came|left|made|met|went|place|died")
_YEAR = re.compile(r"\d{4}")
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
        if word in _OF_PERIODS and not stretch:
            return "", f"{word} {rest}"
        return f"{word} {lead}".rstrip(), full
    if place.after_part:
        # Early 1998 is not in the early 1990s, but early in some year of them.
        return "", f"some {'year of' if _YEAR.fullmatch(place.original) else 'time in'} {rest}"
    if place.starts_sentence:
        return "", f"{lead} {full}".lstrip()
    if place.word in _OF_DATES:
        return lead, full
    if stretch:
        return (lead, full) if place.word in _OF_PERIODS else ("", f"from {rest}")
    if place.word in DETERMINERS or place.word.endswith(("'s", "’s")):
        return "", rest.removeprefix("the ")
    if _VERB.fullmatch(place.word):
        return "", f"in {rest}"
    return "", rest
