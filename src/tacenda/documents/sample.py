"""A sample of a file's records: each field's values, by path, and what is known about its columns.

In a file of ordinary size, all records are examined; in a large one, as many randomly drawn records
as time allows. For each field, the sample contains the first values and as many drawn from the rest
with equal probability (Vitter, *Random sampling with a reservoir*, 1985, algorithm R), so that
names that start at row 10,000 are seen. The draw is the same in every run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from time import monotonic
from zlib import crc32

from ..errors import InputError
from .fields import FieldPolicy, Fields, Treatment
from .record import Failure, SourceDocument
from .shapes import shipped_for

SAMPLE = 500
"""Number of records that are examined however long it takes."""
SECONDS = 30.0
"""Time for the other records."""
_ALL = 20_000
"""Number of records up to which all are examined; of later ones, this many of those read so far are drawn."""
_VALUES = 200
"""Number of first values of a field that are kept, and of values that are drawn from the rest."""
_LONGEST, _SHORT = 2_000, 50
_CHARACTERS = 100_000_000
"""Total number of characters from which values are truncated."""
_DIFFERENT = 5_000
"""Number of distinct values of a field up to which each is counted."""
_PATHS = 20_000
"""Maximum number of paths in a file; if there are more, names are data, and no others are recorded."""
_FAULTS = 100
"""Number of faults that are kept; further ones are only counted."""
_SEED = 1985
_MANY_NAMES = 40
"""Number of names in one object above which they are data, not a schema."""
_REPEATED = 3
"""Number of values of a field in one record above which they may belong to many people."""
_MOST = 0.8
_TRIED = 4
"""Number of paths that are tried as paths of records."""


@dataclass(slots=True)
class Different:
    """The number of distinct values, exact up to a limit and estimated beyond it: one digest in ``step`` counts."""

    step: int = 1
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, digest: int, count: int = 1) -> None:
        """Add a value, given by its digest, this many times."""
        if digest % self.step:
            return
        self.counts[digest] += count
        while len(self.counts) > _DIFFERENT:
            self._thin(2 * self.step)

    def _thin(self, step: int) -> None:
        self.step = step
        self.counts = Counter({n: count for n, count in self.counts.items() if not n % step})

    def merge(self, other: Different) -> None:
        """Add what another counter has counted."""
        self._thin(max(self.step, other.step))
        for digest, count in other.counts.items():
            self.add(digest, count)

    def __len__(self) -> int:
        return self.step * len(self.counts)

    @property
    def rarest(self) -> int:
        """The number of occurrences of the rarest value; 0 if there are none."""
        return min(self.counts.values(), default=0)


@dataclass(slots=True)
class Column:
    """The values seen at a path, and the treatments that its type allows; None for all."""

    records: int = 0
    count: int = 0
    treatments: frozenset[Treatment] | None = None
    different: Different = field(default_factory=Different)
    _first: list[str] = field(default_factory=list)
    _drawn: list[tuple[int, str]] = field(default_factory=list)

    @property
    def values(self) -> list[str]:
        """The first values, and those that were drawn, in order."""
        return [*self._first, *(value for _, value in sorted(self._drawn))]

    def add(self, value: str, random: Random, longest: int = _LONGEST) -> int:
        """Add a value, which counts unless it is blank; return the number of characters kept."""
        self.count += 1
        self.different.add(crc32(value.encode("utf-8", "surrogatepass")))
        if len(self._first) < _VALUES:
            self._first.append(value[:longest])
            return len(self._first[-1])
        item = self.count, value[:longest]
        if len(self._drawn) < _VALUES:
            self._drawn.append(item)
            return len(item[1])
        place = random.randrange(self.count - _VALUES)
        if place < _VALUES:
            self._drawn[place] = item
        return 0

    def merge(self, other: Column) -> None:
        """Add another column's values, as if they were one column."""
        self.records = max(self.records, other.records)
        self.count += other.count
        self._first += other.values[: 2 * _VALUES - len(self.values)]
        self.different.merge(other.different)


