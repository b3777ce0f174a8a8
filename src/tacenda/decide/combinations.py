"""Replacements that break risky combinations with the least loss of information.

``explicit_risk_measures``, section 3.3, with the options of *generalize* as alternatives. An
alternative loses

    information · (1 − share of it that is kept)

where the information of an entity is that of all its mentions. It breaks the combinations of the
entity if its residual risk is at most the policy's bound. What the threshold or a rule masks stays
masked; what an allow rule or a person keeps stays kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from ..document import (
    Combination,
    Decision,
    Document,
    Effect,
    IdentifierType,
    Reason,
    RuleKind,
)
from ..policy import Policy
from .decide import allowed_by, by_itself, operator_of
from .solver import Choice, Problem, Variable, solve

Information = Callable[[str], float]
"""The information of a string, in nats."""

_GENERALIZE = "generalize"
_SUPPRESS = "suppress"


def with_candidates(
    document: Document,
    decisions: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    fixed: Collection[str] = (),
) -> tuple[Decision, ...]:
    """The decisions as if each entity of a combination had to change.

    So that what may be written of those that are kept is known; ``break_combinations`` takes back
    what is not needed.

    Args:
        document: where the mentions' strings are.
        decisions: one an entity.
        combinations: what must not be left together.
        policy: has operators and allow list.
        fixed: ids of entities that a person decided on.
    """
    involved = _involved(combinations).difference(fixed)
    return tuple(
        replace(
            decision,
            masked=True,
            operator=operator_of(document, decision.entity, policy),
            identifier=IdentifierType.QUASI,
        )
        if decision.entity.id in involved
        and not decision.masked
        and allowed_by(document, decision.entity, policy) is None
        else decision
        for decision in decisions
    )


def break_combinations(
    document: Document,
    decisions: Sequence[Decision],
    candidates: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    information: Information,
) -> tuple[Decision, ...]:
    """Choose replacements so that every risky combination loses at least one member.

    Entities of no combination stay as they are in ``candidates``.

    Args:
        document: where the mentions' strings are.
        decisions: as they were before ``with_candidates``, one an entity.
        candidates: what ``with_candidates`` returned, with options where the operator is *generalize*.
        combinations: what must not be left together.
        policy: has the bound on the residual risk.
        information: of a string, in nats.

    Raises:
        PolicyError: if the allow list keeps all entities of a combination.
    """
    involved = _involved(combinations)
    indices = [index for index, item in enumerate(candidates) if item.entity.id in involved]
    place = {candidates[index].entity.id: number for number, index in enumerate(indices)}
    problem = Problem(
        tuple(
            _member(document, decisions[index], candidates[index], policy, information)
            for index in indices
        ),
        tuple(
            tuple(place[id] for id in combination.entity_ids if id in place)
            for combination in combinations
        ),
    )
    result = list(candidates)
    for index, number in zip(indices, solve(problem).chosen, strict=True):
        result[index] = _written(decisions[index], candidates[index], number, combinations)
    return tuple(result)


def _involved(combinations: Iterable[Combination]) -> set[str]:
    return {id for combination in combinations for id in combination.entity_ids}


def _member(
    document: Document,
    decision: Decision,
    candidate: Decision,
    policy: Policy,
    information: Information,
) -> Variable:
    """An entity as a variable of the problem: keeping it first, then its options."""
    keep = Choice(0.0, breaks=False)
    id = candidate.entity.id
    if not candidate.masked:
        return Variable(id, (keep,), (0,), ("the allow list or a reviewer's decision",))
    cost = sum(information(mention.span.of(document.text)) for mention in candidate.entity.mentions)
    if candidate.options:
        bound = policy.residual_risk
        changes = [
            Choice(cost * (1 - option.kept), option.risk <= bound) for option in candidate.options
        ]
    else:
        changes = [Choice(cost, breaks=True)]
    # A change that breaks nothing is no use: it would lose something for nothing.
    allowed = [number for number, change in enumerate(changes, start=1) if change.breaks]
    if not decision.masked:
        allowed.insert(0, 0)
    return Variable(id, (keep, *changes), tuple(allowed), ("what it may be written as",))


def _written(
    decision: Decision, candidate: Decision, number: int, combinations: Sequence[Combination]
) -> Decision:
    if number == 0:
        return decision
    if candidate.options:
        choice = candidate.options[number - 1]
        last = number == len(candidate.options)
        candidate = replace(candidate, choice=choice, operator=_SUPPRESS if last else _GENERALIZE)
    if decision.masked:
        return candidate
    riskiest = max(
        (item for item in combinations if candidate.entity.id in item.entity_ids),
        key=lambda item: item.risk,
    )
    reason = Reason(RuleKind.COMBINATION, Effect.MASK, others=len(riskiest.entity_ids) - 1)
    findings = map(Reason.of_evidence, riskiest.evidence)
    return replace(
        candidate,
        threshold=None,
        masked_up_to=None,
        risk=max(candidate.risk, riskiest.risk),
        reasons=(reason, *findings, *map(by_itself, decision.reasons)),
    )
