"""The grid of a table in a .docx: each cell's row and column, and how many of both it spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .package import Element, W

_MOST_COLUMNS = 63
"""Maximum number of columns in a Word table."""
_LONGEST_NUMBER = 5


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell; for vertically merged cells, the one that shows them all.

    Attributes:
        element: the cell's element.
        row, column: its position, from 0.
        columns, rows: how many it spans.
    """

    element: Element
    row: int
    column: int
    columns: int = 1
    rows: int = 1


def grid_of(table: Element) -> dict[Element, GridCell]:
    """Return the cell in which each cell's text is shown: itself, or the first of those merged with it."""
    first: dict[Element, Element] = {}
    places: dict[Element, tuple[int, int, int]] = {}
    above: dict[tuple[int, int], Element] = {}
    for number, row in enumerate(_of_kind(table, f"{W}tr")):
        merged = {}
        for cell, column in _placed(row):
            span = (column, _columns(cell))
            places[cell] = (number, *span)
            kind = _merging(cell)
            first[cell] = above.get(span, cell) if kind == "continue" else cell
            if first[cell] is not cell or kind == "restart":
                merged[span] = first[cell]
        above = merged
    rows = Counter(first.values())
    return {cell: GridCell(shown, *places[shown], rows[shown]) for cell, shown in first.items()}


def _placed(row: Element) -> Iterator[tuple[Element, int]]:
    """Yield the cells of a row with their columns."""
    column = _number(row, "trPr", "gridBefore", 0)
    for count, cell in enumerate(_of_kind(row, f"{W}tc")):
        yield cell, column if column <= _MOST_COLUMNS else count
        column += _columns(cell)


def _columns(cell: Element) -> int:
    return _number(cell, "tcPr", "gridSpan", 1)


def _merging(cell: Element) -> str:
    """Return ``restart`` or ``continue`` for vertically merged cells; empty for others."""
    item = cell.find(f"{W}tcPr/{W}vMerge")
    return "" if item is None else str(item.get(f"{W}val", "continue"))


def _number(element: Element, properties: str, name: str, least: int) -> int:
    """Return a number of columns from the properties of a row or a cell; the minimum if it is invalid."""
    item = element.find(f"{W}{properties}/{W}{name}")
    value = "" if item is None else str(item.get(f"{W}val", ""))
    if not (value.isascii() and value.isdigit() and len(value) < _LONGEST_NUMBER):
        return least
    return min(max(int(value), least), _MOST_COLUMNS)


def _of_kind(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the children of a kind, including those inside a content control."""
    for item in parent:
        if item.tag == tag:
            yield item
        elif item.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}customXml"):
            yield from _of_kind(item, tag)
