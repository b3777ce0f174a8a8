"""Treatment of the columns of a table, or the fields of JSON lines, that are no text.

| treatment | output |
|---|---|
| keep | the value, but with everybody masked in the row struck out |
| drop | nothing: neither the value nor the name |
| pseudonym | ``[ID 1]``, the same for the same value in all of a run; with a key, in every run |

Nothing leaves without somebody's word: a column without a treatment makes a row
unwritable, and the message has the options to allow it. A field within a field is named by
its path (``author.name``), and its treatment holds for all fields within it without one of their
own; lists add nothing to a path. A column may also be named by its place (``column 3``), as
in messages where its name could be somebody's. ``*`` stands for all others.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import BinaryIO

from ..document import Document
from ..errors import InputError
from ..text.decoding import BYTE_ORDER_MARK, read_lines
from .record import Edit, Extraction, Failure, Head, Kept, Origin, SourceDocument, SurroundingFields

ALL = "*"
_PLAIN = re.compile(r"[a-z][a-z0-9_.]{0,39}")
_SHOWN = 10
"""Names that a message has at most."""
_IN_PLACE = {"same": ("csv", "jsonl"), "jsonl": ("jsonl",)}


class Treatment(StrEnum):
    """Treatment of a column."""

    KEEP = "keep"
    DROP = "drop"
    PSEUDONYM = "pseudonym"


class RunningNumbers:
    """``[ID 1]``, ``[ID 2]`` …: each value has its number in order of its first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, value: str) -> str:
        """Return the pseudonym of a value."""
        return f"[ID {self._numbers.setdefault(value, len(self._numbers) + 1)}]"


@dataclass(frozen=True, slots=True)
class Others:
    """Treatments of the columns and fields that are no text.

    Attributes:
        keep, drop, pseudonym: names, none of them in two of the sets.
        name: from a value to its pseudonym.
        harmless: whether cells that a spreadsheet would take for a formula are made text, by an
            apostrophe before them (CSV only).

    Raises:
        InputError: if one name has two treatments.
    """

    keep: frozenset[str] = frozenset()
    drop: frozenset[str] = frozenset()
    pseudonym: frozenset[str] = frozenset()
    name: Callable[[str], str] = field(default_factory=RunningNumbers, repr=False, compare=False)
    harmless: bool = False

    def __post_init__(self) -> None:
        for first, second in (("keep", "drop"), ("keep", "pseudonym"), ("drop", "pseudonym")):
            for name in sorted(getattr(self, first) & getattr(self, second)):
                raise InputError(
                    f"{name!r} is in --{first}-columns and in --{second}-columns; leave one out."
                )

    def of(self, *names: str) -> Treatment | None:
        """Return the treatment of a column; None if there is none.

        Args:
            names: its name, or its path and those of the fields it is in, innermost first.
        """
        for name in (*names, ALL):
            for treatment in Treatment:
                if name in getattr(self, treatment):
                    return treatment
        return None

    def within(self, path: str) -> bool:
        """Return whether a field within the one of this path has a treatment."""
        names = self.keep | self.drop | self.pseudonym
        return any(name.startswith(f"{path}.") for name in names)

    def replaced(self, value: str) -> str:
        """Return the pseudonym of a value; nothing has none."""
        return self.name(value.strip()) if value.strip() else value

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return the dropped or replaced names absent from ``names``."""
        return sorted((self.drop | self.pseudonym) - {*names, ALL})


UNSAID = Others()
"""Nothing is said of any column."""


def names_of(line: str) -> tuple[str, ...]:
    """Return the names in an option's value: ``id,ward``, in quotes those with a comma."""
    return tuple(name for row in csv.reader(io.StringIO(line, newline="")) for name in row)


def unnamed(names: Mapping[int, str], noun: str) -> str:
    """Return the message for columns (``noun``) without treatment, with the options to allow them.

    Args:
        names: by their number in the file; a name that may be somebody's is shown as this number.
        noun: ``column``, also understood by its number, or ``field``.
    """
    labels = [
        name if _PLAIN.fullmatch(name) else f"{noun} {number}"
        for number, name in islice(names.items(), _SHOWN)
    ]
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(labels)
    line = shlex.quote(stream.getvalue())
    more = len(names) - len(labels)
    rest = f" (and {more} more; '*' is all that are not named)" if more else ""
    return (
        f"{len(names)} {noun}{'s'[: len(names) > 1]} would be written beside the text, and nothing "
        f"is said of what may leave; say --keep-columns {line}, --drop-columns {line} or "
        f"--pseudonym-columns {line}{rest}."
    )


