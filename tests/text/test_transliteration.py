"""Names of one sound have one key, names of another sound another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.text.names import sound
from tacenda.text.normal_form import fold_text
from tests.examples import for_each


@for_each(
    "spellings",
    [
        "Шевченко Shevchenko Chevtchenko Schewtschenko Szewczenko",
        "Müller Mueller Muller",
        "Sørensen Soerensen Sorensen",
        "Ковачевић Kovačević Kovacevic",
        "Yıldız Jildiz Yildiz",
        "Юрий Yuriy Iouri Juri Yuri",
        "Papadopoulos Παπαδοπουλος",
        "Khodorkovskiy Ходорковский",
        "Gaal Gál",
    ],
)
def test_spellings_of_one_name_share_a_key(spellings: str) -> None:
    """The key does not depend on alphabet or spelling."""
    assert len({sound(fold_text(name)) for name in spellings.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("Petrov", "Pavlov"), ("Yalman", "Salman"), ("Kaya", "Kara"), ("Martin", "Marin")],
)
def test_other_names_have_other_keys(one: str, other: str) -> None:
    """Names that differ in a sound stay apart."""
    assert sound(fold_text(one)) != sound(fold_text(other))


@given(st.text())
def test_any_text_has_a_key(text: str) -> None:
    """No input is refused, and the key of a key is itself a word without doubled letters."""
    key = sound(fold_text(text))
    assert all(a != b for a, b in pairwise(key))
