"""Logistic regression on named, sparse features with shares as targets, by L-BFGS with a ridge."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_STEPS = 300
_REMEMBERED = 10
_CLOSE = 1e-7
_SUFFICIENT = 1e-4
_SMALLEST_STEP = 1e-8

Vector = NDArray[np.float64]


def fit_logistic(
    rows: Sequence[Mapping[str, float]],
    shares: Sequence[float],
    ridge: float = 1.0,
    features: Collection[str] | None = None,
) -> dict[str, float]:
    """Return the weights that make the shares likeliest, less the ridge; deterministic.

    Args:
        rows: the features of each case by name; one that is not there is 0.
        shares: of each case in [0, 1], how much of it is positive.
        ridge: weight of half the squares of the weights, against that of one case; positive.
        features: names to give a weight to; all if None.

    Raises:
        ValueError: if there are no rows, or more or fewer shares.
    """
    if not rows or len(rows) != len(shares):
        raise ValueError(f"{len(rows)} rows and {len(shares)} shares: as many of each, at least 1.")
    names = sorted(set().union(*rows) if features is None else features)
    column = {name: index for index, name in enumerate(names)}
    problem = _Problem(rows, np.asarray(shares, dtype=np.float64), column, ridge)
    weights = _minimum(problem, len(names))
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


class _Problem:
    """The objective and its gradient; rows are kept as lists of columns and values."""

    def __init__(
        self,
        rows: Sequence[Mapping[str, float]],
        shares: Vector,
        column: Mapping[str, int],
        ridge: float,
    ) -> None:
        cells = [[(column[name], row[name]) for name in row if name in column] for row in rows]
        lengths = [len(row) for row in cells]
        self._row = np.repeat(np.arange(len(rows)), lengths)
        self._column = np.array([index for row in cells for index, _ in row], dtype=np.int64)
        self._value = np.array([value for row in cells for _, value in row], dtype=np.float64)
        self._shares = shares
        self._count = len(column)
        self._ridge = ridge

    def at(self, weights: Vector) -> tuple[float, Vector]:
        """Return the objective and its gradient."""
        parts = self._value * weights[self._column]
        odds = np.bincount(self._row, parts, len(self._shares))
        loss = np.logaddexp(0.0, odds) - self._shares * odds
        wrong = 1.0 / (1.0 + np.exp(-np.clip(odds, -500, 500))) - self._shares
        gradient = np.bincount(self._column, self._value * wrong[self._row], self._count)
        total = float(loss.sum() + self._ridge / 2 * (weights @ weights))
        return total, gradient + self._ridge * weights


def _minimum(problem: _Problem, count: int) -> Vector:
    weights = np.zeros(count)
    value, gradient = problem.at(weights)
    past: deque[tuple[Vector, Vector]] = deque(maxlen=_REMEMBERED)
    for _ in range(_STEPS):
        direction = _direction(gradient, past)
        slope = float(gradient @ direction)
        step = 1.0
        while True:
            candidate = weights + step * direction
            new_value, new_gradient = problem.at(candidate)
            if new_value <= value + _SUFFICIENT * step * slope or step < _SMALLEST_STEP:
                break
            step /= 2
        change = new_gradient - gradient
        if float(change @ (candidate - weights)) > 0:
            past.append((candidate - weights, change))
        convergence = value - new_value <= _CLOSE * max(1.0, abs(value))
        weights, value, gradient = candidate, new_value, new_gradient
        if convergence:
            break
    return weights


def _direction(gradient: Vector, past: deque[tuple[Vector, Vector]]) -> Vector:
    """Return where to go: the two-loop recursion (Nocedal, 1980)."""
    direction = -gradient
    factors = []
    for step, change in reversed(past):
        factor = (step @ direction) / (change @ step)
        factors.append(factor)
        direction = direction - factor * change
    if past:
        step, change = past[-1]
        direction = direction * ((step @ change) / (change @ change))
    else:
        direction = direction / max(1.0, float(np.linalg.norm(gradient)))
    for (step, change), factor in zip(past, reversed(factors), strict=True):
        direction = direction + (factor - (change @ direction) / (change @ step)) * step
    return direction
