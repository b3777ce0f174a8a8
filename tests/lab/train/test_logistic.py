"""Logistic regression on named features."""

from __future__ import annotations

import math

import pytest

from tacenda_lab.train.logistic import fit_logistic


def test_a_constant_gives_the_log_odds_of_the_mean_share() -> None:
    """Without a ridge to speak of, shares of .75 on average are odds of 3."""
    rows = [{"constant": 1.0}] * 400
    shares = [0.5, 1.0] * 200
    assert fit_logistic(rows, shares, 1e-9)["constant"] == pytest.approx(math.log(3), abs=1e-3)


def test_a_feature_that_tells_gets_a_weight_of_its_sign() -> None:
    """What goes with masking is positive, what goes against it negative."""
    rows = [{"name": 1.0}, {"article": 1.0}] * 20
    weights = fit_logistic(rows, [1.0, 0.0] * 20)
    assert weights["name"] > 1 > -1 > weights["article"]


def test_a_ridge_draws_weights_to_nothing() -> None:
    """With a strong one, nothing tells."""
    assert abs(fit_logistic([{"a": 1.0}] * 3, [1.0] * 3, 1e6)["a"]) < 1e-4


def test_features_may_be_chosen() -> None:
    """Only those named get a weight."""
    assert set(fit_logistic([{"a": 1.0, "b": 1.0}], [1.0], features={"a"})) == {"a"}


def test_as_many_shares_as_rows() -> None:
    """Both numbers are in the message."""
    with pytest.raises(ValueError, match="1 rows and 2 shares"):
        fit_logistic([{"a": 1.0}], [1.0, 0.0])
