"""Precision, recall and the threshold: two charts, their numbers, and what they don't show."""

from __future__ import annotations

from typing import Final

from .charts import by_threshold, precision_recall
from .marks import key
from .markup import Cell, figure, table, text
from .run import Findings, Run

_COLUMNS: Final = {
    "token_recall": "R",
    "entity_recall_direct": "ER<sub>di</sub>",
    "entity_recall_quasi": "ER<sub>qi</sub>",
    "token_precision": "P",
    "token_f1": "F<sub>1</sub>",
    "token_f2": "F<sub>2</sub>",
    "text_kept": "characters kept",
}


def curve_section(run: Run) -> str:
    """Return the charts, a legend, notes and the table behind the curves."""
    charts = [_figure(precision_recall(run.findings), _legend(run))]
    for found in run.findings:
        if found.curve:
            name = text(found.system.name)
            caption = f"{name}: recall and precision; dashed: threshold of the operating point"
            charts.append(_figure(by_threshold(found), caption))
    names: dict[str, list[str]] = {}
    for found in run.findings:
        names.setdefault(_note(found), []).append(text(found.system.name))
    notes = "".join(f"<li>{', '.join(theirs)}: {note}</li>" for note, theirs in names.items())
    tables = "".join(_numbers(found) for found in run.findings if found.curve)
    return f'<div class="charts">{"".join(charts)}</div><ul class="notes">{notes}</ul>{tables}'


def _figure(chart: str, caption: str) -> str:
    return f"<figure>{chart}<figcaption>{caption}</figcaption></figure>\n"


def _legend(run: Run) -> str:
    names = "".join(
        f'<span class="legend">{key(idx)} {text(found.system.name)}</span> '
        for idx, found in enumerate(run.findings)
    )
    has_intervals = any(found.report.intervals for found in run.findings)
    whiskers = ", with 95 % intervals" if has_intervals else ""
    return f"{names}Large: operating point{whiskers}; small: thresholds"


def _note(found: Findings) -> str:
    system = found.system
    at = "" if system.threshold is None else f" at threshold {system.threshold:g}"
    if not found.curve:
        return (
            f"only the point of the masks{at} is drawn. Masks say nothing of other "
            "thresholds; results of <code>tacenda sanitize --to json</code> do, and so do "
            "several files given as <code>NAME@THRESHOLD=FILE</code>."
        )
    if not system.follows:
        return f"one point a file; the operating point is the first file given{at}."
    if system.threshold is None:
        at = " (its threshold differs by type, or is not stated)"
    return (
        f"the operating point is the run as it was made{at}. The curve follows from the "
        "risks in its results, one threshold for all types; direct identifiers and what lists "
        "or targets decide are masked throughout. A run at another threshold would also join "
        "neighbouring masks."
    )


def _numbers(found: Findings) -> str:
    head = [Cell("threshold", "n"), *(Cell(name, "n") for name in _COLUMNS.values())]
    rows = (
        [Cell(f"{point.threshold:.2f}", "n")]
        + [Cell(figure(point.scores[metric]), "n") for metric in _COLUMNS]
        for point in found.curve
    )
    content = table("", head, rows, "numbers")
    name = text(found.system.name)
    return f"<details><summary>Figures of {name} by threshold</summary>{content}</details>\n"
