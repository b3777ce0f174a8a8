"""A good choice without a solver: the change that breaks most combinations for its price, first.

Greedy weighted set cover (Chvátal, 1979), within a factor of the logarithm of the largest number of
combinations of an entity; then ``improve``.
"""

from __future__ import annotations

from .improve import Cover, improve
from .problem import Problem, Solution


def solve_greedily(problem: Problem) -> Solution:
    """Return a choice that satisfies the problem; ties go to the entity that comes first."""
    combinations = list(problem.open_combinations())
    prices: dict[int, float] = {}
    for index in sorted({index for combination in combinations for index in combination}):
        extra = problem.members[index].extra()
        if extra is not None:
            prices[index] = extra
    cover = Cover(prices, [[i for i in each if i in prices] for each in combinations])
    cover.repair(set(range(len(combinations))), frozenset())
    improve(cover)
    chosen = problem.with_changed(cover.changed)
    return Solution(chosen, problem.cost(chosen), None if combinations else 0.0, "greedy")