def refuse_unnamed(
    items: Iterable[SourceDocument | Failure], to: str
) -> Iterator[SourceDocument | Failure]:
    """Yield items; a file ends in a failure at a column without treatment in the output.

    It and the rest of its file give way to one failure: the missing treatment is the same in all
    rows.
    """
    refused = ""
    for item in items:
        if isinstance(item, SourceDocument):
            if refused == item.origin.path:
                continue
            carried = item.origin.format in _IN_PLACE.get(to, ())
            if carried and item.beside.refusal:
                refused = item.origin.path
                yield Failure(InputError(item.beside.refusal, item.document.id))
                continue
        yield item


# CSV and TSV: one document a row, from the named columns; the others need a treatment.
#
# Read and written row by row. The cells of several columns are one text, parted by line breaks, so
# that a person named in one column is recognised in the other. The delimiter is the one of
# ``, ; tab |`` that gives the named columns in the header.


# Cells are found in the source so that they can be rewritten in place. They are those that Python's
# ``csv`` module finds with ``"`` doubled inside quotes (RFC 4180).


# Also their full-width forms, which some programs take for the same.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?%?")
_CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*+"')


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row.

    Attributes:
        start, end: code points of the row's source, with the quotes.
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
        line: with its line end.
        in_quotes: whether one was open at its begin.
        delimiters: the possible characters between cells.
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
    """Return the cells of a whole row; a line end behind it belongs to no cell."""
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
    """Return whether a spreadsheet would compute a cell, not show it; a number is shown."""
    return value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)


def join_cell(value: str, *, quoted: bool, delimiter: str, harmless: bool = False) -> str:
    """Return one cell of a row; in quotes on request, or where it needs them.

    Args:
        value: its content.
        quoted: whether it is in quotes even if it needs none.
        delimiter: between cells.
        harmless: put an apostrophe before a value that a spreadsheet would take for a formula.
    """
    if harmless and is_formula(value):
        value = f"'{value}"
    if quoted or any(character in value for character in (delimiter, '"', "\r", "\n")):
        return '"' + value.replace('"', '""') + '"'
    return value


_DELIMITERS = ",;\t|"


class _Rows:
    """Rows of a file: number of the first line, source, error if any.

    ``delimiters`` is narrowed by the caller to the one of the header.
    """

    def __init__(self, stream: BinaryIO, origin: Origin) -> None:
        self.delimiters = _DELIMITERS
        self._stream = stream
        self._origin = origin

    def __iter__(self) -> Iterator[tuple[int, str, InputError | None]]:
        row: list[str] = []
        first, fault, in_quotes = 1, None, False
        for number, line, error in read_lines(
            self._stream, self._origin.encoding, self._origin.name
        ):
            if not row:
                first, fault = number, None
            row.append(line)
            fault = fault or error
            body = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
            in_quotes = ends_in_quotes(body, in_quotes, self.delimiters)
            if not in_quotes:
                yield first, "".join(row), fault
                row = []
        if row:
            raise InputError(
                f"line {first}: a quoted cell that begins in this row never ends; close its "
                "quotes.",
                self._origin.name,
            )


@dataclass(frozen=True, slots=True)
class _Table:
    """Header of a table.

    Attributes:
        delimiter: between cells.
        texts: the numbers of the columns of text, in the order of their names in the options.
        treatments: of each column; None without one.
        refusal: the message why rows can't be written; empty if they can.
        others: treatments by name.
    """

    delimiter: str
    texts: tuple[int, ...]
    treatments: tuple[Treatment | None, ...]
    refusal: str
    others: Others

    @classmethod
    def of(cls, header: str, columns: Sequence[str], other_fields: Others, name: str) -> _Table:
        """Return the table with this header.

        Raises:
            InputError: if it has no such columns, or one of them twice.
        """
        delimiter, texts = _columns(header, columns, name)
        names = [cell.value for cell in split_row(header, delimiter)]
        places = [f"column {number}" for number in range(1, len(names) + 1)]
        missing = other_fields.missing([*names, *places])
        if missing and ALL in other_fields.keep:
            raise InputError(
                f"line 1: the header has no column {missing[0]!r}, which is to be dropped or "
                "replaced while all others are kept; name it as the header does.",
                name,
            )
        treatments = tuple(
            Treatment.KEEP if index in texts else other_fields.of(column, places[index])
            for index, column in enumerate(names)
        )
        silent = {
            number: column
            for number, (column, treatment) in enumerate(zip(names, treatments, strict=True), 1)
            if treatment is None
        }
        refusal = unnamed(silent, "column") if silent else ""
        return cls(delimiter, tuple(texts), treatments, refusal, other_fields)

    def beside(self, source: str, start: int, *, names: bool = False) -> SurroundingFields:
        """Return the cells beside the text in a row.

        Args:
            source: the row.
            start: its begin in the record's source.
            names: whether it is the header; none of its cells is text or gets a pseudonym.
        """
        cells = split_row(source, self.delimiter)
        extra = len(cells) > len(self.treatments)
        treatments = [
            *self.treatments[: len(cells)],
            *[self.others.of("")] * (len(cells) - len(self.treatments)),
        ]
        kept_cells: list[Kept] = []
        edits: list[Edit] = []
        first = True
        for index, (cell, treatment) in enumerate(zip(cells, treatments, strict=True)):
            begin, end = cell.start + start, cell.end + start
            if treatment is Treatment.DROP:
                # With the delimiter before it, or after it where nothing is left before it.
                before = not first
                after = 0 if before or index + 1 == len(cells) else len(self.delimiter)
                edits.append((begin - len(self.delimiter) * before, end + after, ""))
                continue
            first = False
            if index in self.texts and not names:
                continue
            encode = self.encode(cell)
            if treatment is Treatment.PSEUDONYM and not names:
                edits.append((begin, end, encode(self.others.replaced(cell.value))))
            else:
                kept_cells.append(Kept(begin, end, cell.value, encode, self.is_formula(cell)))
        refusal = self.refusal
        if not refusal and extra and treatments[-1] is None:
            refusal = (
                f"the row has {len(cells)} cells, the header {len(self.treatments)}; mend the row."
            )
        return SurroundingFields(tuple(kept_cells), tuple(edits), refusal)

    def encode(self, cell: Cell) -> Callable[[str], str]:
        """Return the encoder of a cell's value."""
        return partial(
            join_cell,
            quoted=cell.quoted,
            delimiter=self.delimiter,
            harmless=self.others.harmless,
        )

    def is_formula(self, cell: Cell) -> bool:
        """Return whether a cell must be written anew although nothing in it changes."""
        return self.others.harmless and is_formula(cell.value)


