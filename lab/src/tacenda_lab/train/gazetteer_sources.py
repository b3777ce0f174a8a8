"""Sources of the gazetteer: terms of Wikidata, WordNet and word lists."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.detect.gazetteer import GROUPS
from tacenda.errors import InputError
from tacenda.rewrite.ontology.store import closure

from .lexicons import load_list, read_pertainyms, read_senses, read_synsets, words_of
from .tables import load_tables, split_sense
from .wikidata import (
    english_names,
    english_texts,
    entities,
    item_of,
    property_table,
    read_rows,
    snaks,
)


@dataclass(frozen=True, slots=True)
class TermCandidate:
    """A term as its source writes it, and the group it is offered for.

    Attributes:
        term: label, alias or word, in the case of the source.
        group: a key of `detect.gazetteer.groups.GROUPS`.
        source: where it is from; one of ``wikidata``, ``wordnet``, ``lists``.
        uses: how many people have it as a value; 1 where the source does not say.
    """

    term: str
    group: str
    source: str
    uses: int = 1


# Classes of the Wikidata slice, by property.
#
# The slice has labels, aliases, "instance of" (P31) and "subclass of" (P279), but no statements
# about people, so it can't say which occupations people have. The subclasses and instances of
# *occupation* stand for the values of the property *occupation*, and so on; properties of
# `properties.PROPERTIES` without a class here have no terms from the slice.


_TABLES = load_tables("gazetteer")
CLASSES: dict[str, Sequence[str]] = _TABLES["classes"]

EXCLUDED = ("Q5", "Q15632617", "Q95074", "Q4167410", "Q4167836", "Q13406463", "Q3241045")
"""Human, fictional human or character, disambiguation, category, list, disease outbreak."""


# The kept Wikidata properties of people, with their groups of terms.
#
# ``explicit_risk_measures``, section 3.1, kept 44 properties as DEM and 196 as MISC and names two of
# each (occupation, political ideology; cause of death, convicted of). Its list is not published;
# this one was chosen again by the same question: could a value of it help to identify a person, and
# is it an attribute of the person (DEM) or something around them (MISC)? Properties whose values are
# persons, places, organisations, dates or numbers are left out: the recognizer and the patterns find
# those. The type of a group is in `detect.gazetteer.groups.GROUPS`; the group *treatment* has no
# property of people behind it, its terms are from the other sources. Some (P1039, P512, P812) mostly stand as
# qualifiers of another statement; both places are read.


@dataclass(frozen=True, slots=True)
class Property:
    """A Wikidata property of people.

    Attributes:
        id: its P number.
        label: its English label.
        group: the group of its values.
        demonym: the value is a place; its demonyms (P1549) are the terms, not its name.
    """

    id: str
    label: str
    group: str
    demonym: bool = False


PROPERTIES = tuple(Property(*row) for row in _TABLES["properties"])
_PROPERTY = re.compile(r"P[1-9]\d*")
_OF_TYPE = {"DEM": "appearance", "MISC": "possession"}
"""Group of a property of which only the semantic type is known: one without words or rules of its own."""


def read_properties(path: Path) -> tuple[Property, ...]:
    """Return the properties of a file: a line each of id, name and group, and *demonym*, where the values are places, parted by tabs.

    DEM or MISC in the place of a group is enough. Empty lines, and those that begin with #, are left out.

    Raises:
        InputError: if it can't be read, or a line is not a property; the message has its number.
    """
    properties: dict[str, Property] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read ({error})", str(path)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        id, label, group, demonym = [cell.strip() for cell in f"{line}\t\t\t".split("\t")[:4]]
        group = _OF_TYPE.get(group, group)
        if not _PROPERTY.fullmatch(id) or group not in GROUPS or demonym not in ("", "demonym"):
            raise InputError(
                f"line {number} must be id, name and group, parted by tabs, as P106, occupation, occupation; the groups are "
                f"{', '.join((*_OF_TYPE, *GROUPS))}",
                str(path),
            )
        if id in properties:
            raise InputError(f"line {number}: {id} occurs twice; ids must be unique", str(path))
        properties[id] = Property(id, label, group, bool(demonym))
    if not properties:
        raise InputError("contains no property", str(path))
    return tuple(properties.values())


# Candidates from a full Wikidata JSON dump, read once, line by line.
#
# The dump is a JSON array with one entity a line. Of a person, the values of the kept properties are
# counted; of everything else, English label, aliases and demonyms go to a spool file, since the
# items that people refer to may stand before or after them. The spool is then read for the items
# that were counted. Memory holds one entity and the counts of distinct values (some hundred thousand);
# the spool needs a few gigabytes of disk.


_HUMAN = "Q5"
Counts = Counter[tuple[str, Property]]


def read_dump(
    lines: Iterable[str],
    spool: Path,
    name: str,
    progress: Callable[[], None],
    properties: Iterable[Property] = PROPERTIES,
) -> Iterator[TermCandidate]:
    """Yield the terms of all values of people, each with the number of people.

    Args:
        lines: the lines of the dump.
        spool: a file to write; the caller removes it.
        name: name of the dump in errors.
        progress: called after each entity.
        properties: whose values are counted.

    Raises:
        InputError: if a line is not an entity; the message has its number.
    """
    counts: Counts = Counter()
    by_id = {property.id: property for property in properties}
    with gzip.open(spool, "wt", encoding="utf-8", compresslevel=1) as file:
        for entity in entities(lines, name):
            if any(id == "P31" and item_of(snak) == _HUMAN for id, snak in snaks(entity)):
                _count(entity, by_id, counts)
            elif (names := _names(entity)) is not None:
                file.write(json.dumps(names, ensure_ascii=False) + "\n")
            progress()
    yield from _terms(spool, counts)


def _count(person: dict[str, Any], by_id: Mapping[str, Property], counts: Counts) -> None:
    values = {
        (item, by_id[id])
        for id, snak in snaks(person)
        if id in by_id and (item := item_of(snak)) is not None
    }
    counts.update(values)


def _names(entity: dict[str, Any]) -> list[Any] | None:
    """Return id, label with aliases, and demonyms; None if it has no English name."""
    names = english_names(entity)
    if not names:
        return None
    demonyms = [
        snak["datavalue"]["value"]["text"]
        for id, snak in snaks(entity)
        if id == "P1549" and snak.get("datavalue", {}).get("value", {}).get("language") == "en"
    ]
    return [entity["id"], names, demonyms]


def _terms(spool: Path, counts: Counts) -> Iterator[TermCandidate]:
    uses: dict[str, list[tuple[Property, int]]] = {}
    for (item, property), n in counts.items():
        uses.setdefault(item, []).append((property, n))
    with gzip.open(spool, "rt", encoding="utf-8") as file:
        for line in file:
            id, names, demonyms = json.loads(line)
            for property, n in uses.get(id, ()):
                for term in demonyms if property.demonym else names:
                    yield TermCandidate(term, property.group, "wikidata", n)


# Candidates from a slice of Wikidata in KGTK's tables: labels, aliases, P31 and P279.


def read_slice(folder: Path) -> Iterator[TermCandidate]:
    """Yield the English labels and aliases of the members of `classes.CLASSES`.

    Args:
        folder: holds ``labels.en.tsv.gz``, ``aliases.en.tsv.gz``, ``derived.P31.tsv.gz`` and
            ``derived.P279.tsv.gz``, each with a header including ``node1`` and ``node2``.

    Raises:
        InputError: if a table is missing or has other columns.
    """
    subclasses, instances = _edges(folder, "P279"), _edges(folder, "P31")
    excluded = set().union(*(instances.get(item, ()) for item in EXCLUDED))
    groups: dict[str, list[str]] = defaultdict(list)
    for group, roots in CLASSES.items():
        for item in _members(roots, subclasses, instances) - excluded - set(roots):
            groups[item].append(group)
    for table in ("labels", "aliases"):
        for item, name in english_texts(folder, table):
            for group in groups.get(item, ()):
                yield TermCandidate(name, group, "wikidata")


def _members(
    roots: Sequence[str], subclasses: Mapping[str, set[str]], instances: Mapping[str, set[str]]
) -> set[str]:
    """Return the subclasses of the roots, and the instances of all of those."""
    classes = closure(roots, lambda key: subclasses.get(key, ()))
    return classes.union(*(instances.get(item, ()) for item in classes))


def _edges(folder: Path, property: str) -> dict[str, set[str]]:
    edges: dict[str, set[str]] = defaultdict(set)
    for item, value in read_rows(property_table(folder, property)):
        edges[value].add(item)
    return edges


# Candidates from the word lists of the corpora project, and a few that no source has.


FILES: dict[str, str] = _TABLES["files"]
"""Path below the folder of lists, and the group of its terms."""

# Closed classes whose members a reader would name, and that the sources have in part only.
WRITTEN: dict[str, str] = _TABLES["written"]


def read_lists(folder: Path) -> Iterator[TermCandidate]:
    """Yield the terms of `FILES` and of `WRITTEN`.

    Raises:
        InputError: if a list is missing or is not JSON.
    """
    for name, group in FILES.items():
        for term in words_of(load_list(folder / name), headings=True):
            yield TermCandidate(term, group, "lists")
    for group, terms in WRITTEN.items():
        for term in terms.split():
            yield TermCandidate(term.replace("_", " "), group, "lists")


# Candidates from WordNet's database files (``data.noun`` and the like; wndb(5WN)).


# Lemma and sense number of the synsets whose hyponyms belong to a group.
ROOTS = {group: [split_sense(root) for root in roots] for group, roots in _TABLES["roots"].items()}

_PLACES = (("country", 2), ("continent", 1))


def read_wordnet(folder: Path) -> Iterator[TermCandidate]:
    """Yield the lemmas below `ROOTS`, and the adjectives pertaining to countries.

    Args:
        folder: WordNet's ``dict``: ``index.noun``, ``data.noun``, ``data.adj``.

    Raises:
        InputError: if a file is missing or a root is not in it.
    """
    nouns = read_synsets(folder / "data.noun", "n")
    senses = read_senses(folder / "index.noun")
    kinds: dict[str, list[str]] = defaultdict(list)
    instances: dict[str, list[str]] = defaultdict(list)
    for key, synset in nouns.items():
        for symbol, target in synset.pointers:
            if symbol == "@":
                kinds[target].append(key)
            elif symbol == "@i":  # a person, not a sort of person, or a certain country
                instances[target].append(key)
    for group, roots in ROOTS.items():
        for root in roots:
            for key in sorted(closure([_find(senses, root, folder)], kinds.__getitem__)):
                for lemma in nouns[key].lemmas:
                    # "back" is a player too, but rarely: a word counts in its first sense only.
                    if " " in lemma or senses[lemma.lower()][0] == key:
                        yield TermCandidate(lemma, group, "wordnet")
    places = {
        place
        for root in _PLACES
        for kind in closure([_find(senses, root, folder)], kinds.__getitem__)
        for place in instances[kind]
    }
    yield from _demonyms(folder, places)


def _demonyms(folder: Path, places: set[str]) -> Iterator[TermCandidate]:
    for lemmas, nouns in read_pertainyms(folder / "data.adj"):
        if not places.isdisjoint(nouns):
            for lemma in lemmas:
                yield TermCandidate(lemma.partition("(")[0], "nationality", "wordnet")


def _find(senses: dict[str, list[str]], root: tuple[str, int], folder: Path) -> str:
    lemma, number = root
    offsets = senses.get(lemma, [])
    if number > len(offsets):
        raise InputError(
            f"{lemma!r} has {len(offsets)} noun senses, sense {number} is needed; use WordNet 3.",
            str(folder / "index.noun"),
        )
    return offsets[number - 1]
