"""Combine several indicators into one probability that the entity must be masked.

| ``combine:`` | the probability |
|---|---|
| any | the largest: one indicator suffices (``explicit_risk_measures``, 3.3) |
| all | the smallest: all must agree |
| weighted | the mean of the log odds, by the policy's weights |
| learned | a logistic regression over the log odds, the type and the number of mentions |

This combines the recognizer and the policy's ``indicators``, each calibrated by a curve that was
fitted together with the weights of *learned* (``tacenda lab train risk``). Certain findings (an
identity number, a name of the target) and findings of a search or an attacker can only raise the
probability. An indicator without a finding is assumed to agree with the recognizer.

"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..document import (
    Entity,
    Evidence,
)
from ..errors import PolicyError
from ..models.calibration import Combining, load_combining
from ..policy import Policy
from .recognizer_risk import PARTIAL_MATCH
from .registry import kind_of

COMBINED = "combined"
_LEAST = 1e-4


def combined_evidence(
    entity: Entity, evidence: Sequence[Evidence], policy: Policy
) -> Evidence | None:
    """Return the combined probability as evidence, or None if the largest value is used.

    Args:
        entity: the entity.
        evidence: one value an indicator.
        policy: names the indicators and their combination.

    Raises:
        PolicyError: if *learned* was fitted to no such set of indicators.
        ModelError: if the fitted weights are missing or damaged.
    """
    if policy.combine == "any" and not policy.indicators:
        return None
    names = (PARTIAL_MATCH, *policy.indicators)
    folder = policy.combine.partition(":")[2]
    fitted = load_combining(folder) if folder else load_combining()
    # A curve applies only to the shipped indicator of that name.
    probabilities = {
        name: fitted.calibrated(name, item.value)
        for item in evidence
        for name in names
        if item.indicator == kind_of(name)
    }
    values = {name: probabilities.get(name, probabilities[PARTIAL_MATCH]) for name in names}
    value = joint(entity, values, policy, fitted)
    listed = ", ".join(f"{name} {values[name]:.2f}" for name in names)
    statement = f"Together ({policy.combine}) the indicators give {value:.2f}: {listed}."
    return Evidence(COMBINED, value, statement)


def joint(entity: Entity, values: Mapping[str, float], policy: Policy, fitted: Combining) -> float:
    """Return the probability by all indicators together.

    Args:
        entity: the entity.
        values: calibrated, by indicator.
        policy: says how they are combined.
        fitted: the weights of *learned*.

    Raises:
        PolicyError: if *learned* was fitted to no such set of indicators, or all weights are 0.
    """
    if policy.combine == "any":
        return max(values.values())
    if policy.combine == "all":
        return min(values.values())
    if policy.combine == "weighted":
        weights = {name: policy.weights.get(name, 1.0) for name in values}
        total = sum(weights.values())
        if not total:
            raise PolicyError("weights: all are 0; one indicator must count")
        return probability(sum(weights[name] * log_odds(values[name]) for name in values) / total)
    learned = fitted.stacks.get(stack_name(values))
    if learned is None:
        raise PolicyError(
            f"combine: learned was not fitted to {stack_name(values)}; to these it was: "
            f"{', '.join(sorted(fitted.stacks))}"
        )
    described = indicator_features(entity, values)
    return probability(sum(learned.get(name, 0.0) * value for name, value in described.items()))


def stack_name(indicators: Iterable[str]) -> str:
    """Return the name that the weights of *learned* give a set of indicators."""
    return "+".join(sorted(indicators))


def indicator_features(entity: Entity, values: Mapping[str, float]) -> dict[str, float]:
    """Return the features of *learned*, by name.

    Args:
        entity: the entity.
        values: calibrated, by indicator.
    """
    described = {name: log_odds(value) for name, value in values.items()}
    described[f"type {entity.type}"] = 1.0
    described["log mentions"] = math.log(len(entity.mentions))
    return described


def log_odds(value: float) -> float:
    """Return log(p / (1 - p)), with p clipped away from 0 and 1."""
    chance = min(1 - _LEAST, max(_LEAST, value))
    return math.log(chance / (1 - chance))


def probability(odds: float) -> float:
    """Return the probability that has these log odds."""
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
