"""``keep``: what readers need is generalized as little as the bound allows, and names and numbers never are."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import RuleKind
from tacenda.errors import PolicyError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.result import Result, schema
from tacenda.rewrite.generalize.kept import ATTRIBUTES
from tests.detectors import KnownNames
from tests.examples import for_each

LETTER = (
    "Anna Berg, a Norwegian chess player and writer, works as a nurse and has type 2 diabetes. "
    "She was born on 12 March 1951 in Oslo, came on 3 May 1994 and again on 20 June 1994, and "
    "was fined 3,400 € for burglary. She is 44 years old and studied physics."
)
MARKS = {
    "Anna Berg": ("PERSON", 0.9),
    "Norwegian": ("DEM", 0.0),
    "chess player and writer": ("DEM", 0.0),
    "nurse": ("DEM", 0.0),
    "type 2 diabetes": ("DEM", 0.0),
    "12 March 1951": ("DATETIME", 0.0),
    "Oslo": ("LOC", 0.0),
    "3 May 1994": ("DATETIME", 0.0),
    "20 June 1994": ("DATETIME", 0.0),
    "3,400 €": ("QUANTITY", 0.0),
    "burglary": ("MISC", 0.0),
    "44 years old": ("DATETIME", 0.0),
}


def detector(
    marks: dict[str, tuple[str, float]], masking: float = 0.9, **fields: object
) -> KnownNames:
    """Return a detector of the given strings, each with its type and probability of a direct identifier."""
    rows = ((string, type, masking, direct) for string, (type, direct) in marks.items())
    return KnownNames(*rows, **fields)


def sanitized(
    text: str = LETTER,
    marks: dict[str, tuple[str, float]] = MARKS,
    masking: float = 0.9,
    **fields: object,
) -> Result:
    """Return the result for a text with these marks, under a policy with these fields."""
    policy = Policy(threshold=0.2, patterns=False, **fields)
    return Sanitizer(policy, detector(marks, masking), 0.2).sanitize(text)


def test_occupations_are_read_in_tagged_text() -> None:
    """A noun of many people stays as it is, a phrase of few becomes its noun, and the rest are tags."""
    text = sanitized(keep="occupation").text
    assert text.startswith("[PERSON 1], a [DETAIL 1] [chess player], works as a nurse and has [")
    assert "Oslo" not in text


@for_each(
    ("name", "written"),
    [
        ("illness", "has [diabetes]"),
        ("region", "in a [city in Northern Europe]"),
        ("size of money", "fined [between 1,000 and 5,000 €]"),
        ("age band", "She is [in her forties]"),
        ("offence", "for a [crime]"),
        ("nationality", "a [European] ["),
        ("order of events", "born on [1st date] in"),
        ("order of events", "came on [2nd date, years after the 1st] and again on [3rd date, weeks after the 2nd]"),
    ],
)  # fmt: skip
def test_each_attribute_is_written_as_its_generalization(name: str, written: str) -> None:
    """Attributes of the list, and classes of the ontology."""
    assert written in sanitized(keep=name).text


def test_nothing_changes_without_keep() -> None:
    """An empty list is the policy as it was, with each operator."""
    for operator in ("tag", "suppress", "generalize"):
        result = sanitized(operator=operator)
        assert result == sanitized(operator=operator, keep=())
        assert result.risk.kept_attributes is None


def test_other_entities_are_written_as_without_keep() -> None:
    """Only the decisions about what tells the attribute differ, where nothing else is shown."""
    before, after = sanitized(), sanitized(keep="illness")
    for one, other in zip(before.decisions, after.decisions, strict=True):
        assert one == other or other.attribute == "illness"


def test_names_and_numbers_are_never_kept() -> None:
    """Whatever is asked for: people, codes, direct identifiers, the target and the deny list."""
    text = "Baker told the nurse 4711 that the doctor and the painter met the author."
    marks = {
        "Baker": ("PERSON", 0.0),
        "nurse": ("DEM", 0.9),
        "4711": ("CODE", 0.0),
        "doctor": ("DEM", 0.0),
        "painter": ("DEM", 0.0),
        "author": ("DEM", 0.0),
    }
    result = sanitized(
        text, marks, keep=tuple(ATTRIBUTES), target="painter", deny=[{"exact": "doctor"}]
    )
    assert [item.attribute for item in result.decisions] == ["", "", "", "", "", "occupation"]
    assert [item.masked for item in result.decisions] == [True, True, True, True, True, False]


def test_what_may_be_a_persons_name_is_not_kept() -> None:
    """When unsure whether a word is a name it is masked."""
    policy = Policy(threshold=0.2, patterns=False, keep="occupation")
    sanitizer = Sanitizer(policy, detector({"baker": ("DEM", 0.0)}, may_be_person=True), 0.2)
    assert sanitizer.sanitize("He asked baker.").text == "He asked [DETAIL 1]."


@given(
    st.lists(
        st.sampled_from(["British", "chess player", "lighthouse keeper", "widow", "Ambassador to Norway",
                         "12 May 1990", "Lake Mjøsa", "£12m", "aged 42", "University of Oslo", "asthma"]),
        unique=True, min_size=1, max_size=5,
    ),
    st.sampled_from([0.5, 0.01, 1e-6, 0.0]),
    st.lists(st.sampled_from(list(ATTRIBUTES)), unique=True, min_size=1),
)  # fmt: skip
def test_what_is_kept_holds_the_bound(strings: list[str], bound: float, names: list[str]) -> None:
    """No written option has a higher residual risk than the policy's, and no masked string is left."""
    types = {"12 May 1990": "DATETIME", "Lake Mjøsa": "LOC", "£12m": "QUANTITY",
             "aged 42": "DATETIME", "University of Oslo": "ORG"}  # fmt: skip
    marks = {string: (types.get(string, "DEM"), 0.0) for string in strings}
    text = "".join(f"It says: {string}.\n" for string in strings)
    result = sanitized(text, marks, keep=tuple(names), residual_risk=bound)
    assert not result.leaks
    for item in result.decisions:
        if item.attribute and item.masked:
            assert item.choice is not None
            assert item.choice.risk <= bound
    if not bound:
        assert not any(item.attribute for item in result.decisions)


