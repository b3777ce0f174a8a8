"""Everything that a page shows of a run, measured once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..evaluate.comparison import PairedTest, compare
from ..evaluate.errors import ErrorReport, MaskingError, find_errors
from ..evaluate.evaluation import evaluate, prepare_predicted
from ..evaluate.gold import GoldDocument, select_split
from ..evaluate.information import InformationContent
from ..evaluate.matching import IgnoredTokens, PreparedDocument
from ..evaluate.report import Report
from .by_type import TypeShare, precision_by_type, recall_by_type
from .curve import CurvePoint, curve
from .systems import System
from .texts import GoldPiece, SystemPiece, gold_pieces, system_pieces
from .worst import DocumentFigures, worst_documents

_WORST: Final = 10
"""Documents of a system that are listed as the worst."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found of one system.

    Attributes:
        system: what it masked.
        report: its figures, as of ``evaluate``.
        curve: its figures by threshold; empty where its masks are known at one only.
        recall: by semantic type.
        precision: by the annotators' type of the masked word.
        errors: all of them.
        worst: the documents with most left or masked in vain, at most ten.
        pieces: the text of each document as the system masked it, in the order of the run's.
    """

    system: System
    report: Report
    curve: tuple[CurvePoint, ...]
    recall: tuple[TypeShare, ...]
    precision: tuple[TypeShare, ...]
    errors: ErrorReport
    worst: tuple[DocumentFigures, ...]
    pieces: tuple[tuple[SystemPiece, ...], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Systems on the same documents.

    Attributes:
        title: of the page.
        documents: those that all systems have masks for.
        pieces: the text of each document as the annotators marked it.
        findings: one for each system, in the order given.
        tests: each other system against the first.
        notes: what the reader must know, in sentences.
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
    *,
    title: str = "",
    split: str | None = None,
    ignored_tokens: IgnoredTokens | None = None,
    weights: InformationContent | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> Run:
    """Measure all that a page shows.

    Args:
        gold: documents with their annotations.
        systems: at least one, of different names; the first is what others are compared with.
        title: of the page; the systems' names if empty.
        split: count only documents of this split.
        ignored_tokens: tokens that need no mask; None for the built-in closed-class words.
        weights: information content for weighted precision; None leaves that figure out.
        bootstrap: number of resamples for confidence intervals; 0 for none.
        seed: of the bootstrap and of the paired test.

    Raises:
        InputError: no document has gold and masks of all systems, a span ends past its text,
            no document is of ``split``, or a point of a curve lacks a document.
    """
    reports, tests, notes = _reports(
        gold,
        systems,
        split=split,
        ignored_tokens=ignored_tokens,
        weights=weights,
        bootstrap=bootstrap,
        seed=seed,
    )
    return run_of(
        gold,
        systems,
        reports,
        tests,
        notes,
        title=title,
        split=split,
        ignored_tokens=ignored_tokens,
        weights=weights,
        bootstrap=bootstrap,
        seed=seed,
    )


def run_of(
    gold: Sequence[GoldDocument],
    systems: Sequence[System],
    reports: Sequence[Report],
    tests: Sequence[PairedTest] = (),
    notes: Sequence[str] = (),
    *,
    title: str = "",
    split: str | None = None,
    ignored_tokens: IgnoredTokens | None = None,
    weights: InformationContent | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> Run:
    """Measure what a page shows beside the reports of ``evaluate``, made with the same options.

    Args:
        gold: documents with their annotations.
        systems: those that the reports are of.
        reports: one a system.
        tests: each other system against the first.
        notes: of the evaluation.
        title: as for ``measure``, and so are the others.
        split: count only documents of this split.
        ignored_tokens: tokens that need no mask.
        weights: information content for weighted precision.
        bootstrap: number of resamples.
        seed: of the bootstrap.
    """
    common = [
        document
        for document in select_split(gold, split)
        if all(document.id in system.masks for system in systems)
    ]
    prepared = prepare_predicted(common, systems[0].masks, ignored_tokens)
    findings = tuple(
        _findings(system, report, prepared, weights, bootstrap, seed)
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
    weights: InformationContent | None,
    bootstrap: int,
    seed: int,
) -> Findings:
    errors = find_errors((d, system.masks[d.document.id]) for d in prepared)
    by_document: dict[str, list[MaskingError]] = {d.document.id: [] for d in prepared}
    for error in errors.errors:
        by_document[error.document].append(error)
    return Findings(
        system=system,
        report=report,
        curve=curve(prepared, system, weights),
        recall=recall_by_type(report.statistics, bootstrap, seed),
        precision=precision_by_type(report.statistics, bootstrap, seed),
        errors=errors,
        worst=worst_documents(report.statistics, _WORST),
        pieces=tuple(
            tuple(system_pieces(d, system.masks[d.document.id], by_document[d.document.id]))
            for d in prepared
        ),
    )


def _reports(
    gold: Sequence[GoldDocument],
    systems: Sequence[System],
    *,
    split: str | None,
    ignored_tokens: IgnoredTokens | None,
    weights: InformationContent | None,
    bootstrap: int,
    seed: int,
) -> tuple[tuple[Report, ...], tuple[PairedTest, ...], tuple[str, ...]]:
    """Return the reports, tests and notes that ``tacenda evaluate`` prints."""
    if len(systems) == 1:
        report = evaluate(
            gold,
            systems[0].masks,
            split=split,
            ignored_tokens=ignored_tokens,
            weights=weights,
            bootstrap=bootstrap,
            seed=seed,
        )
        return (report,), (), report.notes
    found = compare(
        gold,
        {system.name: system.masks for system in systems},
        split=split,
        ignored_tokens=ignored_tokens,
        weights=weights,
        bootstrap=bootstrap,
        seed=seed,
    )
    return tuple(found.reports.values()), found.tests, found.notes
