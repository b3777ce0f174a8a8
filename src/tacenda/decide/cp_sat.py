"""The best choice by OR-tools' CP-SAT (``explicit_risk_measures``, section 3.3, footnote 5)."""

from __future__ import annotations

from ortools.sat.python import cp_model

from .combinations import Problem, Solution, solve_greedily

# The solver needs integer costs: millionths of a nat.
_UNIT = 1_000_000


def solve_exactly(problem: Problem, seconds: float = 0.4) -> Solution:
    """Return the cheapest choice, or the best within the time limit, with its gap.

    Only entities in open combinations need a choice; all others take their cheapest alternative.
    The search is deterministic: one worker, one seed, and a limit in the solver's own measure of
    time, so slow and fast machines find the same result.

    Args:
        problem: entities and combinations.
        seconds: limit in units of the solver's deterministic time, each about one second.
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
            lost = member.extra()
            if index in changes or lost is None:
                continue
            changes[index] = model.new_bool_var(member.id)
            model.add_hint(changes[index], start.chosen[index] != member.cheapest())
            extra[index] = round(lost * _UNIT)
        model.add_bool_or([changes[index] for index in combination if index in changes])
    model.minimize(sum(extra[index] * variable for index, variable in changes.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    # A good choice is found early; the time goes into proving that no other is much cheaper. Bounds
    # on covering problems are weak without the strongest relaxation.
    solver.parameters.linearization_level = 2
    solver.parameters.optimize_with_lb_tree_search = True
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.max_deterministic_time = seconds
    status = solver.solve(model)
    bound = problem.cost(problem.with_changed(())) + solver.best_objective_bound / _UNIT
    best = start
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        indices = {index for index, change in changes.items() if solver.boolean_value(change)}
        choice = problem.with_changed(indices)
        # On equal costs take the solver's choice, so that the result doesn't depend on rounding.
        if status == cp_model.OPTIMAL or problem.cost(choice) < start.cost:
            best = Solution(choice, problem.cost(choice), None, "cp-sat")
    if status == cp_model.OPTIMAL:
        return Solution(best.chosen, best.cost, 0.0, "cp-sat")
    gap = min(1.0, max(0.0, 1.0 - bound / best.cost)) if best.cost else 0.0
    return Solution(best.chosen, best.cost, gap, "cp-sat")