def read(
    stream: BinaryIO, origin: Origin, columns: Sequence[str], other_fields: Others
) -> Iterator[SourceDocument | Failure]:
    """Yield one record a row; blank lines go with the next one.

    Raises:
        InputError: if the file is no text at all, has no such columns, or ends within quotes.
    """
    rows = _Rows(stream, origin)
    lead = ""
    table: _Table | None = None
    head: Head | None = None
    is_written = False
    for number, source, error in rows:
        if not source.strip("\r\n" + BYTE_ORDER_MARK):
            lead += source
        elif table is None:
            if error:
                raise error
            header = source.removeprefix(BYTE_ORDER_MARK)
            table = _Table.of(header, columns, other_fields, origin.name)
            rows.delimiters = table.delimiter
            lead += source[: len(source) - len(header)]
            head = Head(lead + header, table.beside(header, len(lead), names=True))
            lead = ""
        else:
            try:
                if error:
                    raise error
                cells = _cells(source, table)
            except InputError as reason:
                message = str(reason).removeprefix(f"{reason.document}: ")
                yield Failure(InputError(message, f"{origin.name}:{number}"))
                continue
            extraction = _extract(lead, source, cells, table)
            rest = table.beside(source, len(lead))
            lead = ""
            document = Document(f"{origin.name}:{number}", extraction.text)
            slots = tuple(extraction.slots)
            yield SourceDocument(
                document,
                origin,
                extraction.source,
                slots,
                place=f":{number}",
                beside=rest,
                head=head,
            )
            is_written = True
    if lead or (head is not None and not is_written):
        # A header without rows, or blank lines at the end.
        document = Document(f"{origin.name}:end", "")
        yield SourceDocument(document, origin, lead, (), place=":end", head=head)


def _cells(row: str, table: _Table) -> list[Cell]:
    cells = split_row(row, table.delimiter)
    last = max(table.texts)
    if len(cells) <= last:
        raise InputError(
            f"the row has {len(cells)} cells, too few for column {last + 1}; mend the row."
        )
    return [cells[index] for index in table.texts]


def _extract(lead: str, row: str, cells: list[Cell], table: _Table) -> Extraction:
    extraction = Extraction(lead + row)
    for index, cell in enumerate(cells):
        if index:
            extraction.part()
        start, end = cell.start + len(lead), cell.end + len(lead)
        encode = table.encode(cell)
        extraction.opaque(start, end, cell.value, encode, rewritten=table.is_formula(cell))
    return extraction


def _columns(header: str, columns: Sequence[str], name: str) -> tuple[str, list[int]]:
    for delimiter in _DELIMITERS:
        names = [cell.value for cell in split_row(header, delimiter)]
        if all(column in names for column in columns):
            repeated = [column for column in columns if names.count(column) > 1]
            if repeated:
                raise InputError(
                    f"line 1: more than one column is named {repeated[0]!r}; rename one.", name
                )
            return delimiter, [names.index(column) for column in columns]
    listing = ", ".join(repr(column) for column in columns)
    raise InputError(
        f"line 1: the header has no column {listing}; name the columns that hold text with "
        "--column NAME.",
        name,
    )
