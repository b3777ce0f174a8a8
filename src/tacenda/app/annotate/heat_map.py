"""A triangle of coloured cells, one a pair of names, as inline SVG without any style of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from markupsafe import Markup

_CELL: Final = 54
_LABEL: Final = 120
_SHADES: Final = 5
"""Classes ``heat-0`` to ``heat-5`` of the style sheet, which knows light and dark."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says, and how hot it is, in [0, 1]."""

    text: str = field(repr=False)
    heat: float


def triangle(
    names: Sequence[str], cells: Mapping[tuple[str, str], Cell], empty: str, title: str
) -> Markup:
    """Return the picture: a row for each name but the first, a column for each but the last.

    Args:
        names: in order.
        cells: by pair of names, the earlier first.
        empty: what a cell says for a pair that is not there.
        title: what a screen reader says of the picture.
    """
    size = _CELL * (len(names) - 1)
    width, height = _LABEL + size, size + _LABEL // 2
    parts = [
        f'<svg class="heat" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><title>{escape(title)}</title>'
    ]
    for row, name in enumerate(names[1:]):
        y = row * _CELL
        parts.append(_text(_LABEL - 10, y + _CELL // 2, name, "end"))
        for column, other in enumerate(names[: row + 1]):
            cell = cells.get((other, name))
            x = _LABEL + column * _CELL
            shade = 0 if cell is None else max(1, round(cell.heat * _SHADES))
            parts.append(
                f'<rect class="heat-{shade}" x="{x}" y="{y}" width="{_CELL - 2}" '
                f'height="{_CELL - 2}" rx="4"/>'
            )
            string = empty if cell is None else cell.text
            parts.append(_text(x + _CELL // 2, y + _CELL // 2, string, "middle", f"on-{shade}"))
    for column, name in enumerate(names[:-1]):
        x, y = _LABEL + column * _CELL + _CELL // 2, size + 16
        turned = f'transform="rotate(-35 {x} {y})"'
        parts.append(_text(x, y, name, "end", extra=turned))
    return Markup("".join([*parts, "</svg>"]))  # every string in it was escaped


def _text(x: int, y: int, string: str, anchor: str, kind: str = "name", extra: str = "") -> str:
    return (
        f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}" '
        f'dominant-baseline="middle" {extra}>{escape(string)}</text>'
    )
