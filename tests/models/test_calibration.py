"""Calibration curves."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.models.calibration import IDENTITY, Calibration, Curve
from tests.examples import for_each


def test_curve_is_linear_between_its_points() -> None:
    """Half way between two points the height is half way between theirs."""
    curve = Curve((0.0, 0.5, 1.0), (0.0, 0.2, 1.0))
    assert curve(0.25) == pytest.approx(0.1)
    assert curve(0.75) == pytest.approx(0.6)
    assert (curve(0.0), curve(0.5), curve(1.0)) == (0.0, 0.2, 1.0)


@given(value=st.floats(-1, 2))
def test_identity_changes_nothing_but_what_is_outside(value: float) -> None:
    """The identity clips to [0, 1] and does nothing else."""
    assert IDENTITY(value) == pytest.approx(min(1.0, max(0.0, value)))


@for_each(
    ("x", "y"),
    [
        ((0.0,), (0.0,)),
        ((0.0, 1.0), (0.0, 0.5, 1.0)),
        ((0.1, 1.0), (0.0, 1.0)),
        ((0.0, 0.5, 0.5, 1.0), (0.0, 0.1, 0.2, 1.0)),
        ((0.0, 0.5, 1.0), (0.5, 0.2, 1.0)),
        ((0.0, 1.0), (0.0, 1.2)),
    ],
)
def test_a_curve_that_is_not_one_is_refused(x: tuple[float, ...], y: tuple[float, ...]) -> None:
    """X rises strictly from 0 to 1; y is as long, never falls and stays in [0, 1]."""
    with pytest.raises(ValueError, match="calibration curve"):
        Curve(x, y)


def test_calibration_reads_what_it_is_written_as() -> None:
    """The curves survive the model's config, and a type without one is left alone."""
    half = Curve((0.0, 1.0), (0.0, 0.5))
    calibration = Calibration({"ORG": half}, half)
    read = Calibration.from_points(json.loads(json.dumps(asdict(calibration))))
    assert read == calibration
    assert read.masking_of("ORG", 1.0) == 0.5
    assert read.masking_of("LOC", 0.8) == 0.8
