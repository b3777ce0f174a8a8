"""Cells of delimited text, found in the source so that they can be rewritten in place.

They are the cells that Python's ``csv`` module finds with ``"`` doubled inside quotes (RFC 4180).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Also their full-width forms, which some programs take for the same.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?%?")
_CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*+"')


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row.

    Attributes:
        start, end: code points of the row's source, with the quotes.
        value: what it says.
        quoted: whether it is written in quotes.
    """

    start: int
    end: int
    value: str = field(repr=False)
    quoted: bool


def ends_in_quotes(line: str, in_quotes: bool, delimiters: str) -> bool:
    """Tell whether a quoted cell is still open at the end of ``line``.

    Args:
        line: with its line end.
        in_quotes: whether one was open at its begin.
        delimiters: the characters that may part cells.
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
        found = boundary.search(line, position)
        if not found:
            return False
        position = found.end()


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
    """Tell whether a spreadsheet would compute a cell instead of showing it; a number is shown."""
    return value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)


def join_cell(value: str, *, quoted: bool, delimiter: str, harmless: bool = False) -> str:
    """Write one cell; in quotes where asked, or where it needs them.

    Args:
        value: what it says.
        quoted: whether it is in quotes even if it needs none.
        delimiter: between cells.
        harmless: put an apostrophe before what a spreadsheet would take for a formula.
    """
    if harmless and is_formula(value):
        value = f"'{value}"
    if quoted or any(character in value for character in (delimiter, '"', "\r", "\n")):
        return '"' + value.replace('"', '""') + '"'
    return value
