"""A good choice without a solver: the change that breaks most combinations for its price, first.

Greedy weighted set cover (Chvátal, 1979), then a pass that takes back what later changes made
unnecessary. Within a factor of the logarithm of the largest number of combinations of an entity.
"""

from __future__ import annotations

from collections import defaultdict

from .problem import Problem, Solution


def solve_greedily(problem: Problem) -> Solution:
    """Return a choice that satisfies the problem; ties go to the entity that comes first."""
    chosen = [member.cheapest() for member in problem.members]
    combinations = list(problem.open_combinations())
    of_member: dict[int, set[int]] = defaultdict(set)
    for number, combination in enumerate(combinations):
        for index in combination:
            if problem.members[index].cheapest_breaking() is not None:
                of_member[index].add(number)
    left = set(range(len(combinations)))
    open_of = {index: len(numbers) for index, numbers in of_member.items()}
    changed: list[int] = []
    while left:
        # Equal prices are decided by the place in the document.
        index = min(open_of, key=lambda i: (_price(problem, i, open_of[i]), i))
        for number in of_member[index] & left:
            for other in combinations[number]:
                if other in open_of:
                    open_of[other] -= 1
        left -= of_member[index]
        changed.append(index)
        chosen[index] = _breaking(problem, index)
    for index in sorted(changed, key=lambda i: (-_extra(problem, i), i)):
        others = [other for other in changed if other != index]
        if set().union(*(of_member[other] for other in others)) == set(range(len(combinations))):
            changed = others
            chosen[index] = problem.members[index].cheapest()
    return Solution(tuple(chosen), problem.cost(chosen), None if combinations else 0.0, "greedy")


def _price(problem: Problem, index: int, broken: int) -> float:
    return _extra(problem, index) / broken if broken else float("inf")


def _extra(problem: Problem, index: int) -> float:
    """Return what breaking costs more than the cheapest alternative."""
    member = problem.members[index]
    alternatives = member.alternatives
    return alternatives[_breaking(problem, index)].cost - alternatives[member.cheapest()].cost


def _breaking(problem: Problem, index: int) -> int:
    breaking = problem.members[index].cheapest_breaking()
    assert breaking is not None
    return breaking
