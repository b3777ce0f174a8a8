"""Roles of the lines of a text in their file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A line of the text, as its file shows it.

    Attributes:
        start: offset in the text.
        part: where it stands, such as ``Footnote 1``, or the name of its field; empty in the body.
        level: of a heading, from 1; 0 if it is not one.
        is_item: whether it is an item of a list.
        cell: table, row and column, each from 0; None outside of tables. A column of the grid, where
            cells span several. Of merged cells, the first, which shows them all.
        columns: how many of these its cell spans.
        rows: how many rows its cell spans.
        depth: of a heading, from 1, by the headings that it stands under: none is skipped, as a level
            may be.
        is_beside: whether it is outside the body: a note, a header, a comment, a property.
        rank: its place on a page among all lines; all 0 where they stand in the order of the text.
    """

    start: int
    part: str = ""
    level: int = 0
    is_item: bool = False
    cell: tuple[int, int, int] | None = None
    columns: int = 1
    rows: int = 1
    depth: int = 0
    is_beside: bool = False
    rank: int = 0
