"""Which words need no mask."""

from __future__ import annotations

from tacenda.evaluate.matching import closed_class_spans
from tests.examples import for_each


@for_each(
    ("text", "words"),
    [
        ("the Court of Appeal", ["the", "of"]),
        ("Mr Smith and Mrs Jones", ["Mr", "and", "Mrs"]),
        ("Mr. Smith", []),
        ("A. Smith v. B. Jones", ["v"]),
        ("a child’s case", ["a", "s"]),
        ("S. and s", ["and"]),
        ("Under-Secretary under oath", ["under"]),
        ("no. 12 about nr 3", ["no", "about", "nr"]),
        ("that which such", []),
        ("THE OF", ["THE", "OF"]),
    ],
)
def test_closed_class_words(text: str, words: list[str]) -> None:
    """Adpositions, particles, conjunctions, determiners and titles, as taggers see them."""
    assert [text[s:e] for s, e in closed_class_spans(text, 0, len(text))] == words


def test_a_word_is_seen_whole_from_within() -> None:
    """A range that cuts a word gets the word or nothing, never a part of it."""
    text = "other the father"
    assert list(closed_class_spans(text, 7, 8)) == [(6, 9)]
    assert list(closed_class_spans(text, 1, 4)) == []


def test_one_endless_word_takes_no_time() -> None:
    """The search looks no further than the longest word of the list."""
    text = "x" * 1_000_000
    assert all(not list(closed_class_spans(text, at, at + 1)) for at in range(0, 1_000_000, 500))
