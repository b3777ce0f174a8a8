"""What the indicators that ask a language model are fitted to: masking by annotators.

A logistic regression by Newton's method with a ridge, and thresholds. ``explicit_risk_measures``, appendix,
chooses those on the curve of precision and recall; here it is the highest harmonic mean of both, or, where
that would be to mask everything, the largest distance of recall from the share of others that are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..models.language_risk import Threshold

Criterion = Callable[[NDArray[np.float64], NDArray[np.float64], int, int], NDArray[np.float64]]
"""How good it is to hit h of m masked entities by taking t of n: (h, t, m, n) to a number each."""
_STEPS = 50
_CLOSE = 1e-9
_DIGITS = 5


def harmonic_mean(
    hits: NDArray[np.float64], taken: NDArray[np.float64], masked: int, _n: int
) -> NDArray[np.float64]:
    """Return the harmonic mean of precision and recall; a ``Criterion``."""
    return 2 * hits / np.maximum(1, taken + masked)


def informedness(
    hits: NDArray[np.float64], taken: NDArray[np.float64], masked: int, n: int
) -> NDArray[np.float64]:
    """Return recall less the share of the others that are taken (Youden 1950); a ``Criterion``."""
    return hits / max(1, masked) - (taken - hits) / max(1, n - masked)


def best_threshold(
    values: NDArray[np.float64], masked: NDArray[np.bool_], criterion: Criterion = harmonic_mean
) -> Threshold:
    """Return the number below which entities are taken as risky.

    Args:
        values: [n], low for a risky entity; NaN counts as not risky.
        masked: [n], what people masked.
        criterion: what is to be highest.

    Raises:
        ValueError: if no entity has a value.
    """
    known = np.sort(np.unique(values[~np.isnan(values)]))
    if not len(known):
        raise ValueError("No entity has a value; a threshold can't be chosen.")
    # Between two values; the last one is above all.
    candidates = np.append((known[:-1] + known[1:]) / 2, known[-1] + 1.0)
    order = np.argsort(np.where(np.isnan(values), np.inf, values))
    hits = np.concatenate([[0], np.cumsum(masked[order])])
    taken = np.searchsorted(values[order], candidates)
    scores = criterion(hits[taken], taken.astype(np.float64), int(masked.sum()), len(masked))
    at = float(candidates[int(np.argmax(scores))])
    risky = values < at
    return Threshold(round(at, _DIGITS), _share(masked[risky]), _share(masked[~risky]))


def fit_regression(
    rows: Sequence[Mapping[str, float]], masked: NDArray[np.bool_], ridge: float = 1.0
) -> dict[str, float]:
    """Return the weights of a logistic regression by the names of its features.

    Args:
        rows: features by name; one that is missing is 0.
        masked: [n], what people masked.
        ridge: of the weights, on features scaled to a deviation of 1; not of the constant.
    """
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    mean, scale = matrix.mean(axis=0), matrix.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    x = np.column_stack([(matrix - mean) / scale, np.ones(len(matrix))])
    penalty = ridge * np.diag([1.0] * len(names) + [1e-6])
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (masked - chance) - penalty @ weights
        curvature = (x.T * (chance * (1 - chance))) @ x + penalty
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if np.abs(step).max() < _CLOSE:
            break
    found = dict(zip(names, (weights[:-1] / scale).tolist(), strict=True))
    found["constant"] = float(weights[-1] - (weights[:-1] * mean / scale).sum())
    return {name: round(float(weight), _DIGITS) for name, weight in found.items()}


def _share(masked: NDArray[np.bool_]) -> float:
    """Return the share of the masked, by Laplace's rule, so that none is ever certain."""
    return round(float((masked.sum() + 1) / (len(masked) + 2)), 4)


def members_below(sums: NDArray[np.float64], bound: float) -> NDArray[np.bool_]:
    """Return which entities are below a bound alone or with one other that is not, bool [n].

    Args:
        sums: log-probabilities; NaN for entities that have none.
        bound: in nats.
    """
    alone = sums < bound
    left = np.where(alone | np.isnan(sums), np.inf, sums)
    # The best partner is the lowest of the others: for the lowest itself, the second.
    order = np.argsort(left)
    partner = np.full(len(sums), left[order[0]]) if len(sums) else left
    if len(sums):
        partner[order[0]] = left[order[1]] if len(sums) > 1 else np.inf
    found: NDArray[np.bool_] = alone | (left + partner < bound)
    return found


def joint_threshold(
    documents: Sequence[NDArray[np.float64]], masked: Sequence[NDArray[np.bool_]]
) -> Threshold:
    """Return the joint log-probability below which pairs are taken as risky.

    Chosen for the members of risky pairs to be told from others; neighbours count as independent.

    Args:
        documents: log-probabilities of the entities of each.
        masked: what people masked of them.
    """
    known = np.concatenate(documents)
    candidates = np.quantile(known[~np.isnan(known)], np.linspace(0.02, 0.98, 49)) * 2
    truth = np.concatenate(list(masked))
    members = [
        np.concatenate([members_below(sums, bound) for sums in documents]) for bound in candidates
    ]
    hits = np.array([(found & truth).sum() for found in members], dtype=np.float64)
    taken = np.array([found.sum() for found in members], dtype=np.float64)
    scores = informedness(hits, taken, int(truth.sum()), len(truth))
    at = float(candidates[int(np.argmax(scores))])
    found = np.concatenate([members_below(sums, at) for sums in documents])
    return Threshold(round(at, _DIGITS), _share(truth[found]), _share(truth[~found]))
