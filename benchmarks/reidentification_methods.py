"""Ways to mask a document, to compare: each gives the words it masks, [words].

Baselines of Morris et al. (2022), section 6: *lexical* (words of the profile), *named entities*, *IDF* (the
rarest words, down to a threshold), *IDF with the profile first*.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tacenda.background.people import Person, terms
from tacenda.evaluate.matching import CLOSED_CLASS
from tacenda.evaluate.metrics import compressed_size, redacted
from tacenda.pipeline import Sanitizer
from tacenda.reidentify.anonymize.units import masked_spans
from tacenda.reidentify.tokens import STOP_WORDS, TokenizedDocument

THRESHOLDS = (7, 6, 5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5, 0)
"""Of the sweep: words with a higher IDF are masked, in nats."""
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve hundred twenty thirty forty fifty
    sixty seventy eighty ninety""".split()
)
_ORDINAL_ENDS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
)
CLASSES = ("names", "numbers", "months", "other words", "function words")

Mask = NDArray[np.bool_]


class Frequencies:
    """IDF over documents and profiles together, as the paper counts it."""

    def __init__(self, documents: Iterable[Sequence[str]], people: Iterable[Person]) -> None:
        counts: Counter[str] = Counter()
        n = 0
        for words in documents:
            counts.update(set(words))
            n += 1
        for person in people:
            counts.update(set(terms(person)))
            n += 1
        self._counts, self._n = counts, n

    def idf(self, document: TokenizedDocument) -> NDArray[np.float64]:
        """Return log(n / texts with the word), [words]."""
        return np.array([math.log(self._n / max(self._counts[key], 1)) for key in document.keys])


def baselines(
    document: TokenizedDocument, person: Person, frequencies: Frequencies, sanitizer: Sanitizer
) -> dict[tuple[str, float], Mask]:
    """Return the masks of all baselines, by method and threshold (0 where there is none)."""
    profile = terms(person)
    lexical = np.array([key in profile and key not in STOP_WORDS for key in document.keys])
    mentions = sanitizer.analyze(document.document).mentions
    found = {
        ("no redaction", 0.0): document.unmasked(),
        ("lexical", 0.0): lexical,
        ("named entities", 0.0): document.masked([mention.span for mention in mentions]),
    }
    idf = frequencies.idf(document)
    for threshold in THRESHOLDS:
        found["IDF", threshold] = idf > threshold
        found["IDF, profile first", threshold] = lexical | (idf > threshold)
    return found


def information_loss(document: TokenizedDocument, mask: Mask) -> float:
    """Return by how much less the text says, as a compressor sees it (section 6)."""
    text = document.document.text
    return 1 - compressed_size(redacted(text, masked_spans(document, mask))) / compressed_size(text)


def word_classes(document: TokenizedDocument) -> list[str]:
    """Return the class of each word: from lists and spelling, no tagger."""
    text = document.document.text
    return [
        _class_of(key, span.of(text))
        for key, span in zip(document.keys, document.spans, strict=True)
    ]


def _class_of(key: str, string: str) -> str:
    if key in CLOSED_CLASS or key in STOP_WORDS:
        return "function words"
    if key in _MONTHS and string[:1].isupper():
        return "months"
    if any(map(str.isdigit, key)) or key in _NUMBERS or key.endswith(_ORDINAL_ENDS):
        return "numbers"
    if key.endswith(("teenth", "tieth")):
        return "numbers"
    return "names" if string[:1].isupper() else "other words"
