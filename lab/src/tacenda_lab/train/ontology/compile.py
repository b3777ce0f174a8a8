"""Compilation of things to the shipped file."""

from __future__ import annotations

import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacenda.rewrite.ontology.store import BLOCK, VERSION, Sense, signature, write_sense
from tacenda.text.normal_form import name_key

from .hierarchy import Hierarchy, Thing

_LONGEST = 80
_SENSES = 24
"""Senses kept of a name, the best known ones."""
_SCHEMA = """
create table meta (key text primary key, value text) without rowid;
create table classes (id integer primary key, text text, parents text, types integer,
    population integer, source text);
create table places (id integer primary key, text text);
create table blocks (first text primary key, start integer) without rowid;
create table indexes (name text primary key, data blob) without rowid;
"""


@dataclass(frozen=True, slots=True)
class OntologyCounts:
    """Content of the file: names, senses, classes, and senses by source."""

    names: int
    senses: int
    classes: int
    sources: Mapping[str, int]


def compile_ontology(
    hierarchy: Hierarchy,
    things: Iterable[Thing],
    people: Mapping[str, int],
    least: Mapping[str, int],
    path: Path,
    rules: str = "",
) -> OntologyCounts:
    """Write the file; the same things give the same bytes.

    Args:
        hierarchy: the classes; those without things are left out.
        things: the things with their names.
        people: number of people by name of an occupation.
        least: how many things a class has at least, by its key.
        path: of the file; an existing one is replaced.
        rules: of linking and traversal: ``paper``, or nothing for ours.
    """
    names: dict[str, dict[tuple[tuple[str, ...], bool], Thing]] = defaultdict(dict)
    population: Counter[str] = Counter()
    above: dict[tuple[str, ...], set[str]] = {}
    for thing in things:
        if thing.classes not in above:
            above[thing.classes] = hierarchy.ancestors(thing.classes)
        if thing.counts:
            population.update(above[thing.classes])
        for name in thing.names:
            key = name_key(name)
            if not 2 <= len(key) <= _LONGEST or not any(map(str.isalpha, key)):
                continue
            senses = names[key]
            kind = thing.classes, thing.common
            sense = senses.get(kind)
            if sense is None or _rank(sense) < _rank(thing):
                senses[kind] = thing
    used = sorted(set().union(*above.values())) if above else []
    for key in used:
        higher = hierarchy.ancestors([key])
        # "Occupation" is an event too; people have it where it is a person's.
        number = people.get(hierarchy.classes[key].text, 0) if "person" in higher else 0
        number = max(number, least.get(key, 0))
        for ancestor in higher:
            # No class has fewer than one below it.
            population[ancestor] = max(population[ancestor], number, 1)
    return _write(hierarchy, names, population, used, path, rules)


def _rank(thing: Thing) -> tuple[bool, float]:
    """Return which row of the same classes is kept: one written by hand, then the best known one."""
    return thing.source == "tacenda", thing.weight


def _write(
    hierarchy: Hierarchy,
    names: Mapping[str, Mapping[tuple[tuple[str, ...], bool], Thing]],
    population: Mapping[str, int],
    used: list[str],
    path: Path,
    rules: str,
) -> OntologyCounts:
    ids = {key: number for number, key in enumerate(used)}
    places: dict[str, int] = {}
    lines: list[tuple[str, str]] = []
    masks = bytearray()
    sources: Counter[str] = Counter()
    for key in sorted(names):
        best = sorted(names[key].values(), key=lambda item: (-item.weight, item.source))[:_SENSES]
        mask = 0
        senses = []
        for thing in best:
            for item in thing.classes:
                mask |= hierarchy.classes[item].types
            sources[_source(thing.source)] += 1
            where = [places.setdefault(name_key(place), len(places)) for place in thing.where]
            classes = tuple(ids[item] for item in thing.classes)
            senses.append(
                write_sense(Sense(classes, thing.weight, thing.common, thing.source, tuple(where)))
            )
        masks.append(mask)
        lines.append((key, f"{key}\t{'|'.join(senses)}"))
    class_rows = (
        (
            ids[key],
            item.text,
            ",".join(str(ids[parent]) for parent in item.parents),
            item.types,
            population[key],
            item.source,
        )
        for key in used
        for item in [hierarchy.classes[key]]
    )
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCHEMA)
        meta = {"version": VERSION, **({"rules": rules} if rules else {})}
        connection.executemany("insert into meta values (?, ?)", meta.items())
        connection.executemany("insert into classes values (?, ?, ?, ?, ?, ?)", class_rows)
        connection.executemany(
            "insert into places values (?, ?)", ((id, text) for text, id in places.items())
        )
        _write_lines(connection, lines, masks)
    connection.execute("vacuum")
    connection.close()
    return OntologyCounts(
        len(lines), sum(sources.values()), len(used), dict(sorted(sources.items()))
    )


def _write_lines(
    connection: sqlite3.Connection, lines: Sequence[tuple[str, str]], masks: bytearray
) -> None:
    """Write the sorted lines of names in compressed blocks, and the arrays by which lines are chosen."""
    packed = bytearray()
    for start in range(0, len(lines), BLOCK):
        block = lines[start : start + BLOCK]
        connection.execute("insert into blocks values (?, ?)", (block[0][0], len(packed)))
        packed += zlib.compress("\n".join(line for _, line in block).encode(), 9)
    connection.execute("insert into indexes values ('lines', ?)", (bytes(packed),))
    keys = [key for key, _ in lines]
    for name, data in (
        ("lengths", np.array([min(len(key), 255) for key in keys], np.uint8)),
        ("types", np.frombuffer(bytes(masks), np.uint8)),
        ("signatures", np.array([signature(key) for key in keys], np.uint64)),
    ):
        array = zlib.compress(data.astype(data.dtype.newbyteorder("<")).tobytes(), 9)
        connection.execute("insert into indexes values (?, ?)", (name, array))


def _source(row: str) -> str:
    if row[:1] == "Q" and row[1:].isdigit():
        return "wikidata"
    name = row.partition(":")[0]
    return "lists" if "/" in name or name == "nationalities" else name
