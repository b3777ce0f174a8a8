"""Evaluate one system, or compare several on the same documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from .._version import __version__
from ..document import Span
from ..errors import InputError
from ..wording import counted
from .errors import ErrorReport, find_errors
from .gold import GoldDocument, select_split, splits_of
from .matching import IgnoredTokens, Masks, PreparedDocument, built_in_ignored_tokens, prepare
from .metrics import (
    MASKED_TOKENS,
    METRICS,
    TOKENS,
    WEIGHTED_PRECISION,
    DocumentStatistics,
    Interval,
    Metric,
    StatisticsTable,
    Sums,
    by_type,
    count,
    intervals,
    redacted,
    total,
)

if TYPE_CHECKING:
    from rich.table import Table

    from .weights import InformationContent

# Evaluating a system's masks against gold annotations: all figures in one call.


class ExtraFigures(Protocol):
    """The figures of an additional measure."""

    @property
    def signature(self) -> str:
        """A signature of how the scores were computed."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader, in sentences."""
        ...

    def as_json(self) -> dict[str, Any]:
        """Return a JSON form, which is stable."""
        ...

    @classmethod
    def table(cls, systems: Mapping[str, Self]) -> Table:
        """Return a table of systems, by name, side by side."""
        ...


class ExtraMeasure(Protocol):
    """An additional measure of masked documents, such as their similarity to the originals."""

    @property
    def name(self) -> str:
        """Its name in the report."""
        ...

    def measure(self, originals: Sequence[str], masked: Sequence[str]) -> ExtraFigures:
        """Compare documents with their masked versions, given in the same order."""
        ...


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one system.

    Attributes:
        scores: the value of each metric, a share; None if undefined.
        token_recall_by_type: recall by the entity's semantic type, the most frequent type first.
        token_precision_by_type: precision by the annotators' semantic type of the masked token.
            ``NONE`` means unmarked tokens, so its precision is 0. The types' values, weighted by
            their shares, add up to ``token_precision``.
        documents: number of documents evaluated.
        signature: the settings used.
        undefined: metrics whose denominator is 0.
        notes: notes for the reader, in sentences.
        intervals: 95 % confidence intervals; empty without a bootstrap.
        errors: what was missed or over-masked; None unless requested.
        extras: figures of additional measures, by name of the measure.
        statistics: counts for each document, for tests and comparisons.
    """

    scores: Mapping[str, float | None]
    token_recall_by_type: Mapping[str, float]
    token_precision_by_type: Mapping[str, float]
    documents: int
    signature: str
    undefined: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    errors: ErrorReport | None = None
    extras: Mapping[str, ExtraFigures] = field(default_factory=dict)
    statistics: tuple[DocumentStatistics, ...] = field(default=(), repr=False)

    def without_errors(self) -> Report:
        """Return the figures alone, without any text of the documents."""
        return replace(self, errors=None)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of ``tacenda evaluate masks --json``; its form is stable."""
        result: dict[str, Any] = {
            **self.scores,
            "token_recall_by_type": dict(self.token_recall_by_type),
            "token_precision_by_type": dict(self.token_precision_by_type),
            "documents": self.documents,
            "signature": self.signature,
            "undefined": list(self.undefined),
            "notes": list(self.notes),
        }
        if self.intervals:
            result["intervals"] = {name: list(pair) for name, pair in self.intervals.items()}
        if self.errors is not None:
            result["errors"] = self.errors.as_json()
        return result | {name: figures.as_json() for name, figures in self.extras.items()}


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """Settings of an evaluation.

    Attributes:
        split: count only documents of this split.
        ignored_tokens: tokens that needn't be masked; None for the built-in closed-class words.
        weights: information content for weighted precision; if None, it isn't computed.
        bootstrap: number of resamples for confidence intervals; 0 for no intervals.
        seed: random seed for the bootstrap and the paired test.
        errors: number of errors of each kind to report; 0 for none.
        extras: additional measures of the masked documents.
    """

    split: str | None = None
    ignored_tokens: IgnoredTokens | None = None
    weights: InformationContent | None = None
    bootstrap: int = 0
    seed: int = 0
    errors: int = 0
    extras: Sequence[ExtraMeasure] = ()

    def signature(self, documents: Sequence[GoldDocument], extras: Sequence[str] = ()) -> str:
        """Return how the scores of documents are made, in one string (after sacrebleu).

        Args:
            documents: the documents evaluated.
            extras: signatures of additional measures.
        """
        ignore = "closed-class" if self.ignored_tokens is None else "given-tokens"
        parts = [
            f"tab:{'+'.join(splits_of(documents))}",
            f"docs:{len(documents)}",
            "match:all-mentions",
            f"ignore:{ignore}+punct",
            f"weight:{self.weights.name if self.weights else 'uniform'}",
        ]
        if self.bootstrap:
            parts.append(f"bootstrap:{self.bootstrap}|seed:{self.seed}")
        return "|".join([*parts, *extras, f"v:{__version__}"])


