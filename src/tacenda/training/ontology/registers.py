"""Organisations, languages and the like from registers, as ``entity_types.tsv.gz`` has them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from .hierarchy import Hierarchy
from .places import Gazetteer
from .thing import Thing

_COLUMNS = ["name", "class", "country_or_context", "source"]
_WEIGHTS = {
    "ROR": 3.8,
    "Wikidata hospitals": 3.5,
    "Hipo": 4.2,
    "openfootball": 4.6,
    "courts-db": 4.0,
    "Party": 4.0,
    "Glottolog": 3.0,
    "YAGO": 4.2,
}
_SOURCES = {"Wikidata hospitals": "wikidata", "YAGO": "yago43ket"}
# Said of a research organisation only if its name says so too: types of ROR are wide.
_BY_NAME = (
    (
        r"universi(?:ty|dad|dade|te|tet|teit|ta|tat|tas|tatea|tesi)|univerz\w+|uniwersytet",
        "university",
    ),
    (r"hospitals?|hopital|krankenhaus|spital|klinikum|ospedale|sykehus|ziekenhuis", "hospital"),
    (r"museum|museo|musee|muzeum|museu", "museum"),
    (r"library|bibliothek|bibliotheque|biblioteca", "library"),
    (r"archives?", "archive"),
    (r"ministry|ministerio|ministere|ministerium", "ministry"),
    (r"college", "college"),
    (r"school|ecole|escuela|schule|escola", "school"),
    (r"foundation|stiftung|fondation|fundacion", "nonprofit organization"),
)
_TYPES = {
    "education": ("educational institution", ("university", "college", "school")),
    "facility": ("research institute", ("museum", "library", "hospital")),
    "healthcare": ("health care organization", ("hospital",)),
    "government": ("government agency", ("ministry", "hospital", "library")),
    "archive": ("cultural institution", ("museum", "library", "archive")),
    "nonprofit": ("nonprofit organization", ()),
    "company": ("company", ()),
    "funder": ("organization", ("nonprofit organization", "ministry")),
    "other": ("organization", ()),
}
_CLASSES = {
    "hospital": "hospital",
    "university": "university",
    "political party": "political party",
    "language": "language",
    "language family": "language family",
    "football club": "football club",
    "court": "court",
    # of YAGO, those whose members are what they are called
    "airport": "airport",
    "football team": "sports team",
    "hockey team": "ice hockey team",
    "basketball team": "basketball team",
    "company": "company",
    "party": "political party",
    "award": "award",
    "island": "island",
    "mountain": "mountain",
    "river": "river",
    "lake": "lake",
    "club": "sports club",
    "team": "sports team",
    "league": "sports league",
    "conflict": "war",
    "county": "county",
    "racetrack": "racetrack",
    "stadium": "stadium",
}
_CLUBS = frozenset(("football club", "sports club", "sports team"))
_CLUB = re.compile(
    r"\A(?:1\. )?(?:A?FC|AC|AS|CF|FK|NK|SC|SK|SV|SS|US|CD|CA|IF|IFK|BK|KV|RC|UD|VfB|VfL|TSV) "
    r"| (?:A?FC|AC|AS|CF|FK|NK|SC|SK|IF|BK|CA|C\.F\.|F\.C\.)\Z"
)
_QUALIFIER = re.compile(r"\s*\([^)]*\)$")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: name, class, country or context, source."""

    name: str
    kind: str
    where: str
    source: str


def read_entity_types(path: Path) -> Iterator[Row]:
    """Yield the rows.

    Raises:
        InputError: if the table is missing or has other columns.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            header = file.readline().rstrip("\n").split("\t")
            if header != _COLUMNS:
                raise InputError(f"the header is {header!r}, not {_COLUMNS!r}.", str(path))
            for line in file:
                yield Row(*line.rstrip("\n").split("\t"))
    except (OSError, TypeError) as error:
        raise InputError(f"can't be read as a gzipped table ({error}).", str(path)) from error


def read_registers(
    hierarchy: Hierarchy, gazetteer: Gazetteer, rows: Iterable[Row]
) -> Iterator[Thing]:
    """Yield what registers know, each with its country."""
    previous = ("", "")
    for number, row in enumerate(rows, start=2):
        register = next((name for name in _WEIGHTS if row.source.startswith(name)), "")
        key = _class_of(row) if register else ""
        if not key:
            continue
        country, regions = gazetteer.country(row.where)
        if register == "courts-db":
            country, regions = gazetteer.country("US")
        classes = dict.fromkeys([hierarchy.in_country(key, country, regions)])
        name = _QUALIFIER.sub("", row.name)
        short = name.isupper() and len(name) <= 6
        weight = _WEIGHTS[register] - (1.5 if short else 0)
        # The rows of ROR have the names of one organisation one after another.
        counts = (row.kind, row.where) != previous or not short
        previous = (row.kind, row.where)
        names = [name]
        if key in _CLUBS and (shorter := _CLUB.sub("", name).strip()) not in ("", name):
            names.append(shorter)
        yield Thing(
            tuple(names),
            tuple(classes),
            weight,
            f"{_SOURCES.get(register, register.lower())}:{number}",
            tuple(filter(None, (row.where if len(row.where) > 3 else "", country))),
            counts=counts,
        )


def _class_of(row: Row) -> str:
    if not row.source.startswith("ROR"):
        return _CLASSES.get(row.kind, "")
    kind = row.kind.partition("/")[0]
    if kind not in _TYPES:
        return ""
    otherwise, possible = _TYPES[kind]
    words = row.name.casefold()
    for pattern, name in _BY_NAME:
        if name in possible and re.search(rf"\b(?:{pattern})\b", words):
            return name
    return otherwise
