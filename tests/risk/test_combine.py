"""Several indicators' values as one probability."""

from __future__ import annotations

import hashlib
import json
import math
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Evidence
from tacenda.errors import ModelError, PolicyError
from tacenda.models.calibration import COMBINATION_FILE, Combining, Curve, load_combining
from tacenda.policy import Policy
from tacenda.risk.assess import assess
from tacenda.risk.combined_risk import (
    combined_evidence,
    indicator_features,
    joint,
    log_odds,
    probability,
)
from tests.building import entity, mention

DOCUMENT = Document("d", "Mr Yalman left Ankara in 1994.")
CITY = entity("e1", mention(DOCUMENT, "Ankara", "LOC", 0.8), mention(DOCUMENT, "Ankara", "LOC"))
WEIGHTS = {"masking_head": 0.5, "span": 1.0, "type LOC": -1.0, "log mentions": 2.0}
FITTED = Combining({}, {"masking_head+span": WEIGHTS})
VALUES = {"masking_head": 0.8, "span": 0.4}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy(combine="any"), 0.8),
        (Policy(combine="all"), 0.4),
        # The mean of the log odds of 4 and 2/3.
        (Policy(combine="weighted"), probability((math.log(4) + math.log(2 / 3)) / 2)),
        (Policy(combine="weighted", weights={"masking_head": 0}), 0.4),
        # .5 log 4 + log 2/3 - 1 + 2 log 2
        (Policy(combine="learned"), probability(math.log(2 * 2 / 3 * 4) - 1)),
    ],
)
def test_each_way_to_combine(policy: Policy, expected: float) -> None:
    """Largest, smallest, weighted mean of the log odds, and a logistic regression of them."""
    assert joint(CITY, VALUES, policy, FITTED) == pytest.approx(expected)


def test_learned_needs_a_set_that_it_was_fitted_to() -> None:
    """The message names the sets there are."""
    with pytest.raises(PolicyError, match=r"not fitted to other; .* masking_head"):
        joint(CITY, {"other": 0.1}, Policy(combine="learned"), FITTED)


def test_weights_of_nothing_are_refused() -> None:
    """A mean needs something to weigh."""
    none = Policy(combine="weighted", weights={"masking_head": 0, "span": 0})
    with pytest.raises(PolicyError, match="all are 0"):
        joint(CITY, VALUES, none, FITTED)


def test_the_recognizer_alone_is_left_as_it_is() -> None:
    """Without further indicators nothing is combined and nothing loaded."""
    assert combined_evidence(CITY, [Evidence("masking_head", 0.8, "")], Policy()) is None


def test_values_go_through_their_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    """An indicator that is too sure of itself counts for less."""
    half = Combining({"span": Curve((0.0, 1.0), (0.0, 0.5))}, {})
    monkeypatch.setattr(import_module("tacenda.risk.combined_risk"), "load_combining", lambda: half)
    said = [Evidence("masking_head", 0.3, ""), Evidence("span", 1.0, "")]
    found = combined_evidence(CITY, said, Policy(indicators=("span",)))
    assert found is not None
    assert found.value == 0.5
    assert "masking_head 0.30, span 0.50" in found.statement


def test_who_says_nothing_agrees_with_the_recognizer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An indicator without a finding changes nothing."""
    monkeypatch.setattr(
        import_module("tacenda.risk.combined_risk"), "load_combining", lambda: Combining({}, {})
    )
    policy = Policy(indicators=("span",), combine="weighted")
    found = combined_evidence(CITY, [Evidence("masking_head", 0.3, "")], policy)
    assert found is not None
    assert found.value == pytest.approx(0.3)


def test_what_is_certain_stays_certain() -> None:
    """Under *all*, a name of the target has risk 1 whatever the indicators think of it."""
    person = entity("e1", mention(DOCUMENT, "Yalman", masking=0.1))
    policy = Policy(indicators=("span",), combine="all", target="Mr Yalman")
    (assessment,) = assess(DOCUMENT, [person], policy)
    assert assessment.risk == 1.0
    assert {"combined", "span", "masking_head", "target"} == {
        evidence.indicator for evidence in assessment.evidence
    }


def test_a_folder_takes_the_place_of_the_shipped_weights(tmp_path: Path) -> None:
    """``combine: learned:FOLDER`` of a policy is found beside it; a folder without weights is refused."""
    weights = {"masking_head": 0.0, "span": 0.0, "type LOC": 2.0}
    content = json.dumps({"curves": {}, "stacks": {"masking_head+span": weights}})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / COMBINATION_FILE).write_text(content)
    digest = hashlib.sha256(content.encode()).hexdigest()
    (tmp_path / "mine" / "digests.json").write_text(json.dumps({COMBINATION_FILE: digest}))
    (tmp_path / "policy.yaml").write_text("indicators: [span]\ncombine: learned:mine\n")
    policy = Policy.load(tmp_path / "policy.yaml")
    said = [Evidence("masking_head", 0.3, ""), Evidence("span", 0.1, "")]
    found = combined_evidence(CITY, said, policy)
    assert found is not None
    assert found.value == pytest.approx(probability(2.0))
    with pytest.raises(ModelError):
        combined_evidence(CITY, said, policy.with_changes(combine=f"learned:{tmp_path}"))


@given(st.floats(0.001, 0.999))
def test_log_odds_and_back(value: float) -> None:
    """A probability comes back from its log odds."""
    assert probability(log_odds(value)) == pytest.approx(value)


def test_the_shipped_stacks_know_all_features() -> None:
    """What ships has a weight for the features that it is asked for, and positive ones for risks."""
    for names, weights in load_combining().stacks.items():
        described = indicator_features(CITY, dict.fromkeys(names.split("+"), 0.5))
        assert described.keys() <= weights.keys()
        assert sum(weights[name] for name in names.split("+")) > 0
