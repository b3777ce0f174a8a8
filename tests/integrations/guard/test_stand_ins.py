"""Names that are words: found by what stands around them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import tacenda
from tacenda.document import Span
from tacenda.integrations.guard.stand_ins import candidates, with_stand_ins
from tacenda.text.offsets import to_original
from tests.examples import for_each


@for_each(
    ("text", "words"),
    [
        ("My boss Way is away, and so is Hope.", ["Way", "Hope"]),
        ("Hope rang. Will you call? Joy won't.", ["Hope", "Joy"]),
        ("Write a letter. Call Comfort on Monday, in May", ["Comfort"]),
        ("# Salmon Soup\nCook it", []),
        ("See README.Md and Foo.Bar, a@Best.com or an API", []),
        ("on the Way to an Event", []),
        ("ask Gionata Giorgetti", ["Gionata", "Giorgetti"]),
    ],
)
def test_words_that_may_be_names(text: str, words: Sequence[str]) -> None:
    """By their capital, their place in a sentence, and by what people are called."""
    assert [span.of(text) for span, _ in candidates(text, [], ())] == words


def test_a_word_beside_what_is_hidden_may_be_one() -> None:
    """The rest of a name; what is hidden itself is none."""
    text = "- Germán Figueras\n- May"
    assert [span.of(text) for span, _ in candidates(text, [Span(2, 8)], ())] == ["Figueras"]


def test_a_name_of_before_may_stand_in_small_letters() -> None:
    """A word of grammar needs its capital still."""
    text = "ok and patience may come, says May"
    words = [span.of(text) for span, _ in candidates(text, [], {"patience", "may"})]
    assert words == ["patience", "May"]


def test_places_lead_back() -> None:
    """From a text with stand-ins to the words."""
    text = "ask Way or way"
    read, edits = with_stand_ins(text, [Span(4, 7), Span(11, 14)])
    assert read == "ask Dorrit or soltar"
    assert [to_original(e.output_start, e.output_end, edits).of(text) for e in edits] == [
        "Way",
        "way",
    ]


@pytest.mark.parametrize(
    ("messages", "names"),
    [
        (["Tell Comfort that I am late, and ask Best to wait."], ["Comfort", "Best"]),
        (["My boss is Kyle May. Is May older than I?"], ["Kyle", "May"]),
        (["My neighbour Patience snores.", "ok and patience said the ref is wrong"], ["patience"]),
        (["Patient Moen, referred by Dr Berg, has a cough."], ["Moen"]),
        (["Hello Guy,\n\nthank you for the call."], ["Guy"]),
    ],
)
def test_they_are_hidden(messages: Sequence[str], names: Sequence[str]) -> None:
    """And come back."""
    with tacenda.guard() as session:
        for message in messages:
            hidden = session.hide(message)
            assert [name for name in names if name.casefold() in hidden.casefold()] == []
            assert session.reveal(hidden) == message


def test_what_is_no_name_stays() -> None:
    """Though it has a capital within a sentence."""
    text = "Will you explain the Way of Zen? Then write it in Rust, using Strict mode."
    with tacenda.guard() as session:
        assert session.hide(text) == text
