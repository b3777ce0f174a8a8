"""CSV and TSV: one document per row; see ``fields`` for how columns are treated.

Files are read and written row by row. The cells of several text columns form one document, in the
order in which the columns are named, so that a person named in one column is recognized in another.
The delimiter is whichever of ``, ; tab |`` gives the named columns in the header. A column may also
be named by its position (``column 3``), as in messages about columns whose names could be a
person's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import BinaryIO

from ..document import Document
from ..errors import NAME_COLUMNS, InputError
from ..text import decoding
from ..text.decoding import BYTE_ORDER_MARK, read_lines
from .fields import FieldRule, Fields, Treatment
from .leaves import Leaf, RecordBuilder
from .record import Edit, Failure, Head, Kept, Origin, SourceDocument, SurroundingFields

# Cells are located in the source so that they can be rewritten in place. They are the cells that
# Python's ``csv`` module finds with ``"`` doubled inside quotes (RFC 4180).


# Also their full-width forms, which some programs treat the same.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?%?")
_CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*+"')


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell in a row.

    Attributes:
        start, end: code points of the row's source, including quotes.
        value: its content.
        quoted: whether it is written in quotes.
    """

    start: int
    end: int
    value: str = field(repr=False)
    quoted: bool


def ends_in_quotes(line: str, in_quotes: bool, delimiters: str) -> bool:
    """Return whether a quoted cell is still open at the end of ``line``.

    Args:
        line: the line with its line end.
        in_quotes: whether one was open at its start.
        delimiters: the possible delimiters.
    """
    boundary = re.compile(f"[{re.escape(delimiters)}]")
    position = 0
    while True:
        if not in_quotes and line.startswith('"', position):
            in_quotes = True
            position += 1
        if in_quotes:
            closing = _CLOSING.match(line, position)
            if not closing:
                return True
            position = closing.end()
            in_quotes = False
        match = boundary.search(line, position)
        if not match:
            return False
        position = match.end()


def split_row(source: str, delimiter: str) -> list[Cell]:
    """Return the cells of a complete row; the final line end belongs to no cell."""
    stop = len(source)
    for line_end in ("\r\n", "\n", "\r"):
        if source.endswith(line_end):
            stop -= len(line_end)
            break
    cells: list[Cell] = []
    start = 0
    while True:
        closing = (
            _CLOSING.match(source, start + 1, stop)
            if start < stop and source[start] == '"'
            else None
        )
        begin = closing.end() if closing else start
        end = source.find(delimiter, begin, stop)
        if end < 0:
            end = stop
        value = source[begin:end]
        if closing:
            value = source[start + 1 : begin - 1].replace('""', '"') + value
        cells.append(Cell(start, end, value, closing is not None))
        if end == stop:
            return cells
        start = end + len(delimiter)


def is_formula(value: str) -> bool:
    """Return whether a spreadsheet would evaluate a cell instead of showing it; numbers are shown."""
    return value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)


def join_cell(
    value: str, *, quoted: bool, delimiter: str, harmless: bool = False, alone: bool = False
) -> str:
    """Return one cell of a row, quoted on request or if necessary.

    Args:
        value: its content.
        quoted: whether to quote it even if it isn't necessary.
        delimiter: the delimiter between cells.
        harmless: put an apostrophe before a value that a spreadsheet would treat as a formula.
        alone: whether it is the row's only cell; the row must not become a blank line.
    """
    if harmless and is_formula(value):
        value = f"'{value}"
    if (
        quoted
        or (alone and not value)
        or any(character in value for character in (delimiter, '"', "\r", "\n"))
    ):
        return '"' + value.replace('"', '""') + '"'
    return value


_DELIMITERS = ",;\t|"
BLANK = "\r\n" + BYTE_ORDER_MARK
"""Characters of an empty line."""


