"""Assessments: the findings of all indicators about an entity, combined into one risk."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .. import plugins
from ..document import (
    Assessment,
    Certainty,
    Combination,
    Decision,
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Leak,
    Risk,
)
from ..errors import PolicyError
from ..models.combining import Combining, load_combining
from ..policy import Policy
from .indicators import (
    PARTIAL_MATCH,
    CombinationIndicator,
    Finding,
    IdentityNumbers,
    Indicator,
    PluginIndicator,
    RecognizerIndicator,
    Target,
)

# Indicators by name: those of ``REGISTRY``, and those of other packages by an entry point of
# ``tacenda.indicators``, called without arguments. The name is that of its evidence,
# whose value is a calibrated probability. A ``CombinationIndicator`` is asked for combinations too.


def _whole_match() -> Indicator:
    from .indicators import RecognizerIndicator

    return RecognizerIndicator(every_word=True)


REGISTRY: dict[str, Callable[[], Indicator]] = {"masking_head_whole": _whole_match}
"""The built-in ones."""


def indicator_names() -> tuple[str, ...]:
    """The names of all indicators, built in or from other packages, sorted.

    Raises:
        PluginError: if two of them have one name.
    """
    return tuple(sorted((*REGISTRY, *plugins.names(plugins.INDICATORS, REGISTRY))))


@dataclass(frozen=True, slots=True)
class _CachedFindings:
    about: tuple[Document, tuple[Entity, ...]]
    findings: tuple[Finding | None, ...]
    combinations: tuple[Combination, ...]


class CachedIndicator:
    """An indicator that is asked once about the same entities: a document is decided in rounds.

    Args:
        indicator: what is asked.
    """

    def __init__(self, indicator: Indicator) -> None:
        self._indicator = indicator
        # One value, so that threads that share it never see half of an answer.
        self._last: _CachedFindings | None = None

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """The findings, one an entity, in order."""
        return list(self._asked(document, entities).findings)

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """The risky combinations; none where the indicator finds none."""
        return self._asked(document, entities).combinations

    def _asked(self, document: Document, entities: Sequence[Entity]) -> _CachedFindings:
        last, about = self._last, (document, tuple(entities))
        if last is None or last.about != about:
            combinations: Sequence[Combination] = ()
            findings = self._indicator.judge(document, entities)
            if isinstance(self._indicator, CombinationIndicator):
                combinations = self._indicator.combinations(document, entities)
            last = _CachedFindings(about, tuple(findings), tuple(combinations))
            self._last = last
        return last


@cache
def _load_indicator(name: str) -> CachedIndicator:
    factory = REGISTRY.get(name)
    if factory is not None:
        return CachedIndicator(factory())
    part = f"indicator {name!r}"
    return CachedIndicator(PluginIndicator(plugins.create(plugins.INDICATORS, name, part), part))


def load_indicators(names: Sequence[str]) -> tuple[CachedIndicator, ...]:
    """The indicators with these names, each loaded once in a process.

    Raises:
        PolicyError: if there is none of a name; the message lists those there are.
        MissingLabError: if only ``tacenda-lab`` has it, and is not installed.
        PluginError: if it can't be loaded.
    """
    for name in names:
        if name not in REGISTRY and name not in (
            *indicator_names(),
            *plugins.LAB[plugins.INDICATORS],
        ):
            raise PolicyError(
                f"no indicator is called {name!r}; there are: {', '.join(indicator_names())}"
            )
    return tuple(map(_load_indicator, names))


# Several indicators combined into one probability that the entity must be masked:
#
# | ``combine:`` | the probability |
# |---|---|
# | any | the largest: whoever says so, it is masked (``explicit_risk_measures``, 3.3) |
# | all | the smallest: nobody may disagree |
# | weighted | the mean of the log odds, by the policy's weights |
# | learned | a logistic regression over the log odds, the type and the number of mentions |
#
# Combined are the recognizer and the policy's ``indicators``, each by its curve, which was fitted with
# the weights of *learned* (``tacenda train risk``). What is certain by itself, an identity number or a
# name of the target, and what a search or an attacker says, only ever raises the probability. An
# indicator with nothing to say is taken to agree with the recognizer.


COMBINED = "combined"
_LEAST = 1e-4


def combined_evidence(
    entity: Entity, evidence: Sequence[Evidence], policy: Policy
) -> Evidence | None:
    """The combined probability as evidence; None where the largest value stands.

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
    probabilities = {
        item.indicator: fitted.calibrated(item.indicator, item.value)
        for item in evidence
        if item.indicator in names
    }
    values = {name: probabilities.get(name, probabilities[PARTIAL_MATCH]) for name in names}
    value = joint(entity, values, policy, fitted)
    listed = ", ".join(f"{name} {values[name]:.2f}" for name in names)
    statement = f"Together ({policy.combine}) the indicators give {value:.2f}: {listed}."
    return Evidence(COMBINED, value, statement)


