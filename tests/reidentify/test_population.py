"""How many people fit what a text tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacenda
from tacenda.errors import InputError
from tacenda.reidentify.population.estimate import (
    MARITAL,
    RACES,
    Condition,
    CountedPlace,
    PlacePopulation,
    Tables,
    load,
    population,
)
from tacenda.reidentify.population.pipeline import PopulationGuard, rounded
from tacenda.reidentify.population.reading import place_of, read_clues
from tacenda.reidentify.population.report import population_risk
from tests.forks import tacenda as run_tacenda

NURSE = (
    "Maria is a 38-year-old widowed nurse from Eugene, Oregon. She was born in Mexico, has a "
    "master's degree and lives with her two sons."
)


def _is(column: str, *values: int) -> Condition:
    return Condition(column, frozenset(values))


def test_counties_add_up_to_states_and_states_to_the_country() -> None:
    """The sums of the counties are those of the states and of the country."""
    tables = load("us")
    counties = [place for name, place in tables.places.items() if ", " in name]
    assert sum(place.people for place in counties) == tables.country.people
    oregon = [place for name, place in tables.places.items() if name.endswith(", Oregon")]
    assert sum(place.people for place in oregon) == tables.place("OR").people
    assert tables.place("lane county, oregon").name == "Lane County, Oregon"


@pytest.mark.parametrize("name", ["Lane", "Nowhere County", ""])
def test_a_place_that_is_none_or_several_is_refused(name: str) -> None:
    """A name that no place has, or several, is refused, and the message says how to name one."""
    with pytest.raises(InputError, match="state"):
        load("us").place(name)


def test_a_country_without_tables_is_refused() -> None:
    """The message lists the countries with tables."""
    with pytest.raises(InputError, match="choose one of us"):
        load("fr")


@pytest.mark.parametrize("place", ["", "Oregon", "Lane County, Oregon"])
def test_raked_shares_are_those_of_the_place(place: str) -> None:
    """Sums by sex and age are those that the place itself has."""
    people = population("us", place)
    adults = people.place.adults
    women = people.estimate([_is("sex", 0)]).expected
    assert women == pytest.approx(people.place.adults_by_age[0].sum(), rel=0.02)
    old = people.estimate([_is("age", *range(65, 91))]).expected
    assert old == pytest.approx(people.place.adults_by_age[:, 1:].sum(), rel=0.02)
    assert people.estimate([_is("sex", 0, 1)]).expected == pytest.approx(adults)


def test_nobody_asked_for_is_everybody() -> None:
    """With no attribute everybody fits, children too."""
    people = population("us", "Oregon")
    assert people.estimate([]).count == people.place.people


def test_children_are_counted_by_age_and_sex_alone() -> None:
    """The survey has no children: one year of age is an eighteenth of them."""
    people = population("us", "Texas")
    boys = people.estimate([_is("sex", 1), _is("age", 12)])
    assert boys.expected == pytest.approx(people.place.children[1] / 18)


_CONDITIONS = st.fixed_dictionaries(
    {},
    optional={
        "sex": st.integers(0, 1),
        "age": st.integers(18, 90),
        "race": st.integers(0, len(RACES) - 1),
        "marital": st.integers(0, len(MARITAL) - 1),
        "education": st.integers(0, 6),
        "occupation": st.integers(0, 14),
        "birthplace": st.integers(0, 20),
    },
)


@given(values=_CONDITIONS, place=st.sampled_from(["", "Oregon", "Loving County, Texas"]))
def test_the_interval_holds_the_estimate_and_the_person(values: dict[str, int], place: str) -> None:
    """The interval holds the estimate, and at least the person of the text."""
    conditions = [_is(column, value) for column, value in values.items()]
    estimate = population("us", place).estimate(conditions)
    assert 1 <= estimate.low <= estimate.count <= estimate.high
    assert estimate.count <= population("us", place).place.people


@given(values=_CONDITIONS)
def test_a_further_attribute_never_adds_people(values: dict[str, int]) -> None:
    """Whoever has one more attribute is one of those who have the others."""
    people = population("us", "Oregon")
    conditions = [_is(column, value) for column, value in values.items()]
    for left_out in conditions:
        fewer = [item for item in conditions if item is not left_out]
        assert people.estimate(conditions).expected <= people.estimate(fewer).expected * 1.001


def test_attributes_that_exclude_one_another_are_not_multiplied() -> None:
    """Two in three of one sex are of one marital status, of the other none: the place says so itself."""
    rows = {
        "weight": np.ones(400, np.int64),
        "age": np.full(400, 40),
        "sex": np.repeat([0, 1], 200),
        "race": np.zeros(400, np.int64),
        "marital": np.repeat([0, 1], 200),
        "education": np.full(400, 3),
        "occupation": np.zeros(400, np.int64),
        "birthplace": np.zeros(400, np.int64),
    }
    place = CountedPlace(
        "two halves",
        children=np.zeros(2, np.int64),
        adults_by_age=np.array([[600, 0, 0], [300, 0, 0]]),
        adults_by_marital=np.array([[600, 0, 0, 0, 0], [0, 300, 0, 0, 0]]),
        people_by_race=np.array([[600, 0, 0, 0, 0], [300, 0, 0, 0, 0]]),
        adults_by_education=np.array([0, 0, 0, 900, 0, 0, 0]),
    )
    people = PlacePopulation(Tables(rows, {"two halves": place}), place)
    together = people.estimate([_is("sex", 1), _is("marital", 1)]).expected
    apart = people.independent([_is("sex", 1), _is("marital", 1)]) * 900
    assert together == pytest.approx(300, rel=0.1)
    assert apart == pytest.approx(100, rel=0.1)


def test_clues_are_read_with_their_places() -> None:
    """Each attribute comes with the words that tell it, and no more."""
    clues = read_clues(NURSE, load("us"))
    read = {clue.name: clue.span.of(NURSE) for clue in clues if clue.span is not None}
    assert place_of(clues) == "Oregon"
    assert read == {
        "marital status": "widowed",
        "age": "38",
        "occupation": "nurse",
        "sex": "She",
        "education": "master's degree",
        "birthplace": "Mexico",
        "place": "Eugene, Oregon",
    }


def test_what_is_masked_tells_nothing() -> None:
    """Labels of masks are not read."""
    masked = "[PERSON 1] is a [AGE 1] [DETAIL 1] from [PLACE 1]. Who knows more?"
    risk = population_risk(masked)
    assert risk.costs == ()
    assert risk.estimate.count == load("us").country.people


def test_the_words_that_tell_most_come_first() -> None:
    """Clues are ordered by how many people they leave out."""
    costs = population_risk(NURSE).costs
    assert [cost.factor for cost in costs] == sorted((c.factor for c in costs), reverse=True)
    assert costs[-1].clue.name == "sex"


@pytest.mark.parametrize("k", [20, 5_000])
def test_words_are_masked_until_k_people_fit(k: int) -> None:
    """As much is masked as it takes, and the result says how many fit."""
    guard = PopulationGuard("us", k)
    sanitizer = tacenda.load(
        tacenda.Policy.load("default").with_changes(
            recognizer=False, threshold=0.5, patterns=False
        ),
        detectors=(guard,),
        indicators=(guard,),
        checks=(guard,),
    )
    result = sanitizer.sanitize(NURSE)
    assert population_risk(NURSE).estimate.low < k
    assert population_risk(result.text).estimate.low >= k
    assert "fits about" in result.warnings[-1]
    assert "two sons" in result.text


@pytest.mark.parametrize(
    ("number", "shown"), [(1, "1"), (12.4, "12"), (1449, "1,400"), (327_167_434, "330,000,000")]
)
def test_numbers_are_shown_as_exactly_as_they_are_known(number: float, shown: str) -> None:
    """Two digits of an estimate are shown."""
    assert rounded(number) == shown


def test_texts_in_another_language_are_said(tmp_path: Path) -> None:
    """Clues are read in English alone, so nobody takes a large number for safety."""
    german = (
        "Der Zeuge sagte, dass er das Haus in Oregon erst nach dem Abend wieder verlassen habe.\n"
    )
    for text, is_said in ((german, True), (NURSE, False)):
        (tmp_path / "a.txt").write_text(text, "utf-8")
        run = run_tacenda("attack", str(tmp_path / "a.txt"), "--population", "us")
        assert (b"1 document is not in English" in run.stderr) == is_said, run.stderr
