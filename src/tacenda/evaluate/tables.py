"""Tables for reports in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..wording import counted, metric_label
from .errors import ErrorReport, MaskingError
from .evaluation import PairedTest, Report
from .metrics import WEIGHTED_PRECISION, Interval
from .weights import BENCHMARK

if TYPE_CHECKING:
    from .utility import Utility


def count_table(
    title: str, header: Sequence[str], rows: Iterable[Sequence[str | int | Text]]
) -> Table:
    """Return a table whose first column has names and whose other columns have numbers.

    Args:
        title: the title above the table.
        header: the column names.
        rows: the cells; integers get thousands separators.
    """
    table = Table(title=title, title_justify="left")
    for idx, name in enumerate(header):
        table.add_column(name, justify="right" if idx else "left", overflow="fold")
    for row in rows:
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else cell for cell in row))
    return table


def format_share(n: int, total: int) -> str:
    """Return ``n`` with its percentage of ``total``."""
    return f"{n:,} ({n / total:.1%})" if total else f"{n:,}"


def format_coefficient(value: float | None) -> str:
    """Return a coefficient with three digits, or a dash if it is undefined."""
    return "–" if value is None else f"{value:.3f}"


def print_reports(console: Console, reports: Mapping[str, Report], *, types: bool) -> None:
    """Print the figures of systems side by side.

    Args:
        console: where to print.
        reports: reports by system name, at least one.
        types: whether to break recall and precision down by semantic type.
    """
    first = next(iter(reports.values()))
    rows = [
        (
            _title(metric, first),
            *(
                _estimate(each.scores[metric], each.intervals.get(metric))
                for each in reports.values()
            ),
        )
        for metric in first.scores
    ]
    console.print(count_table(f"{first.documents} documents", ["figure", *reports], rows))
    if types:
        recalls = {name: report.token_recall_by_type for name, report in reports.items()}
        precisions = {name: report.token_precision_by_type for name, report in reports.items()}
        console.print(_type_table("token recall by type", recalls))
        console.print(_type_table("token precision by the annotators' type", precisions))
    for extra, figures in first.extras.items():
        systems = {name: report.extras[extra] for name, report in reports.items()}
        console.print(figures.table(systems))
    for name, report in reports.items():
        label = f"{name}: " if len(reports) > 1 else ""
        console.print(Text(f"{label}{report.signature}", style="dim"), soft_wrap=True)


def _title(metric: str, report: Report) -> str:
    if metric == WEIGHTED_PRECISION.name and f"weight:{BENCHMARK}:" in report.signature:
        return "WP, weighted token precision"  # only the weights of the benchmark give it
    return metric_label(metric)


def print_tests(console: Console, tests: Sequence[PairedTest]) -> None:
    """Print how each system differs from the first, with p-values."""
    if not tests:
        return
    systems = dict.fromkeys(test.system for test in tests)
    title = f"difference from {tests[0].baseline} (p, paired randomization over documents)"
    cells = {(t.metric, t.system): f"{t.difference:+.3f} ({t.p_value:.3f})" for t in tests}
    rows = (
        (
            metric_label(metric),
            *(cells.get((metric, name), "undefined") for name in systems),
        )
        for metric in dict.fromkeys(test.metric for test in tests)
    )
    console.print(count_table(title, ["figure", *systems], rows))


def print_errors(console: Console, name: str, errors: ErrorReport) -> None:
    """Print the numbers of errors by kind and type, then the listed errors."""
    types = sorted({type_ for _, type_ in errors.counts})
    rows = (
        (kind.value, *(errors.counts.get((kind, type_), 0) for type_ in types))
        for kind in dict.fromkeys(kind for kind, _ in errors.counts)
    )
    console.print(count_table(f"{name}: errors by kind and type", ["kind", *types], rows))
    for error in errors.errors:
        console.print(_line(error), soft_wrap=True)


def _line(error: MaskingError) -> Text:
    line = Text()
    line.append(f"{error.kind.value:12} {error.type:9} {error.identifier or '-':7} ", "dim")
    line.append(f"{error.document} {error.start}-{error.end} ", "dim")
    line.append(_printable(error.before))
    line.append(f"[{_printable(error.text)}]", "bold green" if error.identifier else "bold yellow")
    line.append(_printable(error.after))
    return line


def _printable(text: str) -> str:
    """Return text on one line, without control characters and lone surrogates."""
    clean = "".join(char if char.isprintable() or char.isspace() else "�" for char in text)
    return " ".join(clean.split(" ")).replace("\n", "⏎").replace("\r", "⏎").replace("\t", " ")


def _estimate(value: float | None, interval: Interval | None) -> str:
    text = _figure(value)
    return f"{text} [{interval.low:.3f}, {interval.high:.3f}]" if interval else text


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _type_table(title: str, by_system: Mapping[str, Mapping[str, float]]) -> Table:
    rows = (
        (type_, *(_figure(shares.get(type_)) for shares in by_system.values()))
        for type_ in dict.fromkeys(type_ for shares in by_system.values() for type_ in shares)
    )
    return count_table(title, ["type", *by_system], rows)


def utility_table(systems: Mapping[str, Utility]) -> Table:
    """Return a table of the systems' utility and its parts side by side, with intervals.

    Args:
        systems: utilities by system name, at least one.
    """
    first = next(iter(systems.values()))
    documents = len(first.by_document)
    rows = []
    for figure in first.figures:
        estimates = (utility.figures[figure] for utility in systems.values())
        cells = (_estimate(each.value, each.interval) for each in estimates)
        rows.append((figure.replace("_", ", "), *cells))
    title = f"utility of {counted(documents, 'document')} (95 % interval)"
    return count_table(title, ["figure", *systems], rows)
