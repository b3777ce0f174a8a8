"""Which combinations lead to the person: pruning, order, budget."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.background.documents import Part, Query
from tacenda.risk.search.algorithm import (
    Indices,
    QueryCache,
    SearchOutcome,
    SearchSession,
    find_risky,
)
from tests.risk.search.toy import Pages

PERSON = "yalman"
WORDS = "abcd"

page = st.sets(st.sampled_from([*WORDS, PERSON, "berg"]))
pages = st.lists(page, max_size=8).map(lambda found: {f"p{n}": w for n, w in enumerate(found)})


def found(
    backend: Pages,
    words: Sequence[str],
    arity: int = 2,
    bound: float = 0.0,
    count: int = 50,
    budget: int = 10_000,
    people: Sequence[Part] = ((PERSON,),),
) -> SearchOutcome:
    """Return what a search for one-word entities finds."""
    asker = SearchSession(backend, QueryCache(), count, budget)
    parts = [(word,) for word in words]
    return find_risky(asker, people, parts, range(len(parts)), arity, bound)


def by_brute_force(
    backend: Pages, words: Sequence[str], arity: int, bound: float, count: int, people: list[Part]
) -> set[Indices]:
    """Return the minimal risky combinations by asking everything."""

    def ask(*words: Part) -> set[str]:
        return {hit.address for hit in backend.search(Query.of(*words), count)}

    about: set[str] = set()
    for person in people:
        about |= ask(person).union(*(ask(person, (word,)) for word in words))
    risky: set[Indices] = set()
    for size in range(1, arity + 1):
        for chosen in combinations(range(len(words)), size):
            parts = [(words[index],) for index in chosen]
            results = ask(*parts)
            known = about.union(*(ask(person, *parts) for person in people))
            if results and len(results & known) / len(results) > bound:
                risky.add(chosen)
    return {chosen for chosen in risky if not any(set(other) < set(chosen) for other in risky)}


@settings(max_examples=600)  # Fewer miss a search that asks for more than it must.
@given(
    pages=pages,
    arity=st.integers(1, 4),
    bound=st.sampled_from([0.0, 0.2, 0.34, 0.5, 0.75]),
    count=st.sampled_from([1, 2, 3, 9]),
    exhaustive=st.booleans(),
    people=st.sampled_from([[(PERSON,)], [(PERSON,), ("berg",)], [(PERSON, "berg")]]),
)
def test_pruning_loses_no_minimal_risky_combination(
    pages: dict[str, set[str]],
    arity: int,
    bound: float,
    count: int,
    exhaustive: bool,
    people: list[Part],
) -> None:
    """Whatever is left out, the minimal risky combinations are those of asking everything."""
    backend = Pages(pages, exhaustive)
    outcome = found(backend, WORDS, arity, bound, count, people=people)
    assert set(outcome.risky) == by_brute_force(backend, WORDS, arity, bound, count, people)
    assert not outcome.unknown
    assert not outcome.unasked


def test_two_entities_are_risky_where_only_together_they_lead_to_the_person() -> None:
    """At a bound of one half, two places with namesakes are safe, and both of them are not."""
    backend = Pages({"1": {"a", "b", PERSON}, "2": {"a"}, "3": {"b"}})
    outcome = found(backend, "ab", bound=0.5)
    assert set(outcome.risky) == {(0, 1)}
    assert outcome.risky[0, 1].share == 1.0
    assert outcome.singles[0].share == 0.5


def test_a_risky_entity_is_not_asked_again_with_others() -> None:
    """Supersets of a risky combination need no query."""
    backend = Pages({"1": {"a", PERSON}, "2": {"b"}, "3": {"c"}}, exhaustive=False)
    outcome = found(backend, "abc")
    assert set(outcome.risky) == {(0,)}
    pairs = [query for query in backend.asked if len(query.parts) == 2]
    assert (("a",), ("b",)) not in [query.parts for query in pairs]


def test_an_index_is_not_asked_for_what_follows() -> None:
    """With all pages of an index known, neither the name with an entity nor any pair is asked."""
    backend = Pages({"1": {PERSON}, "2": {"a", "b"}, "3": {"b", "c"}})
    found(backend, "abc")
    assert len(backend.asked) == 4


def test_a_page_beyond_the_first_results_is_found_by_the_name_with_the_entity() -> None:
    """Algorithm 1 asks for the person together with the entities, as results are cut off."""
    many = {f"0{n}": {PERSON} for n in range(5)}
    backend = Pages({**many, "1": {"a", PERSON}}, exhaustive=False)
    assert set(found(backend, "a", count=5).risky) == {(0,)}


def test_the_rarest_come_first() -> None:
    """Pairs are asked in the order of how few results their entities have."""
    backend = Pages(
        {"1": {"a", "b", "c"}, "2": {"a", "b"}, "3": {"a"}, "4": {PERSON}}, exhaustive=False
    )
    found(backend, "abc")
    pairs = [q.parts for q in backend.asked if len(q.parts) == 2 and (PERSON,) not in q.parts]
    assert pairs == [(("b",), ("c",)), (("a",), ("c",)), (("a",), ("b",))]


@pytest.mark.parametrize(("budget", "unasked"), [(1, 10), (2, 9), (5, 6), (8, 3), (11, 0)])
def test_what_the_budget_leaves_out_is_counted(budget: int, unasked: int) -> None:
    """Of four entities and six pairs, each query of the budget settles one, after the person's."""
    # Everything shares a page with everything, and nothing with the person.
    backend = Pages({"1": set("abcd"), "2": set("abcd"), "3": {PERSON}})
    outcome = found(backend, "abcd", budget=budget, count=2)
    assert len(backend.asked) == budget
    assert outcome.unasked == unasked
    assert outcome.judged == 10 - unasked
    assert not outcome.unknown


def test_one_person_whose_pages_are_cut_off_is_asked_for_with_each_entity() -> None:
    """That all pages of another person are known says nothing of hers."""
    backend = Pages({"1": {"berg"}, "2": {"a", "berg"}})
    assert set(found(backend, "a", count=1, people=[(PERSON,), ("berg",)]).risky) == {(0,)}
