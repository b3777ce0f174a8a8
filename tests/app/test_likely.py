"""The type suggested for words that nothing marked."""

from __future__ import annotations

from tacenda.app.likely import likely_type
from tacenda.document import SemanticType
from tacenda.pipeline import load
from tests.examples import for_each


@for_each(
    ("words", "type"),
    [
        ("12 March 1994", SemanticType.DATETIME),
        ("nurse", SemanticType.DEM),
        ("Norwich General Hospital", SemanticType.ORG),
        ("0161 496 0712", SemanticType.CODE),
        ("zq-7/19", SemanticType.CODE),
        ("whatever", SemanticType.MISC),
    ],
)
def test_words_have_the_type_that_they_are_read_as(words: str, type: SemanticType) -> None:
    """The recognizer, patterns and gazetteer know it, else the form; a person is the last resort of a capital."""
    assert likely_type(load(), words, "en") is type
