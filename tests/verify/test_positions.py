"""Output positions traced back through edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Replacement, Span
from tacenda.verify import to_original


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str, list[Replacement]]:
    """Draw an original, the output and the edits between them."""
    original, output, edits = "", "", []
    for kept in draw(st.lists(st.text("abc", max_size=4), min_size=1, max_size=6)):
        original += kept
        output += kept
        gone = draw(st.text("xyz", min_size=1, max_size=4))
        written = draw(st.text("*", max_size=4))
        span = Span(len(original), len(original) + len(gone))
        start = len(output)
        original += gone
        output += written
        edits.append(Replacement(span, start, len(output), written, ("e1",)))
    return original + "a", output + "a", edits


@given(edited(), st.data())
def test_unedited_text_is_found_again(
    case: tuple[str, str, list[Replacement]], data: st.DataObject
) -> None:
    """One code point outside of edits comes from the same code point; inside, from the edit."""
    original, output, edits = case
    position = data.draw(st.integers(0, len(output) - 1))
    span = to_original(position, position + 1, edits)
    if output[position] == "*":
        assert span in [edit.original for edit in edits]
    else:
        assert span.of(original) == output[position]


@given(edited(), st.data())
def test_a_range_holds_its_parts(
    case: tuple[str, str, list[Replacement]], data: st.DataObject
) -> None:
    """A range comes from everything between the origins of its first and last code point."""
    _, output, edits = case
    start = data.draw(st.integers(0, len(output) - 1))
    end = data.draw(st.integers(start + 1, len(output)))
    span = to_original(start, end, edits)
    assert all(span.contains(to_original(one, one + 1, edits)) for one in range(start, end))


def test_by_hand() -> None:
    """Offsets shift behind an edit, and an edit that is touched comes whole."""
    edits = [
        Replacement(Span(0, 10), 0, 3, "***", ("e1",)),
        Replacement(Span(15, 20), 8, 8, "", ("e2",)),
    ]
    assert to_original(1, 2, edits) == Span(0, 10)
    assert to_original(3, 8, edits) == Span(10, 15)
    assert to_original(8, 9, edits) == Span(20, 21)
    assert to_original(7, 9, edits) == Span(14, 21)
    assert to_original(2, 5, edits) == Span(0, 12)


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 2), (-1, 2)])
def test_no_range(start: int, end: int) -> None:
    """A range without a code point is an error that names both ends."""
    with pytest.raises(ValueError, match=str(end)):
        to_original(start, end, ())
