"""How far each two annotators agree on what is written (Olstad et al., Figure 2)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from ..replacement_gold import AnnotatorAgreement
from .drawing import FONT_SIZE, INK, QUIET, blank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES: Final = 0.42
"""Side of a cell."""
_COLOURS: Final = "YlGnBu"
_DARK: Final = 0.6
"""Share of the colour scale from which figures in a cell are white."""


def kappa_map(found: AnnotatorAgreement) -> Figure:
    """Draw Cohen's κ of each pair of annotators, below the diagonal; a dash where it is undefined.

    Args:
        found: agreement on what is written; without a pair the figure says so.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    side = 1.4 + _INCHES * max(len(found.annotators) - 1, 5)
    figure, (axes,) = blank(side + 0.3, side)
    light = "–" if found.light_kappa is None else f"{found.light_kappa:.2f}"
    axes.set_title(
        f"Cohen's κ of pairs; their mean, Light's κ: {light}",
        fontsize=FONT_SIZE + 1,
        color=INK,
        loc="left",
    )
    if found.kappa:
        _draw(axes, found)
    else:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "none", ha="center", va="center", fontsize=FONT_SIZE, color=QUIET)
    return figure


def _draw(axes: Axes, found: AnnotatorAgreement) -> None:
    import matplotlib
    from matplotlib.patches import Rectangle

    colours = matplotlib.colormaps[_COLOURS]
    columns, rows = found.annotators[:-1], found.annotators[1:]
    for one, other in combinations(found.annotators, 2):
        x, y = columns.index(one), rows.index(other)
        kappa = found.kappa.get((one, other))
        heat = max(kappa or 0.0, 0.0)
        face = "#f4f5f6" if kappa is None else colours(heat)
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="white"))
        colour = QUIET if kappa is None else "white" if heat > _DARK else INK
        label = "–" if kappa is None else f"{kappa:.2f}"
        axes.text(x, y, label, ha="center", va="center", fontsize=FONT_SIZE, color=colour)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
