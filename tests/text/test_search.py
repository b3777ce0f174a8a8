"""All forms are found in one pass."""

from __future__ import annotations

import pytest

from tacenda.text.folding import fold_aligned
from tacenda.text.surface_forms import LetterCase
from tacenda.text.word_search import occurrences


def _found(text: str, *forms: str, weights: dict[str, float] | None = None) -> list[str]:
    cases = dict.fromkeys(forms, LetterCase.ANY)
    return [span.of(text) for span, _ in occurrences(text, fold_aligned(text), cases, weights)]


def test_longest_of_those_that_begin_at_a_word() -> None:
    """Each word begins at most one occurrence, the longest; others may overlap it."""
    assert _found("a b c d", "a", "a b", "b c d", "b") == ["a b", "b c d"]


def test_shorter_ones_that_weigh_more() -> None:
    """A shorter form is found too where it weighs more than the longer ones."""
    weights = {"a": 0.5, "a b": 0.9, "a b c": 0.3}
    assert _found("a b c", *weights, weights=weights) == ["a b c", "a b"]


def test_shorter_one_where_the_longest_does_not_agree() -> None:
    """A form whose case does not agree gives way to a shorter one."""
    text = "rose garden"
    cases = {"rose": LetterCase.ANY, "rose garden": LetterCase.CAPITAL}
    assert [span.of(text) for span, _ in occurrences(text, fold_aligned(text), cases)] == ["rose"]


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        ("12 05", "12/05/2003 and 12/05.", ["12/05"]),
        ("12", "0.12 and 12,", ["12"]),
        (
            "16444 07",
            "16444 / 07, 16444-07, 16444–07, 16444,07",
            ["16444 / 07", "16444-07", "16444–07"],
        ),
        ("हिन्दी", "हिन्दी में, हिन्दीx, हिनदी", ["हिन्दी", "हिनदी"]),
    ],
)
def test_boundaries(form: str, text: str, found: list[str]) -> None:
    """Forms are whole words and whole numbers, whatever separates their words."""
    assert _found(text, fold_aligned(form).text) == found


def test_long_forms_in_pieces() -> None:
    """Every word of a form of any length is found."""
    form = " ".join(f"w{number}" for number in range(45))
    covered = {word for piece in _found(f"x {form} x", form) for word in piece.split()}
    assert covered == set(form.split())
    assert _found(form.rpartition(" ")[0], form) != []
    assert _found("w43 w44", form) == []
