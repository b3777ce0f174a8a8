"""What several indicators say of an entity as one probability that it must be masked.

| ``combine:`` | the probability |
|---|---|
| any | the largest: whoever says so, it is masked (``explicit_risk_measures``, 3.3) |
| all | the smallest: nobody may disagree |
| weighted | the mean of the log odds, by the policy's weights |
| learned | a logistic regression over the log odds, the type and the number of mentions |

Combined are the recognizer and the policy's ``indicators``, each by its curve, which was fitted with
the weights of *learned* (``tacenda train risk``). What is certain by itself, an identity number or a
name of the target, and what a search or an attacker says, only ever raises the probability. An
indicator with nothing to say is taken to agree with the recognizer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..document import Entity, Evidence
from ..errors import PolicyError
from ..models.combining import Combining, load_combining
from ..policy import Policy
from .masking_head import PARTIAL_MATCH

COMBINED = "combined"
_LEAST = 1e-4


def combined(entity: Entity, evidence: Sequence[Evidence], policy: Policy) -> Evidence | None:
    """Return the combined probability as evidence; None where the largest value is all there is.

    Args:
        entity: what is judged.
        evidence: one value an indicator.
        policy: names the indicators and says how to combine them.

    Raises:
        PolicyError: if *learned* was fitted to no such set of indicators.
        ModelError: if what was fitted is missing or damaged.
    """
    if policy.combine == "any" and not policy.indicators:
        return None
    names = (PARTIAL_MATCH, *policy.indicators)
    fitted = load_combining()
    said = {
        each.indicator: fitted.calibrated(each.indicator, each.value)
        for each in evidence
        if each.indicator in names
    }
    values = {name: said.get(name, said[PARTIAL_MATCH]) for name in names}
    value = joint(entity, values, policy, fitted)
    listed = ", ".join(f"{name} {values[name]:.2f}" for name in names)
    statement = f"Together ({policy.combine}) the indicators give {value:.2f}: {listed}."
    return Evidence(COMBINED, value, statement)


def joint(entity: Entity, values: Mapping[str, float], policy: Policy, fitted: Combining) -> float:
    """Return the probability by all indicators together.

    Args:
        entity: what is judged.
        values: calibrated, by indicator.
        policy: says how to combine them.
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
    described = features(entity, values)
    return probability(sum(learned.get(name, 0.0) * value for name, value in described.items()))


def stack_name(indicators: Iterable[str]) -> str:
    """Return what *learned* calls a set of indicators."""
    return "+".join(sorted(indicators))


def features(entity: Entity, values: Mapping[str, float]) -> dict[str, float]:
    """Return what *learned* looks at, by name.

    Args:
        entity: what is judged.
        values: calibrated, by indicator.
    """
    described = {name: log_odds(value) for name, value in values.items()}
    described[f"type {entity.type}"] = 1.0
    described["log mentions"] = math.log(len(entity.mentions))
    return described


def log_odds(value: float) -> float:
    """Return log(p / (1 - p)), p kept off 0 and 1."""
    kept = min(1 - _LEAST, max(_LEAST, value))
    return math.log(kept / (1 - kept))


def probability(odds: float) -> float:
    """Return the probability with these log odds."""
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