def joint(entity: Entity, values: Mapping[str, float], policy: Policy, fitted: Combining) -> float:
    """The probability by all indicators together.

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
    described = indicator_features(entity, values)
    return probability(sum(learned.get(name, 0.0) * value for name, value in described.items()))


def stack_name(indicators: Iterable[str]) -> str:
    """The name of a set of indicators in the weights of *learned*."""
    return "+".join(sorted(indicators))


def indicator_features(entity: Entity, values: Mapping[str, float]) -> dict[str, float]:
    """The features of *learned*, by name.

    Args:
        entity: what is judged.
        values: calibrated, by indicator.
    """
    described = {name: log_odds(value) for name, value in values.items()}
    described[f"type {entity.type}"] = 1.0
    described["log mentions"] = math.log(len(entity.mentions))
    return described


def log_odds(value: float) -> float:
    """log(p / (1 - p)), p kept off 0 and 1."""
    chance = min(1 - _LEAST, max(_LEAST, value))
    return math.log(chance / (1 - chance))


def probability(odds: float) -> float:
    """The probability with these log odds."""
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))


_CERTAINTIES = {None: 0, Certainty.IDENTITY_NUMBER: 1, Certainty.TARGET: 2}
_SEVERITY = {IdentifierType.NO_MASK: 0, IdentifierType.QUASI: 1, IdentifierType.DIRECT: 2}


def assess(
    document: Document,
    entities: Sequence[Entity],
    policy: Policy,
    indicators: Sequence[Indicator] = (),
) -> tuple[Assessment, ...]:
    """The assessments, one an entity, in order; see the package for how findings combine.

    Args:
        document: where the mentions' strings are.
        entities: what to assess.
        policy: names the persons to protect besides the document's own target, and indicators to
            ask besides the ones that are always asked, with the way to combine them.
        indicators: indicators that no name calls, such as those that know of an index.

    Raises:
        PolicyError: if the policy's indicators are unknown or can't be combined.
    """
    always: tuple[Indicator, ...] = (
        RecognizerIndicator(),
        IdentityNumbers(),
        Target(policy.target),
    )
    all_indicators = (*always, *load_indicators(policy.indicators), *indicators)
    columns = [indicator.judge(document, entities) for indicator in all_indicators]
    return tuple(
        _combine(entity, [finding for finding in findings if finding is not None], policy)
        for entity, *findings in zip(entities, *columns, strict=True)
    )


def _combine(entity: Entity, findings: list[Finding], policy: Policy) -> Assessment:
    findings.sort(key=lambda finding: (-finding.evidence.value, -_SEVERITY[finding.identifier]))
    evidence = tuple(finding.evidence for finding in findings)
    risk = evidence[0].value
    combination = combined_evidence(entity, evidence, policy)
    if combination is not None:
        graded = (PARTIAL_MATCH, *policy.indicators)
        values = [item.value for item in evidence if item.indicator not in graded]
        evidence = (combination, *evidence)
        risk = max((combination.value, *values))
    return Assessment(
        entity=entity,
        risk=risk,
        identifier=max((finding.identifier for finding in findings), key=_SEVERITY.__getitem__),
        evidence=evidence,
        certain=max((finding.certain for finding in findings), key=_CERTAINTIES.__getitem__),
    )


def risk_summary(decisions: Sequence[Decision], leaks: Sequence[Leak]) -> Risk:
    """Sum the calibrated probabilities of all entities, and of those that were kept.

    An entity that leaked counts as kept.
    """
    leaked = {leak.entity_id for leak in leaks}
    risks = [
        decision.risk
        for decision in decisions
        if not decision.masked or decision.entity.id in leaked
    ]
    return Risk(
        before=sum(decision.risk for decision in decisions),
        residual=sum(risks),
        highest_kept=max(risks, default=0.0),
        leaks=len(leaks),
    )
