"""Whether a name can be the target's."""

from __future__ import annotations

import pytest

from tacenda.text.names import parse_name
from tacenda.text.normal_form import fold_text
from tacenda.text.target_names import TargetName
from tests.examples import for_each


@for_each(
    ("name", "target", "same"),
    [
        ("Mr Yalman", "Galip Yalman", True),
        ("G. Yalman", "Mr Galip Yalman", True),
        ("G.Y.", "Mr Galip Yalman", True),
        ("YALMAN", "Galip Yalman", True),
        ("Yalman's", "Galip Yalman", True),
        ("Galip", "Galip Yalman", True),
        ("YALMAN Galip", "Galip Yalman", True),
        ("Galip Yalman", "Yalman, Galip", True),
        ("Mr and Mrs Yalman", "Mr Galip Yalman", True),
        ("Öztürk", "Cem Ozturk", True),
        ("Beethoven", "Ludwig van Beethoven", True),
        ("van", "Ludwig van Beethoven", False),
        ("Mrs Yalman", "Mr Galip Yalman", False),
        ("Ayse Yalman", "Galip Yalman", False),
        ("A. Yalman", "Galip Yalman", False),
        ("Yalmaner", "Galip Yalman", False),
    ],
)
def test_forms_of_a_name(name: str, target: str, same: bool) -> None:
    """Titles, initials, case, order and diacritics don't matter; another given name does."""
    parsed = parse_name(fold_text(name))
    assert parsed is not None
    assert TargetName.parse(target).can_be(parsed) is same


@pytest.mark.parametrize("name", ["Mrs Yalman", "Ayşe Yalman", "A. Yalman"])
def test_a_namesake_has_the_surname_only(name: str) -> None:
    """The same surname with a contradicting title or given name is a namesake."""
    parsed = parse_name(fold_text(name))
    assert parsed is not None
    assert TargetName.parse("Mr Galip Yalman").is_namesake(parsed)


def test_a_target_that_is_no_name_is_still_a_string() -> None:
    """A target with digits can't be taken apart, but is found as a whole."""
    target = TargetName.parse("Unit 731")
    assert target.words == frozenset()
    assert target.is_whole_in("the unit 731")
