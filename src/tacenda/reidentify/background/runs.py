"""Which person has which word, in more rows than memory should hold: sorted runs on disk.

External sorting: rows are gathered in memory, written as a run sorted by word, and at the end the
runs are read side by side, a range of words at a time.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

ROWS_A_RUN: Final = 4_000_000
"""Rows held in memory: 40 MB, and again while they are sorted."""

_ROW = np.dtype([("term", np.int32), ("person", np.int32), ("count", np.uint16)])
_MOST: Final = np.iinfo(np.uint16).max


class Runs:
    """Rows (word, person, count) added in order of the people, read in order of the words.

    Args:
        folder: for the runs; its owner removes it.
        rows_a_run: how many rows are held in memory.
    """

    def __init__(self, folder: Path, rows_a_run: int = ROWS_A_RUN) -> None:
        self._folder = folder
        self._rows_a_run = rows_a_run
        self._runs: list[Path] = []
        self._clear()

    def add(self, term: int, person: int, count: int) -> None:
        """Add a row; more than 65,535 occurrences count as so many."""
        self._terms.append(term)
        self._people.append(person)
        self._counts.append(min(count, _MOST))
        if len(self._terms) >= self._rows_a_run:
            self._write()

    def by_term(self, n_terms: int) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.uint16]]]:
        """Yield (word, people in order, counts) for each word below ``n_terms``."""
        self._write()
        if not self._runs:
            return
        runs = [np.memmap(path, dtype=_ROW, mode="r") for path in self._runs]
        ends = [np.searchsorted(run["term"], np.arange(n_terms), side="right") for run in runs]
        totals = np.sum(ends, axis=0)
        first = 0
        while first < n_terms:
            done = int(totals[first - 1]) if first else 0
            # At least one word, however many have it.
            last = max(first + 1, int(np.searchsorted(totals, done + self._rows_a_run)))
            parts = [
                run[(int(end[first - 1]) if first else 0) : int(end[last - 1])]
                for run, end in zip(runs, ends, strict=True)
            ]
            rows = np.concatenate(parts)
            # Runs follow one another by person, so a stable sort keeps people in order.
            rows = rows[np.argsort(rows["term"], kind="stable")]
            found, starts = np.unique(rows["term"], return_index=True)
            stops = np.append(starts, len(rows))[1:]
            for term, start, stop in zip(found, starts, stops, strict=True):
                part = rows[start:stop]
                yield int(term), part["person"].copy(), part["count"].copy()
            first = last

    def _write(self) -> None:
        if not self._terms:
            return
        rows = np.empty(len(self._terms), dtype=_ROW)
        rows["term"], rows["person"], rows["count"] = self._terms, self._people, self._counts
        rows = rows[np.argsort(rows["term"], kind="stable")]
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(rows.tobytes())
        self._runs.append(Path(file.name))
        self._clear()

    def _clear(self) -> None:
        self._terms, self._people, self._counts = array("i"), array("i"), array("H")
