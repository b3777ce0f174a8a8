"""Risky combinations broken by what loses least: an entity kept, or written as one of its options.

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

from ..document import Combination, Decision, Document, IdentifierType
from ..policy import Policy
from .decide import allowed_by, by_itself, operator_of
from .solver import Alternative, Member, Problem, solve

Information = Callable[[str], float]
"""Returns how much a string tells, in nats."""

_GENERALIZE = "generalize"
_SUPPRESS = "suppress"


def expose(
    document: Document,
    decisions: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    fixed: Collection[str] = (),
) -> tuple[Decision, ...]:
    """Return the decisions as if each entity of a combination had to change.

    So that what may be written of those that are kept is known; ``choose_together`` takes back
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


def choose_together(
    document: Document,
    decisions: Sequence[Decision],
    exposed: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    information: Information,
) -> tuple[Decision, ...]:
    """Return the decisions that break all combinations and lose least information.

    Entities of no combination stay as they are in ``exposed``.

    Args:
        document: where the mentions' strings are.
        decisions: as they were before ``expose``, one an entity.
        exposed: what ``expose`` returned, with options where the operator is *generalize*.
        combinations: what must not be left together.
        policy: has the bound on the residual risk.
        information: of a string, in nats.

    Raises:
        PolicyError: if the allow list keeps all entities of a combination.
    """
    involved = _involved(combinations)
    indices = [index for index, each in enumerate(exposed) if each.entity.id in involved]
    place = {exposed[index].entity.id: number for number, index in enumerate(indices)}
    problem = Problem(
        tuple(
            _member(document, decisions[index], exposed[index], policy, information)
            for index in indices
        ),
        tuple(
            tuple(place[id] for id in combination.entity_ids if id in place)
            for combination in combinations
        ),
    )
    chosen = list(exposed)
    for index, number in zip(indices, solve(problem).chosen, strict=True):
        chosen[index] = _written(decisions[index], exposed[index], number, combinations)
    return tuple(chosen)


def _involved(combinations: Iterable[Combination]) -> set[str]:
    return {id for combination in combinations for id in combination.entity_ids}


def _member(
    document: Document,
    decision: Decision,
    exposed: Decision,
    policy: Policy,
    information: Information,
) -> Member:
    """Return an entity with its alternatives: keeping it first, then what may be written."""
    keep = Alternative(0.0, breaks=False)
    id = exposed.entity.id
    if not exposed.masked:
        return Member(id, (keep,), (0,), ("the allow list or a reviewer's decision",))
    told = sum(information(mention.span.of(document.text)) for mention in exposed.entity.mentions)
    if exposed.options:
        bound = policy.residual_risk
        changes = [
            Alternative(told * (1 - option.kept), option.risk <= bound)
            for option in exposed.options
        ]
    else:
        changes = [Alternative(told, breaks=True)]
    # A change that breaks nothing is no use: it would lose something for nothing.
    allowed = [number for number, each in enumerate(changes, start=1) if each.breaks]
    if not decision.masked:
        allowed.insert(0, 0)
    return Member(id, (keep, *changes), tuple(allowed), ("what it may be written as",))


def _written(
    decision: Decision, exposed: Decision, number: int, combinations: Sequence[Combination]
) -> Decision:
    if number == 0:
        return decision
    if exposed.options:
        choice = exposed.options[number - 1]
        last = number == len(exposed.options)
        exposed = replace(exposed, choice=choice, operator=_SUPPRESS if last else _GENERALIZE)
    if decision.masked:
        return exposed
    riskiest = max(
        (each for each in combinations if exposed.entity.id in each.entity_ids),
        key=lambda each: each.risk,
    )
    others = len(riskiest.entity_ids) - 1
    beside = f"with {others} other{'s'[: others > 1]} it points" if others else "it points"
    said = (evidence.statement for evidence in riskiest.evidence)
    reason = f"Masked: {beside} to the person, and changing it loses least."
    return replace(
        exposed,
        threshold=None,
        masked_up_to=None,
        risk=max(exposed.risk, riskiest.risk),
        reasons=(reason, *said, *map(by_itself, decision.reasons)),
    )
