"""Codes of countries and of the states of three federations, with their names and usual abbreviations.

Countries by ISO 3166-1 (two and three letters); states by the codes of the post, abbreviations as newspapers and
government printers write them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from ..shipped import shipped_table
from .tokens import word_list

SCHEMES: Final = ("US", "CA", "AU", "country")
"""Lists of places: federations by their country's code, and the countries."""


@dataclass(frozen=True, slots=True)
class CodedPlace:
    """A country or state.

    Attributes:
        codes: of the place, the shortest first.
        names: the full name, then abbreviations and other names.
        country: the code of a state's country; empty for a country.
    """

    codes: tuple[str, ...]
    names: tuple[str, ...]
    country: str = ""


@cache
def places_of(scheme: str) -> dict[str, CodedPlace]:
    """Return the places of a scheme by each code and name, folded.

    Args:
        scheme: one of ``SCHEMES``.
    """
    by_string: dict[str, CodedPlace] = {}
    for row in _rows(scheme):
        head, _, names = row.partition(" ")
        codes: tuple[str, ...] = (head,)
        if scheme == "country":
            second, _, names = names.partition(" ")
            codes = (head, second)
        country = "" if scheme == "country" else scheme
        place = CodedPlace(codes, tuple(names.split(", ")), country)
        for string in (*place.codes, *place.names):
            by_string.setdefault(" ".join(word_list(string)), place)
    return by_string


def _rows(scheme: str) -> list[str]:
    table = shipped_table("places")
    return f"{table[scheme]}{table.get(f'{scheme}_territories', '')}".splitlines()


@cache
def state_names() -> dict[str, str]:
    """Return the full names of the states of the US and of Puerto Rico by each code and name, folded.

    Without the other territories, whose codes are words (*as*) or abbreviations of much else.
    """
    codes = {row.partition(" ")[0] for row in shipped_table("places")["US"].splitlines()}
    return {
        string: " ".join(word_list(place.names[0]))
        for string, place in places_of("US").items()
        if place.codes[0] in codes
    }
