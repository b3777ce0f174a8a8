"""Logistic regression on named features."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="needs the extra 'train'")

from tacenda_lab.train.logistic import fit_logistic, fit_weights


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


def test_the_constant_bears_no_ridge() -> None:
    """However strong the ridge is, the mean of the chances is the mean of the shares."""
    matrix = np.array([[0.0], [1.0], [2.0], [3.0]])
    weights = fit_weights(matrix, [0.0, 1.0, 1.0, 1.0], 1e6)
    assert weights.chances(matrix) == pytest.approx([0.75] * 4, abs=1e-4)


def test_the_weights_are_where_the_slope_is_nothing() -> None:
    """The gradient, worked out by hand for two shares of one feature: share - p = ridge * w."""
    weight = fit_weights(np.array([[1.0]]), [0.9], 0.5, constant=False).columns[0]
    assert 0.9 - 1 / (1 + math.exp(-weight)) == pytest.approx(0.5 * weight, abs=1e-6)
