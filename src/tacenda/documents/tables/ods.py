"""The strings of an .ods, one after another, and how to replace them; runs in a worker.

A cell contains its value and how it is displayed; for numbers, dates and booleans, the latter is
derived from the former. A repeated row is one row. Workbooks lose what ``odt`` lists, and also
drawings, forms, filters, scenarios, pivot tables and links to other files.
"""

from __future__ import annotations

import copy
import io
import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from ...errors import InputError
from ...shipped import shipped_table
from ..docx import UNWRITABLE
from ..docx.package import Element, local_name, parse, read_entries, remove, write
from ..docx.sweeping import Sweep
from ..docx.text import TextPiece
from ..names import NameScrubber
from ..odf import DRAW, LINK, OFFICE, OdfPackage, OdfStrings, repeats, zipped
from .cells import Book, Setter, Sheet, SheetReferences, leave_unchanged, literals
from .ods_cells import FORMULA, TABLE, TYPE, Detached, cell_strings, put_value, simplify

_WIDEST = 16_384
_REMOVED: dict[str, str] = shipped_table("odf")["removed_of_sheets"]
"""Elements to remove, with their names for users."""
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_COLUMNS = f"{TABLE}number-columns-repeated"
_ROWS = f"{TABLE}number-rows-repeated"
_REFERRING = re.compile(r"(?:.*-)?(?:address|addresses|formula|expression|condition|ranges)")


class _Package(OdfPackage):
    EXTENSION = ".ods"
    MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
    KIND = "spreadsheet"

    def __init__(self, entries: dict[str, bytes], name: str) -> None:
        self.lacks: dict[str, None] = {}
        super().__init__(entries, name)

    def clean(self, root: Element) -> None:
        """Remove what isn't kept from a part."""
        for element in list(root.iter()):
            name = local_name(element)
            if element is root:
                continue
            if str(element.tag).startswith(DRAW) or name in _REMOVED:
                is_chart = any(local_name(inner) == "object" for inner in element.iter())
                what = "charts and other objects" if is_chart else _REMOVED.get(name, "drawings")
                if what and root.tag == f"{OFFICE}document-content":
                    self.lacks[what] = None
                remove(element)
        super().clean(root)


class OdsBook(Book):
    """A workbook as trees of elements.

    Args:
        data: the file.

    Raises:
        InputError: if it isn't a workbook, is encrypted or damaged, or has too many cells.
    """

    sheets: list[_OdsSheet]
    after_name = "."

    def __init__(self, data: bytes) -> None:
        package = _Package(read_entries(io.BytesIO(data), "", _Package.EXTENSION), "")
        self.left_out = tuple(package.lacks)
        self._roots = {part: parse(content, part, "") for part, content in package.parts.items()}
        self._pictures = package.pictures
        content = self._roots["content.xml"]
        tables = list(content.iter(f"{TABLE}table"))
        if any(cell.tag in _CELLS for table in tables for cell in table.iterancestors()):
            raise InputError("has tables within cells; move them to sheets of their own.")
        self.sheets = [_OdsSheet(table) for table in tables]

    def besides(self) -> Iterator[tuple[str, str, Setter]]:
        """Yield position, string and setter of each string outside the rows; setting None leaves it out."""
        for number, sheet in enumerate(self.sheets, 1):
            yield from sheet.names(number)
        named = [
            (kind, element)
            for kind in ("named-range", "named-expression", "database-range")
            for element in self._roots["content.xml"].iter(f"{TABLE}{kind}")
        ]
        for entry, (kind, element) in enumerate(named, 1):
            yield f"defined name {entry}", element.get(f"{TABLE}name") or "", leave_unchanged
            if kind == "named-expression":
                key = f"{TABLE}expression"
                pairs = literals(element.get(key) or "", partial(element.set, key))
                for index, (text, put) in enumerate(pairs):
                    yield f"defined name {entry}, literal {index}", text, put
        cells = [Detached(cell) for sheet in self.sheets for cell in sheet.cells()]
        lines = [line for root in self._roots.values() for line in OdfStrings(root).lines]
        for detached in cells:
            detached.restore()
        for entry, line in enumerate(lines, 1):
            pieces = [piece for piece in line if isinstance(piece, TextPiece)]
            text = "".join(_said(piece) for piece in pieces)
            if text.strip():
                yield f"string {entry} beside the cells", text, partial(_say, pieces)

    def refer(self, references: SheetReferences) -> None:
        """Write the new names of sheets wherever the workbook refers to them."""
        for root in self._roots.values():
            for element in root.iter():
                for key, value in element.attrib.items():
                    is_place = key == LINK and value.startswith("#")
                    if is_place or _REFERRING.fullmatch(key.rpartition("}")[2]):
                        element.set(key, references.renamed(value))

    def swept(self, masked: NameScrubber) -> bytes:
        """Return the file, without masked names in what isn't text."""
        cells = [Detached(cell) for sheet in self.sheets for cell in sheet.cells()]
        sweep = Sweep(masked)
        roots = {part: sweep.part(root) for part, root in self._roots.items()}
        for detached in cells:
            detached.restore()
        parts = {part: write(root) for part, root in roots.items()}
        return zipped({**parts, **self._pictures}, _Package.MEDIA_TYPE)