class _Rows:
    """A file's rows: number of the first line, source, and error if any.

    The caller narrows ``delimiters`` to the header's.
    """

    def __init__(self, stream: BinaryIO, origin: Origin) -> None:
        self.delimiters = _DELIMITERS
        self._stream = stream
        self._origin = origin

    def __iter__(self) -> Iterator[tuple[int, str, InputError | None]]:
        row: list[str] = []
        first, size, fault, in_quotes = 1, 0, None, False
        for number, line, error in read_lines(
            self._stream, self._origin.encoding, self._origin.name
        ):
            if not in_quotes:
                first, size, fault = number, 0, None
            row.append(line)
            size += len(line)
            fault = fault or error
            if size > decoding.LARGEST_LINE:
                row = []
                fault = fault or InputError(
                    f"the row has more than {decoding.LARGEST_LINE:,} characters; split it.",
                    self._origin.name,
                )
            body = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
            in_quotes = ends_in_quotes(body, in_quotes, self.delimiters)
            if not in_quotes:
                yield first, "".join(row) or line, fault
                row = []
        if in_quotes:
            raise InputError(
                f"line {first}: a quoted cell that begins in this row never ends; close its "
                "quotes.",
                self._origin.name,
            )


@dataclass(frozen=True, slots=True)
class _CsvHeader:
    """The header of a table.

    Attributes:
        delimiter: the delimiter between cells.
        names: the column names.
        rules: the columns' treatments; None for a column without one.
        texts: indexes of the text columns, in the order in which they are read.
        refusal: why rows can't be written; empty if they can.
        fields: treatments by name.
    """

    delimiter: str
    names: tuple[str, ...]
    rules: tuple[FieldRule | None, ...]
    texts: tuple[int, ...]
    refusal: str
    fields: Fields

    @classmethod
    def of(cls, header: str, columns: Sequence[str], fields: Fields, name: str) -> _CsvHeader:
        """Return the table with this header.

        Args:
            header: the header's source.
            columns: columns that must exist and are text.
            fields: treatments of all other columns.
            name: the file's name.

        Raises:
            InputError: if it lacks such a column, or has one twice.
        """
        delimiter = delimiter_of(header, columns, fields, name)
        names = tuple(cell.value for cell in split_row(header, delimiter))
        places = [f"column {number}" for number in range(1, len(names) + 1)]
        missing = fields.missing([*names, *places])
        if missing and fields.keeps_others():
            raise InputError(
                f"line 1: the header has no column {missing[0]!r}, which is to be dropped or "
                "replaced while all others are kept; name it as the header does.",
                name,
            )
        fields = fields.with_texts(columns) if columns else fields
        rules = tuple(
            fields.rule((column,), place) for column, place in zip(names, places, strict=True)
        )
        order = {column: number for number, column in enumerate(fields.policy.fields)}
        texts = [
            (min(order.get(names[index], len(order)), order.get(places[index], len(order))), index)
            for index, rule in enumerate(rules)
            if rule is not None and rule.treatment is Treatment.TEXT
        ]
        unlisted = {
            number: column
            for number, (column, rule) in enumerate(zip(names, rules, strict=True), 1)
            if rule is None
        }
        refusal = fields.refusal(unlisted, "column") if unlisted else ""
        return cls(delimiter, names, rules, tuple(i for _, i in sorted(texts)), refusal, fields)

    def head(self, lead: str, header: str) -> Head:
        """Return the column names as the file's header."""
        cells = split_row(header, self.delimiter)
        kept = [
            Kept(cell.start + len(lead), cell.end + len(lead), cell.value, *self._written(cell))
            for cell, rule in zip(cells, self.rules, strict=True)
            if not _is_dropped(rule)
        ]
        edits = tuple(self._removals(cells, self.rules, len(lead)))
        return Head(lead + header, SurroundingFields(tuple(kept), edits, self.refusal))

    def document(
        self, lead: str, row: str, number: int, head: Head, origin: Origin
    ) -> SourceDocument:
        """Return the document of a row.

        Raises:
            InputError: if the row has too few cells.
        """
        cells = split_row(row, self.delimiter)
        if self.fields.takes is not None and len(cells) != len(self.names):
            raise InputError(self._of_wrong_length(cells), f"{origin.name}:{number}")
        if self.texts and len(cells) <= max(self.texts):
            raise InputError(
                f"the row has {len(cells)} cells, too few for column {max(self.texts) + 1}; "
                "correct the row.",
                f"{origin.name}:{number}",
            )
        rules = self.rules_of(len(cells))
        extra = len(rules) - len(self.rules)
        kept = [rule for rule in rules[: len(cells)] if not _is_dropped(rule)]
        is_single = len(kept) == 1
        parts = RecordBuilder(lead + row, self.fields)
        for index in self.texts:
            self._add(parts, index, cells[index], self.rules[index], len(lead), is_single)
        for index, (cell, rule) in enumerate(zip(cells, rules, strict=False)):
            if index not in self.texts and not _is_dropped(rule):
                self._add(parts, index, cell, rule, len(lead), is_single)
        for edit in self._removals(cells, rules, len(lead)):
            parts.edit(edit)
        refusal = self.refusal
        if not refusal and extra and rules[-1] is None:
            refusal = self._of_wrong_length(cells)
        return parts.document(
            f"{origin.name}:{number}",
            origin,
            place=f":{number}",
            head=head,
            refusal=refusal,
            refuses_file=bool(self.refusal),
        )

    def _of_wrong_length(self, cells: Sequence[Cell]) -> str:
        return f"the row has {len(cells)} cells, the header {len(self.names)}; correct the row."

    def rules_of(self, count: int) -> tuple[FieldRule | None, ...]:
        """Return the treatments of the columns, and of excess cells in a row with this many cells."""
        extra = max(count - len(self.rules), 0)
        return (*self.rules, *[self.fields.rule(("",))] * extra)

    def _add(
        self,
        parts: RecordBuilder,
        index: int,
        cell: Cell,
        rule: FieldRule | None,
        start: int,
        alone: bool,
    ) -> None:
        name = _name(self.names[index], index + 1) if index < len(self.names) else ""
        encode, rewritten = self._written(cell, alone)
        leaf = Leaf(
            (name,), cell.value, cell.start + start, cell.end + start, encode, rewritten=rewritten
        )
        if rule is not None:
            parts.add(leaf, rule)

    def _removals(
        self, cells: Sequence[Cell], rules: Sequence[FieldRule | None], start: int
    ) -> Iterator[Edit]:
        """Yield the edits that remove the cells of dropped columns."""
        first = True
        for index, (cell, rule) in enumerate(zip(cells, rules, strict=False)):
            if not _is_dropped(rule):
                first = False
                continue
            # With the delimiter before it, or after it if nothing is left before it.
            before = 0 if first else len(self.delimiter)
            after = len(self.delimiter) if first and index + 1 < len(cells) else 0
            yield cell.start + start - before, cell.end + start + after, ""

    def _written(self, cell: Cell, alone: bool = False) -> tuple[Callable[[str], str], bool]:
        """Return the encoder for a cell's value, and whether the cell is rewritten even if unchanged."""
        harmless = self.fields.harmless
        encode = partial(
            join_cell,
            quoted=cell.quoted,
            delimiter=self.delimiter,
            harmless=harmless,
            alone=alone,
        )
        return encode, (harmless and is_formula(cell.value)) or (alone and not cell.value)