_NAMES_SHOWN = 5


def evaluate(
    gold: Sequence[GoldDocument],
    masks: Masks,
    settings: EvaluationSettings | None = None,
    **changes: Any,
) -> Report:
    """Compute the figures of the Text Anonymization Benchmark for one system.

    Only documents with a prediction count, as in the reference implementation; the report's notes
    name those without. Predictions for documents that aren't in ``gold`` are ignored and also
    named.

    Args:
        gold: documents with their annotations.
        masks: the system's masks, by document id.
        settings: see ``EvaluationSettings``.
        changes: settings by name, such as ``bootstrap=1000``.

    Raises:
        InputError: if no document has both gold annotations and a prediction, a span ends past its
            text, no document is in the split, or more clusters are requested than there are
            documents.
    """
    settings = replace(settings or EvaluationSettings(), **changes)
    documents = select_split(gold, settings.split)
    prepared = prepare_predicted(documents, masks, settings.ignored_tokens)
    notes = unmatched_notes(gold, documents, masks)
    return evaluate_prepared(prepared, masks, settings, notes)


def _metrics(settings: EvaluationSettings) -> tuple[Metric, ...]:
    return METRICS + ((WEIGHTED_PRECISION,) if settings.weights else ())


def prepare_predicted(
    gold: Sequence[GoldDocument], masks: Masks, ignored_tokens: IgnoredTokens | None = None
) -> tuple[PreparedDocument, ...]:
    """Prepare the gold documents that have a prediction.

    Raises:
        InputError: if there are none.
    """
    documents = [document for document in gold if document.id in masks]
    if not documents:
        raise InputError(
            f"none of its {len(masks)} documents is among the {len(gold)} gold documents; "
            "the doc_ids must be the same",
            "masks",
        )
    ignored = ignored_tokens or built_in_ignored_tokens
    return tuple(prepare(document, ignored) for document in documents)


def evaluate_prepared(
    prepared: Sequence[PreparedDocument],
    masks: Masks,
    settings: EvaluationSettings | None = None,
    notes: tuple[str, ...] = (),
) -> Report:
    """Compute the figures of ``evaluate`` on prepared documents, which several systems share."""
    settings = settings or EvaluationSettings()
    cases: list[tuple[PreparedDocument, Sequence[Span]]] = [
        (document, masks[document.document.id]) for document in prepared
    ]
    statistics = tuple(count(document, spans, settings.weights) for document, spans in cases)
    metrics, sums = _metrics(settings), total(statistics)
    extras = _measured(cases, settings.extras)
    undefined = tuple(metric.name for metric in metrics if not metric.total(sums))
    n, errors = settings.bootstrap, settings.errors
    return Report(
        scores={metric.name: metric.score(sums) for metric in metrics},
        token_recall_by_type=by_type(sums, TOKENS),
        token_precision_by_type=by_type(sums, MASKED_TOKENS),
        documents=len(prepared),
        signature=settings.signature(
            [document.document for document in prepared],
            [figures.signature for figures in extras.values()],
        ),
        undefined=undefined,
        notes=(
            *notes,
            *_undefined_note(undefined),
            *(note for figures in extras.values() for note in figures.notes),
        ),
        intervals=intervals(statistics, metrics, n, settings.seed) if n else {},
        errors=find_errors(cases).most_telling(errors) if errors else None,
        extras=extras,
        statistics=statistics,
    )


