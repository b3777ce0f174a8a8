"""The choice that loses least, against all choices there are."""

from __future__ import annotations

import random
import sys
from importlib.util import find_spec
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.decide.combinations import (
    Choice,
    Cover,
    Problem,
    Variable,
    improve,
    solve,
    solve_greedily,
)
from tacenda.errors import PolicyError

KEEP = Choice(0.0, breaks=False)
exact = pytest.mark.skipif(find_spec("ortools") is None, reason="needs the extra 'optimal'")


def entity(id: str, *costs: float, allowed: tuple[int, ...] | None = None) -> Variable:
    """Return an entity that may be kept, or changed at any of ``costs``."""
    alternatives = (KEEP, *(Choice(cost, breaks=True) for cost in costs))
    return Variable(id, alternatives, allowed or tuple(range(len(alternatives))))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw a solvable problem small enough for brute force."""
    costs = st.lists(st.integers(1, 40).map(lambda n: n / 4), min_size=1, max_size=2)
    members = []
    for number in range(draw(st.integers(1, 6))):
        member = entity(f"e{number}", *draw(costs))
        if draw(st.booleans()):
            last = len(member.alternatives) - 1
            allowed = draw(st.sampled_from([(last,), tuple(range(last + 1))]))
            member = Variable(member.id, member.alternatives, allowed)
        members.append(member)
    pairs = st.lists(st.integers(0, len(members) - 1), min_size=1, max_size=3).map(tuple)
    return Problem(tuple(members), tuple(draw(st.lists(pairs, max_size=6))))


def satisfies(problem: Problem, chosen: tuple[int, ...]) -> bool:
    """Tell whether a choice follows the rules and breaks every combination."""
    return all(
        index in member.allowed for index, member in zip(chosen, problem.members, strict=True)
    ) and all(
        any(problem.members[i].alternatives[chosen[i]].breaks for i in combination)
        for combination in problem.combinations
    )


@exact
@given(problems())
def test_no_choice_is_cheaper(problem: Problem) -> None:
    """The solver's choice satisfies the problem and costs what the best of all choices costs."""
    solution = solve(problem)
    every = product(*(range(len(member.alternatives)) for member in problem.members))
    best = min(problem.cost(chosen) for chosen in every if satisfies(problem, chosen))
    assert satisfies(problem, solution.chosen)
    assert solution.cost == pytest.approx(best)
    assert solution.gap == 0.0


@given(problems())
def test_the_greedy_choice_is_a_choice(problem: Problem) -> None:
    """Without a solver, everything that must be broken is, at no less than the best cost."""
    solution = solve_greedily(problem)
    assert satisfies(problem, solution.chosen)
    assert solution.cost >= solve(problem).cost - 1e-6


def test_without_the_extra_the_greedy_search_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without OR-tools solves what one with it does, and says by what."""
    monkeypatch.delitem(sys.modules, "tacenda.decide.cp_sat", raising=False)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    problem = Problem((entity("hub", 2.0), entity("a", 1.0), entity("b", 1.5)), ((0, 1), (0, 2)))
    solution = solve(problem)
    assert solution.solver == "greedy"
    assert solution.chosen == (1, 0, 0)


@given(problems())
def test_the_same_problem_has_the_same_answer(problem: Problem) -> None:
    """Solving twice gives one choice, also where several are equally cheap."""
    assert solve(problem) == solve(problem)


@exact
def test_combinations_as_documents_have_them_are_solved() -> None:
    """2,000 pairs of a few telling entities with all others get the best choice, proven."""
    rng = random.Random(7)
    members = tuple(entity(f"e{n}", rng.uniform(1, 20)) for n in range(300))
    telling = rng.sample(range(300), 8)
    pairs = {(rng.choice(telling), rng.randrange(300)) for _ in range(2000)}
    problem = Problem(members, tuple(pair for pair in sorted(pairs) if pair[0] != pair[1]))
    solution = solve(problem)
    assert satisfies(problem, solution.chosen)
    assert solution.gap == 0.0


def test_improving_never_costs_more() -> None:
    """What starts with everything changed ends with what breaks all, for less."""
    rng = random.Random(3)
    prices = {n: rng.uniform(1, 20) for n in range(60)}
    pairs = [tuple(rng.sample(range(60), 2)) for _ in range(150)]
    cover = Cover(prices, pairs)
    for index in prices:
        cover.change(index)
    before = cover.cost
    improve(cover)
    assert cover.cost < before
    assert all(cover.changed & set(pair) for pair in pairs)


def test_the_shared_member_is_changed() -> None:
    """One change that breaks three combinations is cheaper than three."""
    members = (entity("hub", 2.0), entity("a", 1.0), entity("b", 1.0), entity("c", 1.0))
    assert solve(Problem(members, ((0, 1), (0, 2), (0, 3)))).chosen == (1, 0, 0, 0)


def test_a_combination_of_kept_entities_names_the_rules() -> None:
    """Where rules leave no choice, the message says which ones and for which entities."""
    members = (
        Variable("e1", (KEEP, Choice(1, breaks=True)), (0,), ("allow[0]",)),
        Variable("e2", (KEEP, Choice(1, breaks=True)), (0,), ("allow[3]",)),
    )
    with pytest.raises(PolicyError, match=r"e1 and e2 .* allow\[0\] and allow\[3\] leave each"):
        Problem(members, ((0, 1),))


def test_an_entity_without_any_option_names_its_rules() -> None:
    """Two rules that contradict each other on one entity are both named."""
    with pytest.raises(PolicyError, match=r"e1 .* allow\[0\] and deny\[1\] contradict"):
        Problem((Variable("e1", (KEEP,), (), ("allow[0]", "deny[1]")),))


@exact
def test_two_thousand_pairs_have_a_choice_near_the_best() -> None:
    """300 entities with 2,000 risky pairs get a choice with a bound on what is cheaper."""
    rng = random.Random(7)
    members = tuple(entity(f"e{n}", rng.uniform(1, 20)) for n in range(300))
    pairs = tuple(tuple(rng.sample(range(300), 2)) for _ in range(2000))
    problem = Problem(members, pairs)
    solution = solve(problem)
    assert satisfies(problem, solution.chosen)
    assert solution.gap is not None
    assert solution.gap < 0.12


def test_of_needless_changes_the_dearest_is_taken_back() -> None:
    """Where either member of a pair may be kept, it is the one whose change costs more."""
    cover = Cover({0: 5.0, 1: 1.0}, [(0, 1)])
    cover.change(0)
    cover.change(1)
    cover.prune([0, 1])
    assert cover.changed == {1}
