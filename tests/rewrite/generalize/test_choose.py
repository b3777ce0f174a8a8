"""The ranker: probabilities by hand, the bound, and how much it takes to suppress."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Option, SemanticType
from tacenda.errors import PolicyError
from tacenda.policy import Policy
from tacenda.rewrite.generalize.options import propose_options
from tacenda.rewrite.generalize.ranker import SUPPRESSION_ODDS, Ranker, features, likeliest
from tests.building import entity, mention

from .offering import decided

YEAR = Option("date in 1994", 0, "rule:year", 0.5, 1 / 365)
DECADE = Option("date in the 1990s", 1, "rule:decade", 0.4, 1 / 3652)
LAST = Option("***", 2, "suppress", 0.0, 0.0)
OPTIONS = (YEAR, DECADE, LAST)
DATETIME = SemanticType.DATETIME


def test_probabilities_are_those_of_the_weights() -> None:
    """Exp 0, exp ln 3 and exp ln 2, of their sum 6."""
    ranker = Ranker({"source:decade": math.log(3), "suppress:DATETIME": math.log(2)})
    found = ranker.probabilities(DATETIME, ["12 March 1994"], OPTIONS)
    assert found == pytest.approx((1 / 6, 3 / 6, 2 / 6))


def test_features_say_what_they_are() -> None:
    """Those of a decade, worked out by hand; what is 0 is left out."""
    _, decade, last = features(DATETIME, ["12 March 1994"], OPTIONS)
    assert decade == {
        "source:decade": 1.0,
        "level:DATETIME": 1.0,
        "general:DATETIME": 1.0,
        "kept:DATETIME": 0.4,
        "bits:DATETIME": pytest.approx(math.log10(3652)),
        "named": 1.0,
        "words": 4.0,
        "head:date": 1.0,
    }
    assert last == {
        "suppress:DATETIME": 1.0,
        "suppress·kept:DATETIME": 0.5,
        "suppress:length": pytest.approx(math.log(3)),
        "suppress:length:DATETIME": pytest.approx(math.log(3)),
        "suppress:rule": 1.0,
    }
    (only,) = features(DATETIME, ["x"], [LAST])
    assert only == {
        "suppress:DATETIME": 1.0,
        "suppress:lower-case": 1.0,
        "suppress:lower-case:DATETIME": 1.0,
        "alone": 1.0,
    }


def test_a_class_is_known_by_its_text_and_its_head_noun() -> None:
    """A name or a number in an option is no feature; a noun of the original is marked as such."""
    options = (
        Option("city council in Norway", 0, "ontology:head", 0.5, 1e-3),
        Option("public body", 1, "ontology:Q1", 0.4, 1e-4),
        LAST,
    )
    own, body, last = features(SemanticType.ORG, ["Oslo City Council"], options)
    assert own["head noun"] == own["head:council"] == 1
    assert "head noun" not in body
    assert not any(name.startswith("text:") for name in own)
    assert body["text:public body"] == body["head:body"] == last["suppress:head noun"] == 1


@pytest.mark.parametrize(
    ("bound", "expected"), [(1.0, YEAR), (0.001, DECADE), (0.0001, LAST), (0.0, LAST)]
)
def test_the_bound_comes_before_what_people_like(bound: float, expected: Option) -> None:
    """However likely the year is, it is not written where a day in it is too risky."""
    ranker = Ranker({"source:year": 9.0, "level:DATETIME": 0.1})
    assert ranker.choose(DATETIME, ["x"], OPTIONS, bound) is expected


def test_a_type_that_nobody_chose_for_keeps_its_most_specific_option() -> None:
    """Numbers of applications were in nobody's documents: a word more is no reason against one."""
    options = (
        Option("application number", 0, "rule:code", 0.2, 1e-6),
        Option("number", 1, "rule:code", 0.1, 1e-9),
        Option("***", 2, "suppress", 0.0, 0.0),
    )
    ranker = Ranker({"words": -5.0, "level:DATETIME": 1.0})
    assert ranker.choose(SemanticType.CODE, ["4027/05"], options, 0.01) is options[0]
    assert ranker.choose(SemanticType.CODE, ["4027/05"], options, 1e-7) is options[1]


