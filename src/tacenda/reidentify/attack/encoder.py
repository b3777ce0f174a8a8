"""An attacker with two encoders, one for texts and one for profiles.

    p(person | text, mask) = softmax over people of sharpness · cos(f(text, mask), g(profile))

Morris et al. (2022), section 5. What f and g are is in ``training/attacker/network.py``; they have learned
from people other than those that are attacked. Unlike additive attackers they read a word by those
around it, and know that someone who was a candidate in 1972 may have left in 1973.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...models.attacker import AttackerModel
from ..words import WordedDocument
from .ranking import Ranking
from .reading import Reading, read
from .vectors import profile_vectors

_AT_ONCE: Final = 64
"""Variants of a document a call of the encoder."""


class BiEncoder:
    """Ranks people by how near their profile's vector is to the document's.

    Args:
        people: the background knowledge.
        model: the encoders; the shipped ones if None.

    Raises:
        InputError: if the people's vectors are not there yet, and can't be written beside the store.
    """

    name = "encoder"

    def __init__(self, people: People, model: AttackerModel | None = None) -> None:
        self._model = AttackerModel.load() if model is None else model
        self._vectors = profile_vectors(people, self._model)
        self.n_people = len(people)

    def rank(self, document: WordedDocument) -> Ranking:
        """Return the people with their probabilities."""
        return Ranking(self.scores(document, document.unmasked()[None, :])[0])

    def scores(
        self,
        document: WordedDocument,
        masks: NDArray[np.bool_],
        people: NDArray[np.intp] | None = None,
    ) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people].

        Args:
            document: what all variants are of.
            masks: which words are masked, [variants, words].
            people: of whom, in this order; of everybody if None.
        """
        return self.opened(document).scores(masks, people)

    def opened(self, document: WordedDocument) -> OpenedDocument:
        """Return a document whose words are looked up once, for any number of calls."""
        reading = read(document)
        return OpenedDocument(
            self._model, self._vectors, reading, self._model.pieces(reading.words)
        )


@dataclass(frozen=True, slots=True, eq=False)
class OpenedDocument:
    """A document to an encoder.

    Attributes:
        model: the encoders.
        vectors: of the people, [people, width].
        reading: what is read of it.
        pieces: of the words that are read.
    """

    model: AttackerModel
    vectors: NDArray[np.float32]
    reading: Reading
    pieces: NDArray[np.int64]

    def scores(
        self, masks: NDArray[np.bool_], people: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant; see ``BiEncoder.scores``."""
        vectors = self.vectors if people is None else self.vectors[people]
        scores = np.empty((len(masks), len(vectors)))
        for first in range(0, len(masks), _AT_ONCE):
            some = masks[first : first + _AT_ONCE]
            places = np.array([self.reading.masked(mask) for mask in some])
            found = self.model.vectors("document", self.pieces, places) * self.model.sharpness
            scores[first : first + len(some)] = found @ vectors.T
        return scores