def _name(title: str, place: int) -> str:
    """Return a column's name, or its position if it has none."""
    return title or f"column {place}"


def _is_dropped(rule: FieldRule | None) -> bool:
    return rule is not None and rule.treatment is Treatment.DROP


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row that hasn't been parsed yet.

    Attributes:
        number: number of its first line, from 1.
        lead: the blank lines before it.
        source: its characters, including the line end.
        fault: why it can't be read; None if it can.
    """

    number: int
    lead: str = field(repr=False)
    source: str = field(repr=False)
    fault: InputError | None = None


class CsvTable:
    """A CSV file: its columns immediately, its rows in one pass, and each record on request.

    Args:
        stream: the file.
        origin: the file's name, format and encoding.
        columns: columns that must exist and are text.
        fields: treatments of all other columns.

    Attributes:
        names: the column names; None if the file has no lines.
        tail: after the pass, the blank lines after the last row.

    Raises:
        InputError: if the file isn't text, has no such columns, or ends inside quotes.
    """

    def __init__(
        self, stream: BinaryIO, origin: Origin, columns: Sequence[str], fields: Fields
    ) -> None:
        self._origin = origin
        rows = _Rows(stream, origin)
        self._lines = iter(rows)
        self._table = _CsvHeader(_DELIMITERS[0], (), (), (), "", fields)
        self._head: Head | None = None
        self.names: tuple[str, ...] | None = None
        self.tail = ""
        for _, source, error in self._lines:
            if not source.strip(BLANK):
                self.tail += source
                continue
            if error:
                raise error
            header = source.removeprefix(BYTE_ORDER_MARK)
            self._table = _CsvHeader.of(header, columns, fields, origin.name)
            self.names = self._table.names
            for place, name in enumerate(self.names, 1):
                fields.declare((_name(name, place),))
            rows.delimiters = self._table.delimiter
            lead = self.tail + source[: len(source) - len(header)]
            self._head = self._table.head(lead, header)
            self.tail = ""
            return

    def rows(self) -> Iterator[CsvRow]:
        """Yield the rows; can be called only once."""
        for number, source, error in self._lines:
            if source.strip(BLANK):
                yield CsvRow(number, self.tail, source, error)
                self.tail = ""
            else:
                self.tail += source

    def record(self, row: CsvRow) -> SourceDocument:
        """Return the record for a row.

        Raises:
            InputError: if the row can't be read, or has too few cells.
        """
        if row.fault or self._head is None:
            raise row.fault or InputError("the file has no header.", self._origin.name)
        return self._table.document(row.lead, row.source, row.number, self._head, self._origin)

    def end(self, lead: str) -> SourceDocument:
        """Return the record for what follows the last row, without text."""
        document = Document(f"{self._origin.name}:end", "")
        return SourceDocument(document, self._origin, lead, (), place=":end", head=self._head)

    def cells(self, row: str) -> list[Cell]:
        """Return the cells of a row in this file, or of its header."""
        return split_row(row, self._table.delimiter)

    def rules(self, count: int) -> tuple[FieldRule | None, ...]:
        """Return the treatments of a row's cells, including those beyond the last column.

        Args:
            count: number of cells in the row.
        """
        return self._table.rules_of(count)[:count]


def read(
    stream: BinaryIO, origin: Origin, columns: Sequence[str], fields: Fields
) -> Iterator[SourceDocument | Failure]:
    """Yield one record per row; blank lines belong to the next row.

    Args:
        stream: the file.
        origin: the file's name, format and encoding.
        columns: columns that must exist and are text.
        fields: treatments of all other columns.

    Raises:
        InputError: if the file isn't text, has no such columns, or ends inside quotes.
    """
    table = CsvTable(stream, origin, columns, fields)
    lead = ""
    is_written = False
    for row in table.rows():
        lead += row.lead
        if fields.passes_over():
            continue
        try:
            yield table.record(replace(row, lead=lead))
        except InputError as reason:
            message = str(reason).removeprefix(f"{reason.document}: ")
            yield Failure(InputError(message, f"{origin.name}:{row.number}"))
            continue
        lead = ""
        is_written = True
    lead += table.tail
    if lead or (table.names is not None and not is_written):
        # A header without rows, or blank lines at the end.
        yield table.end(lead)


def delimiter_of(header: str, columns: Sequence[str], fields: Fields, name: str) -> str:
    """Return the delimiter that gives the columns, or most of those that have a treatment.

    Raises:
        InputError: if a column is missing or occurs twice.
    """
    rows = {
        delimiter: [cell.value for cell in split_row(header, delimiter)]
        for delimiter in _DELIMITERS
    }
    if not columns:
        listed = fields.policy.fields.keys()
        return max(rows, key=lambda d: (sum(cell in listed for cell in rows[d]), len(rows[d])))
    for delimiter, names in rows.items():
        if all(column in names for column in columns):
            repeated = [column for column in columns if names.count(column) > 1]
            if repeated:
                raise InputError(
                    f"line 1: more than one column is named {repeated[0]!r}; rename one.", name
                )
            return delimiter
    listing = ", ".join(repr(column) for column in columns)
    raise InputError(f"line 1: the header has no column {listing}", name, NAME_COLUMNS)
