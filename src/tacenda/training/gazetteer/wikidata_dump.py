"""Candidates from a full Wikidata JSON dump, read once, line by line.

The dump is a JSON array with one entity a line. Of a person, the values of the kept properties are
counted; of everything else, English label, aliases and demonyms go to a spool file, since the
items that people refer to may stand before or after them. The spool is then read for the items
that were counted. Memory holds one entity and the counts of distinct values (some hundred thousand);
the spool needs a few gigabytes of disk.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..wikidata_json import entities, item_of, snaks
from .candidate import Candidate
from .properties import PROPERTIES, Property

_HUMAN = "Q5"
_BY_ID = {property.id: property for property in PROPERTIES}

Counts = Counter[tuple[str, Property]]


def read_dump(
    lines: Iterable[str], spool: Path, name: str, progress: Callable[[], None]
) -> Iterator[Candidate]:
    """Yield the terms of all values that people have, each with the number of people.

    Args:
        lines: the lines of the dump.
        spool: a file to write; the caller removes it.
        name: what the dump is called in errors.
        progress: called after each entity.

    Raises:
        InputError: if a line is not an entity; the message has its number.
    """
    counts: Counts = Counter()
    with gzip.open(spool, "wt", encoding="utf-8", compresslevel=1) as file:
        for entity in entities(lines, name):
            if any(id == "P31" and item_of(snak) == _HUMAN for id, snak in snaks(entity)):
                _count(entity, counts)
            elif (names := _names(entity)) is not None:
                file.write(json.dumps(names, ensure_ascii=False) + "\n")
            progress()
    yield from _terms(spool, counts)


def _count(person: dict[str, Any], counts: Counts) -> None:
    values = {
        (item, _BY_ID[id])
        for id, snak in snaks(person)
        if id in _BY_ID and (item := item_of(snak)) is not None
    }
    counts.update(values)


def _names(entity: dict[str, Any]) -> list[Any] | None:
    """Return id, label with aliases, and demonyms; None if it has no English name."""
    label = (entity.get("labels") or {}).get("en")
    if label is None:
        return None
    aliases = (entity.get("aliases") or {}).get("en", ())
    demonyms = [
        snak["datavalue"]["value"]["text"]
        for id, snak in snaks(entity)
        if id == "P1549" and snak.get("datavalue", {}).get("value", {}).get("language") == "en"
    ]
    return [entity["id"], [label["value"], *(alias["value"] for alias in aliases)], demonyms]


def _terms(spool: Path, counts: Counts) -> Iterator[Candidate]:
    uses: dict[str, list[tuple[Property, int]]] = {}
    for (item, property), n in counts.items():
        uses.setdefault(item, []).append((property, n))
    with gzip.open(spool, "rt", encoding="utf-8") as file:
        for line in file:
            id, names, demonyms = json.loads(line)
            for property, n in uses.get(id, ()):
                for term in demonyms if property.demonym else names:
                    yield Candidate(term, property.group, "wikidata", n)
