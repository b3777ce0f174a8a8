"""Offsets of the original, from those of the output."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    Replacement,
    SemanticType,
    Span,
)
from tacenda.policy import Policy
from tacenda.rewrite.rewrite import rewrite
from tacenda.text.offsets import to_original
from tests.building import reason

CASE = tuple[str, str, tuple[Replacement, ...]]


@st.composite
def rewritten(draw: st.DrawFn) -> CASE:
    """Draw a text of any characters with its output and edits."""
    text = draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=40))
    starts = draw(st.lists(st.integers(0, len(text) - 1), max_size=5))
    decisions = []
    for number, start in enumerate(starts, 1):
        span = Span(start, draw(st.integers(start + 1, len(text))))
        item = Mention(span, SemanticType.ORG, 0.9, 0.0, MentionSource.NEURAL)
        entity = Entity(f"e{number}", SemanticType.ORG, number, (item,))
        operator = draw(st.sampled_from(["suppress", "tag"]))
        decisions.append(Decision(entity, True, operator, IdentifierType.QUASI, 0.9, (reason(),)))
    return (text, *rewrite(Document("d", text), decisions, Policy()))


@given(case=rewritten())
def test_every_output_offset_has_an_original(case: CASE) -> None:
    """Outside edits a code point maps to an equal one, inside to the whole edit; in order."""
    text, output, edits = case
    previous = 0
    for offset, character in enumerate(output):
        span = to_original(offset, offset + 1, edits)
        assert span.end <= len(text)
        assert span.start >= previous
        previous = span.start
        if not any(edit.output_start <= offset < edit.output_end for edit in edits):
            assert span.of(text) == character


def test_offsets_by_hand() -> None:
    """An edit from [2, 5) to one character moves what follows by two."""
    edits = (Replacement(Span(2, 5), 2, 3, "*", ("e1",)),)
    assert [to_original(offset, offset + 1, edits) for offset in (1, 2, 3)] == [
        Span(1, 2),
        Span(2, 5),
        Span(5, 6),
    ]


def test_an_edit_that_wrote_nothing_has_no_output() -> None:
    """No output maps to a deletion."""
    edits = (Replacement(Span(2, 5), 2, 2, "", ("e1",)),)
    assert to_original(2, 3, edits) == Span(5, 6)


@given(case=rewritten(), data=st.data())
def test_a_range_holds_its_parts(case: CASE, data: st.DataObject) -> None:
    """A range comes from everything between the origins of its first and last code point."""
    _, output, edits = case
    assume(output)
    start = data.draw(st.integers(0, len(output) - 1))
    end = data.draw(st.integers(start + 1, len(output)))
    span = to_original(start, end, edits)
    assert all(span.contains(to_original(one, one + 1, edits)) for one in range(start, end))


def test_ranges_by_hand() -> None:
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
    with pytest.raises(ValueError, match=rf"\[{start}, {end}\)"):
        to_original(start, end, ())
