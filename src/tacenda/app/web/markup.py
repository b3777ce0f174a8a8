"""Rows as elements of the page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from ..review.redecide import Reviewed
from .rows import Row, rows


@dataclass(frozen=True, slots=True)
class RowElement:
    """A row as HTML: in its place, or to be put there by htmx (out of band)."""

    row: Row

    @property
    def html(self) -> Markup:
        """Return the element."""
        return self._element("")

    @property
    def html_oob(self) -> Markup:
        """Return the element that takes the place of the one with its id."""
        return self._element(' hx-swap-oob="true"')

    def _element(self, attribute: str) -> Markup:
        row = self.row
        same = " same" if row.same else ""
        # Safe: ``rows`` has escaped everything that is not its own.
        return Markup(
            f'<div class="row{same}" id="row-{row.number}"{attribute}>'
            f'<div class="original" data-start="{row.start}" dir="auto">{row.original}</div>'
            f'<div class="result" dir="auto">{row.result}</div></div>'
        )


def row_elements(reviewed: Reviewed) -> list[RowElement]:
    """Return the rows of a document."""
    return [RowElement(row) for row in rows(reviewed)]


def changed_rows(before: Reviewed, after: Reviewed) -> list[RowElement] | None:
    """Return the rows that differ; None if the rows are not the same paragraphs."""
    old, new = rows(before), rows(after)
    if [row.start for row in old] != [row.start for row in new]:
        return None
    return [RowElement(row) for row, known in zip(new, old, strict=True) if row != known]
