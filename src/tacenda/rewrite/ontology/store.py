"""An ontology in memory, in its file's format: names are unpacked block by block on demand."""

from __future__ import annotations

import re
import sqlite3
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from ...document import SemanticType
from ...errors import ModelError
from ...shipped import shipped_table
from ..generalize.candidates import Generalisation, contains, words

# The file of an ontology: SQLite that holds classes, and names in packed blocks.
#
# | table | columns |
# |---|---|
# | ``classes`` | id, text, parents (ids), types (mask), population, source |
# | ``places`` | id, text: to tell things of one name apart |
# | ``blocks`` | first name of the block, where it starts in ``lines`` |
# | ``indexes`` | ``lines``: the blocks one after another, each packed by zlib; ``lengths``, ``types`` and ``signatures`` of all names, for approximate search |
#
# A line of a block is a name (``name_key``), a tab, and its senses, the best known first, joined
# by ``|``. A sense is ``classes;weight × 10;c or n;source;places``: ids with commas between, ``c``
# for a common noun. Names are sorted, so that one block is read for a name and a few for a beginning.


_Key = TypeVar("_Key", int, str)

FILE = "ontology.sqlite"
VERSION = "1"
BLOCK = 128
"""Names in a block: more are smaller, fewer are read faster."""


@dataclass(frozen=True, slots=True)
class Sense:
    """A sense of a name.

    Attributes:
        classes: ids of its classes.
        weight: how well known it is (larger means better known).
        common: whether it is a common noun.
        source: the row in the source, such as ``Q585``.
        places: ids of place names, to tell it from other senses.
    """

    classes: tuple[int, ...]
    weight: float
    common: bool
    source: str
    places: tuple[int, ...]


def write_sense(sense: Sense) -> str:
    """Return a sense in the format of a line."""
    return ";".join(
        (
            ",".join(map(str, sense.classes)),
            str(round(sense.weight * 10)),
            "c" if sense.common else "n",
            sense.source,
            ",".join(map(str, sense.places)),
        )
    )


def read_sense(text: str) -> Sense:
    """Return the sense in the format of `write_sense`."""
    classes, weight, kind, source, places = text.split(";")
    return Sense(
        tuple(map(int, classes.split(","))),
        int(weight) / 10,
        kind == "c",
        source,
        tuple(map(int, places.split(","))) if places else (),
    )


# Signatures of names: 64 bits, most of which similar names share.
#
# A signature has one bit for each pair of neighbouring letters. An edit of one letter changes at
# most four bits (two pairs go, two come), so names within an edit distance of *d* have signatures
# that differ in at most 4·*d* bits. Comparing all signatures of a length is one pass of XOR over an
# array; almost nothing but the similar names is left.


BITS_AN_EDIT = 4


def signature(name: str) -> int:
    """Return the signature bits of a case-folded name."""
    bits = 0
    for first, second in pairwise(name):
        bits |= 1 << ((ord(first) * 31 + ord(second)) % 64)
    return bits


