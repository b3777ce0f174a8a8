"""Systems on a corpus as one page: figures, curves, errors, and texts side by side.

Errors by kind and type are Figure 4 of the Text Anonymization Benchmark, leaks by type its Figure
5. The page contains the texts of all documents in the report, so protect it as you protect them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..wording import ERRORS, METRIC_COLUMNS, METRICS, in_words
from . import charts, count
from . import page as whole_page

if TYPE_CHECKING:
    from ..document import Span
    from ..evaluate.curves import Findings, GoldPiece, Run, SystemPiece, TypeShare
    from ..evaluate.matching import PreparedDocument

_OVER_MASKED: Final = "over-masked"
_SHADES: Final = 5
"""Shades of a cell, the darkest for the most frequent error."""

_IDENTIFIERS: Final = {"DIRECT": "direct", "QUASI": "quasi", "NO_MASK": "kept"}


def page(run: Run) -> str:
    """Return the page of a run, which is always the same for the same run."""
    return whole_page(
        "evaluation.html",
        script="evaluation.js",
        run=run,
        charts=charts,
        summary=_summary(run),
        several=len(run.findings) > 1,
        has_intervals=any(one.report.intervals for one in run.findings),
        metrics=_metrics(run),
        tests={(test.metric, test.system): test for test in run.tests},
        columns=METRIC_COLUMNS,
        notes=_notes_of_curves(run),
        recall=_by_type([one.recall for one in run.findings]),
        precision=_by_type([one.precision for one in run.findings]),
        errors=[_error_counts(one) for one in run.findings],
        leaks=[_leaks(one) for one in run.findings],
        places={d.document.id: number for number, d in enumerate(run.documents)},
        types=sorted(_types(run)),
        documents=_documents(run),
    )


def _summary(run: Run) -> list[tuple[str, str]]:
    systems = [one.system.name for one in run.findings]
    return [
        ("System" if len(systems) == 1 else "Systems", ", ".join(systems)),
        ("Documents", count(len(run.documents))),
        ("Annotations", count(sum(len(one.annotators) for one in run.documents))),
        ("Words", count(sum(len(one.words) for one in run.documents))),
    ]


def _metrics(run: Run) -> list[str]:
    scores = run.findings[0].report.scores
    names = [name for name in METRICS if name in scores]
    return names + [name for name in scores if name not in METRICS]


def _notes_of_curves(run: Run) -> dict[tuple[bool, bool, float | None], list[str]]:
    """Group the systems by kind of curve: whether there is one, whether it comes from results, its threshold."""
    notes: dict[tuple[bool, bool, float | None], list[str]] = {}
    for one in run.findings:
        kind = (bool(one.curve), one.system.follows, one.system.threshold)
        notes.setdefault(kind, []).append(one.system.name)
    return notes


def _by_type(
    shares: Sequence[Sequence[TypeShare]],
) -> list[tuple[str, list[TypeShare | None]]]:
    """Return all systems' shares by type: the first system's types in its order, then the others'."""
    types = dict.fromkeys(share.type for one in shares for share in one)
    tables = [{share.type: share for share in one} for one in shares]
    return [(type_, [table.get(type_) for table in tables]) for type_ in types]


class ErrorCell(NamedTuple):
    """The number of errors of a kind and a type, and the shade of its cell."""

    errors: int
    shade: int


class ErrorCounts(NamedTuple):
    """A system's errors by kind, in the order of ``ERRORS``; the most frequent types come first."""

    types: list[str]
    rows: list[tuple[str, list[ErrorCell], int]]


def _error_counts(findings: Findings) -> ErrorCounts:
    counts = {(str(kind), type_): n for (kind, type_), n in findings.errors.counts.items()}
    totals: Counter[str] = Counter()
    for (_, type_), n in counts.items():
        totals[type_] += n
    types = sorted(totals, key=lambda type_: (-totals[type_], type_))
    rows = []
    for kind in ERRORS:
        # Leaks and over-masking aren't comparable, so each has its own shades.
        maximum = max(
            (n for (k, _), n in counts.items() if (k == _OVER_MASKED) == (kind == _OVER_MASKED)),
            default=1,
        )
        numbers = [counts.get((kind, type_), 0) for type_ in types]
        cells = [ErrorCell(n, -(-n * _SHADES // maximum)) for n in numbers]
        rows.append((kind, cells, sum(numbers)))
    return ErrorCounts(types, rows)


class TypeLeak(NamedTuple):
    """The leaked mentions of a type, along with the type's share of all words to mask."""

    type: str
    mentions: int
    share: float
    frequency: float


def _leaks(findings: Findings) -> list[TypeLeak]:
    """Return the types with leaks, the most frequent first."""
    total = sum(findings.leaks.values())
    return [
        TypeLeak(type_, n, n / total, findings.frequencies.get(type_, 0.0))
        for type_, n in sorted(findings.leaks.items(), key=lambda item: (-item[1], item[0]))
    ]


def _types(run: Run) -> set[str]:
    types = {entity.type for prepared in run.documents for entity in prepared.entities}
    return types | {type_ for one in run.findings for _, type_ in one.errors.counts}


class TextMark(NamedTuple):
    """A mark on a piece of text; without a type it is only colored."""

    kind: str
    type: str = ""
    title: str = ""


Line = list[tuple[str, TextMark | None]]
"""The stretches of a line of text."""


class TextRows(NamedTuple):
    """A document line by line; each row has one line for the annotators and one per system."""

    id: str
    rows: list[tuple[Line, ...]]


def _documents(run: Run) -> Iterator[TextRows]:
    for number, prepared in enumerate(run.documents):
        text = prepared.document.text
        columns = [_lines(text, _gold_marks(prepared, run.pieces[number]))]
        columns += (_lines(text, _system_marks(one.pieces[number])) for one in run.findings)
        lines = zip(text.split("\n"), *columns, strict=True)
        rows = [cells for line, *cells in lines if line.strip()]
        yield TextRows(prepared.document.id, [tuple(cells) for cells in rows])


def _gold_marks(
    prepared: PreparedDocument, pieces: Iterable[GoldPiece]
) -> Iterator[tuple[Span, TextMark]]:
    n = len(prepared.annotators)
    for piece in pieces:
        agreement = f", wanted by {piece.annotators} of {n}" if n > 1 else ""
        title = f"{in_words(piece.type)}, {in_words(piece.identifier)}{agreement}"
        yield piece.span, TextMark(f"g {_IDENTIFIERS[piece.identifier]}", piece.type, title)


def _system_marks(pieces: Iterable[SystemPiece]) -> Iterator[tuple[Span, TextMark]]:
    for piece in pieces:
        if piece.type:
            title = f"{piece.outcome}, {in_words(piece.type)}"
            yield piece.span, TextMark(f"s {piece.outcome}", piece.type, title)
        else:
            yield piece.span, TextMark("between")


def _lines(text: str, marks: Iterable[tuple[Span, TextMark]]) -> list[Line]:
    """Return the lines of a text; marks are in order, don't overlap, and end at the end of each line."""
    lines: list[Line] = [[]]
    position = 0
    for span, mark in marks:
        _add(lines, text[position : span.start], None)
        _add(lines, span.of(text), mark)
        position = span.end
    _add(lines, text[position:], None)
    return lines


def _add(lines: list[Line], stretch: str, mark: TextMark | None) -> None:
    for idx, line in enumerate(stretch.split("\n")):
        if idx:
            lines.append([])
        if line:
            lines[-1].append((line, mark))
