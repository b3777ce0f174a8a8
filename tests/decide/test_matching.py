"""Regular expressions that take too long: an error of the document, in time, never a silent miss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import InputError, PolicyError
from tacenda.policy import Policy, regex_search
from tacenda.policy.regex_cost import ways
from tests.examples import for_each

from ..app.building import sanitizer

_SLOW = ["a*a*a*a*b", "a?" * 30 + "a" * 29 + "b", "(aa|a)" * 40 + "b"]


@contextmanager
def _moment() -> Iterator[None]:
    """Only what must fail is pressed for time: a worker may start slowly beside other tests."""
    with pytest.MonkeyPatch.context() as variables:
        variables.setenv("TACENDA_LIMIT_REGEX_SECONDS", "0.2")
        yield


@pytest.mark.parametrize("expression", _SLOW)
def test_a_slow_search_fails_its_document_only(expression: str) -> None:
    """The error names the document, the rule by its place and what to do, and no text."""
    policy = Policy.build(patterns=False, deny=[{"exact": "x"}, {"regex": expression}])
    with _moment(), pytest.raises(InputError) as failure:
        sanitizer(policy).sanitize("a" * 3_000, id="list.txt")
    assert str(failure.value).startswith("list.txt: deny[1]: its regular expression took too long")
    assert "TACENDA_LIMIT_REGEX_SECONDS" in str(failure.value)
    assert "aaa" not in str(failure.value)
    assert "Ada" not in sanitizer(policy).sanitize("Ada Byron").text


@for_each("expression", _SLOW)
@for_each("place", ["allow", "operators_for"])
def test_a_slow_comparison_fails_its_document(place: str, expression: str) -> None:
    """A mention that can't be compared to the end is neither allowed nor quietly tagged."""
    rule: dict[str, Any] = {"regex": f"(?:Ada )?{expression}"}
    if place == "operators_for":
        rule["operator"] = "suppress"
    name = "a" * 500
    policy = Policy.build(patterns=False, deny=[{"regex": "a{500}"}], **{place: [rule]})
    with _moment(), pytest.raises(InputError, match=rf"^list\.txt: {place}\[0\]: .* took too long"):
        sanitizer(policy).sanitize(f"{name} wrote.", id="list.txt")


def test_what_matches_nothing_in_endless_ways_is_refused() -> None:
    """Whether an expression matches the empty string is also asked within the limit."""
    with _moment(), pytest.raises(PolicyError, match="took too long"):
        Policy.build(deny=[{"regex": "(?:a*|b*)" * 40 + "(?=c)"}])


_TEXT = "Case no. AB-123456: Ann went to 12 Long Road, near Kentville. anne@example.org "


@pytest.mark.parametrize(
    "expression",
    [r"\w+@\w+\.\w+", r"[A-Z]\w+ [A-Z]\w+", r"(?i)ann\w*", r"\d+\D+\d+", r"(?<=no\. )\S+"],
)
def test_here_and_in_a_worker_the_same_is_found(
    expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an expression is matched does not show."""
    pattern = re.compile(expression)
    results = []
    for few in (0, 1 << 60):
        monkeypatch.setattr(regex_search, "_FEW_WAYS", few)
        regex_search._is_quick.cache_clear()
        results.append(regex_search.find_all(pattern, _TEXT * 30, "", ""))
    regex_search._is_quick.cache_clear()
    assert results[0] == results[1]
    assert len(results[0]) >= 30


@for_each(
    ("expression", "number"),
    [
        ("Smith", 1),
        (r"[A-Z]{2}\d{6}", 1),
        ("a?b?", 4),
        ("colou?r|grey", 3),
        (r"\d+", 512),
        (r"\d{1,3}", 3),
        (r"(?:ab|cd){3}", 8),
        ("(?=ab|cd)c{0,4}", 10),
        ("a*a*", 513 * 513),
        ("a?" * 40, 1_000_000_000),
    ],
)
def test_ways_are_counted(expression: str, number: int) -> None:
    """Choices multiply, alternatives add up."""
    assert ways(expression, 512) == number


@given(st.text("ab", max_size=6))
def test_ordinary_expressions_start_no_process(text: str) -> None:
    """What has few ways to match is matched here."""
    assert regex_search.ways(r"\bCase (?:no\.? )?[A-Z]+\b", 512) <= regex_search._FEW_WAYS
    assert regex_search.matches_whole(re.compile("a+"), text, "", "") == (set(text) == {"a"})
