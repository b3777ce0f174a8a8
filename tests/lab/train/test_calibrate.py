"""Fitted calibration curves."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="needs the extra 'train'")


def test_curve_undoes_a_known_overconfidence() -> None:
    """Where the truth is the square of the confidence, the curve finds the square."""
    from tacenda_lab.train.recognizer import expected_calibration_error, fit_curve

    random = np.random.default_rng(1)
    confidence = random.random(20_000)
    outcome = (random.random(20_000) < confidence**2).astype(float)
    curve = fit_curve(confidence.tolist(), outcome.tolist())
    for value in (0.1, 0.3, 0.5, 0.7, 0.9):
        assert curve(value) == pytest.approx(value**2, abs=0.04)
    calibrated = [curve(value) for value in confidence]
    assert expected_calibration_error(confidence.tolist(), outcome.tolist()) > 0.1
    assert expected_calibration_error(calibrated, outcome.tolist()) < 0.02


def test_calibration_error_of_a_worked_example() -> None:
    """Two bins, errors 0.1 and 0.3, equally full: the error is 0.2."""
    from tacenda_lab.train.recognizer import expected_calibration_error

    assert expected_calibration_error([0.1, 0.1, 0.7, 0.7], [0, 0, 1, 1]) == pytest.approx(0.2)
