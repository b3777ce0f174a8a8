"""A document decided anew, at another bound or after another change; no model runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...document import Assessment, Combination, Decision, Option
from ...pipeline import Analysis, check_result, complete
from ...policy import Policy
from ...result import Result
from ...rewrite.generalize.options import propose_options
from ...rewrite.ontology import shipped
from .events import ReviewOverlay, ReviewState, Verdict, changed_mentions
from .indicators import IndicatorSet


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """The current state of a reviewed document; compared by identity, so that pages can be cached.

    Attributes:
        sanitized: text and decisions.
        assessments: one an entity, in the order of the decisions.
        verdicts: entity id to the decision by hand.
        bound: entities are masked from this risk on, unless the policy has one for the type; where
            the policy bounds the risk of the whole document, the largest risk of a kept entity.
        state: the decisions of a person.
    """

    sanitized: Result
    assessments: tuple[Assessment, ...]
    verdicts: dict[str, Verdict]
    bound: float
    state: ReviewState

    @property
    def undecided(self) -> tuple[Decision, ...]:
        """The decisions neither confirmed nor changed by a person."""
        decisions = self.sanitized.decisions
        return tuple(item for item in decisions if item.entity.id not in self.verdicts)

    @property
    def left_together(self) -> tuple[Combination, ...]:
        """The unbroken combinations that point to the person: a reviewer kept them."""
        masked = {item.entity.id for item in self.sanitized.decisions if item.masked}
        return tuple(
            item for item in self.sanitized.combinations if masked.isdisjoint(item.entity_ids)
        )


def redecide(
    analysis: Analysis,
    policy: Policy,
    threshold: float,
    state: ReviewState,
    indicators: IndicatorSet | None = None,
) -> Reviewed:
    """The document by the decisions of policy and person.

    Args:
        analysis: detected mentions under this policy.
        policy: thresholds, operators, lists.
        threshold: used where neither policy nor person set one.
        state: the person's decisions; their bound replaces all thresholds of the policy.
        indicators: further indicators and checks.
    """
    indicators = indicators or IndicatorSet()
    if state.bound is not None:
        policy = policy.with_changes(threshold=state.bound, thresholds={}, economy=policy.economy)
    overlay = ReviewOverlay(state, policy)
    result = complete(
        changed_mentions(analysis, state),
        policy,
        threshold,
        overlay,
        indicators.indicators,
        indicators.combination_indicators,
    )
    checked = check_result(result.sanitized, policy, indicators.checks)
    result = replace(result, sanitized=checked)
    verdicts = {
        entity.id: verdict
        for entity in result.sanitized.entities
        if (verdict := overlay.verdict(entity)) is not None
    }
    if policy.risk is not None:
        decisions = (item for item in result.sanitized.decisions if not item.masked)
        bound = max(
            (item.risk for item in decisions if item.entity.id not in verdicts), default=0.0
        )
    else:
        bound = threshold if policy.threshold is None else policy.threshold
    return Reviewed(result.sanitized, result.assessments, verdicts, bound, state)


def options_of(reviewed: Reviewed, policy: Policy, entity: str) -> tuple[Option, ...]:
    """The options of one entity, from the most specific to ``***``; none if it is unknown."""
    sanitized = reviewed.sanitized
    decisions = tuple(
        replace(item, masked=True, operator="generalize")
        if item.entity.id == entity
        else replace(item, operator="suppress" if item.masked else "")
        for item in sanitized.decisions
    )
    for decision in propose_options(sanitized.document, decisions, policy, shipped()):
        if decision.entity.id == entity:
            return decision.options
    return ()
