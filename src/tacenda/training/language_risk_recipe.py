"""The indicators that ask a language model, fitted to what annotators masked, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.language_risk import LanguageRiskWeights, Threshold
from ..risk.language.regression import chance
from .language_risk import (
    best_threshold,
    fit_regression,
    informedness,
    joint_threshold,
    members_below,
)
from .language_risk_observed import NO_LIMIT, Observed

FOLDS = 5
METHODS = (
    "everything",
    "type alone",
    "language_threshold",
    "language",
    "perturbation",
    "language_together",
)
"""Two to compare with, and the indicators by their names."""


def fit(observed: Sequence[Observed], model: str) -> LanguageRiskWeights:
    """Return thresholds and weights fitted to what people masked.

    Args:
        observed: documents.
        model: name of the language model that was asked.
    """
    masked = np.concatenate([each.masked for each in observed])
    rises = np.concatenate([each.rises for each in observed])
    known = ~np.isnan(rises).any(axis=1)
    alone, among = (_above(rises[known, column], masked[known]) for column in (0, 1))
    rows = [row for each in observed for row in each.rows()]
    types = [{name: row[name] for name in row if name.startswith("type")} for row in rows]
    return LanguageRiskWeights(
        model=model,
        surprise=best_threshold(np.concatenate([each.sums for each in observed]), masked),
        together=joint_threshold(
            [each.sums for each in observed], [each.masked for each in observed]
        ),
        alone=alone,
        among=among,
        weights=fit_regression(rows, masked),
        types=fit_regression(types, masked),
    )


def _above(rises: NDArray[np.float64], masked: NDArray[np.bool_]) -> Threshold:
    if not len(rises):
        return NO_LIMIT
    found = best_threshold(-rises, masked, informedness)
    return Threshold(-found.at, found.risky, found.other)


def taken(observed: Observed, weights: LanguageRiskWeights) -> dict[str, NDArray[np.bool_]]:
    """Return which entities each method of ``METHODS`` would mask, bool [n] each."""
    rows = observed.rows()
    with np.errstate(invalid="ignore"):
        risen = (observed.rises[:, 0] > weights.alone.at) | (
            observed.rises[:, 1] > weights.among.at
        )
        surprising = observed.sums < weights.surprise.at
    return {
        "everything": np.ones(len(rows), dtype=bool),
        "type alone": np.array([chance(weights.types, row) >= 0.5 for row in rows]),
        "language_threshold": surprising,
        "language": np.array([chance(weights.weights, row) >= 0.5 for row in rows]),
        "perturbation": risen,
        "language_together": members_below(observed.sums, weights.together.at),
    }


@dataclass(frozen=True, slots=True)
class Score:
    """Entities that a method takes for risky: hits of what people masked, all taken, all masked."""

    hits: int
    taken: int
    masked: int

    @property
    def precision(self) -> float:
        """Share of the taken that people masked."""
        return self.hits / max(1, self.taken)

    @property
    def recall(self) -> float:
        """Share of the masked that were taken."""
        return self.hits / max(1, self.masked)

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return 2 * self.hits / max(1, self.taken + self.masked)


def cross_validated(observed: Sequence[Observed], model: str) -> dict[str, Score]:
    """Return what each method is worth on documents that nothing was fitted to."""
    pairs: list[tuple[Observed, LanguageRiskWeights]] = []
    for fold in range(FOLDS):
        weights = fit([each for i, each in enumerate(observed) if i % FOLDS != fold], model)
        pairs += [(each, weights) for each in observed[fold::FOLDS]]
    return scores(pairs)


def scores(pairs: Iterable[tuple[Observed, LanguageRiskWeights]]) -> dict[str, Score]:
    """Return the score of each method over documents, each with what to use for it."""
    counts = {method: np.zeros(3, dtype=int) for method in METHODS}
    for observed, weights in pairs:
        masked = observed.masked
        for method, found in taken(observed, weights).items():
            counts[method] += (found & masked).sum(), found.sum(), masked.sum()
    return {method: Score(*map(int, row)) for method, row in counts.items()}
