"""Word lists: those of this package, and longer ones of a data folder where there is one."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

# What a frame calls a list, the file under ``lists/`` that adds to it, and its key.
_LISTS = {
    "job": ("humans/occupations.json", "occupations"),
    "body": ("humans/bodyParts.json", "bodyParts"),
    "drug": ("medicine/drugs.json", "drugs"),
}
# Classes of ``entity_types.tsv.gz`` and the list that they add to, by country.
_CLASSES = {
    "city": "city",
    "company": "company",
    "education": "university",
    "university": "university",
    "hospital": "hospital",
    "healthcare": "hospital",
    "nonprofit": "charity",
    "government": "office",
    "football club": "club",
}


@dataclass(frozen=True, slots=True)
class Words:
    """Values for slots.

    Attributes:
        lists: by name of the list.
        by_country: by name of the list and of the country.
    """

    lists: Mapping[str, tuple[str, ...]]
    by_country: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


@cache
def load_words(data: Path | None) -> Words:
    """Return the lists of this package, with those of the folder ``data`` if it is given."""
    lists = {
        entry.name.removesuffix(".txt"): _lines(entry.read_text(encoding="utf-8"))
        for entry in files(__package__).joinpath("words").iterdir()
        if entry.name.endswith(".txt") and entry.name != "countries.txt"
    }
    if data is None:
        return Words(lists)
    for name, (file, key) in _LISTS.items():
        loaded = json.loads((data / "lists" / file).read_text(encoding="utf-8"))
        added = [value.strip() for value in _strings(loaded[key]) if 2 < len(value) < 30]
        lists[name] = (*lists.get(name, ()), *added)
    return Words(lists, _entities(data / "wikidata" / "entity_types.tsv.gz"))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value:
            yield from _strings(item)


def _entities(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        next(rows)
        for row in rows:
            name, kind, place, _ = row.rstrip("\n").split("\t")
            # The country stands after the region: "Kent, United Kingdom".
            country = place.rsplit(", ", 1)[-1]
            # Acronyms and names in other scripts are rare in what people write about themselves.
            if kind in _CLASSES and country and 3 < len(name) < 45 and _plain(name):
                found[_CLASSES[kind], country].append(name)
    return {key: tuple(names) for key, names in found.items()}


def _plain(name: str) -> bool:
    return not set(name) & set('()[]{}<>|;:"') and max(name) < "\u0250" and not name.isupper()
