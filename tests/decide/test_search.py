"""Where the rules of a deny list match."""

from __future__ import annotations

import pytest

from tacenda.detect.deny_list import find
from tacenda.policy import Policy
from tacenda.text.tokens import whole_words
from tests.examples import for_each
from tests.growth import assert_linear


def strings(text: str, *rules: dict[str, object]) -> list[tuple[int, str]]:
    """Return the rules' indices and what they match, in order of the text."""
    found = sorted(find(Policy.build(deny=list(rules)).deny, text), key=lambda pair: pair[1])
    return [(index, span.of(text)) for index, span in found]


@for_each(
    ("term", "text", "found"),
    [
        ("Ann", "Annex, Ann and Hann", ["Ann"]),
        ("José", "JOSE and José", ["JOSE", "José"]),
        ("Straße", "in der STRASSE", ["STRASSE"]),
        ("New York", "New\n  York", ["New\n  York"]),
        ("A/1", "A/1, A/12", ["A/1"]),
        ("王伟", "我叫王伟。", ["王伟"]),
        ("Яна", "Яна, Светояна", ["Яна"]),
        ("Ann", "Ann\u0301e", []),
        ("Seeadler", "seeadlers, #ProjektSeeadler", ["seeadlers", "ProjektSeeadler"]),
        (
            "Seeadler",
            "S%65eadler; See\u200dadler; See-\n> adler",
            ["S%65eadler", "See\u200dadler", "See-\n> adler"],
        ),
        ("Unit 731", "unit-731, Unit731, Unit7311", ["unit-731", "Unit731"]),
        ("brown", "brownies, Brown", ["Brown"]),
        ("@seeadler", "@seeadler, seeadler", ["@seeadler"]),
    ],
)
def test_exact_terms_are_found_as_whole_words(term: str, text: str, found: list[str]) -> None:
    """Whole words in every script; case, diacritics and white space don't matter."""
    assert [string for _, string in strings(text, {"exact": term})] == found


def test_case_can_matter() -> None:
    """With ignore_case off the very string is found, whatever its white space."""
    rule: dict[str, object] = {"exact": "Rose Hill", "ignore_case": False}
    assert strings("rose hill, Rose  Hill", rule) == [(0, "Rose  Hill")]


def test_each_rule_is_told_by_its_place() -> None:
    """Two rules for one term both say so."""
    rules: list[dict[str, object]] = [{"exact": "Ann"}, {"regex": "A.n"}, {"exact": "ann"}]
    assert sorted(strings("Ann", *rules)) == [(0, "Ann"), (1, "Ann"), (2, "Ann")]


@pytest.mark.parametrize("offset", [0, 505, 512, 1018])
def test_a_regex_is_found_across_windows(offset: int) -> None:
    """Where the windows of the search begin and end does not show."""
    text = "." * offset + " code AB-123456 " + "." * 600
    assert strings(text, {"regex": r"\bAB-\d+\b"}) == [(0, "AB-123456")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("met Jon Smyth there", ["Jon Smyth"]),
        ("met John Smith there", ["John Smith"]),
        ("met JonSmyth there", ["JonSmyth"]),
        ("met Joan Baez there", []),
    ],
)
def test_fuzzy_terms_may_have_a_word_more_or_less(text: str, found: list[str]) -> None:
    """Similar strings are found, also where a space came or went."""
    assert [s for _, s in strings(text, {"fuzzy": "Jon Smyth", "similarity": 75})] == found


@for_each("piece", ["a", "a ", "ann", "ann ", "\n", "é"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    """No repetition in a text makes a search slow."""
    policy = Policy.build(
        deny=[{"exact": "ann"}, {"regex": r"\w+@\w+"}, {"fuzzy": "a a a"}], target=["Ann A Aa"]
    )
    assert_linear(lambda size: list(find(policy.deny, piece * (size // len(piece)))), 20_000)


@pytest.mark.parametrize(
    ("text", "start", "end", "whole"),
    [
        ("ab", 0, 2, True),
        ("ab", 0, 1, False),
        ("a_b", 0, 1, False),
        ("a b", 0, 1, True),
        ("王伟", 0, 1, True),
    ],
)
def test_words_end_at_boundaries(text: str, start: int, end: int, whole: bool) -> None:
    """Letters, digits and the underscore belong together; Han characters don't."""
    assert whole_words(text, start, end) is whole
