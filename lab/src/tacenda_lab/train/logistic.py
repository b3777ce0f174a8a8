"""Logistic regression with a ridge and shares as targets, by scikit-learn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

_STEPS = 1_000

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """Weight of each column, [columns], and of the constant."""

    columns: Vector
    constant: float

    def chances(self, matrix: Vector) -> Vector:
        """Return the probability of each row of a matrix [n, columns]."""
        chances: Vector = 1 / (1 + np.exp(-(matrix @ self.columns + self.constant)))
        return chances


@dataclass(frozen=True, slots=True)
class Solver:
    """Optimizer of scikit-learn, with its stopping tolerance on the gradient."""

    name: str
    tolerance: float


EXACT = Solver("newton-cg", 1e-8)
"""Weights are at their optimum in all the digits that are shipped."""
SHORT = Solver("lbfgs", 1e-4)
"""The defaults of scikit-learn: chances are exact to about three digits."""


def fit_weights(
    matrix: Any,
    shares: Sequence[float] | NDArray[Any],
    ridge: float = 1.0,
    constant: bool = True,
    solver: Solver = EXACT,
) -> Weights:
    """Return the weights of highest likelihood of the shares, less the ridge; deterministic.

    Args:
        matrix: dense or sparse, [n, columns].
        shares: positive share of each row, in [0, 1].
        ridge: weight of half the squares of the weights, against that of one row; positive.
        constant: whether there is one; no ridge is on it.
        solver: the optimizer.
    """
    rows = csr_array(matrix)
    positive = np.asarray(shares, dtype=np.float64)
    n = len(positive)
    # A row is both answers, each by its share.
    model = LogisticRegression(
        C=1 / ridge,
        fit_intercept=constant,
        solver=solver.name,
        tol=solver.tolerance,
        max_iter=_STEPS,
    ).fit(
        vstack([rows, rows], format="csr"),
        np.repeat([1, 0], n),
        sample_weight=np.concatenate([positive, 1 - positive]),
    )
    return Weights(model.coef_[0], float(model.intercept_[0]) if constant else 0.0)


def fit_logistic(
    rows: Sequence[Mapping[str, float]],
    shares: Sequence[float],
    ridge: float = 1.0,
    features: Collection[str] | None = None,
) -> dict[str, float]:
    """Return the weights of named features; see `fit_weights`, without a constant.

    Args:
        rows: the features of each case by name; a missing one is 0.
        shares: positive share of each case, in [0, 1].
        ridge: as in `fit_weights`.
        features: names to give a weight to; all if None.

    Raises:
        ValueError: if there are no rows, or more or fewer shares.
    """
    if not rows or len(rows) != len(shares):
        raise ValueError(f"{len(rows)} rows and {len(shares)} shares: as many of each, at least 1.")
    names = sorted(set().union(*rows) if features is None else features)
    if not names:
        return {}
    vectorizer = DictVectorizer().fit([dict.fromkeys(names, 0.0)])
    matrix = vectorizer.transform(rows)
    weights = fit_weights(matrix, shares, ridge, constant=False).columns
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}
