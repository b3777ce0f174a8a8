"""CSV and TSV: one document a row, from the named columns; all else stays as it came.

Read and written row by row. The cells of several columns are one text, parted by line breaks, so
that a person named in one column is recognised in the other. The delimiter is the one of
``, ; tab |`` with which the header has the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO

from ..document import Document
from ..errors import InputError
from .cells import Cell, ends_in_quotes, join_cell, split_row
from .decoding import read_lines
from .record import Extraction, Failure, Origin, Record
from .text import BYTE_ORDER_MARK

_DELIMITERS = ",;\t|"


class _Rows:
    """The rows of a file: number of the first line, source, what is wrong with it.

    ``delimiters`` is narrowed by the caller once the header has told which one it is.
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


def read(stream: BinaryIO, origin: Origin, columns: Sequence[str]) -> Iterator[Record | Failure]:
    """Yield one record a row; the header and blank lines go with the next one.

    Raises:
        InputError: if the file is no text at all, has no such columns, or ends within quotes.
    """
    rows = _Rows(stream, origin)
    delimiter, lead = "", ""
    indices: list[int] = []
    for number, source, error in rows:
        if not source.strip("\r\n" + BYTE_ORDER_MARK):
            lead += source
        elif not delimiter:
            if error:
                raise error
            header = source.removeprefix(BYTE_ORDER_MARK)
            delimiter, indices = _columns(header, columns, origin.name)
            rows.delimiters = delimiter
            lead += source
        else:
            try:
                if error:
                    raise error
                cells = _cells(source, delimiter, indices)
            except InputError as reason:
                message = str(reason).removeprefix(f"{reason.document}: ")
                yield Failure(InputError(message, f"{origin.name}:{number}"))
                continue
            extraction = _extract(lead, source, cells, delimiter)
            lead = ""
            document = Document(f"{origin.name}:{number}", extraction.text)
            slots = tuple(extraction.slots)
            yield Record(document, origin, extraction.source, slots, place=f":{number}")
    if lead:  # a header without rows, or blank lines at the end
        yield Record(Document(f"{origin.name}:end", ""), origin, lead, (), place=":end")


def _cells(row: str, delimiter: str, indices: list[int]) -> list[Cell]:
    cells = split_row(row, delimiter)
    if len(cells) <= max(indices):
        raise InputError(
            f"the row has {len(cells)} cells, too few for column {max(indices) + 1}; mend the row."
        )
    return [cells[index] for index in indices]


def _extract(lead: str, row: str, cells: list[Cell], delimiter: str) -> Extraction:
    extraction = Extraction(lead + row)
    for index, cell in enumerate(cells):
        if index:
            extraction.gap("\n")
        start, end = cell.start + len(lead), cell.end + len(lead)
        encode = partial(join_cell, quoted=cell.quoted, delimiter=delimiter)
        extraction.opaque(start, end, cell.value, encode)
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
    wanted = ", ".join(repr(column) for column in columns)
    raise InputError(
        f"line 1: the header has no column {wanted}; name the columns that hold text with "
        "--column NAME.",
        name,
    )
