"""A text as an encoder reads it: its telling words, the marks between them, and what is masked.

Stop words and most punctuation are left out, as by the other attackers; kept are the marks that end
a clause or hold a span of years together, and *may*, which is a month more often than not where it
matters. A masked word, ``***`` and a label such as ``[PERSON 1]`` all read as one mask.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ..stop_words import STOP_WORDS
from ..words import LABEL, WordedDocument, read_words

PADDING: Final = 0
MASK: Final = 1
"""Places of what is no word, before the words of a ``Reading``."""
_UNREAD: Final = STOP_WORDS - {"may"}
_BETWEEN = re.compile(rf"(?P<mask>\*{{3}}|{LABEL.pattern})|[;:()–—-]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as places of words.

    Attributes:
        words: the distinct words and marks; the first two stand for padding and for a mask.
        places: index into ``words`` of what is read, in order, [read].
        number: which word of the document that is, -1 for marks and masks, [read].
    """

    words: tuple[str, ...] = field(repr=False)
    places: NDArray[np.int64]
    number: NDArray[np.int64]

    def masked(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the places if some words of the document, [words], are masked, [read]."""
        hidden = np.append(mask, False)[self.number]
        return np.where(hidden, MASK, self.places)


def read(document: WordedDocument) -> Reading:
    """Return what an encoder reads of a document."""
    text = document.document.text
    words = {"": PADDING, "***": MASK}
    places, number = [], []

    def between(start: int, end: int) -> None:
        for match in _BETWEEN.finditer(text, start, end):
            mark = match.group()
            places.append(MASK if match["mask"] else words.setdefault(mark, len(words)))
            number.append(-1)

    last = 0
    for index, (span, key) in enumerate(zip(document.spans, document.keys, strict=True)):
        between(last, span.start)
        if key not in _UNREAD:
            places.append(words.setdefault(key, len(words)))
            number.append(index)
        last = span.end
    between(last, len(text))
    return Reading(tuple(words), np.array(places, dtype=np.int64), np.array(number, dtype=np.int64))


def read_text(text: str) -> Reading:
    """Return what an encoder reads of a bare text, such as a linearised profile."""
    return read(read_words(Document("", text)))
