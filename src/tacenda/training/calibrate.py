"""Calibration curves from predictions on documents that the network had not seen.

Isotonic regression (Zadrozny and Elkan, 2002) of "was it masked" on the network's confidence,
a mention at a time; the curve is thinned to a few points so that it can be read in the config.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from ..models.calibration import Curve

_POINTS = 17


def fit_curve(confidence: Sequence[float], outcome: Sequence[float]) -> Curve:
    """Fit ``outcome`` (share of annotators, [0, 1]) to ``confidence`` ([0, 1]), same length n."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    model.fit(np.asarray(confidence), np.asarray(outcome))
    # Points where the predictions are: many near 0 and 1, few between.
    inner = np.unique(np.quantile(np.asarray(confidence), np.linspace(0.02, 0.98, _POINTS - 2)))
    even = np.linspace(0.05, 0.95, 10)
    x = np.unique(np.concatenate([[0.0, 1.0], inner[(inner > 0) & (inner < 1)], even]).round(4))
    y = np.maximum.accumulate(_smoothed(model, x))
    return Curve(tuple(x.tolist()), tuple(y.round(4).tolist()))


def _smoothed(model: IsotonicRegression, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the steps of the isotonic fit around each point, so that the curve has slopes."""
    offsets = np.linspace(-0.025, 0.025, 11)
    grid = np.clip(x[:, None] + offsets[None, :], 0.0, 1.0)
    predicted: NDArray[np.float64] = model.predict(grid.ravel()).reshape(grid.shape).mean(axis=1)
    return predicted


def expected_calibration_error(
    probability: Sequence[float], outcome: Sequence[float], bins: int = 10
) -> float:
    """Return the mean distance of probability and frequency over equal-width bins, in [0, 1]."""
    values, truth = np.asarray(probability), np.asarray(outcome)
    index = np.minimum((values * bins).astype(int), bins - 1)
    error = 0.0
    for number in range(bins):
        chosen = index == number
        if chosen.any():
            error += float(chosen.mean() * abs(values[chosen].mean() - truth[chosen].mean()))
    return error
