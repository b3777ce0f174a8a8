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