def _measured(
    cases: Sequence[tuple[PreparedDocument, Sequence[Span]]], measures: Sequence[ExtraMeasure]
) -> dict[str, ExtraFigures]:
    if not measures:
        return {}
    originals = [prepared.document.text for prepared, _ in cases]
    masked = [redacted(prepared.document.text, spans) for prepared, spans in cases]
    return {measure.name: measure.measure(originals, masked) for measure in measures}


def unmatched_notes(
    gold: Sequence[GoldDocument], documents: Sequence[GoldDocument], masks: Masks
) -> tuple[str, ...]:
    """Return sentences about documents without predictions or without gold annotations.

    Args:
        gold: all documents; predictions for documents in another split aren't mentioned.
        documents: the documents to evaluate.
        masks: the predictions.
    """
    gold_ids = {document.id for document in gold}
    missing = [document.id for document in documents if document.id not in masks]
    unknown = [doc_id for doc_id in masks if doc_id not in gold_ids]
    notes = []
    if missing:
        notes.append(
            f"{counted(len(missing), 'document')} without a prediction not counted: {_names(missing)}"
        )
    if unknown:
        notes.append(
            f"{counted(len(unknown), 'document')} not in the gold ignored: {_names(unknown)}"
        )
    return tuple(notes)


def _undefined_note(undefined: tuple[str, ...]) -> tuple[str, ...]:
    if not undefined:
        return ()
    return (
        f"nothing to divide by in {', '.join(undefined)}: recalls are left undefined, the "
        "precision of a system that masked nothing is given as 0",
    )


def _names(ids: Sequence[str]) -> str:
    listing = ", ".join(ids[:_NAMES_SHOWN])
    return f"{listing}, …" if len(ids) > _NAMES_SHOWN else listing


# Comparing several systems, with tests of their differences.
#
# The paired test is approximate randomization over documents (Noreen, 1989): if two systems were
# equally good, swapping their outputs on any document would make no difference. Each trial swaps a
# random half of the documents, and the p-value is the share of trials with a difference at least as
# large as the observed one. As with the bootstrap, only sums are recomputed.


TRIALS: Final = 1000


@dataclass(frozen=True, slots=True)
class PairedTest:
    """How a system differs from the first one in one figure.

    Attributes:
        system: the system's name.
        baseline: the first system's name.
        metric: the figure's name.
        difference: the system's figure minus the baseline's.
        p_value: two-sided, in (0, 1].
    """

    system: str
    baseline: str
    metric: str
    difference: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several systems evaluated on the same documents.

    Attributes:
        reports: the reports by system name, in the order given; the first is the baseline.
        tests: tests of each other system against the baseline, for each figure that both have.
        notes: notes for the reader, in sentences.
    """

    reports: Mapping[str, Report]
    tests: tuple[PairedTest, ...]
    notes: tuple[str, ...]

    def without_errors(self) -> Comparison:
        """Return the figures alone, without any text of the documents."""
        reports = {name: report.without_errors() for name, report in self.reports.items()}
        return replace(self, reports=reports)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of ``tacenda evaluate masks --json`` for several systems; its form is stable."""
        return {
            "systems": {name: report.as_json() for name, report in self.reports.items()},
            "tests": [asdict(test) for test in self.tests],
            "notes": list(self.notes),
        }


