"""Pictures for papers, by matplotlib (extra ``[plot]``), always written to a file.

- ``type_heat_map``: disagreements of annotators on the semantic type (TAB, Figure 6)
- ``kappa_map``: agreement of annotators on replacements (Olstad et al., Figure 2)
- ``error_bars``: errors of systems by kind and type (after TAB, Figures 4 and 5)
- ``blank``, ``save``: the blank figure, and the file
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tacenda.atomic import write_atomically
from tacenda.errors import InputError, MissingExtraError
from tacenda.evaluate.agreement import Agreement
from tacenda.evaluate.curves import frequency_by_type, leaks_by_type
from tacenda.evaluate.errors import ErrorKind
from tacenda.evaluate.evaluation import Report
from tacenda.evaluate.replacement_gold import AnnotatorAgreement

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A blank figure in the common style: small sans serif, no frame.


INK: Final = "#1c2126"
QUIET: Final = "#79838c"
"""Colour of annotations beside the data."""

FONT_SIZE: Final = 8
"""In points; figures have the width at which they are printed."""


def blank(width: float, height: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure and its axes, from left to right.

    Args:
        width: width in inches.
        height: height in inches.
        columns: the number of axes.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("--plot", "plot", "tacenda-lab") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = [figure.add_subplot(1, columns, idx + 1) for idx in range(columns)]
    for one in axes:
        one.spines[:].set_visible(False)
        one.tick_params(length=0, labelsize=FONT_SIZE, labelcolor=INK)
    return figure, axes


# Errors of systems: the number of each kind, and the types that leak (after TAB, Figures 4 and 5).


_WIDTH: Final = 7.0
"""Width of the figure in inches: that of the text on a page."""

_BAR_COLOURS: Final = "#b4552d #2f6f8f #d9a441 #6b8f3c #7a5c99 #4a4f55".split()
_GROUP: Final = 0.8
"""Height of the bars of all systems together, of 1."""


def error_bars(reports: Mapping[str, Report]) -> Figure:
    """Draw systems' errors by kind, and each type's share of the leaks.

    Next to each type is its share of the tokens to mask, as in TAB's Figure 5. Over-masked spans
    aren't leaks and appear only among the kinds.

    Args:
        reports: reports by system name; at least one, each made with ``errors`` above 0.

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
        name: [counter[type_] / max(counter.total(), 1) for type_ in types]
        for name, counter in leaks.items()
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

    The axes have room for ``rows`` labels, so that bars are equally thick in all pictures.
    """
    thickness = _GROUP / len(values)
    for idx, (name, row) in enumerate(values.items()):
        places = [y - _GROUP / 2 + (idx + 0.5) * thickness for y in range(len(labels))]
        colour = _BAR_COLOURS[idx % len(_BAR_COLOURS)]
        bars = axes.barh(places, row, 0.86 * thickness, color=colour, label=name)
        captions = [form.format(value) for value in row]
        axes.bar_label(bars, captions, padding=2, fontsize=FONT_SIZE - 1, color=QUIET)
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
    return sum(n for (key, _), n in counts.items() if key is kind)


# Where annotators disagree on a span's semantic type (TAB, Figure 6).


_LIGHTEST: Final = 0.12
"""Share of the color scale for a single span, so that it isn't white."""


