"""A better choice from a good one: iterated greedy search (Ruiz and Stützle, 2007), adapted to covers.

Some entities that were changed are kept again; what that leaves whole is broken by others, as greedily
as before; what has become unnecessary is taken back. The result is kept if it costs no more. The
budget is a number of steps, not of seconds, and the order of tries comes from one seed: a slow
machine finds what a fast one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from random import Random

_STEPS = 1_500_000
_ROUNDS_AN_ENTITY = 20
_MOST_ROUNDS = 1_500
_PATIENCE = 400
"""Rounds without a lower cost after which none is expected."""
_FEWEST, _MOST = 1, 4
"""How many entities are kept again in a round."""


class Cover:
    """Which entities are changed, and how many members of each combination that are.

    Args:
        prices: by entity that may be changed, what that loses.
        combinations: entities of which one must be changed; those that may not be are left out.

    Attributes:
        changed: the entities that are changed.
        steps: how much work was done, in looks at an entity.
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
        """What the changes lose."""
        return sum(self.prices[index] for index in self.changed)

    def change(self, index: int) -> None:
        """Change an entity that is kept."""
        self.changed.add(index)
        self.steps += len(self.of[index])
        for number in self.of[index]:
            self._count[number] += 1

    def keep(self, index: int) -> list[int]:
        """Keep an entity that is changed; return the combinations that this leaves whole."""
        self.changed.discard(index)
        self.steps += len(self.of[index])
        whole = []
        for number in self.of[index]:
            self._count[number] -= 1
            if not self._count[number]:
                whole.append(number)
        return whole

    def repair(self, whole: set[int], avoided: frozenset[int]) -> None:
        """Break the combinations ``whole``, without ``avoided`` where others can.

        Raises:
            ValueError: if one has no entity that may be changed.
        """
        gains: dict[int, int] = {}
        may_break: dict[int, Sequence[int]] = {}
        for number in whole:
            members = self.combinations[number]
            may_break[number] = [index for index in members if index not in avoided] or members
            for index in may_break[number]:
                gains[index] = gains.get(index, 0) + 1
        self.steps += sum(gains.values())
        # What a change breaks only falls, so that an old price is a bound (lazy greedy).
        heap = [(self.prices[index] / gain, index) for index, gain in gains.items()]
        heapify(heap)
        while whole:
            price, index = heappop(heap)
            gain = gains[index]
            if not gain:
                continue
            if price != self.prices[index] / gain:
                heappush(heap, (self.prices[index] / gain, index))
                continue
            self.change(index)
            for number in whole.intersection(self.of[index]):
                whole.discard(number)
                for other in may_break[number]:
                    gains[other] -= 1

    def prune(self, among: Iterable[int]) -> None:
        """Keep again what breaks nothing by itself alone, the dearest first."""
        for index in sorted(among, key=lambda index: (-self.prices[index], index)):
            self.steps += len(self.of[index])
            if index in self.changed and all(self._count[n] > 1 for n in self.of[index]):
                self.keep(index)

    def neighbours(self, indices: Iterable[int]) -> set[int]:
        """Return all entities that share a combination with one of ``indices``."""
        return {i for index in indices for n in self.of[index] for i in self.combinations[n]}


def improve(cover: Cover) -> None:
    """Lower the cost of a cover that breaks every combination; it still does."""
    cover.prune(list(cover.changed))
    random = Random(1)
    cost = cover.cost
    end, idle = cover.steps + _STEPS, 0
    for _ in range(min(_MOST_ROUNDS, _ROUNDS_AN_ENTITY * len(cover.prices))):
        if cover.steps > end or idle == _PATIENCE:
            return
        idle += 1
        if not cover.changed:
            return
        before = frozenset(cover.changed)
        most = min(_MOST, len(before))
        chosen = frozenset(random.sample(sorted(before), random.randint(_FEWEST, most)))
        whole = {number for index in sorted(chosen) for number in cover.keep(index)}
        cover.repair(whole, chosen)
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
