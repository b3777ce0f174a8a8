"""The rows of a table as documents, and the file assembled from the sanitized rows."""

from __future__ import annotations

import hmac
import json
import os
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path as FilePath
from typing import Any, BinaryIO, Protocol
from uuid import UUID

from ...document import SemanticType
from ...errors import NAME_COLUMNS, InputError, LeakError
from ...result import Result
from ..containers import whole_file
from ..fields import ALL, FieldPolicy, FieldRule, Fields, Treatment
from ..formats import Passage
from ..leaves import HIDDEN_DATE, LeafRecord, record_of
from ..names import NameScrubber, masked_strings
from ..record import Failure, Origin, SourceDocument
from ..running_numbers import RunningNumbers
from .permutation import SIZE, permuted

LARGEST_CELL = 20_000_000
"""Maximum number of characters in a cell."""
_IDENTIFIER_BITS = 53
"""Size of pseudonyms for numbers of more than 32 bits. Two of a million collide with a probability of 1 in 18,000,
and spreadsheets can store them."""
HEAD = ":head"
"""Ends the name of the content outside the rows, after the file's name."""
Path = tuple[str, ...]


class Sink(Protocol):
    """A table being written."""

    def add(self, row: TypedRow, values: Sequence[Any]) -> None:
        """Add a row with its new leaves, None for dropped and struck-out ones.

        Raises:
            InputError: if the table can't store them.
        """
        ...

    def close(self) -> Iterator[bytes]:
        """Yield the bytes of the whole file, after reading it again.

        Raises:
            InputError: if it can't be assembled, or contains a string that is in none of its rows.
        """
        ...


class Table(ABC):
    """A table being read, which its rows share.

    Attributes:
        origin: its file.
        fields: the treatments of its columns.
        constants: strings in the file outside its rows, by position: column names, metadata.
        refusal: why no row can be written; empty if rows can be.
        forbidden: collects the masked strings of all rows; None if each row is checked separately.
    """

    origin: Origin
    fields: Fields
    constants: dict[str, str]
    refusal: str = ""
    forbidden: set[tuple[str, SemanticType]] | None = None

    @abstractmethod
    def sink(self) -> Sink:
        """Return an empty table of the same kind."""

    def leave_out(self, place: str) -> bool:
        """Leave out a constant that contains a masked string; return whether that is possible."""
        return False

    def head(
        self, texts: Mapping[str, str] | None = None, notes: tuple[str, ...] = ()
    ) -> SourceDocument:
        """Return the first document of a table: the text outside its rows, all of which is sanitized.

        Args:
            texts: the texts by position; by default none.
            notes: notes for the user on how it was read.
        """
        rule = FieldRule(treatment=Treatment.TEXT, unreadable="drop")
        fields = Fields(FieldPolicy(fields={ALL: rule}))
        leaves = tuple(TableLeaf((place,), text) for place, text in (texts or {}).items())
        pairs = [(leaf.path, leaf.value) for leaf in leaves]
        record = record_of(pairs, fields, self.origin, HEAD)
        document = record.document
        if self.refusal:
            beside = replace(document.beside, refusal=self.refusal, refuses_file=True)
            document = replace(document, beside=beside)
            record = replace(record, document=document)
        row = TypedRow(self, None, leaves, fields, record)
        return replace(document, container=row, notes=notes)

    def row(self, place: Any, leaves: Sequence[TableLeaf], name: str) -> SourceDocument | Failure:
        """Return a row as a document, or why it can't be read.

        Args:
            place: its position in the table.
            leaves: its leaves, without nulls.
            name: name of the row, appended to the file's.
        """
        pairs: list[tuple[Path, str]] = []
        for leaf in leaves:
            rule = self.fields.rule(leaf.path)
            text = _text(leaf.value, None if rule is None else rule.treatment)
            if len(text) > LARGEST_CELL:
                message = oversize(leaf.path, LARGEST_CELL, self.fields)
                return Failure(InputError(message, self.origin.name + name))
            pairs.append((leaf.path, text))
        try:
            record = record_of(pairs, self.fields, self.origin, name)
        except InputError as error:
            return Failure(error)
        container = TypedRow(self, place, tuple(leaves), self.fields, record)
        return replace(record.document, container=container)


