"""Where annotators disagree on the semantic type of a span (TAB, Figure 6)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from ..agreement import Agreement
from .drawing import FONT_SIZE, INK, QUIET, blank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES_A_TYPE: Final = 0.42
_COLOURS: Final = "YlOrRd"
_LIGHTEST: Final = 0.12
"""Share of the colour scale at which a single span stands, so that it is not white."""

_DARK: Final = 0.6
"""Share of the colour scale from which figures in a cell are white."""


def type_heat_map(found: Agreement) -> Figure:
    """Draw the number of spans that were given each pair of types, below the diagonal.

    Args:
        found: the agreement of a corpus; without a disagreement the figure says so.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    types = sorted({type_ for pair in found.type_disagreements for type_ in pair})
    side = 1.2 + _INCHES_A_TYPE * max(len(types) - 1, 4)
    figure, (axes,) = blank(side + 0.3, side)
    axes.set_title(
        f"Spans given two entity types, {found.documents} document{'s' * (found.documents != 1)}",
        fontsize=FONT_SIZE + 1,
        color=INK,
        loc="left",
    )
    if types:
        _draw(axes, found, types)
    else:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "none", ha="center", va="center", fontsize=FONT_SIZE, color=QUIET)
    return figure


def _draw(axes: Axes, found: Agreement, types: list[str]) -> None:
    import matplotlib
    from matplotlib.patches import Rectangle

    colours = matplotlib.colormaps[_COLOURS]
    hottest = max(found.type_disagreements.values())
    # Each pair has one cell: the row is the later type, the column the earlier one.
    columns, rows = types[:-1], types[1:]
    for pair in combinations(types, 2):
        x, y = columns.index(pair[0]), rows.index(pair[1])
        n = found.type_disagreements.get(pair, 0)
        heat = _LIGHTEST + (1 - _LIGHTEST) * n / hottest
        face = colours(heat) if n else "#f4f5f6"
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="white"))
        colour = QUIET if not n else "white" if heat > _DARK else INK
        axes.text(x, y, f"{n:,}", ha="center", va="center", fontsize=FONT_SIZE, color=colour)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