def differing_bits(signatures: NDArray[np.uint64], reference: int) -> NDArray[np.uint64]:
    """Return the number of bits in which each signature differs from ``reference``, in the shape of ``signatures``."""
    # Count bits in parallel within a word; numpy has a function for it only since 2.0.
    bits = signatures ^ np.uint64(reference)
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    low = np.uint64(0x3333333333333333)
    bits = (bits & low) + ((bits >> np.uint64(2)) & low)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    result: NDArray[np.uint64] = (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return result


_NAMES = 4096
"""Names whose senses are kept in memory, the unknown ones too."""
_BLOCKS = 1024
"""Unpacked blocks kept in memory, about 10 KB each."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the ontology: its words, ids of its parents, types, number of things, and source."""

    text: str
    parents: tuple[int, ...]
    types: int
    population: int
    source: str


class OntologyStore:
    """An ontology read from its file.

    Args:
        path: path of the file.

    Attributes:
        rules: rules for linking and traversal: ``paper``, or empty for ours.

    Raises:
        ModelError: if it can't be read or has another version.
    """

    def __init__(self, path: Path) -> None:
        try:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            try:
                self._read(connection, path)
            finally:
                connection.close()
        except (sqlite3.Error, zlib.error, ValueError) as error:
            raise ModelError(f"{path}: no ontology can be read ({error}); rebuild it.") from error
        self._depths: dict[int, int] = {}
        self._senses_of = lru_cache(maxsize=_NAMES)(self._found)
        self._unpack = lru_cache(maxsize=_BLOCKS)(self._unpacked)
        self._lines_of = lru_cache(maxsize=_BLOCKS)(self._split)

    def _read(self, connection: sqlite3.Connection, path: Path) -> None:
        meta = dict(connection.execute("select key, value from meta"))
        if (version := meta.get("version")) != VERSION:
            raise ModelError(f"{path}: version {version!r}, this tacenda reads {VERSION!r}.")
        self.rules = meta.get("rules", "")
        rows = connection.execute("select * from classes order by id")
        self.classes = tuple(
            Class(text, tuple(map(int, parents.split(","))) if parents else (), types, people, row)
            for _, text, parents, types, people, row in rows
        )
        self.people = self._below("person") | self._below("nationality")
        self.located = self._below("place")
        self.of_text: dict[str, list[int]] = {}
        for id, concept in enumerate(self.classes):
            self.of_text.setdefault(concept.text, []).append(id)
        self.places = dict(connection.execute("select id, text from places"))
        blocks = connection.execute("select first, start from blocks order by first").fetchall()
        self._first = [first for first, _ in blocks]
        indexes = dict(connection.execute("select name, data from indexes"))
        self._lines: bytes = indexes["lines"]
        self._starts = [start for _, start in blocks] + [len(self._lines)]
        lengths = np.frombuffer(zlib.decompress(indexes["lengths"]), np.uint8)
        types = np.frombuffer(zlib.decompress(indexes["types"]), np.uint8)
        signatures = np.frombuffer(zlib.decompress(indexes["signatures"]), "<u8")
        # Sorted by length, then alphabetically, so names with the same first letter are a slice.
        self._order = np.argsort(lengths, kind="stable").astype(np.uint32)
        self._of_length = np.concatenate(
            [[0], np.cumsum(np.bincount(lengths, minlength=256))]
        ).tolist()
        self._types: NDArray[np.uint8] = types[self._order]
        self._signatures: NDArray[np.uint64] = signatures[self._order].astype(np.uint64)

    def _below(self, text: str) -> frozenset[int]:
        """Return the ids of a root class and all classes below it."""
        roots = {id for id, concept in enumerate(self.classes) if concept.text == text}
        memo: dict[int, bool] = {}

        def is_below(id: int) -> bool:
            if id not in memo:
                memo[id] = id in roots
                memo[id] = memo[id] or any(map(is_below, self.classes[id].parents))
            return memo[id]

        return frozenset(id for id in range(len(self.classes)) if is_below(id))

    def depth(self, id: int) -> int:
        """Return the number of classes on the longest path up from a class."""
        level = self._depths.get(id)
        if level is None:
            level = 1 + max(map(self.depth, self.classes[id].parents), default=0)
            self._depths[id] = level
        return level

    def find(self, key: str) -> tuple[Sense, ...]:
        """Return the senses of a name, the best known first, or none if it is unknown."""
        return self._senses_of(key)

    def _found(self, key: str) -> tuple[Sense, ...]:
        block = bisect_right(self._first, key) - 1
        return _senses(self._unpack(block).get(key, "")) if block >= 0 else ()

    def beginning_with(self, key: str, limit: int) -> list[tuple[str, tuple[Sense, ...]]]:
        """Return the names that start with the words of ``key``, or none if there are more than ``limit``."""
        start = f"{key} "
        result: list[tuple[str, tuple[Sense, ...]]] = []
        for block in range(max(bisect_right(self._first, start) - 1, 0), len(self._first)):
            for name, senses in self._unpack(block).items():
                if name.startswith(start):
                    result.append((name, _senses(senses)))
                    if len(result) > limit:
                        return []
                elif name > start:
                    return result
        return result

    def near(self, key: str, edits: int, types: int) -> Iterator[str]:
        """Yield candidate names within some edits of ``key`` that have the same first letter.

        They include all names within the edits, and few others.

        Args:
            key: a case-folded name.
            edits: maximum number of letters inserted, deleted or replaced.
            types: mask of types; a sense must have one of them.
        """
        # Names with the same first letter are in consecutive blocks.
        first = max(bisect_right(self._first, key[0]) - 1, 0) * BLOCK
        last = bisect_right(self._first, key[0] + "\uffff") * BLOCK
        target, limit = signature(key), BITS_AN_EDIT * edits
        for length in range(max(len(key) - edits, 0), min(len(key) + edits, 255) + 1):
            start, end = self._of_length[length], self._of_length[length + 1]
            # Bounds of the array's own type: any other has the whole of it converted.
            bounds = np.array([first, last], np.uint32)
            low, high = self._order[start:end].searchsorted(bounds) + start
            close = differing_bits(self._signatures[low:high], target) <= limit
            close &= (self._types[low:high] & np.uint8(types)) > 0
            for number in self._order[low:high][close].tolist():
                yield self._lines_of(number // BLOCK)[number % BLOCK].partition("\t")[0]

    def names(self) -> Iterator[tuple[str, tuple[Sense, ...]]]:
        """Yield every name with its senses, in order."""
        for block in range(len(self._first)):
            for name, senses in self._unpacked(block).items():
                yield name, _senses(senses)

    def _unpacked(self, block: int) -> dict[str, str]:
        return dict(line.split("\t", 1) for line in self._lines_of(block))

    def _split(self, block: int) -> list[str]:
        packed = self._lines[self._starts[block] : self._starts[block + 1]]
        return zlib.decompress(packed).decode().split("\n")


def _senses(text: str) -> tuple[Sense, ...]:
    return tuple(map(read_sense, text.split("|"))) if text else ()


# Semantic types as bits, as the ontology's file has them.


TYPES = {"LOC": 1, "ORG": 2, "DEM": 4, "MISC": 8}
"""Bit of each type that has an ontology."""


def mask_of(types: Iterable[str | SemanticType]) -> int:
    """Return the bits of these types; types without an ontology have none."""
    mask = 0
    for type in types:
        mask |= TYPES.get(str(type), 0)
    return mask


# Approximate matches of names, for spelling errors and variants.
#
# Olstad et al., section 3.2.1, footnote 3: a term is a match if the edit distance is at most 15 % of
# the length of the string.


SHARE = 0.15
_SHARE_OF_WORD = 0.34
_NUMBER = re.compile(r"\d+")


@lru_cache(maxsize=1024)
def nearest(store: OntologyStore, key: str, types: int) -> tuple[str, ...]:
    """Return all names that are equally nearest to ``key``, or none if none is near.

    Names with different first letters or numbers mean different things.

    Args:
        store: the ontology.
        key: a case-folded name.
        types: mask of types; a name must have one of them.
    """
    edits = int(len(key) * SHARE)
    if not edits:
        return ()
    by_distance: dict[int, list[str]] = {}
    numbers = _NUMBER.findall(key)
    for name in store.near(key, edits, types):
        if name[:1] != key[:1] or _NUMBER.findall(name) != numbers:
            continue
        distance = Levenshtein.distance(key, name, score_cutoff=edits)
        if distance <= edits and _same_words(key, name):
            by_distance.setdefault(distance, []).append(name)
    return tuple(by_distance[min(by_distance)]) if by_distance else ()


def _same_words(first: str, second: str) -> bool:
    """Return whether two names have the same words except for spelling: "Haifa" isn't "China"."""
    first_words, second_words = first.split(), second.split()
    if len(first_words) != len(second_words):
        longer, shorter = sorted((first_words, second_words), key=len, reverse=True)
        rest = [word for word in longer if word not in shorter]
        return sum(map(len, rest)) - sum(len(word) for word in shorter if word not in longer) <= 4
    return all(
        Levenshtein.distance(word, counterpart) <= max(1, len(word) * _SHARE_OF_WORD)
        for word, counterpart in zip(first_words, second_words, strict=True)
    )


# From the classes of a thing to its generalizations: all ancestors except those that name it.


_CAPITALISED = re.compile(r"[^\W\d_]\w{2,}")
NEVER = frozenset(shipped_table("name_classes")["no_generalization"]["classes"])
"""Classes that are no generalisation: uninformative ones, an age over 89, or ones that differ between places."""


def closure(starts: Iterable[_Key], neighbors: Callable[[_Key], Iterable[_Key]]) -> set[_Key]:
    """Return everything that can be reached from ``starts``, them included.

    Args:
        starts: where to begin.
        neighbors: returns what is one step away.
    """
    reached: set[_Key] = set()
    waiting = list(starts)
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += neighbors(key)
    return reached


def ancestors(store: OntologyStore, classes: Iterable[int]) -> set[int]:
    """Return the classes and all their ancestors."""
    return closure(classes, lambda id: store.classes[id].parents)


def generalisations(
    store: OntologyStore, names: Sequence[str], classes: Iterable[int], types: int
) -> tuple[Generalisation, ...]:
    """Return the possible generalizations of a thing, the narrowest first.

    Args:
        store: the ontology.
        names: names of the thing, in the text and in the ontology.
        classes: ids of its classes, including ancestors.
        types: mask of the mention's type; if some classes have it, others are left out.
    """
    # If two classes have the same things, the lower one comes first.
    ids = sorted(
        classes,
        key=lambda id: (store.classes[id].population, -store.depth(id), id),
    )
    of_type = [id for id in ids if store.classes[id].types & types] or ids
    by_text: dict[str, Generalisation] = {}
    for id in of_type:
        concept = store.classes[id]
        if concept.text == "religious affiliation":
            concept = replace(concept, text="religious adherent")
        if concept.text in NEVER or names_it(concept.text, names):
            continue
        source = concept.source if ":" in concept.source else f"ontology:{concept.source}"
        by_text[concept.text] = Generalisation(concept.text, source, float(concept.population))
    if "government agency" in by_text:
        by_text.pop("government", None)  # An authority doesn't govern.
    return tuple(sorted(by_text.values(), key=lambda item: item.population))


def names_it(text: str, names: Sequence[str]) -> bool:
    """Return whether a class equals or contains the name it would replace, or shares a word with it."""
    tokens = words(text)
    capitals = {word.casefold() for word in _CAPITALISED.findall(text) if word[0].isupper()}
    for name in names:
        form = words(name)
        if contains(tokens, form) or capitals.intersection(form):
            return True
    return False
