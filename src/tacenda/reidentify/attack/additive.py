"""Attackers for whom a text is its words: each adds to a person's score, whatever stands beside it.

    score(person) = Σ over words left of own(word, person)

``own`` is above 0 for the few people who have the word, so a document is a sparse matrix and a word
less a few subtractions. It is never below: a word less then never raises a score, which is what the
search rests on. (All people could be shifted alike, for that changes no probability.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..stop_words import STOP_WORDS
from ..words import WordedDocument
from .ranking import Ranking

_NO_WORD: Final = ""
"""Stands for all stop words; nobody has it."""


class Row(NamedTuple):
    """What one occurrence of a word adds: for these people, in order, these values (>= 0)."""

    people: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contributions:
    """A document to an additive attacker.

    Attributes:
        rows: what an occurrence of each distinct word adds.
        word_rows: the row of each word of the document, [words].
    """

    rows: tuple[Row, ...]
    word_rows: NDArray[np.intp]


class AdditiveAttacker(ABC):
    """What additive attackers share; each says what a word and a person have in common."""

    name: str
    n_people: int

    @abstractmethod
    def row(self, term: str) -> Row:
        """Return what one occurrence of a folded word adds."""

    def contributions(self, document: WordedDocument) -> Contributions:
        """Return a document as what its words add."""
        places = {_NO_WORD: 0}
        for key in document.keys:
            if key not in STOP_WORDS:
                places.setdefault(key, len(places))
        return Contributions(
            tuple(map(self.row, places)),
            np.array([places.get(key, 0) for key in document.keys], dtype=np.intp),
        )

    def rank(self, document: WordedDocument) -> Ranking:
        """Return the people with their probabilities."""
        return Ranking(self.scores(document, document.unmasked()[None, :])[0])

    def scores(self, document: WordedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people], from scratch."""
        return summed(self.contributions(document), masks, self.n_people)


def summed(found: Contributions, masks: NDArray[np.bool_], n_people: int) -> NDArray[np.float64]:
    """Return what the words left add up to for each person, [variants, people]."""
    scores = np.zeros((len(masks), n_people))
    for variant, mask in enumerate(masks):
        kept = found.word_rows[~mask]
        for place, count in zip(*np.unique(kept, return_counts=True), strict=True):
            row = found.rows[place]
            scores[variant, row.people] += count * row.values
    return scores
