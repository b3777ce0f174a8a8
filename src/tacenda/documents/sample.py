"""A sample of a file's records: the values of each field, by path, and what is known of its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from ..errors import InputError
from .fields import FieldPolicy, Fields, Treatment
from .record import Failure, SourceDocument

SAMPLE = 500
"""Records that are looked at."""
_VALUES = 200
"""Values of a field of which kinds are counted."""
_LONGEST = 2_000
_MANY_NAMES = 40
"""Names in one object from which on they are data, not a schema."""
_REPEATED = 3
"""Values of a field in one record from which on they may be of many."""
_MOST = 0.8
_TRIED = 4
"""Paths that are looked at as those of records."""
_SIGNS = {
    "openai-chat": (("messages.role",), ("messages.content", "messages.content.type")),
    "anthropic-chat": (
        ("messages.role",),
        ("messages.content.tool_use_id", "messages.content.input", "messages.content.source"),
    ),
    "sharegpt": (("conversations.from",), ("conversations.value",)),
    "fhir": (("resourceType",),),
}
"""Paths by which a shipped policy is known, one of each group, the most special at last."""


@dataclass(slots=True)
class Column:
    """Values seen at a path, and the treatments that its type has values for; None for all."""

    records: int = 0
    count: int = 0
    values: list[str] = field(default_factory=list)
    treatments: frozenset[Treatment] | None = None
    hashes: Counter[int] = field(default_factory=Counter)

    def add(self, value: str) -> None:
        """Take a value, which counts unless it is blank."""
        if not value.strip():
            return
        self.count += 1
        self.hashes[hash(value)] += 1
        if len(self.values) < _VALUES:
            self.values.append(value[:_LONGEST])


class Sample:
    """Values of a file by path.

    Args:
        place: path of what is a record within the file; empty where its format says so.

    Attributes:
        records: number of records looked at.
        faults: why others could not be read.
        notes: on how the file was read, each once.
    """

    def __init__(self, place: str = "") -> None:
        self.place = place
        self.records = 0
        self.faults: list[InputError] = []
        self.notes: dict[str, None] = {}
        self._columns: dict[tuple[str, ...], Column] = {}
        self._seen: set[tuple[str, ...]] = set()
        self._declared: set[tuple[str, ...]] = set()

    def fields(self) -> Fields:
        """Return treatments under which each value is shown to the sample."""
        everything = FieldPolicy.model_validate({"fields": {"*": "keep"}, "records": self.place})
        fields = Fields(everything, "the sample")
        return replace(fields, observe=self._add, takes=self._declare)

    def _declare(self, path: tuple[str, ...], treatments: frozenset[Treatment] | None) -> None:
        if path in self._declared:
            self.notes[
                "two columns have the same name; rename one, for one treatment is for both."
            ] = None
        self._declared.add(path)
        self._columns.setdefault(path, Column()).treatments = treatments

    def take(self, items: Iterable[SourceDocument | Failure]) -> None:
        """Look at the records of a file, up to the size of a sample.

        Raises:
            InputError: if none of them can be read.
        """
        for item in islice(items, SAMPLE):
            if isinstance(item, Failure):
                self.faults.append(item.error)
            elif item.beside.refusal:
                self.faults.append(InputError(item.beside.refusal, item.document.id))
            else:
                self.records += bool(self._seen)
                self.notes |= dict.fromkeys(item.notes)
            for path in self._seen:
                self._columns[path].records += 1
            self._seen = set()
        if self.faults and not self.records:
            raise self.faults[-1]

    def _add(self, path: tuple[str, ...], value: str) -> None:
        self._columns.setdefault(path, Column()).add(value)
        if value.strip():
            self._seen.add(path)

    def shipped(self) -> str | None:
        """Return the name of the shipped policy that is made for such a file; None if there is none."""
        names = {
            ".".join(path[:length]) for path in self._columns for length in range(1, len(path) + 1)
        }
        fitting = [
            name
            for name, signs in _SIGNS.items()
            if all(names.intersection(group) for group in signs)
        ]
        return fitting[-1] if fitting else None

    def lists(self) -> list[str]:
        """Return paths that may be of records, where the file is one: most values are there, and each many times."""
        if self.records != 1 or self.place:
            return []
        counts: dict[tuple[str, ...], list[int]] = {}
        for path, column in self._columns.items():
            for length in range(1, len(path)):
                counts.setdefault(path[:length], []).append(column.count)
        whole = sum(column.count for column in self._columns.values())
        paths = [
            path
            for path, inside in counts.items()
            if sum(count >= _REPEATED for count in inside) >= 2 and sum(inside) >= _MOST * whole
        ]
        return [".".join(path) for path in sorted(paths, key=len)]

    def columns(self) -> dict[tuple[str, ...], Column]:
        """Return the values by path; names that are data are a star."""
        inner: dict[tuple[str, ...], set[str]] = {}
        for path in self._columns:
            for length in range(len(path)):
                inner.setdefault(path[:length], set()).add(path[length])
        many = {prefix for prefix, names in inner.items() if prefix and len(names) > _MANY_NAMES}
        columns: dict[tuple[str, ...], Column] = {}
        for path, column in self._columns.items():
            short = tuple("*" if path[:n] in many else name for n, name in enumerate(path))
            whole = columns.setdefault(short, Column(treatments=column.treatments))
            whole.records = max(whole.records, column.records)
            whole.count += column.count
            whole.values += column.values[: _VALUES - len(whole.values)]
            whole.hashes += column.hashes
        return columns


def sample_of(read: Callable[[Fields], Iterable[SourceDocument | Failure]]) -> Sample:
    """Return a sample of a file, of the records that it is a list of where it is one.

    Args:
        read: from treatments to the file's documents.

    Raises:
        InputError: if none of them can be read.
    """
    sample = Sample()
    sample.take(read(sample.fields()))
    for place in () if sample.shipped() else sample.lists()[:_TRIED]:
        inner = Sample(place)
        inner.take(read(inner.fields()))
        if inner.records >= _REPEATED:
            return inner
    return sample