def test_dates_tell_few_distances() -> None:
    """Of a million people a hundred still fit: six distances of four units, then the order alone."""
    days = [f"{number} May {1950 + 3 * number}" for number in range(1, 11)]
    marks = dict.fromkeys(days, ("DATETIME", 0.0))
    text = sanitized("; ".join(days) + ".", marks, keep="order of events").text
    assert text.count("years after") == 6
    assert "[10th date]" in text


def test_a_day_and_its_year_have_no_order() -> None:
    """Nobody can say which of them came first: the longer one is a tag."""
    marks = {"3 May 1994": ("DATETIME", 0.0), "the year 1994": ("DATETIME", 0.0)}
    text = sanitized("On 3 May 1994; in the year 1994.", marks, keep="order of events").text
    assert "[1st date]" in text
    assert "2nd" not in text


def test_more_is_masked_elsewhere() -> None:
    """What is left because readers need it is made up for by the riskiest of what would be shown."""
    text = "The nurse likes opera, chess and gardening."
    risks = {"nurse": 0.21, "opera": 0.15, "chess": 0.1, "gardening": 0.05}
    graded = KnownNames(*((string, "DEM", risk) for string, risk in risks.items()))
    plain = Policy(threshold=0.2, patterns=False)
    sanitizer = Sanitizer(plain, graded, 0.2)
    before = sanitizer.sanitize(text)
    after = sanitizer.with_policy(plain.with_changes(keep="occupation")).sanitize(text)
    assert before.text == "The [DETAIL 1] likes opera, chess and gardening."
    assert after.text == "The nurse likes [DETAIL 1], [DETAIL 2] and gardening."
    assert after.risk.residual <= before.risk.residual
    rules = {item.reasons[0].rule for item in after.decisions if item.masked}
    assert rules == {RuleKind.INSTEAD}


def test_the_allow_list_is_not_masked_instead() -> None:
    """What a rule keeps stays, whatever else is left."""
    text = "The nurse likes opera."
    marks = {"nurse": ("DEM", 0.0), "opera": ("DEM", 0.0)}
    result = sanitized(text, marks, keep="occupation", allow=[{"exact": "opera"}])
    assert result.text == text


def test_the_result_says_what_each_attribute_costs() -> None:
    """In JSON by the schema, and in the explanation, with the words for each reason."""
    result = sanitized(keep="occupation, illness")
    costs = result.risk.kept_attributes
    assert costs is not None
    assert set(costs) == {"occupation", "illness"}
    assert costs["occupation"] == pytest.approx(0.9, abs=0.01)
    assert sum(costs.values()) == pytest.approx(result.risk.residual)
    item = json.loads(result.to_json(reveal=True))
    jsonschema.validate(item, schema())
    assert item["risk"]["kept_attributes"] == costs
    explained = result.explain()
    assert "Kept: readers need it, by the policy (occupation)." in explained
    assert "left because readers need it: occupation 0.90, illness under 0.01" in explained


def test_an_unknown_name_lists_those_there_are() -> None:
    """As soon as the sanitizer is made, not at the first document."""
    with pytest.raises(
        PolicyError, match=r"unknown attribute 'shoe size'; choose one of occupation, educ"
    ):
        sanitized(keep="occupation, shoe size")


def test_names_come_as_a_list_or_with_commas() -> None:
    """White space and doubles don't count."""
    for names in ("illness,  order  of events, illness", ["illness", "order of events"]):
        assert Policy(keep=names).keep == ("illness", "order of events")
    with pytest.raises(PolicyError, match="keep"):
        Policy(keep=[3])
