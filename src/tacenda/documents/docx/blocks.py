"""The roles of lines in a .docx: heading, list item, table cell, note, header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from ..blocks import Block
from .grid import GridCell, grid_of
from .order import LineContext, PageOrder, Targets
from .package import OFFICE, PARAGRAPHS, RUN_TEXT, Element, W, local_name

_HEADING = re.compile(r"heading ([1-6])", re.IGNORECASE)
_NOTES = {
    f"{W}footnote": ("Footnote", f"{W}footnoteReference"),
    f"{W}endnote": ("Endnote", f"{W}endnoteReference"),
    f"{W}comment": ("Comment", f"{W}commentReference"),
}
_PARTS: dict[str, str] = OFFICE["names_of_parts"]
"""Names of parts, by the name of their root."""
_STRINGS: dict[str, str] = OFFICE["names_of_strings"]
"""Roles of strings in the body outside paragraphs, by the name of their element."""
_PROPERTIES = "coreProperties"
_ELSEWHERE = "Elsewhere in the file"
LINKS = "Addresses of links"
_DEEPEST_HEADING = 6


class Blocks:
    """The blocks for the lines of all parts, in text order.

    Args:
        roots: the parts' trees, by name.
        targets: the parts that each part refers to.
    """

    def __init__(self, roots: Mapping[str, Element], targets: Targets) -> None:
        self.found: list[Block] = []
        self._lines: list[LineContext] = []
        self._levels: dict[str, int] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._tables: dict[Element, int] = {}
        self._grids: dict[Element, dict[Element, GridCell]] = {}
        self._ends: dict[Element, int] = {}
        self._above: list[int] = []
        numbers = {mark: count(1) for _, mark in _NOTES.values()}
        notes: dict[tuple[str, str], Element] = {}
        for root in roots.values():
            for style in root.iter(f"{W}style"):
                self._levels[style.get(f"{W}styleId", "")] = _level(style)
            for mark in root.iter(*numbers):
                key = (mark.tag, mark.get(f"{W}id", ""))
                if key not in self._numbers:
                    self._numbers[key] = next(numbers[mark.tag])
            for note in root.iter(*_NOTES):
                notes.setdefault((_NOTES[note.tag][1], note.get(f"{W}id", "")), note)
            for table in root.iter(f"{W}tbl"):
                self._tables[table] = len(self._tables)
        self._order = PageOrder(roots, targets, notes)

    def line(self, start: int, root: Element, element: Element, *, is_empty: bool = False) -> None:
        """Add a line.

        Args:
            start: its offset in the text.
            root: the root of its part.
            element: the element of its first string, or its paragraph if it has none.
            is_empty: whether it has no strings.
        """
        around = [element, *element.iterancestors()]
        paragraph = next((item for item in around if item.tag == f"{W}p"), None)
        note = next((item for item in around if item.tag in _NOTES), None)
        tables = [item for item in around if item.tag == f"{W}tbl"]
        is_body = root.tag == f"{W}document"
        owner = None if is_body else root if note is None else note
        table = tables[-1] if tables else None
        number, shown = self._cell(around) or (0, None)
        after = self._after(shown, around)
        self._lines.append(LineContext(root, owner, paragraph, table, is_empty, after))
        block = _block(start, number, shown)
        part = "" if is_body else self._part(root, note, element)
        if is_body and shown is None and element.tag not in (*RUN_TEXT, *PARAGRAPHS):
            part = _STRINGS.get(local_name(element), "" if paragraph is not None else _ELSEWHERE)
        if paragraph is None or is_empty:
            self.found.append(replace(block, part=part, is_beside=part != ""))
            return
        style = _value(paragraph, "pStyle")
        level = _outline(paragraph) or self._levels.get(style, 0)
        is_item = paragraph.find(f"{W}pPr/{W}numPr") is not None and not level
        depth = 0 if part else self._depth(level)
        kind = replace(block, level=level, is_item=is_item, depth=depth)
        self.found.append(replace(kind, part=part, is_beside=part != ""))

    def links(self, start: int) -> None:
        """Add the address of a link that starts at this offset in the text."""
        self.found.append(Block(start, LINKS, is_beside=True))

    def end(self, length: int) -> None:
        """End the last cell or heading, since the text ends with a line end, and place all blocks on the page."""
        after = len(self._lines)
        ranks = [*self._order.ranks(self._lines), *[after] * (len(self.found) - after)]
        self.found = [
            replace(block, rank=rank) for block, rank in zip(self.found, ranks, strict=True)
        ]
        # Notes and headers without words, such as the line above notes, aren't shown.
        written = {line.owner for line in self._lines if not line.is_empty}
        for number, line in enumerate(self._lines):
            if line.owner is not None and line.owner not in written:
                self.found[number] = Block(self.found[number].start, rank=after)
        self.found.append(Block(length, rank=after))

    def _depth(self, level: int) -> int:
        """Return the depth of a heading below the last ones of higher levels; 0 if it isn't a heading."""
        if not level:
            return 0
        self._above = [*(item for item in self._above if item < level), level]
        return len(self._above)

    def _part(self, root: Element, note: Element | None, element: Element) -> str:
        """Return the name of a part outside the body."""
        if note is not None:
            label, mark = _NOTES[note.tag]
            number = self._numbers.get((mark, note.get(f"{W}id", "")))
            return label if number is None else f"{label} {number}"
        name = local_name(root)
        if name == _PROPERTIES:
            return f"Property of the file: {local_name(element)}"
        return self._order.labels.get(root) or _PARTS.get(name, _ELSEWHERE)

    def _cell(self, around: list[Element]) -> tuple[int, GridCell] | None:
        """Return the number of the outermost table, and its cell that shows the line."""
        tables = [place for place, item in enumerate(around) if item.tag == f"{W}tbl"]
        if not tables:
            return None
        table, inside = around[tables[-1]], around[: tables[-1]]
        cell = next((item for item in reversed(inside) if item.tag == f"{W}tc"), None)
        if table not in self._grids:
            self._grids[table] = grid_of(table)
        shown = None if cell is None else self._grids[table].get(cell)
        return None if shown is None else (self._tables[table], shown)

    def _after(self, shown: GridCell | None, around: list[Element]) -> int | None:
        """Return the last line of the cell that a line's cell is merged into; None if it isn't merged."""
        if shown is None or shown.rows == 1:
            return None
        if shown.element in around:
            self._ends[shown.element] = len(self._lines)
            return None
        return self._ends.get(shown.element)


def _block(start: int, table: int, shown: GridCell | None) -> Block:
    """Return the block of a line, inside or outside a table cell."""
    if shown is None:
        return Block(start)
    cell = (table, shown.row, shown.column)
    return Block(start, cell=cell, columns=shown.columns, rows=shown.rows)


def _level(style: Element) -> int:
    name = _HEADING.fullmatch(_child(style, "name"))
    if name:
        return int(name[1])
    return 1 if _child(style, "name").lower() == "title" else _outline(style)


def _outline(element: Element) -> int:
    """Return the level of a heading, from 1; 0 if it isn't a heading."""
    value = _value(element, "outlineLvl")
    level = int(value) + 1 if value.isascii() and value.isdigit() else 0
    return level if level <= _DEEPEST_HEADING else 0


def _value(element: Element, name: str) -> str:
    item = element.find(f"{W}pPr/{W}{name}")
    return "" if item is None else str(item.get(f"{W}val", ""))


def _child(element: Element, name: str) -> str:
    item = element.find(f"{W}{name}")
    return "" if item is None else str(item.get(f"{W}val", ""))
