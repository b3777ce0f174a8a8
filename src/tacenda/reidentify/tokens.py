"""Tokens of a document for attackers: folded words, each with its place.

Masks are not words: ``***`` and the labels of *tag* and *pseudonym* (``[PERSON 1]``) are left out,
so that an attack on a release ignores labels of our own.
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
        spans: the place of each word, in order.
        keys: each word folded, for comparison.
        n_offered: number of words at the end that are not of the text but may be written in it.
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
        """Return the mask of the words overlapping one of ``spans``, [words]."""
        covered = np.zeros(len(self.document.text) + 1, dtype=bool)
        for span in spans:
            covered[span.start : span.end] = True
        return np.array([covered[s.start : s.end].any() for s in self.spans], dtype=bool)


# Masked words to spans: neighbours are one mask, to hide the number of words.
#
# Morris et al. (2022), section 10: "Chicago Black Hawks" as three masks excludes all teams of two
# words. Words with no word between them are neighbours, unless a line or a sentence ends there.


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


# Stop words: attackers don't read them, the search does not try them.
#
# Morris et al. (2022), section 6, leave them out of the search. To an attacker they would be rare words,
# since profiles hardly have them and texts are full of them.
#
# Pronouns that tell a gender are not among them: the paper's system masks those.


STOP_WORDS: Final = word_list_of("stop_words")
