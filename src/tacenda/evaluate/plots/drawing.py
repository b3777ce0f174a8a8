"""A blank figure in the style of all: small sans serif, no frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK: Final = "#1c2126"
QUIET: Final = "#79838c"
"""Of what is said beside the data."""

FONT_SIZE: Final = 8
"""In points; figures have the width at which they are printed."""


def blank(width: float, height: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure and its axes, from left to right.

    Args:
        width: of the figure, in inches.
        height: in inches.
        columns: number of axes.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("--plot", "plot") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = [figure.add_subplot(1, columns, idx + 1) for idx in range(columns)]
    for one in axes:
        one.spines[:].set_visible(False)
        one.tick_params(length=0, labelsize=FONT_SIZE, labelcolor=INK)
    return figure, axes