@dataclass(frozen=True, slots=True)
class TableLeaf:
    """A value in a row that isn't a list or a record.

    Attributes:
        path: its column, and the fields inside it.
        value: the value in the table; never null.
        is_typed: whether only values of its type, and nulls, can replace it.
    """

    path: Path
    value: Any = field(repr=False)
    is_typed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TypedRow:
    """A row of a table that can be written back.

    Attributes:
        table: its table.
        place: its position in the table; None for what is outside rows.
        leaves: its leaves, in order.
        fields: the treatments in this run.
        record: the leaves as strings.
    """

    table: Table = field(repr=False)
    place: Any = field(repr=False)
    leaves: tuple[TableLeaf, ...] = field(repr=False)
    fields: Fields = field(repr=False)
    record: LeafRecord = field(repr=False)

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the new strings of the leaves, as JSON.

        Raises:
            InputError: if the row can't be written.
            LeakError: if a string in the file that belongs to all rows is masked in this one.
        """
        scrubber = NameScrubber.of(sanitized)
        values = self.record.values(sanitized, scrubber)
        if self.table.forbidden is not None:
            self.table.forbidden |= masked_strings(sanitized)
        # Content outside rows is sanitized as part of the head.
        own = {leaf.path[0] for leaf in self.leaves} if self.place is None else ()
        places = [
            place
            for place, string in self.table.constants.items()
            if place not in own and scrubber.occurs_in(string) and not self.table.leave_out(place)
        ]
        if places:
            raise LeakError(places, sanitized.document.id)
        if self.place is None:
            # Content left out of the file needs no edit.
            values = tuple(None if scrubber.occurs_in(value or "") else value for value in values)
        return json.dumps(values).encode()

    def values(self, part: bytes) -> list[Any]:
        """Return the new leaves of a row from what ``write`` returned."""
        texts = json.loads(part)
        return [
            self._value(leaf, old, new)
            for leaf, old, new in zip(self.leaves, self._texts(), texts, strict=True)
        ]

    def _texts(self) -> list[str]:
        source = self.record.document.source
        return [source[start:end] for start, end in self.record.spans]

    def _value(self, leaf: TableLeaf, old: str, new: str | None) -> Any:
        value = leaf.value
        if new is None:
            return None
        rule = self.fields.rule(leaf.path)
        treatment = None if rule is None else rule.treatment
        if treatment is Treatment.IDENTIFIER and isinstance(value, int | float | UUID):
            return _identifier(value, old, self.fields)
        if isinstance(value, date) and rule is not None and rule.to == "shift":
            if new in ("", HIDDEN_DATE):
                return None  # 9999-12-31 can't be moved further.
            day = value.date() if isinstance(value, datetime) else value
            return value + timedelta((date.fromisoformat(new) - day).days)
        if treatment in (Treatment.DATE, Treatment.NUMBER):
            return new
        if new == old:
            return value
        if isinstance(value, str):
            return new
        # A number that contains a masked string can only be struck out as a whole.
        return None if leaf.is_typed else new


def source_of(stream: BinaryIO, origin: Origin) -> tuple[str | bytes, int]:
    """Return the path of a file, or its bytes if they aren't on disk unchanged, and its size.

    Raises:
        InputError: if it has too many bytes to keep in memory.
    """
    if getattr(stream, "name", None) == origin.path and FilePath(origin.path).is_file():
        return origin.path, os.fstat(stream.fileno()).st_size
    data = whole_file(stream, origin.name, "save it to a file and pass the path")
    return data, len(data)


def check_names(fields: Fields, paths: Iterable[Path], name: str) -> None:
    """Raise an InputError if options name a missing column, and a similar one would pass unnoticed.

    Args:
        fields: the treatments.
        paths: of all leaves of a table.
        name: of the file.

    Raises:
        InputError: if so; names the column.
    """
    names = {".".join(path[:length]) for path in paths for length in range(1, len(path) + 1)}
    texts = {
        text
        for text, rule in fields.policy.fields.items()
        if rule.treatment is Treatment.TEXT and "*" not in text
    }
    missing = sorted(texts - names) if not fields.source else []
    if missing:
        raise InputError(f"no column is named {missing[0]!r}", name, NAME_COLUMNS)
    missing = fields.missing(names)
    if missing and fields.keeps_others():
        raise InputError(
            f"no column is named {missing[0]!r}, which is to be dropped or replaced while all "
            "others are kept; use its name in the file.",
            name,
        )


def oversize(path: Path, longest: int, fields: Fields) -> str:
    """Return the message for a value that is too long to be read.

    Args:
        path: path of its field; parts that may be a person's name aren't shown.
        longest: maximum number of characters in a value.
        fields: treatments.
    """
    name = fields.pattern(".".join(path))
    return f"field {name!r} has more than {longest:,} characters; split it, or drop the field."


def unreadable(path: Path, fields: Fields) -> str:
    """Return the message for a value that Python can't represent; see ``oversize``."""
    name = fields.pattern(".".join(path))
    return f"the value of field {name!r} can't be read; correct it, or drop the field."


