"""Codes of countries and of the states of three federations, with names and usual abbreviations.

Countries have ISO 3166-1 codes (two and three letters); states have postal codes, and the
abbreviations that newspapers and government printers use.
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
        codes: its codes, the shortest first.
        names: the full name, followed by abbreviations and other names.
        country: code of a state's country; empty for a country.
    """

    codes: tuple[str, ...]
    names: tuple[str, ...]
    country: str = ""


@cache
def places_of(scheme: str) -> dict[str, CodedPlace]:
    """Return the places in a scheme by folded code and name.

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
    """Return the full names of the US states and Puerto Rico by folded code and name.

    The other territories are left out, since their codes are words (*as*) or abbreviate many other
    things.
    """
    codes = {row.partition(" ")[0] for row in shipped_table("places")["US"].splitlines()}
    return {
        string: " ".join(word_list(place.names[0]))
        for string, place in places_of("US").items()
        if place.codes[0] in codes
    }
