"""Rows of the table of detectors: what each national number finds, and how it is turned off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda import PolicyError
from tacenda.detect.patterns.detector import PatternDetector
from tacenda.detect.patterns.national_ids import NUMBERS
from tacenda.detect.patterns.table import PRIORS
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.shipped import shipped_table
from tests.examples import for_each

NUMBERS_IN_TEXTS = (
    ("pl_pesel", "It was 44051401359 then.", "44051401359"),
    ("us_ssn", "It was 536-90-4399 then.", "536-90-4399"),
    ("it_codicefiscale", "It was RCCMNL83S18D969H then.", "RCCMNL83S18D969H"),
    ("pl_identity_card", "It was ABA300000 then.", "ABA300000"),
    ("gb_nino", "It was AB 12 34 56 C then.", "AB 12 34 56 C"),
    ("th_national_id", "Her national ID is 1-2345-45678-78-1.", "1-2345-45678-78-1"),
)


def _strings(text: str, *off: str) -> set[str]:
    return {mention.span.of(text) for mention in PatternDetector(off=off).detect(text)}


@for_each(("name", "text", "number"), NUMBERS_IN_TEXTS)
def test_a_row_finds_its_number_and_can_be_off(name: str, text: str, number: str) -> None:
    """A row is all that a national number needs."""
    assert number in _strings(text)
    assert number not in _strings(text, name, "identity_number", "phone_number")


def test_rows_are_complete() -> None:
    """Each row has a finder or a country, each kind a prior, and each number a form."""
    for name, row in shipped_table("detectors").items():
        assert ("finder" in row) != ("country" in row), name
        assert row.get("kind", name) in PRIORS, name
    assert all(item.shapes or item.announced or item.pattern for item in NUMBERS)


def test_a_policy_turns_patterns_off_by_name_or_kind() -> None:
    """Neither detector nor kind is looked for, everything else is."""
    text = "Call +44 20 7946 0958 or write to ann@post.example."
    for name in ("phone_number", "phone"):
        policy = Policy(recognizer=False, patterns={"off": [name, "th_national_id"]})
        sanitized = Sanitizer(policy, None, 0.2).sanitize(text).text
        assert "+44 20 7946 0958" in sanitized
        assert "ann@post.example" not in sanitized


def test_a_policy_file_names_them(tmp_path: Path) -> None:
    """Though YAML reads the word ``off`` as false."""
    path = tmp_path / "own.yaml"
    path.write_text("patterns: {off: [phone_number]}\n")
    assert Policy.load(path).patterns == {"off": ("phone_number",)}


@pytest.mark.parametrize("patterns", [{"off": ["phone_numbr"]}, {"off": "phone"}, {"of": []}, 1])
def test_a_selection_that_names_nothing_is_refused(patterns: object) -> None:
    """A misspelt name must not leave a detector on in silence."""
    with pytest.raises(PolicyError, match="patterns"):
        Policy(patterns=patterns)


def test_a_promise_needs_all_patterns() -> None:
    """It was measured with them."""
    policy = Policy(residual_share=0.1, patterns={"off": ["phone"]})
    with pytest.raises(PolicyError, match="patterns"):
        Sanitizer(policy, PatternDetector(), 0.2, bounds=lambda *_: None)
