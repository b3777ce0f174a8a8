"""The masking problem as numbers: what each entity may become, and what must not be left together.

``explicit_risk_measures``, section 3.3, extended from masked or not to any number of options:

    minimise    the information lost, summed over entities
    subject to  each entity takes one of the options that the rules leave it
                of each risky combination at least one member takes an option that breaks it
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ...errors import PolicyError


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to write an entity.

    Attributes:
        cost: information lost, in nats, 0 for keeping it; never negative.
        breaks: whether it takes the entity out of every combination it is in.
    """

    cost: float
    breaks: bool


@dataclass(frozen=True, slots=True)
class Member:
    """An entity with its alternatives.

    Attributes:
        id: name of the entity.
        alternatives: at least one.
        allowed: indices of the alternatives that the rules leave, in order.
        rules: what left no more than that, as the policy names it; for the message where rules
            clash.
    """

    id: str
    alternatives: tuple[Alternative, ...]
    allowed: tuple[int, ...]
    rules: tuple[str, ...] = ()

    def cheapest(self) -> int:
        """Return the allowed alternative that loses least, the first of equals."""
        return min(self.allowed, key=lambda index: self.alternatives[index].cost)

    def cheapest_breaking(self) -> int | None:
        """Return the allowed alternative that breaks combinations and loses least, if any does."""
        breaking = [index for index in self.allowed if self.alternatives[index].breaks]
        return min(breaking, key=lambda index: self.alternatives[index].cost, default=None)

    def extra(self) -> float | None:
        """Return what breaking costs more than the cheapest alternative; None if nothing breaks."""
        breaking = self.cheapest_breaking()
        if breaking is None:
            return None
        return self.alternatives[breaking].cost - self.alternatives[self.cheapest()].cost


@dataclass(frozen=True, slots=True)
class Problem:
    """Entities and the combinations of them that are risky.

    Attributes:
        members: the entities.
        combinations: indices of members, at least one each.

    Raises:
        PolicyError: if no choice satisfies all rules; the message names those that clash.
    """

    members: tuple[Member, ...]
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
        """Yield the combinations that the cheapest alternatives don't break by themselves."""
        broken = {
            index
            for index, member in enumerate(self.members)
            if member.alternatives[member.cheapest()].breaks
        }
        for combination in dict.fromkeys(tuple(sorted(set(c))) for c in self.combinations):
            if broken.isdisjoint(combination):
                yield combination

    def with_changed(self, changed: Collection[int]) -> tuple[int, ...]:
        """Return the choice where these members break their combinations, as cheaply as they can.

        Args:
            changed: indices of members; the others take what is cheapest.
        """
        choice = []
        for index, member in enumerate(self.members):
            breaking = member.cheapest_breaking() if index in changed else None
            choice.append(member.cheapest() if breaking is None else breaking)
        return tuple(choice)

    def cost(self, chosen: Sequence[int]) -> float:
        """Return the information that a choice loses, in nats."""
        return sum(
            member.alternatives[index].cost
            for member, index in zip(self.members, chosen, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Solution:
    """A choice for each member.

    Attributes:
        chosen: index of the alternative of each member, in order.
        cost: information lost, in nats.
        gap: how much cheaper, at most, another choice could be, as a share of the cost in [0, 1];
            0 where the choice is proven the best, None where nothing is known.
        solver: ``cp-sat`` or ``greedy``.
    """

    chosen: tuple[int, ...]
    cost: float
    gap: float | None
    solver: str


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "the rules"
