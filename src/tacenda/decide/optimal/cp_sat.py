"""The best choice by OR-tools' CP-SAT (``explicit_risk_measures``, section 3.3, footnote 5)."""

from __future__ import annotations

from ortools.sat.python import cp_model

from .greedy import solve_greedily
from .problem import Problem, Solution

# Costs are integers to the solver: millionths of a nat.
_UNIT = 1_000_000


def solve_exactly(problem: Problem, seconds: float = 0.5) -> Solution:
    """Return the cheapest choice, or the best that was found in time with its gap.

    Only entities of combinations that are still open have a choice to make: the others take
    their cheapest alternative. Deterministic: one worker, one seed, and a limit in the solver's
    own measure of time, so that a slow machine finds what a fast one does.

    Args:
        problem: what to solve.
        seconds: limit, in the solver's deterministic time, about a second each.
    """
    start = solve_greedily(problem)
    combinations = list(problem.open_combinations())
    if not combinations:
        return Solution(start.chosen, start.cost, 0.0, "cp-sat")
    model = cp_model.CpModel()
    changes: dict[int, cp_model.IntVar] = {}
    extra: dict[int, int] = {}
    for combination in combinations:
        for index in combination:
            member = problem.members[index]
            breaking = member.cheapest_breaking()
            if index in changes or breaking is None:
                continue
            cheapest = member.cheapest()
            changes[index] = model.new_bool_var(member.id)
            model.add_hint(changes[index], start.chosen[index] != cheapest)
            lost = member.alternatives[breaking].cost - member.alternatives[cheapest].cost
            extra[index] = round(lost * _UNIT)
        model.add_bool_or([changes[index] for index in combination if index in changes])
    model.minimize(sum(extra[index] * variable for index, variable in changes.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    # The strongest relaxation: bounds on covering problems are weak without it.
    solver.parameters.linearization_level = 2
    solver.parameters.max_deterministic_time = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return start
    chosen = [member.cheapest() for member in problem.members]
    for index, variable in changes.items():
        if solver.boolean_value(variable):
            breaking = problem.members[index].cheapest_breaking()
            assert breaking is not None
            chosen[index] = breaking
    cost = problem.cost(chosen)
    if status == cp_model.OPTIMAL:
        return Solution(tuple(chosen), cost, 0.0, "cp-sat")
    missing = (solver.objective_value - solver.best_objective_bound) / _UNIT
    return Solution(tuple(chosen), cost, min(1.0, missing / cost) if cost else 0.0, "cp-sat")
