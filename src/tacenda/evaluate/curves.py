"""Figures of a run for its page: curves, types (TAB, Figure 5), documents, texts in pieces.

Systems are measured once, by ``measure``; renderers take the values of this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from ..document import Span
from ..errors import InputError
from .errors import ErrorKind, ErrorReport, MaskingError, find_errors
from .evaluation import (
    EvaluationSettings,
    PairedTest,
    Report,
    compare,
    evaluate,
    evaluate_prepared,
    prepare_predicted,
)
from .gold import GoldDocument, GoldMention, select_split
from .matching import PreparedDocument, union_spans
from .metrics import (
    ENTITIES_DIRECT,
    ENTITIES_QUASI,
    MASKED_TOKENS,
    TOKENS,
    DocumentStatistics,
    Interval,
    Share,
    Tally,
    intervals,
    total,
)
from .systems import System

if TYPE_CHECKING:
    from .weights import InformationContent


def leaks_by_type(errors: ErrorReport | None) -> Counter[str]:
    """Count the false negatives of a system: the errors of every kind but over-masked."""
    leaked: Counter[str] = Counter()
    for (kind, type_), n in errors.counts.items() if errors else ():
        if kind is not ErrorKind.OVER_MASKED:
            leaked[type_] += n
    return leaked


def frequency_by_type(report: Report) -> dict[str, float]:
    """Return the share of each type in the tokens to mask."""
    tokens = {
        name.removeprefix(TOKENS): tally.total
        for name, tally in total(report.statistics).items()
        if name.startswith(TOKENS)
    }
    all_tokens = sum(tokens.values()) or 1
    return {type_: n / all_tokens for type_, n in tokens.items()}


# Curves: figures at each threshold with known masks of a system.


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Figures at a threshold.

    Attributes:
        threshold: in [0, 1].
        scores: as in a report, but None wherever there is nothing to divide by: a system without
            masks has no place on a curve.
    """

    threshold: float
    scores: Mapping[str, float | None]


def curve(
    prepared: Sequence[PreparedDocument],
    system: System,
    weights: InformationContent | None = None,
) -> tuple[CurvePoint, ...]:
    """Return the figures at each level of a system, in order of thresholds.

    Args:
        prepared: the documents of the report.
        system: with masks of each of them at every level.
        weights: information content, if weighted precision is wanted.

    Raises:
        InputError: a level lacks a document, or a span ends past its text.
    """
    points = []
    for threshold, masks in system.levels:
        missing = [d.document.id for d in prepared if d.document.id not in masks]
        if missing:
            raise InputError(
                f"at threshold {threshold:g} {len(missing)} of the {len(prepared)} evaluated "
                f"documents have no masks, such as {missing[0]!r}; all points of a curve must be "
                "on the same documents",
                system.name,
            )
        report = evaluate_prepared(prepared, masks, EvaluationSettings(weights=weights))
        scores = {
            name: None if name in report.undefined else value
            for name, value in report.scores.items()
        }
        points.append(CurvePoint(threshold, scores))
    return tuple(points)


# Words by semantic type: recall and precision with their confidence intervals.


@dataclass(frozen=True, slots=True)
class TypeShare:
    """A share of the words of one type.

    Attributes:
        type: semantic type by the annotators; ``NONE`` for words left unmarked.
        words: denominator of the share, counted once for each annotator.
        value: the share.
        interval: at the 95 % level; None without a bootstrap.
    """

    type: str
    words: int
    value: float
    interval: Interval | None


