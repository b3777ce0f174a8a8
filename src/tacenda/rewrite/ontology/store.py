"""An ontology in memory, as its file has it: names are unpacked block by block when asked for."""

from __future__ import annotations

import sqlite3
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from .format import BLOCK, VERSION, Sense, read_sense
from .signatures import BITS_AN_EDIT, differing_bits, signature

_BLOCKS = 1024
"""Unpacked blocks kept in memory, about 10 KB each."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class: its words, ids of what is more general, types, how many things, where from."""

    text: str
    parents: tuple[int, ...]
    types: int
    population: int
    source: str


class Store:
    """Reads an ontology's file.

    Args:
        path: of the file.

    Raises:
        ModelError: if it can't be read or is of another version.
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
        self._unpack = lru_cache(maxsize=_BLOCKS)(self._unpacked)
        self._lines_of = lru_cache(maxsize=_BLOCKS)(self._split)

    def _read(self, connection: sqlite3.Connection, path: Path) -> None:
        (version,) = connection.execute("select value from meta where key = 'version'").fetchone()
        if version != VERSION:
            raise ModelError(f"{path}: version {version!r}, this tacenda reads {VERSION!r}.")
        rows = connection.execute("select * from classes order by id")
        self.classes = tuple(
            Class(text, tuple(map(int, parents.split(","))) if parents else (), types, people, row)
            for _, text, parents, types, people, row in rows
        )
        self.people = self._below("person")
        self.located = self._below("place")
        self.of_text: dict[str, list[int]] = {}
        for id, each in enumerate(self.classes):
            self.of_text.setdefault(each.text, []).append(id)
        self.places = dict(connection.execute("select id, text from places"))
        blocks = connection.execute("select first, start from blocks order by first").fetchall()
        self._first = [first for first, _ in blocks]
        indexes = dict(connection.execute("select name, data from indexes"))
        self._lines: bytes = indexes["lines"]
        self._starts = [start for _, start in blocks] + [len(self._lines)]
        lengths = np.frombuffer(zlib.decompress(indexes["lengths"]), np.uint8)
        types = np.frombuffer(zlib.decompress(indexes["types"]), np.uint8)
        signatures = np.frombuffer(zlib.decompress(indexes["signatures"]), "<u8")
        # By length, and of one length by the alphabet: those with one first letter are a slice.
        self._order = np.argsort(lengths, kind="stable").astype(np.uint32)
        self._of_length = np.concatenate(
            [[0], np.cumsum(np.bincount(lengths, minlength=256))]
        ).tolist()
        self._types: NDArray[np.uint8] = types[self._order]
        self._signatures: NDArray[np.uint64] = signatures[self._order].astype(np.uint64)

    def _below(self, text: str) -> frozenset[int]:
        """Return the ids of a root and of all classes below it."""
        roots = {id for id, each in enumerate(self.classes) if each.text == text}
        known: dict[int, bool] = {}

        def is_below(id: int) -> bool:
            if id not in known:
                known[id] = id in roots
                known[id] = known[id] or any(map(is_below, self.classes[id].parents))
            return known[id]

        return frozenset(id for id in range(len(self.classes)) if is_below(id))

    def depth(self, id: int) -> int:
        """Return how many classes the longest way up from a class has."""
        known = self._depths.get(id)
        if known is None:
            known = 1 + max(map(self.depth, self.classes[id].parents), default=0)
            self._depths[id] = known
        return known

    def find(self, key: str) -> tuple[Sense, ...]:
        """Return the senses of a name, the best known first; none if it is unknown."""
        block = bisect_right(self._first, key) - 1
        if block < 0:
            return ()
        return _senses(self._unpack(block).get(key, ""))

    def beginning_with(self, key: str, most: int) -> list[tuple[str, tuple[Sense, ...]]]:
        """Return the names that begin with the words of ``key``; none if more than ``most`` do."""
        start = f"{key} "
        found: list[tuple[str, tuple[Sense, ...]]] = []
        for block in range(max(bisect_right(self._first, start) - 1, 0), len(self._first)):
            for name, written in self._unpack(block).items():
                if name.startswith(start):
                    found.append((name, _senses(written)))
                    if len(found) > most:
                        return []
                elif name > start:
                    return found
        return found

    def near(self, key: str, edits: int, types: int) -> Iterator[str]:
        """Yield names that may be within some edits of ``key``, with its first letter.

        All that are, and few others.

        Args:
            key: a folded name.
            edits: how many letters may be inserted, deleted or replaced.
            types: mask of types of which a sense must have one.
        """
        # Names that begin with the same letter lie in blocks one after another.
        first = max(bisect_right(self._first, key[0]) - 1, 0) * BLOCK
        last = bisect_right(self._first, key[0] + "\uffff") * BLOCK
        wanted, most = signature(key), BITS_AN_EDIT * edits
        for length in range(max(len(key) - edits, 0), min(len(key) + edits, 255) + 1):
            start, end = self._of_length[length], self._of_length[length + 1]
            # Bounds of the array's own type: any other has the whole of it converted.
            bounds = np.array([first, last], np.uint32)
            low, high = self._order[start:end].searchsorted(bounds) + start
            close = differing_bits(self._signatures[low:high], wanted) <= most
            close &= (self._types[low:high] & np.uint8(types)) > 0
            for number in self._order[low:high][close].tolist():
                yield self._lines_of(number // BLOCK)[number % BLOCK].partition("\t")[0]

    def names(self) -> Iterator[tuple[str, tuple[Sense, ...]]]:
        """Yield every name with its senses, in order."""
        for block in range(len(self._first)):
            for name, written in self._unpacked(block).items():
                yield name, _senses(written)

    def _unpacked(self, block: int) -> dict[str, str]:
        return dict(line.split("\t", 1) for line in self._lines_of(block))

    def _split(self, block: int) -> list[str]:
        packed = self._lines[self._starts[block] : self._starts[block + 1]]
        return zlib.decompress(packed).decode().split("\n")


def _senses(written: str) -> tuple[Sense, ...]:
    return tuple(map(read_sense, written.split("|"))) if written else ()
