"""The figures on the page of a run: curves, types (TAB, Figure 5), documents, and texts in pieces.

``measure`` measures the systems once; renderers use the values in this module.
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
    """Count a system's false negatives: all errors except over-masking."""
    leaked: Counter[str] = Counter()
    for (kind, type_), n in errors.counts.items() if errors else ():
        if kind is not ErrorKind.OVER_MASKED:
            leaked[type_] += n
    return leaked


def frequency_by_type(report: Report) -> dict[str, float]:
    """Return each type's share of the tokens to mask."""
    tokens = {
        name.removeprefix(TOKENS): tally.total
        for name, tally in total(report.statistics).items()
        if name.startswith(TOKENS)
    }
    all_tokens = sum(tokens.values()) or 1
    return {type_: n / all_tokens for type_, n in tokens.items()}


# Curves: the figures at each threshold for which a system's masks are known.


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The figures at one threshold.

    Attributes:
        threshold: in [0, 1].
        scores: as in a report, but None if the denominator is 0: a system without masks has no
            point on the curve.
    """

    threshold: float
    scores: Mapping[str, float | None]


def curve(
    prepared: Sequence[PreparedDocument],
    system: System,
    weights: InformationContent | None = None,
) -> tuple[CurvePoint, ...]:
    """Return the figures at each of a system's levels, in order of thresholds.

    Args:
        prepared: the report's documents.
        system: has masks for each of them at every level.
        weights: information content for weighted precision, or None.

    Raises:
        InputError: if a level lacks a document, or a span ends past its text.
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
    """A share of the words of one semantic type.

    Attributes:
        type: the annotators' semantic type; ``NONE`` for unmarked words.
        words: the denominator, counted once per annotator.
        value: the share.
        interval: the 95 % confidence interval; None without a bootstrap.
    """

    type: str
    words: int
    value: float
    interval: Interval | None


def recall_by_type(
    statistics: Sequence[DocumentStatistics], resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    """Return the recall of the words to mask, by type, the most frequent type first."""
    return _shares(statistics, TOKENS, resamples, seed)


def precision_by_type(
    statistics: Sequence[DocumentStatistics], resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    """Return the precision of the masked words, by type, the most frequently masked type first."""
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


# The worst documents: those with most left unmasked, direct identifiers first.


@dataclass(frozen=True, slots=True)
class DocumentErrors:
    """A system's errors in one document, as tallies summed over its annotators.

    Attributes:
        document: the document's id.
        direct: masked entities, out of the direct identifiers.
        quasi: masked entities, out of the quasi-identifiers.
        recall: masked words, out of those to mask.
        precision: words that had to be masked, out of those masked.
    """

    document: str
    direct: Tally
    quasi: Tally
    recall: Tally
    precision: Tally


def worst_documents(statistics: Sequence[DocumentStatistics], n: int) -> tuple[DocumentErrors, ...]:
    """Return up to ``n`` documents with errors, the worst first.

    They are ordered by missed direct identifiers, then missed words, then needlessly masked words.
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


# Pieces of a document, with the annotators' decisions and the outcome of a system. Annotations
# overlap, even those of one annotator, which a page can't show. So a text is cut at the start and
# end of every annotation, and a piece's properties apply to all its characters.


class PieceOutcome(StrEnum):
    """A system's outcome on a piece; the errors are those of ``evaluate``."""

    RIGHT = "right"
    MISSED = "missed"
    INCONSISTENT = "inconsistent"
    PARTIAL = "partial"
    OVER_MASKED = "over-masked"


@dataclass(frozen=True, slots=True)
class GoldPiece:
    """A piece of text marked by annotators.

    Attributes:
        span: its position in the text.
        type: the semantic type given by the first annotator who masks it, or else by any annotator.
        identifier: the strongest of DIRECT, QUASI and NO_MASK.
        annotators: number of annotators who mask it.
    """

    span: Span
    type: str
    identifier: str
    annotators: int


@dataclass(frozen=True, slots=True)
class SystemPiece:
    """A piece of text that a system masked or missed.

    Attributes:
        span: its position in the text.
        outcome: correct, or the kind of error.
        type: the annotators' semantic type; ``NONE`` if none of them marked it, empty for white
            space, punctuation and the like.
    """

    span: Span
    outcome: PieceOutcome
    type: str


def gold_pieces(prepared: PreparedDocument) -> Iterator[GoldPiece]:
    """Yield the pieces marked by annotators, in text order."""
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
    """Yield the pieces that a system masked or missed, in text order.

    Args:
        prepared: the document.
        spans: the system's masks in the document.
        errors: all of the system's errors in the document.
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
    """Yield the pieces covered by spans, cut at the start and end of each span.

    Each comes with the indexes of the spans that cover it, in order. Takes time linear in the size
    of input and output.
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
    """The figures of one system for the page.

    Attributes:
        system: its masks.
        report: its figures from ``evaluate``.
        curve: its figures by threshold; empty if its masks are known at only one.
        recall: recall by semantic type.
        precision: precision by the annotators' type of the masked word.
        errors: all errors.
        leaks: number of leaked mentions, by type.
        frequencies: each type's share of the words to mask.
        worst: up to ten documents with the most errors.
        pieces: the text of each document cut by the system's masks, in the order of the run's
            documents.
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
        title: title of the page.
        documents: the documents for which all systems have masks.
        pieces: the text of each document, cut by the annotators' marks.
        findings: one per system, in the order given.
        tests: tests of each other system against the first.
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
    """Measure all figures for a page.

    Args:
        gold: documents with their annotations.
        systems: at least one, with distinct names; the first is the baseline.
        settings: see ``EvaluationSettings``.
        title: title of the page; the systems' names if empty.
        changes: settings by name.

    Raises:
        InputError: if no document has gold annotations and masks of all systems, a span ends past
            its text, no document is in the split, or a point of a curve lacks a document.
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
    """Measure the figures that a page shows in addition to the reports of ``evaluate``, with the same settings.

    Args:
        gold: documents with their annotations.
        systems: the systems in the reports.
        reports: one report per system.
        settings: the settings of the reports.
        tests: tests of each other system against the first.
        notes: notes of the evaluation.
        title: title of the page; the systems' names if empty.
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
