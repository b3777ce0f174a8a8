"""Errors of systems: how many of each kind, and which types leak (after TAB, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ..curves import frequency_by_type, leaks_by_type
from ..errors import ErrorKind
from ..evaluation import Report
from .drawing import FONT_SIZE, INK, QUIET, blank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH: Final = 7.0
"""Of the figure in inches: the text of a page."""

_COLOURS: Final = "#b4552d #2f6f8f #d9a441 #6b8f3c #7a5c99 #4a4f55".split()
_GROUP: Final = 0.8
"""Height of the bars of all systems together, of 1."""


def error_bars(reports: Mapping[str, Report]) -> Figure:
    """Draw the errors of systems by kind, and the share of each type in what leaks.

    Beside each type stands its share of the tokens to mask, as in TAB's Figure 5. Over-masked
    spans are no leak and only in the picture of kinds.

    Args:
        reports: by name of the system; at least one, each made with ``errors`` above 0.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    shares = frequency_by_type(next(iter(reports.values())))
    leaks = {name: leaks_by_type(report.errors) for name, report in reports.items()}
    types = sorted(
        {t for counts in leaks.values() for t in counts}, key=lambda t: -shares.get(t, 0)
    )
    rows = max(len(ErrorKind), len(types))
    height = 1.1 + rows * (0.14 + 0.13 * len(reports))
    figure, (kinds, by_type) = blank(_WIDTH, height, columns=2)
    counts = {
        name: [_of_kind(report, kind) for kind in ErrorKind] for name, report in reports.items()
    }
    _bars(kinds, [kind.value for kind in ErrorKind], counts, "{:,.0f}", rows)
    _title(kinds, "Errors by kind", "number of places")
    labels = [f"{type_} ({shares.get(type_, 0):.1%})" for type_ in types]
    leaking = {
        name: [found[type_] / max(found.total(), 1) for type_ in types]
        for name, found in leaks.items()
    }
    _bars(by_type, labels, leaking, "{:.1%}", rows)
    _title(by_type, "False negatives by type", "share; in parentheses, of the tokens to mask")
    if len(reports) > 1:
        handles, names = kinds.get_legend_handles_labels()
        figure.legend(
            handles, names, loc="outside lower center", ncols=3, frameon=False, fontsize=FONT_SIZE
        )
    return figure


def _bars(
    axes: Axes,
    labels: Sequence[str],
    values: Mapping[str, Sequence[float]],
    form: str,
    rows: int,
) -> None:
    """Draw a horizontal bar for each label and system, with its figure at the end.

    There is room for ``rows`` labels, so that bars are as thick in one picture as in the other.
    """
    thickness = _GROUP / len(values)
    for idx, (name, row) in enumerate(values.items()):
        places = [y - _GROUP / 2 + (idx + 0.5) * thickness for y in range(len(labels))]
        colour = _COLOURS[idx % len(_COLOURS)]
        bars = axes.barh(places, row, 0.86 * thickness, color=colour, label=name)
        shown = [form.format(value) for value in row]
        axes.bar_label(bars, shown, padding=2, fontsize=FONT_SIZE - 1, color=QUIET)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xticks([])
    # Room for the figure at the end of the longest bar.
    axes.set_xlim(0, 1.2 * max((value for row in values.values() for value in row), default=1) or 1)


def _title(axes: Axes, text: str, unit: str) -> None:
    axes.set_title(text, fontsize=FONT_SIZE + 1, color=INK, loc="left")
    axes.set_xlabel(unit, fontsize=FONT_SIZE - 1, color=QUIET, loc="left")


def _of_kind(report: Report, kind: ErrorKind) -> int:
    counts = report.errors.counts if report.errors else {}
    return sum(n for (found, _), n in counts.items() if found is kind)
