"""Comparison of several systems, with a test of their differences.

The paired test is approximate randomisation over documents (Noreen, 1989): if two systems were
alike, swapping their outputs on any document would change nothing. So each trial swaps a random
half of the documents, and the p-value is the share of trials with a difference at least as large as
the observed one. As with the bootstrap only sums are added up again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from .evaluation import ExtraMeasure, Report, evaluate_prepared, prepare_predicted, unmatched_notes
from .gold import GoldDocument, select_split
from .matching import IgnoredTokens, Masks
from .metrics import METRICS, WEIGHTED_PRECISION, DocumentStatistics, Metric, StatisticsTable, Sums

if TYPE_CHECKING:
    from .weights import InformationContent

TRIALS: Final = 1000


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The difference of a system from the first one, in one figure.

    Attributes:
        system: name of the system.
        baseline: name of the first system.
        metric: name of the figure.
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
    """Several systems on the same documents.

    Attributes:
        reports: by name of the system, in the order given; the first is the baseline.
        tests: each further system against the baseline, in each figure of both.
        notes: remarks for the reader, in sentences.
    """

    reports: Mapping[str, Report]
    tests: tuple[PairedTest, ...]
    notes: tuple[str, ...]

    def without_errors(self) -> Comparison:
        """Return the figures alone, without any text of the documents."""
        reports = {name: report.without_errors() for name, report in self.reports.items()}
        return replace(self, reports=reports)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of ``tacenda evaluate --json`` for several systems; a stable form."""
        return {
            "systems": {name: report.as_json() for name, report in self.reports.items()},
            "tests": [asdict(test) for test in self.tests],
            "notes": list(self.notes),
        }


def compare(
    gold: Sequence[GoldDocument],
    systems: Mapping[str, Masks],
    *,
    split: str | None = None,
    ignored_tokens: IgnoredTokens | None = None,
    weights: InformationContent | None = None,
    bootstrap: int = 0,
    seed: int = 0,
    errors: int = 0,
    extras: Sequence[ExtraMeasure] = (),
    trials: int = TRIALS,
) -> Comparison:
    """Evaluate several systems on the documents with predictions of all of them.

    Args:
        gold: documents with their annotations.
        systems: masks of each system, by its name; the first one is the baseline.
        split: as for ``evaluate``, like all further ones but ``trials``.
        ignored_tokens: tokens without need of a mask.
        weights: information content for weighted precision.
        bootstrap: number of resamples for confidence intervals.
        seed: of the bootstrap and of the paired test.
        errors: how many errors of each kind to report.
        extras: further measures of the masked documents.
        trials: of the paired test.

    Raises:
        InputError: no document has gold and a prediction of every system, or as for ``evaluate``.
    """
    if not systems:
        raise InputError("there is no system to compare", "masks")
    documents = select_split(gold, split)
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
    prepared = prepare_predicted(common, next(iter(systems.values())), ignored_tokens)
    reports = {
        name: evaluate_prepared(
            prepared,
            masks,
            given_ignored_tokens=ignored_tokens is not None,
            weights=weights,
            bootstrap=bootstrap,
            seed=seed,
            errors=errors,
            extras=extras,
        )
        for name, masks in systems.items()
    }
    metrics: tuple[Metric, ...] = METRICS + ((WEIGHTED_PRECISION,) if weights else ())
    notes += tuple(f"{name}: {note}" for name, report in reports.items() for note in report.notes)
    (baseline, first), *challengers = reports.items()
    tests: list[PairedTest] = []
    for name, report in challengers:
        outcomes = paired_test(first.statistics, report.statistics, metrics, trials, seed)
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
        first: statistics of one system.
        second: of another, for the same documents in the same order.
        metrics: the figures wanted.
        trials: number of random swaps, at least 1.
        seed: of the random numbers.
    """
    import numpy as np

    names = sorted({name for document in (*first, *second) for name in document.tallies})
    first_table, second_table = StatisticsTable(first, names), StatisticsTable(second, names)
    totals = first_table.matrix.sum(axis=0), second_table.matrix.sum(axis=0)
    swaps = np.random.default_rng(seed).integers(0, 2, size=(trials, len(first)))
    # A swapped document moves its statistics from one sum to the other.
    shifts = swaps @ (second_table.matrix - first_table.matrix)
    # The first row is the observed difference, then one row for each trial.
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
