"""Bits of HTML: text that can't break out of its place, numbers that keep their digits, tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

UNDEFINED = "–"
"""Stands where there is nothing to divide by."""


class Cell(NamedTuple):
    """A cell of a table.

    Attributes:
        content: HTML.
        kind: its class: ``n`` for a number; empty for text.
    """

    content: str
    kind: str = ""


def text(string: str) -> str:
    """Return a string as HTML, for content and quoted attributes."""
    # A lone surrogate can't be written as UTF-8, and a browser drops a null.
    written = string.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
    return escape(written)


def figure(value: float | None) -> str:
    """Return a share with three digits; the element's value has all of them."""
    return UNDEFINED if value is None else f'<data value="{value!r}">{value:.3f}</data>'


def number(n: float) -> str:
    """Return a count with thousands separators (a narrow no-break space)."""
    return f"{n:,.0f}".replace(",", "\u202f")


def table(
    caption: str, head: Sequence[Cell], rows: Iterable[Sequence[Cell]], kind: str = ""
) -> str:
    """Return a table that scrolls sideways where it is wider than the page.

    Args:
        caption: what it shows, as HTML; empty for none.
        head: one cell a column.
        rows: as wide as the head; the first cell of each names the row.
        kind: class of the table.
    """
    title = f"<caption>{caption}</caption>" if caption else ""
    heads = "".join(f'<th scope="col"{_class(cell)}>{cell.content}</th>' for cell in head)
    body = "\n".join(_row(cells) for cells in rows)
    return (
        f'<div class="scroll"><table class="{kind}">{title}\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n"
    )


def _row(cells: Sequence[Cell]) -> str:
    first, *others = cells
    rest = "".join(f"<td{_class(cell)}>{cell.content}</td>" for cell in others)
    return f'<tr><th scope="row"{_class(first)}>{first.content}</th>{rest}</tr>'


def _class(cell: Cell) -> str:
    return f' class="{cell.kind}"' if cell.kind else ""
