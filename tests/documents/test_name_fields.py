"""Fields of names: what is a name, and what is a short text with one in it."""

from __future__ import annotations

from tacenda.documents.name_fields import are_like_names, is_called_a_text, is_sentence
from tests.examples import for_each


@for_each(
    "value",
    [
        "Ana López called.", "ana lopez again on 3 May 2021", "Mr Nowak left", "see 'Ana López'", "Ana: see below",
        "Frau Berg kam nicht", "is Ana here?", "with ana", "Ana López et al. wrote", "call Nowak", "seen by ana",
    ],
)  # fmt: skip
def test_a_short_text_is_no_name(value: str) -> None:
    """A verb, a date, an end or a small word gives it away."""
    assert is_sentence(value)


@for_each(
    "value",
    [
        "Ana López", "ana lopez", "López, Ana", "Dr. J. van der Berg", "Ludwig van Beethoven", "María de los Ángeles", "王伟",
        "Dr. med. Eva Stein", "Eva Stein geb. Berg",
        "O'Brien", "Martin Luther King Jr.", "jdoe42", "ANA LÓPEZ", "Abu Bakr al-Baghdadi", "José Ortega y Gasset", "Łukasz Żak",
    ],
)  # fmt: skip
def test_a_name_is_no_text(value: str) -> None:
    """In any order, case or script, with particles and titles."""
    assert not is_sentence(value)
    assert are_like_names([value])


def test_values_that_say_nothing_are_no_names() -> None:
    """Whatever the field is called; beside names they don't count."""
    assert not are_like_names(["x", "null", "yes", "12", "J.", ""])
    assert are_like_names(["x", "null", "Ana López"])
    assert not are_like_names(["Ana López", "Mr Nowak left", "see Ana"])


@for_each(
    ("words", "expected"),
    [
        (["patient", "note"], True), (["Notes"], True), (["note", "2"], True), (["note", "author"], False),
        (["first", "name"], False), (["2"], False), ([], False),
    ],
)  # fmt: skip
def test_the_last_word_says_that_a_field_is_text(words: list[str], expected: bool) -> None:
    """As in English: the author of a note is none."""
    assert is_called_a_text(words) is expected
