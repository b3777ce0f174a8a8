"""CSV files as tables, indexed by row, so that any page can be read without the others."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from ..documents.csv import CsvRow, CsvTable
from ..documents.reading import table_of
from ..documents.record import Origin
from .intake import fields_of
from .store.documents import StoredFile

_ROWS = 100
"""Rows on a page, at most."""
_LARGEST = 50_000
"""Characters on a page, at most: marks make five times as much of them where names are dense."""
_ROW, _CELL = 60, 6
"""Weight of a row and of a cell without text, in characters."""


@dataclass(frozen=True, slots=True)
class IndexedTable:
    """A CSV file with its rows in pages.

    Attributes:
        name: name of the file.
        table: its header, which reads its rows.
        rows: all rows, not split into cells yet.
        starts: number of each page's first row, from 0.
        longest: maximum number of characters shown of a cell.
    """

    name: str
    table: CsvTable = field(repr=False)
    rows: tuple[CsvRow, ...] = field(repr=False)
    starts: tuple[int, ...]
    longest: int

    @classmethod
    def of(cls, file: StoredFile) -> IndexedTable:
        """Return the table of a file.

        Raises:
            InputError: if it can't be read.
        """
        origin = Origin(file.name, file.name, file.format, file.encoding)
        table = table_of(file.content, origin, fields_of(file.columns, file.kept))
        rows = tuple(table.rows())
        columns = max(len(table.names or ()), 1)
        # A row whose cells all have their maximum length fits on a page.
        longest = max(_LARGEST // columns - _CELL - _ROW, 100)
        starts, count, size = [0], 0, 0
        for number, row in enumerate(rows):
            weight = _ROW + _CELL * columns + min(len(row.source), _LARGEST)
            if count == _ROWS or (count and size + weight > _LARGEST):
                starts.append(number)
                count, size = 0, 0
            count += 1
            size += weight
        return cls(file.name, table, rows, tuple(starts), longest)

    def page_of(self, line: int) -> int:
        """Return the number of the page with a line of the file, both from 1."""
        row = bisect_right(self.rows, line, key=lambda row: row.number) - 1
        return bisect_right(self.starts, max(row, 0))

    def page(self, number: int) -> range:
        """Return the rows of a page, from 0, or none after the last page.

        Args:
            number: number of the page, from 1.
        """
        bounds = (*self.starts, len(self.rows))
        return range(*bounds[number - 1 : number + 1]) if number < len(bounds) else range(0)