def recall_by_type(
    statistics: Sequence[DocumentStatistics], resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    """Return the recall of words to mask by type, the most frequent type first."""
    return _shares(statistics, TOKENS, resamples, seed)


def precision_by_type(
    statistics: Sequence[DocumentStatistics], resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    """Return the precision of masked words by type, the most frequently masked type first."""
    return _shares(statistics, MASKED_TOKENS, resamples, seed)


def _shares(
    statistics: Sequence[DocumentStatistics], prefix: str, resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    sums = {
        name.removeprefix(prefix): tally
        for name, tally in total(statistics).items()
        if name.startswith(prefix) and tally.total
    }
    metrics = [Share(type_, (prefix + type_,)) for type_ in sums]
    bounds = intervals(statistics, metrics, resamples, seed) if resamples else {}
    shares = [
        TypeShare(type_, int(tally.total), tally.hits / tally.total, bounds.get(type_))
        for type_, tally in sums.items()
    ]
    return tuple(sorted(shares, key=lambda share: (-share.words, share.type)))


# Worst documents: most left unmasked, direct identifiers first.


@dataclass(frozen=True, slots=True)
class DocumentErrors:
    """The errors of a system in one document, as tallies summed over its annotators.

    Attributes:
        document: its id.
        direct: entities masked, of the direct identifiers.
        quasi: the same of the quasi-identifiers.
        recall: words masked, of those to mask.
        precision: words that had to be masked, of those masked.
    """

    document: str
    direct: Tally
    quasi: Tally
    recall: Tally
    precision: Tally


def worst_documents(statistics: Sequence[DocumentStatistics], n: int) -> tuple[DocumentErrors, ...]:
    """Return up to ``n`` documents with errors, the worst first.

    Ordered by missed direct identifiers, then by missed words, then by words masked needlessly.
    """
    figures = [_figures(document) for document in statistics]
    faulty = [f for f in figures if any(map(_left, (f.direct, f.quasi, f.recall, f.precision)))]
    return tuple(sorted(faulty, key=_badness)[:n])


def _badness(figures: DocumentErrors) -> tuple[float, float, float, str]:
    return (
        -_left(figures.direct),
        -_left(figures.recall),
        -_left(figures.precision),
        figures.document,
    )


def _left(tally: Tally) -> float:
    return tally.total - tally.hits


def _figures(statistics: DocumentStatistics) -> DocumentErrors:
    tallies = statistics.tallies
    nothing = Tally(0, 0)
    return DocumentErrors(
        document=statistics.document,
        direct=tallies.get(ENTITIES_DIRECT, nothing),
        quasi=tallies.get(ENTITIES_QUASI, nothing),
        recall=_sum(tallies, TOKENS),
        precision=_sum(tallies, MASKED_TOKENS),
    )


def _sum(tallies: Mapping[str, Tally], prefix: str) -> Tally:
    parts = [tally for name, tally in tallies.items() if name.startswith(prefix)]
    return Tally(sum(tally.hits for tally in parts), sum(tally.total for tally in parts))


# Pieces of a document: the annotators' decisions, and the outcome of a system. Annotations overlap,
# across annotators and within one. A page can't show that, so a text is cut at every start and end
# of an annotation, and the properties of a piece hold for all of its characters.


class PieceOutcome(StrEnum):
    """The outcome of a system on a piece; the errors are those of ``evaluate``."""

    RIGHT = "right"
    MISSED = "missed"
    INCONSISTENT = "inconsistent"
    PARTIAL = "partial"
    OVER_MASKED = "over-masked"


@dataclass(frozen=True, slots=True)
class GoldPiece:
    """A stretch of text marked by annotators.

    Attributes:
        span: its place in the text.
        type: semantic type by the first annotator to mask it, else by any.
        identifier: DIRECT, QUASI or NO_MASK, the strongest.
        annotators: number of annotators to mask it.
    """

    span: Span
    type: str
    identifier: str
    annotators: int


@dataclass(frozen=True, slots=True)
class SystemPiece:
    """A stretch of text masked by a system, or missed.

    Attributes:
        span: its place in the text.
        outcome: correct, or the kind of error.
        type: semantic type by the annotators; ``NONE`` where none of them marked it, empty for
            white space, punctuation and the like.
    """

    span: Span
    outcome: PieceOutcome
    type: str


def gold_pieces(prepared: PreparedDocument) -> Iterator[GoldPiece]:
    """Yield the stretches marked by annotators, in order of the text."""
    mentions = [
        (entity.annotator, mention)
        for entity in prepared.document.entities
        for mention in entity.mentions
    ]
    for span, indexes in _cut([mention.span for _, mention in mentions]):
        here = [mentions[idx] for idx in indexes]
        wanting = [pair for pair in here if pair[1].needs_masking]
        visible = [mention for _, mention in wanting or here]
        yield GoldPiece(
            span=span,
            type=visible[0].type,
            identifier=_strongest(visible),
            annotators=len({annotator for annotator, _ in wanting}),
        )


def system_pieces(
    prepared: PreparedDocument, spans: Sequence[Span], errors: Sequence[MaskingError]
) -> Iterator[SystemPiece]:
    """Yield the masked and missed stretches of a system, in order of the text.

    Args:
        prepared: the document.
        spans: the system's masks in it.
        errors: all errors of the system in it.
    """
    masks = list(union_spans(spans))
    gold = [
        (mention.span, entity.type)
        for entity in prepared.entities
        for mention in entity.mentions
        if mention.needs_masking
    ]
    first_error = len(masks)
    first_gold = first_error + len(errors)
    layers = [*masks, *(Span(e.start, e.end) for e in errors), *(span for span, _ in gold)]
    for span, indexes in _cut(layers):
        is_masked = indexes[0] < first_error
        own_errors = [
            errors[idx - first_error] for idx in indexes if first_error <= idx < first_gold
        ]
        types = [gold[idx - first_gold][1] for idx in indexes if idx >= first_gold]
        fault = next(
            (e for e in own_errors if (e.kind is ErrorKind.OVER_MASKED) == is_masked), None
        )
        if fault is not None:
            yield SystemPiece(span, PieceOutcome(fault.kind.value), fault.type)
        elif is_masked:
            yield SystemPiece(span, PieceOutcome.RIGHT, types[0] if types else "")


def _cut(spans: Sequence[Span]) -> Iterator[tuple[Span, list[int]]]:
    """Yield the stretches covered by spans, cut at each of their ends.

    Each comes with the indexes of its covering spans, in order; linear in the size of input and
    output.
    """
    events: dict[int, tuple[list[int], list[int]]] = {}
    for idx, span in enumerate(spans):
        events.setdefault(span.start, ([], []))[0].append(idx)
        events.setdefault(span.end, ([], []))[1].append(idx)
    active: set[int] = set()
    last = 0
    for position in sorted(events):
        if active:
            yield Span(last, position), sorted(active)
        beginning, ending = events[position]
        active.difference_update(ending)
        active.update(beginning)
        last = position


def _strongest(mentions: Sequence[GoldMention]) -> str:
    identifiers = {mention.identifier.value for mention in mentions}
    return next(name for name in ("DIRECT", "QUASI", "NO_MASK") if name in identifiers)


PAGE_SETTINGS: Final = EvaluationSettings(bootstrap=1000)
_WORST: Final = 10
"""Documents of a system that are listed as the worst."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The figures of one system for its page.

    Attributes:
        system: its masks.
        report: its figures, as of ``evaluate``.
        curve: its figures by threshold; empty where its masks are known at one only.
        recall: by semantic type.
        precision: by the annotators' type of the masked word.
        errors: all of them.
        leaks: number of leaked mentions, by type.
        frequencies: share of each type in the words to mask.
        worst: the documents with most errors, at most ten.
        pieces: the text of each document cut by the system's masks, in the order of the run's.
    """

    system: System
    report: Report
    curve: tuple[CurvePoint, ...]
    recall: tuple[TypeShare, ...]
    precision: tuple[TypeShare, ...]
    errors: ErrorReport
    leaks: Mapping[str, int]
    frequencies: Mapping[str, float]
    worst: tuple[DocumentErrors, ...]
    pieces: tuple[tuple[SystemPiece, ...], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Systems on the same documents.

    Attributes:
        title: of the page.
        documents: the documents with masks of all systems.
        pieces: the text of each document, cut by the annotators' marks.
        findings: one for each system, in the order given.
        tests: each further system against the first.
        notes: remarks for the reader, in sentences.
    """

    title: str
    documents: tuple[PreparedDocument, ...]
    pieces: tuple[tuple[GoldPiece, ...], ...]
    findings: tuple[Findings, ...]
    tests: tuple[PairedTest, ...]
    notes: tuple[str, ...]


def measure(
    gold: Sequence[GoldDocument],
    systems: Sequence[System],
    settings: EvaluationSettings = PAGE_SETTINGS,
    *,
    title: str = "",
    **changes: Any,
) -> Run:
    """Measure all figures of a page.

    Args:
        gold: documents with their annotations.
        systems: at least one, of different names; the first is the baseline.
        settings: see ``EvaluationSettings``.
        title: of the page; the systems' names if empty.
        changes: settings by name.

    Raises:
        InputError: no document has gold and masks of all systems, a span ends past its text,
            no document is of the split, or a point of a curve lacks a document.
    """
    settings = replace(settings, **changes)
    if len(systems) == 1:
        report = evaluate(gold, systems[0].masks, settings)
        return run_of(gold, systems, [report], settings, notes=report.notes, title=title)
    masks = {system.name: system.masks for system in systems}
    result = compare(gold, masks, settings)
    reports = tuple(result.reports.values())
    return run_of(gold, systems, reports, settings, result.tests, result.notes, title)


def run_of(
    gold: Sequence[GoldDocument],
    systems: Sequence[System],
    reports: Sequence[Report],
    settings: EvaluationSettings,
    tests: Sequence[PairedTest] = (),
    notes: Sequence[str] = (),
    title: str = "",
) -> Run:
    """Measure the figures of a page beyond the reports of ``evaluate``, with the same settings.

    Args:
        gold: documents with their annotations.
        systems: those of the reports.
        reports: one a system.
        settings: of the reports.
        tests: each further system against the first.
        notes: of the evaluation.
        title: of the page; the systems' names if empty.
    """
    common = [
        document
        for document in select_split(gold, settings.split)
        if all(document.id in system.masks for system in systems)
    ]
    prepared = prepare_predicted(common, systems[0].masks, settings.ignored_tokens)
    findings = tuple(
        _findings(system, report, prepared, settings)
        for system, report in zip(systems, reports, strict=True)
    )
    names = ", ".join(system.name for system in systems)
    return Run(
        title=title or f"Evaluation of {names}",
        documents=prepared,
        pieces=tuple(tuple(gold_pieces(document)) for document in prepared),
        findings=findings,
        tests=tuple(tests),
        notes=tuple(notes),
    )


def _findings(
    system: System,
    report: Report,
    prepared: Sequence[PreparedDocument],
    settings: EvaluationSettings,
) -> Findings:
    n, seed = settings.bootstrap, settings.seed
    errors = find_errors((d, system.masks[d.document.id]) for d in prepared)
    by_document: dict[str, list[MaskingError]] = {d.document.id: [] for d in prepared}
    for error in errors.errors:
        by_document[error.document].append(error)
    return Findings(
        system=system,
        report=report,
        curve=curve(prepared, system, settings.weights),
        recall=recall_by_type(report.statistics, n, seed),
        precision=precision_by_type(report.statistics, n, seed),
        errors=errors,
        leaks=leaks_by_type(errors),
        frequencies=frequency_by_type(report),
        worst=worst_documents(report.statistics, _WORST),
        pieces=tuple(
            tuple(system_pieces(d, system.masks[d.document.id], by_document[d.document.id]))
            for d in prepared
        ),
    )