class _OdsSheet(Sheet):
    """A sheet.

    Args:
        table: its element.

    Raises:
        InputError: if one of its rows has too many cells.
    """

    def __init__(self, table: Element) -> None:
        self._table = table
        self._rows = {number: _cells(row) for number, row in _rows(table) if _has_contents(row)}
        for row in self._rows.values():
            for _, cell in row:
                simplify(cell)
        width = max((column for row in self._rows.values() for column, _ in row), default=0)
        name = self._table.get(f"{TABLE}name") or ""
        super().__init__(name, max(self._rows, default=0), width)

    def rename(self, name: str) -> None:
        """Give the sheet another name."""
        self._table.set(f"{TABLE}name", name)

    def rows(self) -> Iterator[tuple[int, list[tuple[int, Element]]]]:
        """Yield the number of each row that isn't empty, and the column and element of each cell that isn't empty."""
        yield from self._rows.items()

    def title(self, cell: Element) -> Any:
        """Return the text of a cell for ``header_of``."""
        strings = list(cell_strings(cell))
        is_title = len(strings) == 1 and strings[0][0] == "value" and cell.get(FORMULA) is None
        return strings[0][1] if is_title else False

    def strings(self, cell: Element) -> Iterator[tuple[str, Any, Setter]]:
        """Yield kind, value and setter of each string of a cell."""
        return cell_strings(cell)

    def empty(self, cell: Element) -> None:
        """Empty a cell."""
        put_value(cell, None)

    def cells(self) -> Iterator[Element]:
        """Yield the cells that aren't empty."""
        for row in self._rows.values():
            yield from (cell for _, cell in row)


def _rows(table: Element) -> Iterator[tuple[int, Element]]:
    """Yield number and element of each row; a repeated row has the number of the first."""
    number = 1
    for row in table.iter(f"{TABLE}table-row"):
        yield number, row
        number += repeats(row, _ROWS)


def _has_contents(element: Element) -> bool:
    return any(len(cell) or cell.get(FORMULA) or cell.get(TYPE) for cell in element.iter(*_CELLS))


def _cells(row: Element) -> list[tuple[int, Element]]:
    """Return the column and element of each cell that isn't empty, with repeated cells written out.

    Raises:
        InputError: if there are too many.
    """
    cells: list[tuple[int, Element]] = []
    column = 1
    for cell in list(row.iter(*_CELLS)):
        count = repeats(cell, _COLUMNS)
        if _has_contents(cell):
            if column + count - 1 > _WIDEST:
                raise InputError(f"a row has more than {_WIDEST:,} cells; split the workbook.")
            cell.attrib.pop(_COLUMNS, None)
            copies = [cell, *(copy.deepcopy(cell) for _ in range(count - 1))]
            for before, after in pairwise(copies):
                before.addnext(after)
            cells += zip(range(column, column + count), copies, strict=True)
        column += count
    return cells


# Strings outside the cells.


def _said(piece: TextPiece) -> str:
    return piece.place.read()[piece.start : piece.end]


def _say(pieces: list[TextPiece], text: str | None) -> None:
    """Write a new string into the first of its positions, and nothing into the others."""
    if text == "".join(map(_said, pieces)):
        return
    text = UNWRITABLE.sub("\ufffd", text or "")
    for number, piece in enumerate(pieces):
        old = piece.place.read()
        new = "" if number else text
        piece.place.write(old[: piece.start] + new + old[piece.end :])
