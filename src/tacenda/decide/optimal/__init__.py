"""Which entities to change, and into what, so that least is lost (``explicit_risk_measures``, 3.3).

    problem     entities, their alternatives, risky combinations; says which rules clash
    cp_sat      the best choice, by OR-tools (extra ``optimal``)
    greedy      a good one, where OR-tools is not installed

Both are deterministic; of problems with up to some dozen entities they nearly always choose the same.
"""

from __future__ import annotations

from .problem import Alternative, Member, Problem, Solution

__all__ = ["Alternative", "Member", "Problem", "Solution", "solve"]


def solve(problem: Problem, seconds: float = 0.4) -> Solution:
    """Return the cheapest choice that satisfies the problem.

    Args:
        problem: what to solve.
        seconds: limit of the exact search; the best choice found by then is returned.
    """
    try:
        from .cp_sat import solve_exactly
    except ImportError:
        from .greedy import solve_greedily

        return solve_greedily(problem)
    return solve_exactly(problem, seconds)
