"""The type to suggest for words that nothing marked in a document, when a person adds them."""

from __future__ import annotations

from collections import Counter

from ..document import Document, SemanticType
from ..pipeline import Sanitizer


def likely_type(sanitizer: Sanitizer, words: str, language: str = "") -> SemanticType:
    """Return the type that recognizer, patterns and gazetteer give to the words alone, otherwise one by their form.

    Args:
        sanitizer: its detectors read the words.
        words: the words that were missed.
        language: language of the document; empty to guess it.
    """
    counts: Counter[SemanticType] = Counter()
    for mention in sanitizer.analyze(Document("words", words, language=language)).mentions:
        counts[mention.type] += len(mention.span)
    if counts:
        return max(counts, key=counts.__getitem__)
    if any(map(str.isdigit, words)):
        return SemanticType.CODE
    return SemanticType.PERSON if words[:1].isupper() else SemanticType.MISC
