"""The roles that lines of a text have in their file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A line of the text, as shown in its file.

    Attributes:
        start: offset in the text.
        part: where it is, such as ``Footnote 1``, or the name of its field; empty in the body.
        level: heading level, from 1; 0 if it isn't a heading.
        is_item: whether it is a list item.
        cell: table, row and column, each from 0; None outside tables. The column is that of the
            grid, since cells may span several. For merged cells it is the first one, which shows
            them all.
        columns: number of columns that its cell spans.
        rows: number of rows that its cell spans.
        depth: heading depth, from 1, judging by the headings above it; unlike levels, depths are
            never skipped.
        is_beside: whether it is outside the body: a note, a header, a comment, a property.
        rank: its position on a page among all lines; 0 for all lines if they are in text order.
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
