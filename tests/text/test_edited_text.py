"""Other text in the places of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.text.spans import edited_text

edges = st.lists(st.integers(0, 30), min_size=2, max_size=12).map(sorted)


@given(st.text(min_size=30, max_size=30), edges, st.text(max_size=3))
def test_edits_apart_are_made_one_by_one(text: str, places: list[int], new: str) -> None:
    """From the last to the first, so that none moves the place of another."""
    edits = [*zip(places[::2], places[1::2], [new] * len(places), strict=False)]
    output = text
    for start, end, written in reversed(edits):
        output = output[:start] + written + output[end:]
    assert edited_text(text, edits) == output


def test_of_an_edit_within_another_nothing_is_written() -> None:
    """Its stretch goes all the same."""
    assert edited_text("abcdef", [(1, 3, "X"), (2, 5, "Y")]) == "aXf"
    assert edited_text(b"abc", [(0, 1, b"xy")]) == b"xybc"