class RecordSample:
    """A file's values by path.

    Args:
        place: path of the records inside the file; empty if the format determines them.

    Attributes:
        records: number of records examined.
        passed: number of records skipped.
        unreadable: number of unreadable records.
        faults: why the first of them couldn't be read.
        notes: notes on how the file was read, without duplicates.
    """

    def __init__(self, place: str = "") -> None:
        self.place = place
        self.records = 0
        self.passed = 0
        self.unreadable = 0
        self.faults: list[InputError] = []
        self.notes: dict[str, None] = {}
        self._columns: dict[tuple[str, ...], Column] = {}
        self._seen: set[tuple[str, ...]] = set()
        self._declared: set[tuple[str, ...]] = set()
        self._random = Random(_SEED)  # A draw that anybody can repeat.
        self._length = 0
        self._offered = 0

    def fields(self) -> Fields:
        """Return treatments that show each value to the sample."""
        everything = FieldPolicy.model_validate({"fields": {"*": "keep"}, "records": self.place})
        fields = Fields(everything, "the sample")
        return replace(fields, observe=self._add, takes=self._declare, passes=self._passes)

    @property
    def extent(self) -> str:
        """The number of examined records, in words."""
        total = f" of {self.records + self.unreadable + self.passed:,}" if self.passed else ""
        unreadable = f", {self.unreadable:,} unreadable" if self.unreadable else ""
        return f"{self.records:,}{total} records{unreadable}"

    def _passes(self) -> bool:
        """Draw whether to skip the next record."""
        self._offered += 1
        is_passed = self._offered > _ALL and self._random.random() * self._offered >= _ALL
        self.passed += is_passed
        return is_passed

    def _declare(self, path: tuple[str, ...], treatments: frozenset[Treatment] | None) -> None:
        if path in self._declared:
            self.notes[
                "two columns have the same name; rename one, since a treatment applies to both."
            ] = None
        self._declared.add(path)
        self._columns.setdefault(path, Column()).treatments = treatments

    def take(self, items: Iterable[SourceDocument | Failure]) -> None:
        """Examine the records of a file, as far as time allows.

        Raises:
            InputError: if none of them can be read.
        """
        end = monotonic() + SECONDS
        for number, item in enumerate(items, 1):
            self._take(item)
            if number >= SAMPLE and monotonic() > end:
                self.notes[
                    f"only the first {number + self.passed:,} records were inspected, for lack "
                    "of time; the rest may differ."
                ] = None
                break
        if self.faults and not self.records:
            raise self.faults[-1]

    def _take(self, item: SourceDocument | Failure) -> None:
        if isinstance(item, Failure):
            self._refuse(item.error)
        elif item.beside.refusal:
            self._refuse(InputError(item.beside.refusal, item.document.id))
        else:
            self.records += bool(self._seen)
            self.notes |= dict.fromkeys(item.notes)
        for path in self._seen:
            self._columns[path].records += 1
        self._seen = set()

    def _refuse(self, error: InputError) -> None:
        self.unreadable += 1
        if len(self.faults) < _FAULTS:
            self.faults.append(error)

    def _add(self, path: tuple[str, ...], value: str) -> None:
        column = self._columns.get(path)
        if column is None:
            if len(self._columns) >= _PATHS:
                return
            column = self._columns[path] = Column()
        if value.strip():
            longest = _LONGEST if self._length < _CHARACTERS else _SHORT
            self._length += column.add(value, self._random, longest)
            self._seen.add(path)

    def shipped(self) -> str | None:
        """Return the name of the shipped policy for such a file, or None."""
        names = {
            ".".join(path[:length]) for path in self._columns for length in range(1, len(path) + 1)
        }
        return shipped_for(names)

    def lists(self) -> list[str]:
        """Return paths that may contain records if the file is a single record: most values are there, and each occurs many times."""
        if self.records != 1 or self.place:
            return []
        counts: dict[tuple[str, ...], list[int]] = {}
        for path, column in self._columns.items():
            for length in range(1, len(path)):
                counts.setdefault(path[:length], []).append(column.count)
        total = sum(column.count for column in self._columns.values())
        paths = [
            path
            for path, inside in counts.items()
            if sum(count >= _REPEATED for count in inside) >= 2 and sum(inside) >= _MOST * total
        ]
        return [".".join(path) for path in sorted(paths, key=len)]

    def columns(self) -> dict[tuple[str, ...], Column]:
        """Return the values by path; names that are data become a star."""
        inner: dict[tuple[str, ...], set[str]] = {}
        for path in self._columns:
            for length in range(len(path)):
                inner.setdefault(path[:length], set()).add(path[length])
        many = {prefix for prefix, names in inner.items() if prefix and len(names) > _MANY_NAMES}
        columns: dict[tuple[str, ...], Column] = {}
        for path, column in self._columns.items():
            short = tuple("*" if path[:n] in many else name for n, name in enumerate(path))
            columns.setdefault(short, Column(treatments=column.treatments)).merge(column)
        return columns


def sample_of(read: Callable[[Fields], Iterable[SourceDocument | Failure]]) -> RecordSample:
    """Return a sample of a file, or of its records if it is a list of records.

    Args:
        read: returns the file's documents, given treatments.

    Raises:
        InputError: if none of them can be read.
    """
    sample = RecordSample()
    sample.take(read(sample.fields()))
    for place in () if sample.shipped() else sample.lists()[:_TRIED]:
        inner = RecordSample(place)
        inner.take(read(inner.fields()))
        if inner.records >= _REPEATED:
            return inner
    return sample
