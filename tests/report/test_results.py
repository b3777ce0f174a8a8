"""Masks at every threshold follow from the risks in results."""

from __future__ import annotations

from typing import Any

import pytest

from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.evaluate.matching import IGNORED_CHARACTERS
from tacenda.evaluate.systems import stated_threshold
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.result import ParsedResult, parse_results
from tests.examples import for_each

from .building import entity, result

TEXT = "Anna Berg met Carl Dahl, Eva Falk and Gro Holm."
JUDGMENT = (
    "The applicant, Mr Galip Yalman, was born in 1966 and lives in Ankara. He is a teacher. "
    "On 3 March 2004 he wrote to galip@example.org about the Turkish Government and Erik Lund."
)


def parsed(*entities: dict[str, Any]) -> ParsedResult:
    """Return a result of entities."""
    return parse_results([result("d1", *entities)], "results")[0]


def test_an_entity_is_masked_up_to_its_risk() -> None:
    """At a threshold equal to the risk it still is; above it no longer."""
    found = parsed(entity(TEXT, "Anna Berg", risk=0.4))
    assert found.masks(0.4) == (Span(0, 9),)
    assert found.masks(0.41) == ()


def test_what_no_threshold_decided_stays_decided() -> None:
    """A list's word holds at every threshold, for and against."""
    found = parsed(
        entity(TEXT, "Anna Berg", risk=0.1, threshold=None, masked=True),
        entity(TEXT, "Carl Dahl", risk=0.9, threshold=None, masked=False),
    )
    assert found.masks(0.0) == found.masks(1.0) == (Span(0, 9),)


def test_the_threshold_is_the_one_stated() -> None:
    """Several, by type, are none; and neither is there one where nothing was compared."""
    one, other = entity(TEXT, "Anna Berg", risk=0.4), entity(TEXT, "Eva Falk", risk=0.1)
    assert stated_threshold([parsed(one, other)]) == 0.3
    assert (
        stated_threshold([parsed(one, entity(TEXT, "Gro Holm", risk=0.5, threshold=0.2))]) is None
    )
    assert stated_threshold([parsed()]) is None


def test_lists_of_a_real_run_hold_at_every_threshold() -> None:
    """They were not decided by a threshold, and say none."""
    policy = Policy(
        threshold=0.3,
        target=("Galip Yalman",),
        deny=[{"exact": "teacher"}],
        allow=[{"exact": "Ankara"}],
    )
    found = _real(policy)
    for threshold in (0.0, 1.0):
        masked = {span.of(JUDGMENT) for span in found.masks(threshold)}
        assert {"Mr Galip Yalman", "teacher", "galip@example.org"} <= masked
        assert "Ankara" not in masked
    assert stated_threshold([found]) == 0.3


@for_each("length_penalty", [0.0, 0.2, 1.0])
@for_each("threshold", [0.05, 0.2, 0.6])
def test_masks_that_follow_are_those_of_a_run(threshold: float, length_penalty: float) -> None:
    """A real run at that threshold masks the same, but for what it joins."""
    following = _characters(
        _real(Policy(threshold=0.4, length_penalty=length_penalty)).masks(threshold)
    )
    made = _characters(_real(Policy(threshold=threshold, length_penalty=length_penalty)).made())
    assert following
    assert following <= made
    assert all(JUDGMENT[position] in IGNORED_CHARACTERS for position in made - following)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": "9.9"}, "schema_version"),
        ({"entities": [entity(TEXT, "Anna Berg", risk=0.5) | {"masked_up_to": 2}]}, "masked_up_to"),
        ({"replacements": [{"start": 5, "end": 5}]}, "not a span"),
        ({"replacements": [{"start": True, "end": 5}]}, "replacements.0.start"),
    ],
)
def test_a_fault_is_named_by_its_place(change: dict[str, Any], message: str) -> None:
    """The message names the field, and shows nothing of the text."""
    with pytest.raises(InputError, match=message) as caught:
        parse_results([result("d1") | {"text": "Anna Berg"} | change], "results")
    assert "Anna" not in str(caught.value)


def test_a_document_is_there_once() -> None:
    """Two results of the same id can't both be its masks."""
    with pytest.raises(InputError, match="twice"):
        parse_results([result("d1"), result("d1")], "results")


def _real(policy: Policy) -> ParsedResult:
    sanitized = load(policy).sanitize(JUDGMENT)
    return parse_results([sanitized.to_dict()], "results")[0]


def _characters(spans: tuple[Span, ...]) -> set[int]:
    return {position for span in spans for position in range(span.start, span.end)}
