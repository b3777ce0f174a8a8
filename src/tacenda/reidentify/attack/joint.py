"""An attacker who both reads and counts words: the bi-encoder's probabilities times a classifier's.

    log p(person | text) = encoder + 0.1 · bayes, up to a constant

A vector of a few hundred numbers holds a date only roughly, and an encoder has nearly always the right
person among its first ten; which of those it is, the very words decide. The weight is small since naive
Bayes takes words for independent and is far too sure (a product of experts: Hinton, 2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ..words import WordedDocument
from .additive import Contributions, summed
from .bayes import NaiveBayes
from .encoder import BiEncoder, OpenedDocument
from .ranking import Ranking

WORDS: Final = 0.1
"""Of 0.1, 0.2, 0.4, 0.7 and 1 that which finds most of 200 members of Congress who are in no figure: from the
whole text 0.2 finds as many, where words of the profile are masked it finds fewer."""


class Joint:
    """Ranks people by what an encoder and a classifier say together.

    Args:
        people: the background knowledge.
        encoder: of the same people.
    """

    name = "joint"

    def __init__(self, people: People, encoder: BiEncoder) -> None:
        self._encoder = encoder
        self._bayes = NaiveBayes(people)
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
        """Return log-odds up to a constant a variant; see ``BiEncoder.scores``."""
        return self.opened(document).scores(masks, people)

    def opened(self, document: WordedDocument) -> OpenedForBoth:
        """Return a document whose words are looked up once, for any number of calls."""
        return OpenedForBoth(
            self._encoder.opened(document),
            self._bayes.contributions(document),
            self.n_people,
        )


@dataclass(frozen=True, slots=True, eq=False)
class OpenedForBoth:
    """A document to both attackers.

    Attributes:
        encoder: the document as the encoder has opened it.
        words: what its words add, to the classifier.
        n_people: how many people there are.
    """

    encoder: OpenedDocument
    words: Contributions
    n_people: int

    def scores(
        self, masks: NDArray[np.bool_], people: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant; see ``BiEncoder.scores``."""
        of_words = summed(self.words, masks, self.n_people)
        if people is not None:
            of_words = of_words[:, people]
        return self.encoder.scores(masks, people) + WORDS * of_words