def _text(value: Any, treatment: Treatment | None) -> str:
    """Return a value as a string; a treatment may not need all of it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return _text_of_bytes(value, treatment)
    if isinstance(value, datetime) and treatment is Treatment.DATE:
        return value.date().isoformat()
    if isinstance(value, float) and treatment is Treatment.IDENTIFIER and value.is_integer():
        return str(int(value))
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _text_of_bytes(value: bytes, treatment: Treatment | None) -> str:
    """Return bytes as a string: as a base64 file if they would be read as text but aren't."""
    text = value.decode("utf-8", "replace")
    if treatment is Treatment.TEXT and (b"\0" in value or text.encode() != value):
        return f"data:application/octet-stream;base64,{b64encode(value.ljust(16)).decode()}"
    return text


def _identifier(value: float | UUID, text: str, fields: Fields) -> float | UUID:
    """Return the pseudonym for a value that isn't a string: its number in the run, or one derived from the key.

    A 32-bit integer is replaced with another one of the same sign, whatever its column's type, so
    that keys agree between columns of different types and stay distinct.
    """
    if isinstance(fields.name, RunningNumbers):
        number = fields.name.number(text)
        return UUID(int=number) if isinstance(value, UUID) else type(value)(number)
    if not isinstance(value, UUID) and -SIZE <= value < SIZE and value == int(value):
        whole = int(value)
        number = permuted(whole, fields.key) if whole >= 0 else ~permuted(~whole, fields.key, b"-")
        return type(value)(number)
    digest = hmac.digest(fields.key, b"ID\0" + text.encode(), "sha256")
    if isinstance(value, UUID):
        return UUID(bytes=digest[:16])
    return type(value)(int.from_bytes(digest[:8], "big") >> 64 - _IDENTIFIER_BITS)


class RowsAssembly:
    """Assembles a table: from its rows' parts to the bytes of its file."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._sink: Sink | None = None

    def add(self, part: bytes, source: SourceDocument) -> bytes:
        """Add a row; the file is written at its end.

        Raises:
            InputError: if it is a row of another table, or the table can't store it.
        """
        row = source.container
        assert isinstance(row, TypedRow)
        values = row.values(part)
        if self._sink is None:
            if row.place is not None:
                raise InputError(
                    "the content beside the rows of its table can't be written, so no row can.",
                    source.document.id,
                )
            sink = row.table.sink()
            sink.add(row, values)
            self._table, self._sink = row.table, sink
            return b""
        if row.table is not self._table:
            raise InputError(
                "two tables can't be in one file; -o must be a folder.", source.document.id
            )
        self._sink.add(row, values)
        return b""

    def close(self) -> Iterator[bytes]:
        """Yield the bytes of the file; nothing if no row was written."""
        if self._sink is not None:
            yield from self._sink.close()


def strings_of_part(data: bytes) -> list[Passage]:
    """Return the new strings of a row's leaves, from what ``TypedRow.write`` returned."""
    return [
        Passage(text, f"field {number}")
        for number, text in enumerate(json.loads(data or b"[]"), start=1)
        if text
    ]
