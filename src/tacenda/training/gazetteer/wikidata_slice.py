"""Candidates from a slice of Wikidata in KGTK's tables: labels, aliases, P31 and P279."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...errors import InputError
from .candidate import Candidate
from .classes import CLASSES, EXCLUDED


def read_slice(folder: Path) -> Iterator[Candidate]:
    """Yield the English labels and aliases of the members of `classes.CLASSES`.

    Args:
        folder: holds ``labels.en.tsv.gz``, ``aliases.en.tsv.gz``, ``derived.P31.tsv.gz`` and
            ``derived.P279.tsv.gz``, each with a header that names ``node1`` and ``node2``.

    Raises:
        InputError: if a table is missing or has other columns.
    """
    subclasses, instances = _edges(folder, "P279"), _edges(folder, "P31")
    excluded = set().union(*(instances.get(item, ()) for item in EXCLUDED))
    groups: dict[str, list[str]] = defaultdict(list)
    for group, roots in CLASSES.items():
        for item in _members(roots, subclasses, instances) - excluded - set(roots):
            groups[item].append(group)
    for table in ("labels.en.tsv.gz", "aliases.en.tsv.gz"):
        for item, value in _rows(folder / table):
            for group in groups.get(item, ()):
                yield Candidate(_unquoted(value), group, "wikidata")


def _members(
    roots: tuple[str, ...], subclasses: Mapping[str, set[str]], instances: Mapping[str, set[str]]
) -> set[str]:
    """Return the subclasses of the roots, and the instances of all of those."""
    classes = set(roots)
    waiting = list(roots)
    while waiting:
        new = subclasses.get(waiting.pop(), set()) - classes
        classes |= new
        waiting.extend(new)
    return classes.union(*(instances.get(item, ()) for item in classes))


def _edges(folder: Path, property: str) -> dict[str, set[str]]:
    edges: dict[str, set[str]] = defaultdict(set)
    for item, value in _rows(folder / f"derived.{property}.tsv.gz"):
        edges[value].add(item)
    return edges


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            header = file.readline().rstrip("\n").split("\t")
            if "node1" not in header or "node2" not in header:
                raise InputError(f"the header {header!r} has no node1 and node2.", str(path))
            first, second = header.index("node1"), header.index("node2")
            for number, line in enumerate(file, start=2):
                row = line.rstrip("\n").split("\t")
                if len(row) != len(header):
                    raise InputError(
                        f"line {number} has {len(row)} columns, the header {len(header)}.",
                        str(path),
                    )
                yield row[first], row[second]
    except OSError as error:
        raise InputError(
            f"can't be read ({error.strerror or error}); a slice has labels.en, aliases.en, "
            "derived.P31 and derived.P279, each .tsv.gz.",
            str(path),
        ) from error


def _unquoted(value: str) -> str:
    """Return the text of a KGTK string such as ``'surgeon'@en``."""
    text, _, _ = value.rpartition("@")
    return (text or value).strip("'").replace("\\'", "'").replace("\u00ad", "")
