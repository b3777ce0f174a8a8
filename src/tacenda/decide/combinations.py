"""Break all risky combinations with the cheapest choice of replacements.

The optimization problem of ``explicit_risk_measures``, section 3.3, extended from *masked or kept*
to any number of options:

    minimise    the information lost, summed over entities
    subject to  each entity takes one of the options allowed by the rules
                of each risky combination is broken by the option of at least one member

``cp_sat.py`` solves it exactly with OR-tools (extra ``optimal``). Without OR-tools, the greedy
search in this module is used. Both are deterministic, and they nearly always agree for up to a few
dozen entities.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from random import Random

from ..document import (
    AS_IT_STANDS,
    Combination,
    Decision,
    Document,
    Effect,
    IdentifierType,
    Reason,
    RuleKind,
    Span,
)
from ..errors import PolicyError
from ..policy import Policy
from .decide import allowed_by, by_itself, operator_of


@dataclass(frozen=True, slots=True)
class Choice:
    """One alternative for an entity.

    Attributes:
        cost: information lost, in nats, 0 for keeping it; never negative.
        breaks: whether it takes the entity out of every combination it is in.
    """

    cost: float
    breaks: bool


@dataclass(frozen=True, slots=True)
class Variable:
    """An entity with its alternatives.

    Attributes:
        id: the entity's id.
        alternatives: at least one.
        allowed: indices of the alternatives that the rules allow, in order.
        rules: the rules that set this limit, as the policy names them, for the error message when
            rules clash.
    """

    id: str
    alternatives: tuple[Choice, ...]
    allowed: tuple[int, ...]
    rules: tuple[str, ...] = ()

    def cheapest(self) -> int:
        """The cheapest allowed alternative; the first one on a tie."""
        return min(self.allowed, key=lambda index: self.alternatives[index].cost)

    def cheapest_breaking(self) -> int | None:
        """Return the cheapest allowed alternative that breaks combinations, or None if none does."""
        breaking = [index for index in self.allowed if self.alternatives[index].breaks]
        return min(breaking, key=lambda index: self.alternatives[index].cost, default=None)

    def extra(self) -> float | None:
        """The extra cost of breaking over the cheapest alternative; None if nothing breaks."""
        breaking = self.cheapest_breaking()
        if breaking is None:
            return None
        return self.alternatives[breaking].cost - self.alternatives[self.cheapest()].cost


@dataclass(frozen=True, slots=True)
class Problem:
    """Entities and their risky combinations.

    Attributes:
        members: the entities.
        combinations: the member indices of each combination; none is empty.

    Raises:
        PolicyError: if no choice satisfies all rules; the message names the rules that clash.
    """

    members: tuple[Variable, ...]
    combinations: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        for member in self.members:
            if not member.allowed:
                raise PolicyError(
                    f"entity {member.id} can be neither kept nor changed: "
                    f"{_and(member.rules)} contradict each other; remove one"
                )
        for combination in self.combinations:
            members = [self.members[index] for index in combination]
            if all(member.cheapest_breaking() is None for member in members):
                rules = list(dict.fromkeys(rule for member in members for rule in member.rules))
                raise PolicyError(
                    f"entities {_and([member.id for member in members])} must not all be left, and "
                    f"{_and(rules)} leave{'s' if len(rules) == 1 else ''} each of them; remove one"
                )

    def open_combinations(self) -> Iterator[tuple[int, ...]]:
        """Yield the combinations that the cheapest alternatives leave unbroken."""
        broken = {
            index
            for index, member in enumerate(self.members)
            if member.alternatives[member.cheapest()].breaks
        }
        for combination in dict.fromkeys(tuple(sorted(set(c))) for c in self.combinations):
            if broken.isdisjoint(combination):
                yield combination

    def with_changed(self, indices: Collection[int]) -> tuple[int, ...]:
        """Return the cheapest choice in which these members break their combinations.

        Args:
            indices: indices of these members; all others take their cheapest alternative.
        """
        choice = []
        for index, member in enumerate(self.members):
            breaking = member.cheapest_breaking() if index in indices else None
            choice.append(member.cheapest() if breaking is None else breaking)
        return tuple(choice)

    def cost(self, choice: Sequence[int]) -> float:
        """Return the information lost by a choice, in nats."""
        return sum(
            member.alternatives[index].cost
            for member, index in zip(self.members, choice, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Solution:
    """A choice for each member.

    Attributes:
        chosen: index of the alternative of each member, in order.
        cost: information lost, in nats.
        gap: how much cheaper another choice could be at most, as a share of the cost in [0, 1]; 0
            if this choice is proven optimal, None if unknown.
        solver: ``cp-sat`` or ``greedy``.
    """

    chosen: tuple[int, ...]
    cost: float
    gap: float | None
    solver: str


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "the rules"


def solve(problem: Problem, seconds: float = 0.4) -> Solution:
    """Return the cheapest choice that satisfies the problem.

    Args:
        problem: entities and combinations.
        seconds: time limit of the exact search, which then returns the best choice found.
    """
    try:
        from .cp_sat import solve_exactly
    except ImportError:
        return solve_greedily(problem)
    return solve_exactly(problem, seconds)


# Iterated greedy search (Ruiz and Stützle, 2007), adapted to covers: keep some changed entities
# again, break the combinations this leaves whole greedily, and undo needless changes. The budget is
# a number of steps with a fixed seed, so slow and fast machines find the same result.


_STEPS = 1_500_000
_ROUNDS_AN_ENTITY = 20
_MOST_ROUNDS = 1_500
_MAX_IDLE_ROUNDS = 400
"""Rounds without a lower cost after which none is expected."""
_FEWEST, _MOST = 1, 4
"""Number of entities kept again in a round."""


class Cover:
    """The changed entities, and how many members of each combination are changed.

    Args:
        prices: the information lost by changing each entity that is free to change.
        combinations: sets of entities, at least one of which must change; entities that aren't free
            to change are left out.

    Attributes:
        changed: the changed entities.
        steps: work done so far, counted in entities examined.
    """

    def __init__(self, prices: dict[int, float], combinations: Sequence[Sequence[int]]) -> None:
        self.prices = prices
        self.combinations = combinations
        self.of: dict[int, list[int]] = {index: [] for index in prices}
        for number, combination in enumerate(combinations):
            for index in combination:
                self.of[index].append(number)
        self.changed: set[int] = set()
        self.steps = 0
        self._count = [0] * len(combinations)

    @property
    def cost(self) -> float:
        """The cost of the changes."""
        return sum(self.prices[index] for index in self.changed)

    def change(self, index: int) -> None:
        """Change a kept entity."""
        self.changed.add(index)
        self.steps += len(self.of[index])
        for number in self.of[index]:
            self._count[number] += 1

    def keep(self, index: int) -> list[int]:
        """Keep a changed entity again; return the combinations that this leaves whole."""
        self.changed.discard(index)
        self.steps += len(self.of[index])
        numbers = []
        for number in self.of[index]:
            self._count[number] -= 1
            if not self._count[number]:
                numbers.append(number)
        return numbers

    def repair(self, numbers: set[int], avoided: frozenset[int]) -> None:
        """Break the combinations ``numbers``, with entities outside ``avoided`` if possible.

        Raises:
            ValueError: if a combination has no entity that is free to change.
        """
        gains: dict[int, int] = {}
        may_break: dict[int, Sequence[int]] = {}
        for number in numbers:
            members = self.combinations[number]
            may_break[number] = [index for index in members if index not in avoided] or members
            for index in may_break[number]:
                gains[index] = gains.get(index, 0) + 1
        self.steps += sum(gains.values())
        # The number of combinations that a change breaks only falls, so an old price is a lower
        # bound (lazy greedy).
        heap = [(self.prices[index] / gain, index) for index, gain in gains.items()]
        heapify(heap)
        while numbers:
            price, index = heappop(heap)
            gain = gains[index]
            if not gain:
                continue
            if price != self.prices[index] / gain:
                heappush(heap, (self.prices[index] / gain, index))
                continue
            self.change(index)
            for number in numbers.intersection(self.of[index]):
                numbers.discard(number)
                for member in may_break[number]:
                    gains[member] -= 1

    def prune(self, candidates: Iterable[int]) -> None:
        """Undo redundant changes, the most expensive first."""
        for index in sorted(candidates, key=lambda index: (-self.prices[index], index)):
            self.steps += len(self.of[index])
            if index in self.changed and all(self._count[n] > 1 for n in self.of[index]):
                self.keep(index)

    def neighbours(self, indices: Iterable[int]) -> set[int]:
        """Return all entities that share a combination with ``indices``."""
        return {i for index in indices for n in self.of[index] for i in self.combinations[n]}


def improve(cover: Cover) -> None:
    """Lower the cost of a cover; it still covers all combinations."""
    cover.prune(list(cover.changed))
    random = Random(1)
    cost = cover.cost
    end, idle = cover.steps + _STEPS, 0
    for _ in range(min(_MOST_ROUNDS, _ROUNDS_AN_ENTITY * len(cover.prices))):
        if cover.steps > end or idle == _MAX_IDLE_ROUNDS:
            return
        idle += 1
        if not cover.changed:
            return
        before = frozenset(cover.changed)
        limit = min(_MOST, len(before))
        sample = frozenset(random.sample(sorted(before), random.randint(_FEWEST, limit)))
        numbers = {number for index in sorted(sample) for number in cover.keep(index)}
        cover.repair(numbers, sample)
        cover.prune(cover.neighbours(cover.changed ^ before))
        new = cover.cost
        if new <= cost:
            idle = idle if new == cost else 0
            cost = new
            continue
        for index in cover.changed - before:
            cover.keep(index)
        for index in before - cover.changed:
            cover.change(index)


# Greedy weighted set cover (Chvátal, 1979), whose cost is within a logarithmic factor of the
# optimum (in the largest number of combinations that one entity is in); then ``improve``.


def solve_greedily(problem: Problem) -> Solution:
    """Return a cheap choice that satisfies the problem; ties go to the earlier entity."""
    combinations = list(problem.open_combinations())
    prices: dict[int, float] = {}
    for index in sorted({index for combination in combinations for index in combination}):
        extra = problem.members[index].extra()
        if extra is not None:
            prices[index] = extra
    cover = Cover(prices, [[i for i in combination if i in prices] for combination in combinations])
    cover.repair(set(range(len(combinations))), frozenset())
    improve(cover)
    choice = problem.with_changed(cover.changed)
    return Solution(choice, problem.cost(choice), None if combinations else 0.0, "greedy")


# Replacements that break the risky combinations and lose the least information.
#
# ``explicit_risk_measures``, section 3.3, with the options of *generalize* as alternatives. An
# alternative loses
#
#     information · (1 − share of it that is kept)
#
# where an entity's information is that of all its mentions. An alternative breaks the entity's
# combinations if its residual risk is within the policy's bound. Entities masked by the threshold
# or a rule stay masked; entities kept by an allow rule or a person stay kept.


Information = Callable[[Span], float]
"""The information of a span of the document, in nats."""

_GENERALIZE = "generalize"
_SUPPRESS = "suppress"
_NEEDED = 10.0
"""Weight of a word that carries information readers need."""


def with_candidates(
    document: Document,
    decisions: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    fixed: Collection[str] = (),
) -> tuple[Decision, ...]:
    """Return the decisions as if every entity of a combination had to change.

    This finds the options of kept entities; ``break_combinations`` undoes needless changes.

    Args:
        document: the document of the mentions.
        decisions: one per entity.
        combinations: entities that must not be left together.
        policy: has operators and allow list.
        fixed: ids of entities decided by a person.
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
    decisions: Sequence[Decision],
    candidates: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    information: Information,
) -> tuple[Decision, ...]:
    """Return the decisions that change at least one member of every risky combination.

    Entities of no combination stay as they are in ``candidates``.

    Args:
        decisions: as they were before ``with_candidates``, one an entity.
        candidates: of ``with_candidates``, with options where the operator is *generalize*.
        combinations: entities that must not be left together.
        policy: has the bound on the residual risk.
        information: of a span of the document, in nats.

    Raises:
        PolicyError: if the allow list keeps all entities of a combination.
    """
    involved = _involved(combinations)
    indices = [index for index, item in enumerate(candidates) if item.entity.id in involved]
    place = {candidates[index].entity.id: number for number, index in enumerate(indices)}
    problem = Problem(
        tuple(
            _member(decisions[index], candidates[index], policy, information) for index in indices
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
    cost = sum(information(mention.span) for mention in candidate.entity.mentions)
    cost *= _NEEDED if candidate.attribute else 1.0
    if candidate.options:
        bound = policy.residual_risk
        changes = [
            Choice(
                cost * (1 - option.kept),
                # The string itself is what was searched for.
                option.risk <= bound and option.source != AS_IT_STANDS,
            )
            for option in candidate.options
        ]
    else:
        changes = [Choice(cost, breaks=True)]
    # A change that breaks nothing is pointless: it would lose something for nothing.
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
    needed = candidate.reasons[: bool(candidate.attribute)]
    return replace(
        candidate,
        threshold=None,
        masked_up_to=None,
        risk=max(candidate.risk, riskiest.risk),
        reasons=(*needed, reason, *findings, *map(by_itself, decision.reasons)),
    )
