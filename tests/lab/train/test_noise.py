"""Noise and swapping: what was a mention still is one."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("faker", reason="needs the extra 'train'")

from hypothesis import given
from hypothesis import strategies as st

from tacenda_lab.train import noise
from tacenda_lab.train.examples import Edit, Mention, apply_edits

TEXTS = st.text(
    st.one_of(st.sampled_from("aeRnIl01 .,'\n-@ßİŁé"), st.characters(exclude_categories=["Cs"])),
    max_size=60,
)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[str, tuple[Mention, ...]]:
    """A text with mentions, maybe overlapping, none empty or with white space at an edge."""
    text = draw(TEXTS)
    mentions = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        span = text[start:end]
        if span and span == span.strip():
            type = draw(st.sampled_from(["PERSON", "LOC", "ORG", "DATETIME", "CODE"]))
            mentions.append((start, end, type, "QUASI"))
    return text, tuple(mentions)


def spans(text: str, mentions: tuple[Mention, ...]) -> list[str]:
    """Return what the mentions cover."""
    return [text[start:end] for start, end, _, _ in mentions]


@given(annotated())
def test_changing_case_changes_mentions_with_the_text(document) -> None:
    """A mention's text after the change is the change of its text, character by character."""
    text, mentions = document
    for change, function in ((str.lower, noise.lower_case), (str.upper, noise.upper_case)):
        changed, moved = function(text, mentions)
        expected = ["".join(map(change, span)) for span in spans(text, mentions)]
        assert changed == "".join(map(change, text))
        assert spans(changed, moved) == expected


NOISES = (
    lambda t, m, _: noise.strip_diacritics(t, m),
    lambda t, m, r: noise.misspell(t, m, r, 0.5),
    lambda t, m, r: noise.disturb_spaces(t, m, r, 0.5),
    lambda t, m, r: noise.break_lines(t, m, r, 5),
    lambda t, m, r: noise.drop_punctuation(t, m, r),
)


@given(annotated(), st.sampled_from(NOISES), st.integers(0, 99))
def test_mentions_stay_within_the_text_and_trimmed(document, function, seed: int) -> None:
    """After any noise each span is in the text, not empty, and has no white space at its edges."""
    changed, moved = function(*document, Random(seed))
    for start, end, _, _ in moved:
        assert 0 <= start < end <= len(changed)
        assert changed[start:end] == changed[start:end].strip()


@given(annotated(), st.sampled_from(NOISES), st.integers(0, 99))
def test_noise_is_the_same_for_a_seed(document, function, seed: int) -> None:
    """A function's only chance is the generator it is given."""
    assert function(*document, Random(seed)) == function(*document, Random(seed))


@given(annotated(), st.integers(0, 99))
def test_typing_errors_leave_mentions_alone(document, seed: int) -> None:
    """Misspelling and lost punctuation change nothing inside a mention."""
    for function in (
        lambda t, m, r: noise.misspell(t, m, r, 1.0),
        lambda t, m, r: noise.drop_punctuation(t, m, r),
    ):
        changed, moved = function(*document, Random(seed))
        assert spans(changed, moved) == spans(*document)


@given(annotated(), st.integers(0, 99))
def test_broken_lines_change_only_spaces(document, seed: int) -> None:
    """With every line break a space again, the text is what it was."""
    text, mentions = document
    changed, moved = noise.break_lines(text, mentions, Random(seed))
    assert changed.replace("\n", " ") == text.replace("\n", " ")
    assert moved == mentions


@given(annotated(), st.data())
def test_edits_outside_of_mentions_leave_their_text(document, data: st.DataObject) -> None:
    """Text that is put in before, after or at the edge of mentions never enters them."""
    text, mentions = document
    inside = {at for start, end, _, _ in mentions for at in range(start + 1, end)}
    places = data.draw(
        st.lists(st.integers(0, len(text)).filter(lambda at: at not in inside), unique=True)
    )
    edits: list[Edit] = [(at, at, "++") for at in places]
    assert spans(*apply_edits(text, mentions, edits)) == spans(text, mentions)


def test_overlapping_edits_are_refused() -> None:
    """Two edits of one place contradict each other."""
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits("abcdef", (), [(0, 3, "x"), (2, 4, "y")])


def test_worked_example_of_edits() -> None:
    """Offsets move by what was put in and taken out before them."""
    text = "Mr Ito of Rome"
    edited, moved = apply_edits(
        text,
        ((3, 6, "PERSON", "DIRECT"), (10, 14, "LOC", "QUASI")),
        [(0, 2, "Doctor"), (3, 6, "Li"), (12, 13, "")],
    )
    assert edited == "Doctor Li of Roe"
    assert moved == ((7, 9, "PERSON", "DIRECT"), (13, 16, "LOC", "QUASI"))