def compare(
    gold: Sequence[GoldDocument],
    systems: Mapping[str, Masks],
    settings: EvaluationSettings | None = None,
    *,
    trials: int = TRIALS,
    **changes: Any,
) -> Comparison:
    """Evaluate several systems on the documents for which all of them have predictions.

    Args:
        gold: documents with their annotations.
        systems: each system's masks by its name; the first one is the baseline.
        settings: see ``EvaluationSettings``.
        trials: number of trials in the paired test.
        changes: settings by name.

    Raises:
        InputError: if no document has gold annotations and predictions of all systems, or as for
            ``evaluate``.
    """
    settings = replace(settings or EvaluationSettings(), **changes)
    if not systems:
        raise InputError("no systems to compare", "masks")
    documents = select_split(gold, settings.split)
    common = [d for d in documents if all(d.id in masks for masks in systems.values())]
    if not common:
        raise InputError(
            f"none of the {len(documents)} gold documents has a prediction of all "
            f"{len(systems)} systems; the doc_ids must be the same",
            "masks",
        )
    notes = tuple(
        f"{name}: {note}"
        for name, masks in systems.items()
        for note in unmatched_notes(gold, documents, masks)
    )
    if len(common) < len(documents):
        notes += (f"compared on the {len(common)} documents that all systems have",)
    prepared = prepare_predicted(common, next(iter(systems.values())), settings.ignored_tokens)
    reports = {
        name: evaluate_prepared(prepared, masks, settings) for name, masks in systems.items()
    }
    notes += tuple(f"{name}: {note}" for name, report in reports.items() for note in report.notes)
    (baseline, first), *challengers = reports.items()
    tests: list[PairedTest] = []
    for name, report in challengers:
        outcomes = paired_test(
            first.statistics, report.statistics, _metrics(settings), trials, settings.seed
        )
        tests += (
            PairedTest(name, baseline, metric, *result) for metric, result in outcomes.items()
        )
    return Comparison(reports, tuple(tests), notes)


def paired_test(
    first: Sequence[DocumentStatistics],
    second: Sequence[DocumentStatistics],
    metrics: Sequence[Metric],
    trials: int = TRIALS,
    seed: int = 0,
) -> dict[str, tuple[float, float]]:
    """Return (second minus first, p-value) for each metric defined for both.

    Args:
        first: one system's statistics.
        second: another system's statistics for the same documents in the same order.
        metrics: the figures to test.
        trials: number of random swaps, at least 1.
        seed: the random seed.
    """
    import numpy as np

    names = sorted({name for document in (*first, *second) for name in document.tallies})
    first_table, second_table = StatisticsTable(first, names), StatisticsTable(second, names)
    totals = first_table.matrix.sum(axis=0), second_table.matrix.sum(axis=0)
    swaps = np.random.default_rng(seed).integers(0, 2, size=(trials, len(first)))
    # Swapping a document moves its statistics from one sum to the other.
    shifts = swaps @ (second_table.matrix - first_table.matrix)
    # The first row is the observed difference, followed by one row per trial.
    lefts = list(first_table.unpack(np.vstack([totals[0], totals[0] + shifts])))
    rights = list(first_table.unpack(np.vstack([totals[1], totals[1] - shifts])))
    results: dict[str, tuple[float, float]] = {}
    for metric in metrics:
        differences = [_difference(metric, a, b) for a, b in zip(lefts, rights, strict=True)]
        if differences[0] is None:
            continue
        observed = abs(differences[0])
        # Rounding must not make an equal difference look smaller.
        extreme = sum(abs(value or 0.0) >= observed - 1e-12 for value in differences[1:])
        results[metric.name] = differences[0], (extreme + 1) / (trials + 1)
    return results


def _difference(metric: Metric, first: Sums, second: Sums) -> float | None:
    first_score, second_score = metric.score(first), metric.score(second)
    return None if first_score is None or second_score is None else second_score - first_score
