"""Which strings are searched for."""

from __future__ import annotations

import pytest

from tacenda.document import SemanticType
from tacenda.forms.surface import Case, Form, leak_forms, propagation_forms


@pytest.mark.parametrize(
    ("surface", "forms"),
    [
        (
            "Rose Young",
            [Form("rose young", Case.ANY), Form("rose", Case.CAPITAL), Form("young", Case.CAPITAL)],
        ),
        ("Mr Young", [Form("young", Case.CAPITAL)]),
        ("rose young", [Form("rose young", Case.ANY)]),
        ("Theresa May", [Form("theresa may", Case.ANY), Form("theresa", Case.ANY)]),
    ],
)
def test_names_that_are_words_in_their_case(surface: str, forms: list[Form]) -> None:
    """Parts of names that are English words must not be left with a capital, if written with one."""
    assert list(leak_forms(surface, SemanticType.PERSON)) == forms


def test_names_that_are_words_are_not_propagated() -> None:
    """Nothing is propagated from a name's part that is an English word."""
    assert list(propagation_forms("Rose Young", SemanticType.PERSON)) == [
        Form("rose young", Case.ANY)
    ]


@pytest.mark.parametrize(
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
