"""The three forms in which strings are compared, by the examples of the module's docstring."""

from __future__ import annotations

from tacenda.text import normal_form
from tacenda.text.normal_form import fold_text, mention_key, name_key
from tests.examples import for_each

_ROWS = [
    [cell.strip().removeprefix("``").removesuffix("``") for cell in line.strip("| \n").split(" | ")]
    for line in (normal_form.__doc__ or "").splitlines()
    if line.startswith("| ``")
]


@for_each(("string", "folded", "of_mention", "of_name"), _ROWS)
def test_examples_hold(string: str, folded: str, of_mention: str, of_name: str) -> None:
    """The table says what each form makes of a string."""
    assert (fold_text(string), mention_key(string), name_key(string)) == (
        folded,
        of_mention,
        of_name,
    )
