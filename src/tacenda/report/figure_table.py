"""All figures of all systems, with intervals and paired tests, as one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..evaluate.comparison import PairedTest
from .marks import key
from .markup import UNDEFINED, Cell, figure, table, text
from .run import Findings, Run
from .strips import scale, strip

NAMES: Final = {
    "entity_recall_direct": "ER<sub>di</sub>, entity recall, direct identifiers",
    "entity_recall_quasi": "ER<sub>qi</sub>, entity recall, quasi-identifiers",
    "entity_recall": "ER, entity recall, both",
    "mention_recall": "mention recall",
    "token_recall": "R, token recall",
    "token_precision": "P, token precision",
    "weighted_token_precision": "WP, weighted token precision",
    "mention_precision": "mention precision",
    "token_f1": "F<sub>1</sub> of P and R",
    "token_f2": "F<sub>2</sub>, recall counts double",
    "text_kept": "characters kept",
    "words_masked": "words masked",
    "information_loss": "information loss by compression",
}
"""The figures in the order of the table, by the name shown: privacy, precision, text.

Others follow under their own names.
"""


def figure_table(run: Run) -> str:
    """Return the table; several systems are rows under each figure, the first one on top."""
    several = len(run.findings) > 1
    tests = {(test.metric, test.system): test for test in run.tests}
    head = [Cell("figure")]
    if several:
        head.append(Cell("system"))
    head.append(Cell("value", "n"))
    if any(found.report.intervals for found in run.findings):
        head.append(Cell("95 % interval", "n"))
    head.append(Cell(scale(), "picture"))
    if several:
        head += [Cell("difference", "n"), Cell("<i>p</i>", "n")]
    scores = run.findings[0].report.scores
    metrics = [name for name in NAMES if name in scores]
    metrics += [name for name in scores if name not in NAMES]
    rows = [cells for metric in metrics for cells in _rows(metric, run.findings, tests)]
    return table("", head, rows, "figures grouped" if several else "figures")


def _rows(
    metric: str, findings: Sequence[Findings], tests: Mapping[tuple[str, str], PairedTest]
) -> Iterator[list[Cell]]:
    for idx, found in enumerate(findings):
        value = found.report.scores[metric]
        interval = found.report.intervals.get(metric)
        name = NAMES.get(metric, text(metric.replace("_", " ")))
        cells = [Cell(name if idx == 0 else "", "first" if idx == 0 else "again")]
        if len(findings) > 1:
            cells.append(Cell(f"{key(idx)} {text(found.system.name)}"))
        cells.append(Cell(figure(value), "n"))
        if any(other.report.intervals for other in findings):
            shown = f"{interval.low:.3f} – {interval.high:.3f}" if interval else UNDEFINED
            cells.append(Cell(shown, "n quiet"))
        cells.append(Cell(strip(value, interval, idx), "picture"))
        if len(findings) > 1:
            cells += _test(tests.get((metric, found.system.name)), is_first=idx == 0)
        yield cells


def _test(test: PairedTest | None, *, is_first: bool) -> list[Cell]:
    if test is None:
        shown = "" if is_first else UNDEFINED
        return [Cell(shown, "n"), Cell(shown, "n")]
    difference = f"{test.difference:+.3f}".replace("-", "−")
    return [
        Cell(f'<data value="{test.difference!r}">{difference}</data>', "n"),
        Cell(f'<data value="{test.p_value!r}">{test.p_value:.3f}</data>', "n"),
    ]
