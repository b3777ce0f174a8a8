"""Edits to a bi-encoder: all variants of a text in few calls, each word looked up once.

The words of the document and of all options are looked up when the search begins. A word that only
the sentence around an option brings in, such as a preposition, is not among them and reads as a mask;
what is decided is decided by the text itself (``edit_game``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ..attack.additive import Contributions, summed
from ..attack.encoder import BiEncoder
from ..attack.joint import WORDS, Joint, OpenedForBoth
from ..attack.reading import MASK
from ..attack.reading import read as read_for_encoder
from ..words import WordedDocument, read_words
from .edit_readers import Change, changed, log_odds_of
from .offers import Offer

_AT_ONCE: Final = 32
"""Variants a call of the encoder."""


class EncoderReader:
    """A bi-encoder, alone or together with a classifier; see ``EditReader``.

    Args:
        attacker: who reads.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
        read: returns the document at some levels.
    """

    def __init__(
        self,
        attacker: BiEncoder | Joint,
        document: WordedDocument,
        person: int,
        offers: Sequence[Offer],
        read: Callable[[tuple[int, ...]], WordedDocument],
    ) -> None:
        texts = [document.document.text, *(text for offer in offers for text in offer.texts)]
        everything = read_words(Document(document.document.id, "\n".join(texts)))
        opened = attacker.opened(everything)
        self._words: Contributions | None = None
        self._rows: dict[str, int] = {}
        if isinstance(opened, OpenedForBoth):
            self._words = opened.words
            self._rows = dict(zip(everything.keys, opened.words.word_rows.tolist(), strict=True))
            opened = opened.encoder
        self._encoder = opened
        self._places = {word: place for place, word in enumerate(opened.reading.words)}
        self._person = person
        self._read = read

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        return float(self._all([tuple(levels)])[0])

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        return self._all([changed(levels, change) for change in changes])

    def _all(self, variants: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
        found: list[float] = []
        for first in range(0, len(variants), _AT_ONCE):
            some = [self._read(levels) for levels in variants[first : first + _AT_ONCE]]
            found += [log_odds_of(row, self._person) for row in self._scores(some)]
        return np.array(found)

    def _scores(self, documents: Sequence[WordedDocument]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a text, [texts, people]."""
        encoder = self._encoder
        readings = [read_for_encoder(document) for document in documents]
        places = np.zeros((len(readings), max(len(each.places) for each in readings)), np.int64)
        for row, reading in zip(places, readings, strict=True):
            own = np.array([self._places.get(word, MASK) for word in reading.words])
            row[: len(reading.places)] = own[reading.places]
        vectors = encoder.model.vectors("document", encoder.pieces, places)
        scores = (vectors * encoder.model.sharpness @ encoder.vectors.T).astype(np.float64)
        if self._words is not None:
            for row, document in zip(scores, documents, strict=True):
                rows = [self._rows[key] for key in document.keys if key in self._rows]
                found = Contributions(self._words.rows, np.array(rows, dtype=np.intp))
                unmasked = np.zeros((1, len(rows)), dtype=bool)
                row += WORDS * summed(found, unmasked, len(row))[0]
        return scores
