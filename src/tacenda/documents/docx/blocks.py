"""What each line of a .docx is: heading, item of a list, cell of a table, note, header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count, takewhile

from ..blocks import Block
from .package import Element, W

_HEADING = re.compile(r"heading ([1-6])", re.IGNORECASE)
_PARTS = {
    f"{W}document": "",
    f"{W}hdr": "Header",
    f"{W}ftr": "Footer",
}
_NOTES = {
    f"{W}footnote": ("Footnote", f"{W}footnoteReference"),
    f"{W}endnote": ("Endnote", f"{W}endnoteReference"),
    f"{W}comment": ("Comment", f"{W}commentReference"),
}
_BESIDE = "Elsewhere in the file"
LINKS = "Addresses of links"
_DEEPEST_HEADING = 6
_MOST_COLUMNS = 63
"""Columns of a table of Word's, at most."""
_LONGEST_NUMBER = 5


class Blocks:
    """The blocks of the lines of all parts, in the order of the text.

    Args:
        roots: the trees of the parts, by their name.
    """

    def __init__(self, roots: Mapping[str, Element]) -> None:
        self.found: list[Block] = []
        self._levels: dict[str, int] = {}
        self._notes: dict[tuple[str, str], int] = {}
        self._tables: dict[Element, int] = {}
        self._above: list[int] = []
        numbers = {mark: count(1) for _, mark in _NOTES.values()}
        for root in roots.values():
            for style in root.iter(f"{W}style"):
                self._levels[style.get(f"{W}styleId", "")] = _level(style)
            for mark in root.iter(*numbers):
                key = (mark.tag, mark.get(f"{W}id", ""))
                if key not in self._notes:
                    self._notes[key] = next(numbers[mark.tag])
            for table in root.iter(f"{W}tbl"):
                self._tables[table] = len(self._tables)

    def line(self, start: int, root: Element, element: Element | None) -> None:
        """Add a line.

        Args:
            start: its offset in the text.
            root: of its part.
            element: of its first string; None for an empty line, which stays where the one before
                it is.
        """
        if element is None:
            before = self.found[-1] if self.found else Block(0)
            self.found.append(Block(start, before.part, cell=before.cell, columns=before.columns))
            return
        around = [element, *element.iterancestors()]
        paragraph = next((item for item in around if item.tag == f"{W}p"), None)
        part = self._part(root, around, paragraph)
        if paragraph is None:
            self.found.append(Block(start, part))
            return
        style = _value(paragraph, "pStyle")
        level = _outline(paragraph) or self._levels.get(style, 0)
        is_item = paragraph.find(f"{W}pPr/{W}numPr") is not None
        cell, columns = self._cell(around)
        depth = self._depth(part, level)
        is_item = is_item and not level
        self.found.append(Block(start, part, level, is_item, cell, columns, depth))

    def links(self, start: int) -> None:
        """Add the address of a link, from this offset of the text on."""
        self.found.append(Block(start, LINKS))

    def end(self, length: int) -> None:
        """End the last cell or heading: the text ends with a line end."""
        self.found.append(Block(length, self.found[-1].part if self.found else ""))

    def _depth(self, part: str, level: int) -> int:
        """Depth of a heading below the last ones of higher levels in its part; 0 for what is none."""
        if not self.found or self.found[-1].part != part:
            self._above = []
        if not level:
            return 0
        self._above = [*(item for item in self._above if item < level), level]
        return len(self._above)

    def _part(self, root: Element, around: list[Element], paragraph: Element | None) -> str:
        for item in around:
            if item.tag in _NOTES:
                label, mark = _NOTES[item.tag]
                number = self._notes.get((mark, item.get(f"{W}id", "")))
                return label if number is None else f"{label} {number}"
        return _BESIDE if paragraph is None else _PARTS.get(root.tag, _BESIDE)

    def _cell(self, around: list[Element]) -> tuple[tuple[int, int, int] | None, int]:
        """Table, row and column, of the outermost table; and the columns that the cell spans."""
        tables = [place for place, item in enumerate(around) if item.tag == f"{W}tbl"]
        if not tables:
            return None, 1
        inside = around[: tables[-1]]
        row = next((item for item in reversed(inside) if item.tag == f"{W}tr"), None)
        cell = next((item for item in reversed(inside) if item.tag == f"{W}tc"), None)
        if row is None or cell is None:
            return None, 1
        table = around[tables[-1]]
        before = _before(row, cell)
        column = _number(row, "trPr", "gridBefore", 0) + sum(map(_columns, before))
        if column > _MOST_COLUMNS:
            column = len(before)
        return (self._tables[table], len(_before(table, row)), column), _columns(cell)


def _before(parent: Element, child: Element) -> list[Element]:
    """The children of the same kind that stand before a child."""
    return list(takewhile(lambda item: item is not child, _of_kind(parent, child.tag)))


def _columns(cell: Element) -> int:
    return _number(cell, "tcPr", "gridSpan", 1)


def _number(element: Element, properties: str, name: str, least: int) -> int:
    """A number of columns among the properties of a row or a cell; the least where it is none."""
    item = element.find(f"{W}{properties}/{W}{name}")
    value = "" if item is None else str(item.get(f"{W}val", ""))
    if not (value.isascii() and value.isdigit() and len(value) < _LONGEST_NUMBER):
        return least
    return min(max(int(value), least), _MOST_COLUMNS)


def _of_kind(parent: Element, tag: str) -> Iterator[Element]:
    """The children of a kind, also those within a content control."""
    for item in parent:
        if item.tag == tag:
            yield item
        elif item.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}customXml"):
            yield from _of_kind(item, tag)


def _level(style: Element) -> int:
    name = _HEADING.fullmatch(_child(style, "name"))
    if name:
        return int(name[1])
    return 1 if _child(style, "name").lower() == "title" else _outline(style)


def _outline(element: Element) -> int:
    """Level of a heading, from 1; 0 for what is none."""
    value = _value(element, "outlineLvl")
    level = int(value) + 1 if value.isascii() and value.isdigit() else 0
    return level if level <= _DEEPEST_HEADING else 0


def _value(element: Element, name: str) -> str:
    item = element.find(f"{W}pPr/{W}{name}")
    return "" if item is None else str(item.get(f"{W}val", ""))


def _child(element: Element, name: str) -> str:
    item = element.find(f"{W}{name}")
    return "" if item is None else str(item.get(f"{W}val", ""))