def type_heat_map(agreement: Agreement) -> Figure:
    """Draw the number of spans with each pair of types below the diagonal.

    Args:
        agreement: a corpus's agreement; if there is no disagreement, the figure says so.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    counts = agreement.type_disagreements
    types = sorted({type for pair in counts for type in pair})
    title = f"Spans given two entity types, {agreement.documents} document{'s' * (agreement.documents != 1)}"

    def cell(pair: tuple[str, str]) -> Cell:
        n = counts.get(pair, 0)
        heat = _LIGHTEST + (1 - _LIGHTEST) * n / max(counts.values())
        return f"{n:,}", heat if n else None

    return _triangle(title, types, cell, "YlOrRd", 1.2 + _INCHES * max(len(types) - 1, 4))


# How far each pair of annotators agrees on replacements (Olstad et al., Figure 2).


def kappa_map(agreement: AnnotatorAgreement) -> Figure:
    """Draw Cohen's κ for each pair of annotators below the diagonal, with a dash where it is undefined.

    Args:
        agreement: agreement on replacements; if there is no pair, the figure says so.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    light = "–" if agreement.light_kappa is None else f"{agreement.light_kappa:.2f}"
    annotators = agreement.annotators

    def cell(pair: tuple[str, str]) -> Cell:
        kappa = agreement.kappa.get(pair)
        return ("–", None) if kappa is None else (f"{kappa:.2f}", max(kappa, 0.0))

    return _triangle(
        f"Cohen's κ of pairs; their mean, Light's κ: {light}",
        annotators if agreement.kappa else (),
        cell,
        "YlGnBu",
        1.4 + _INCHES * max(len(annotators) - 1, 5),
    )


Cell = tuple[str, float | None]
"""What is written in a cell, and its place on the color scale; None for no color."""

_INCHES: Final = 0.42
"""Side of a cell."""
_DARK: Final = 0.6
"""Place on the color scale from which the text of a cell is white."""


def _triangle(
    title: str,
    names: Sequence[str],
    cell: Callable[[tuple[str, str]], Cell],
    colors: str,
    side: float,
) -> Figure:
    """Draw a cell for each pair of names, below the diagonal; without names, the word none."""
    figure, (axes,) = blank(side + 0.3, side)
    axes.set_title(title, fontsize=FONT_SIZE + 1, color=INK, loc="left")
    if not names:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "none", ha="center", va="center", fontsize=FONT_SIZE, color=QUIET)
        return figure
    import matplotlib
    from matplotlib.patches import Rectangle

    scale = matplotlib.colormaps[colors]
    # Each pair has one cell: the row is the later name, the column the earlier one.
    columns, rows = names[:-1], names[1:]
    for pair in combinations(names, 2):
        x, y = columns.index(pair[0]), rows.index(pair[1])
        text, heat = cell(pair)
        face = "#f4f5f6" if heat is None else scale(heat)
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="white"))
        color = QUIET if heat is None else "white" if heat > _DARK else INK
        axes.text(x, y, text, ha="center", va="center", fontsize=FONT_SIZE, color=color)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    return figure


# Writing a figure to a file, the same bytes for the same figure.


_METADATA: Final = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata with the time and version of a file's creation, by format."""

FORMATS: Final = tuple(_METADATA)

_DOTS_PER_INCH: Final = 300


def format_of(path: Path) -> str:
    """Return the picture format that a file name stands for.

    Raises:
        InputError: it is not supported.
    """
    name = path.suffix.lower().removeprefix(".")
    if name not in _METADATA:
        raise InputError(
            f"a picture can't be written as {path.suffix!r}; choose "
            f"{', '.join(f'.{extension}' for extension in FORMATS)}",
            str(path),
        )
    return name


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, SVG or PDF, depending on the file name.

    Raises:
        InputError: the file name has another format.
        OutputError: the file can't be written.
    """
    from matplotlib import rc_context

    name = format_of(path)
    # Without a salt the ids in an SVG are random; with fonttype none its text stays text.
    with rc_context({"svg.hashsalt": "tacenda", "svg.fonttype": "none"}):
        picture = BytesIO()
        figure.savefig(picture, format=name, dpi=_DOTS_PER_INCH, metadata=_METADATA[name])
    write_atomically(path, picture.getvalue())


# Figures of commands for ``--plot``, drawn and saved.


def save_heat_map(agreement: Agreement, path: Path) -> None:
    """Draw the heat map of disagreements on types into a file."""
    save(type_heat_map(agreement), path)


def save_error_bars(reports: Mapping[str, Report], path: Path) -> None:
    """Draw the errors of systems into a file."""
    save(error_bars(reports), path)
