"""Which strings are searched for."""

from __future__ import annotations

import pytest

from tacenda.document import SemanticType
from tacenda.text.surface_forms import Form, LetterCase, leak_forms, propagation_forms
from tests.examples import for_each


@pytest.mark.parametrize(
    ("surface", "forms"),
    [
        (
            "Rose Young",
            {"rose young": "ANY", "rose": "CAPITAL", "young": "CAPITAL", "young rose": "ANY"},
        ),
        ("Mr Young", {"young": "CAPITAL"}),
        ("rose young", {"rose young": "ANY", "young rose": "ANY"}),
        ("Theresa May", {"theresa may": "ANY", "theresa": "ANY", "may theresa": "ANY"}),
        (
            "Ina O'Brannigan",
            {
                "ina o'brannigan": "ANY",
                "ina": "ANY",
                "o'brannigan": "ANY",
                "o'brannigan ina": "ANY",
                "brannigan": "ANY",
            },
        ),
    ],
)
def test_names_that_are_words_in_their_case(surface: str, forms: dict[str, str]) -> None:
    """Names in each order, the parts that are English words with a capital, inside words too."""
    leaks = leak_forms(surface, SemanticType.PERSON)
    assert {form.text: form.case.name for form in leaks} == forms
    assert all(form.inside for form in leaks)


def test_names_that_are_words_are_not_propagated() -> None:
    """Nothing is propagated from a name's part that is an English word."""
    assert list(propagation_forms("Rose Young", SemanticType.PERSON)) == [
        Form("rose young", LetterCase.ANY)
    ]


@for_each(
    ("surface", "forms"),
    [
        ("1994", ["1994"]),
        ("summer of 1994", ["summer of 1994"]),
        ("94", []),
        ("940", []),
        ("19945", []),
        ("two", []),
    ],
)
def test_years_of_four_digits(surface: str, forms: list[str]) -> None:
    """A year of four digits must not be left; shorter numbers and number words may."""
    assert [form.text for form in leak_forms(surface, SemanticType.DATETIME)] == forms
    assert list(propagation_forms(surface, SemanticType.DATETIME)) == []
