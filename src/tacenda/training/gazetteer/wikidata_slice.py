"""Candidates from a slice of Wikidata in KGTK's tables: labels, aliases, P31 and P279."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..wikidata_tables import read_rows, unquoted
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
        for item, value in read_rows(folder / table):
            for group in groups.get(item, ()):
                yield Candidate(unquoted(value), group, "wikidata")


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
    for item, value in read_rows(folder / f"derived.{property}.tsv.gz"):
        edges[value].add(item)
    return edges
