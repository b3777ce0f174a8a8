"""Parts of a data set: what one worker sanitizes at a time and commits as a whole.

The division depends only on the files, not on the engine or the number of workers, and so do the
output files, one per part. Parts of Parquet and Arrow files are rows of one row group or record
batch; parts of CSV and JSON lines files are byte ranges that start and end at row boundaries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..documents.fields import column_label
from ..errors import InputError, TacendaError, unforeseen
from . import arrow_rows, line_rows
from .places import DataFile
from .spec import RowSanitizer, Spec

PART_BYTES: Final = 8_000_000
"""Approximate size of the text in a part: a minute or two of work on one core."""


@dataclass(frozen=True, slots=True)
class DatasetPart:
    """A range of rows in a file.

    Attributes:
        file: the file.
        number: number of the file, and of the part within it; in this order, the parts make up the
            data set.
        group: number of the row group or record batch; 0 for files of lines.
        begin, end: range of rows in the group, or of bytes in the file; equal if the table has no
            rows.
        first: number of the part's first row, or first line, in the file, counted from 1.
    """

    file: DataFile
    number: tuple[int, int]
    group: int
    begin: int
    end: int
    first: int

    @property
    def name(self) -> str:
        """The base name of its files."""
        return f"part-{self.number[0]:05}-{self.number[1]:05}"

    @property
    def extension(self) -> str:
        """The extension of the output file."""
        return f".{self.file.kind}"


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure: what wasn't written and why, without its text.

    Attributes:
        file: name of the file.
        row: number of the row, or of its first line, counted from 1; 0 for the whole file.
        rows: number of rows; 0 if unknown.
        reason: the reason in words, with the field if one is to blame.
    """

    file: str
    row: int
    rows: int
    reason: str


@dataclass(frozen=True, slots=True)
class PartResult:
    """The sanitized rows of a part.

    Attributes:
        rows: number of rows to write.
        faults: the rows that can't be written.
        write: writes the file, even one without rows; None if there are only faults.
    """

    rows: int
    faults: tuple[Fault, ...]
    write: Callable[[Any], None] | None


def plan(
    files: Sequence[DataFile], spec: Spec, part_bytes: int = PART_BYTES
) -> tuple[list[DatasetPart], list[Fault]]:
    """Return the parts of a data set, and the files that can't be sanitized.

    A file whose columns differ from those of the first file of its kind is refused, since nobody
    said how to treat them.

    Args:
        files: the files of the data set.
        spec: how its columns are treated.
        part_bytes: approximate bytes of text per part.
    """
    parts: list[DatasetPart] = []
    refused: list[Fault] = []
    schemas: dict[str, tuple[str, dict[str, str]]] = {}
    for number, file in enumerate(files):
        try:
            reader = _reader(file)
            columns, ranges = reader.layout(file, spec, part_bytes)
            first, expected = schemas.setdefault(file.kind, (file.name, columns))
            if columns != expected:
                raise InputError(_drift(columns, expected, first), file.name)
        except Exception as error:
            reason = error if isinstance(error, TacendaError) else unforeseen(error, file.name)
            refused.append(Fault(file.name, 0, 0, str(reason)))
            continue
        parts += (
            DatasetPart(file, (number, index), *range_) for index, range_ in enumerate(ranges)
        )
    return parts, refused


def _drift(columns: dict[str, str], expected: dict[str, str], first: str) -> str:
    """Return how columns differ from those of the first file."""
    for number, (name, type) in enumerate(expected.items(), 1):
        label = column_label(name, number)
        if name not in columns:
            return f"has no column {label}, which {first} has."
        if columns[name] != type:
            return f"column {label} is {columns[name]}, in {first} it is {type}."
    for number, name in enumerate(columns, 1):
        if name not in expected:
            return f"has a column {column_label(name, number)}, which {first} hasn't."
    return f"its columns are in another order than those of {first}."


def sanitized(part: DatasetPart, sanitizer: RowSanitizer) -> PartResult:
    """Return the sanitized rows of a part; rows that can't be read become faults.

    Raises:
        InputError: if the file has changed since it was listed.
    """
    part.file.check()
    try:
        result: PartResult = _reader(part.file).sanitized(part, sanitizer)
        return result
    except TacendaError as error:
        is_rows = part.file.kind in ("parquet", "arrow")
        rows = part.end - part.begin if is_rows else 0
        return PartResult(0, (Fault(part.file.name, part.first, rows, str(error)),), None)


def _reader(file: DataFile) -> Any:
    return arrow_rows if file.kind in ("parquet", "arrow") else line_rows