@pytest.mark.parametrize(("share", "expected"), [(0.9, DECADE), (1.1, LAST)])
def test_suppression_must_be_likelier_by_far(share: float, expected: Option) -> None:
    """It stands against all options under the bound together, times the reluctance."""
    others = (0.05, 0.25)
    chances = (*others, share * SUPPRESSION_ODDS * sum(others))
    assert likeliest(OPTIONS, chances) is expected


@pytest.mark.parametrize(("chance", "expected"), [(0.41, YEAR), (0.39, DECADE)])
def test_the_most_specific_of_the_likely_ones_is_written(chance: float, expected: Option) -> None:
    """It needs four fifths of the chance of the likeliest one."""
    assert likeliest(OPTIONS, (chance, 0.5, 0.0)) is expected


def test_the_tag_of_a_type_is_the_last_resort() -> None:
    """DATE is written where nothing else is under the bound, however likely it is."""
    tag = Option("DATE", 1, "type:DATETIME", 0.1, 1e-8)
    assert likeliest((DECADE, tag, LAST), (0.1, 0.8, 0.1)) is DECADE
    assert likeliest((DECADE, tag, LAST), (0.1, 0.8, 0.1), 1e-6) is tag


@pytest.mark.parametrize("text", ["person", "position", "occupation"])
def test_what_tells_a_reader_nothing_is_offered_and_not_written(text: str) -> None:
    """No one works as a person: *** is better."""
    empty = Option(text, 1, "ontology:tacenda", 0.1, 1e-9)
    assert likeliest((DECADE, empty, LAST), (0.1, 0.8, 0.1)) is DECADE
    assert likeliest((empty, LAST), (0.9, 0.1)) is LAST


@given(st.lists(st.floats(-50, 50), min_size=4, max_size=4), st.floats(0, 1))
def test_any_weights_give_an_option_under_the_bound(weights: list[float], bound: float) -> None:
    """Probabilities sum to 1, and nothing riskier than the bound is chosen."""
    names = ("source:year", "kept:DATETIME", "words", "suppress:DATETIME")
    ranker = Ranker(dict(zip(names, weights, strict=True)))
    assert sum(ranker.probabilities(DATETIME, ["x"], OPTIONS)) == pytest.approx(1)
    assert ranker.choose(DATETIME, ["x"], OPTIONS, bound).risk <= bound


def test_the_policy_prefers_what_people_do_or_detail() -> None:
    """People take the decade of a date, detail is the day's month; nothing else is known."""
    document = Document("d", "On 12 March 1994.")
    item = decided(entity("e1", mention(document, "12 March 1994", "DATETIME")))
    written = [
        propose_options(
            document, [item], Policy(operator="generalize", residual_risk=1, prefer=prefer)
        )[0]
        for prefer in ("people", "detail")
    ]
    assert [found.choice and found.choice.text for found in written] == [
        "date in the 1990s",
        "March 1994",
    ]
    with pytest.raises(PolicyError, match="prefer"):
        Policy.from_yaml("prefer: nothing\n")


def test_another_ranker_can_be_given() -> None:
    """One that dislikes everything suppresses."""
    document = Document("d", "On 12 March 1994.")
    item = decided(entity("e1", mention(document, "12 March 1994", "DATETIME")))
    ranker = Ranker({"suppress:DATETIME": 20.0})
    (found,) = propose_options(document, [item], Policy(operator="generalize"), ranker=ranker)
    assert (found.operator, found.choice and found.choice.text) == ("suppress", "***")


def test_what_nobody_was_shown_nobody_refused() -> None:
    """A bin is taken before what people chose instead of nothing, if it is under the bound."""
    options = (
        Option("between 5 and 10 years", 0, "rule:duration", 0.5, 1 / 1826),
        Option("X years", 1, "rule:unit", 0.1, 1e-6),
        Option("***", 2, "suppress", 0.0, 0.0),
    )
    ranker = Ranker({"source:unit": 9.0, "level:DATETIME": 0.1})
    assert ranker.choose(DATETIME, ["x"], options, 0.01) is options[0]
    assert ranker.choose(DATETIME, ["x"], options, 1e-4) is options[1]
