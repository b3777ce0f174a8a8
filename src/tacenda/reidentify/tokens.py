"""A document's tokens for attackers: folded words with their positions.

Masks aren't words: ``***`` and the labels of *tag* and *pseudonym* (``[PERSON 1]``) are left out,
so that an attack on a release ignores our own labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..document import Document, Span
from ..text.folding import fold_aligned
from ..text.tokens import words
from ..text.word_lists import word_list_of
from ..wording import TAG_WORDS

LABEL = re.compile(rf"\[(?:{'|'.join(TAG_WORDS)})(?: [\w-]+)?\]")


@dataclass(frozen=True, slots=True)
class TokenizedDocument:
    """A document and its words.

    Attributes:
        document: the text.
        spans: the position of each word, in order.
        keys: each word folded, for comparison.
        n_offered: number of words at the end that aren't in the text but may be written in it.
    """

    document: Document
    spans: tuple[Span, ...]
    keys: tuple[str, ...] = field(repr=False)
    n_offered: int = 0

    def __len__(self) -> int:
        return len(self.spans)

    def unmasked(self) -> NDArray[np.bool_]:
        """Return the empty mask, [words]."""
        return np.zeros(len(self), dtype=bool)

    def masked(self, spans: Sequence[Span]) -> NDArray[np.bool_]:
        """Return the mask of the words that overlap one of ``spans``, [words]."""
        covered = np.zeros(len(self.document.text) + 1, dtype=bool)
        for span in spans:
            covered[span.start : span.end] = True
        return np.array([covered[s.start : s.end].any() for s in self.spans], dtype=bool)


# From masked words to spans: adjacent words become one mask, to hide how many there are.
#
# Morris et al. (2022), section 10: "Chicago Black Hawks" as three masks rules out all teams with
# two words. Words are adjacent if there is no word between them and no line or sentence ends there.


_APART = re.compile(r"[\n!?;*\[\]]|\w")


def adjoins(document: TokenizedDocument, place: int) -> bool:
    """Return whether a word and the one before it are one mask if both are masked."""
    if not place:
        return False
    start, end = document.spans[place - 1].end, document.spans[place].start
    return not _APART.search(document.document.text, start, end)


def read_words(document: Document) -> TokenizedDocument:
    """Return a document with its words."""
    text = document.text
    labels = [match.span() for match in LABEL.finditer(text)]
    folded = fold_aligned(text)
    spans, keys = [], []
    for start, end in zip(*words(folded.text), strict=True):
        span = folded.original(start, end)
        if any(span.start < stop and first < span.end for first, stop in labels):
            continue
        spans.append(span)
        keys.append(folded.text[start:end])
    return TokenizedDocument(document, tuple(spans), tuple(keys))


# Stop words, which attackers don't read and the search doesn't try.
#
# Morris et al. (2022), section 6, leave them out of the search. To an attacker they would look like
# rare words, since profiles have few of them, while texts are full of them.
#
# They don't include pronouns that reveal a gender, which the paper's system masks.


STOP_WORDS: Final = word_list_of("stop_words")
