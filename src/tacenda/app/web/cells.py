"""Table tags around the lines in their cells."""

from __future__ import annotations

from ...documents.blocks import Block

_Cell = tuple[int, int, int] | None


class TableTags:
    """The table tags of a page, whose lines come in the order of their cells."""

    def __init__(self) -> None:
        self._covered: dict[int, int] = {}

    def opening(self, before: Block, block: Block) -> str:
        """Return the tags between a cell and the one before it; columns without text become empty cells."""
        cell, left = block.cell, before.cell
        if cell is None or cell == left:
            return ""
        opening, next_column = "", 0
        if left is None or left[0] != cell[0]:
            self._covered.clear()
            opening = '<table class="table"><tbody><tr>'
        elif left[1] != cell[1]:
            # Rows whose cells are all merged with those above have no line of their own.
            opening = "<tr></tr>" * (cell[1] - left[1] - 1) + "<tr>"
        else:
            next_column = left[2] + before.columns
        return opening + self._cells(next_column, cell[1], cell[2], block)

    def _cells(self, next_column: int, row: int, column: int, block: Block) -> str:
        """Return the empty cells before a cell (except where a cell above spans down), and the cell's own tag."""
        empty = sum(self._covered.get(place, -1) < row for place in range(next_column, column))
        if block.rows > 1:
            span = range(column, column + block.columns)
            self._covered |= dict.fromkeys(span, row + block.rows - 1)
        columns = f' colspan="{block.columns}"' if block.columns > 1 else ""
        rows = f' rowspan="{block.rows}"' if block.rows > 1 else ""
        return f"{'<td></td>' * empty}<td{columns}{rows}>"

    @staticmethod
    def closing(cell: _Cell, after: _Cell) -> str:
        """Return the tags after a cell, before the next one."""
        if cell is None or cell == after:
            return ""
        if after is None or after[0] != cell[0]:
            return "</td></tr></tbody></table>"
        return "</td>" if after[1] == cell[1] else "</td></tr>"
