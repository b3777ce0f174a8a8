"""The protocol of attackers: a document, in as many masked variants as one likes, to people.

The model is p(person | text, mask) of Morris et al. (2022), section 4. Attackers are trained or
told nothing of the documents they attack.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..tokens import TokenizedDocument

# Everybody by how probable an attacker finds them.


TIE: Final = 1e-9
"""Scores this close are equal: sums in another order differ by less."""


def rank_of(scores: NDArray[np.float64], person: int) -> int:
    """Return the rank of a person, from 1; the middle one among ties.

    Equal scores identify no one, so ties count neither for nor against the attacker.
    """
    score = scores[person]
    above = int(np.count_nonzero(scores > score + TIE))
    level = int(np.count_nonzero(scores >= score - TIE)) - above - 1
    return above + 1 + level // 2


def log_sum(scores: NDArray[np.float64]) -> float:
    """Return log Σ exp(score), safe from overflow."""
    highest = float(scores.max())
    return highest + float(np.log(np.exp(scores - highest).sum()))


@dataclass(frozen=True, slots=True)
class Ranking:
    """An attacker's ranking of people for a document.

    Attributes:
        scores: log-odds of each person up to a constant, [people]; p(person) is their softmax.
    """

    scores: NDArray[np.float64]

    def rank(self, person: int) -> int:
        """Return the rank of a person, from 1."""
        return rank_of(self.scores, person)

    def probability(self, person: int) -> float:
        """Return the probability of a person."""
        return float(np.exp(self.scores[person] - log_sum(self.scores)))

    def probabilities(self) -> NDArray[np.float64]:
        """Return the probability of everyone, [people]; they add up to 1."""
        return np.exp(self.scores - log_sum(self.scores))

    def best(self, count: int) -> list[int]:
        """Return the most probable people, the best first; those tied in their order."""
        count = min(count, len(self.scores))
        edge = np.partition(self.scores, -count)[-count]
        indices = np.flatnonzero(self.scores >= edge)
        return [int(n) for n in indices[np.argsort(-self.scores[indices], kind="stable")][:count]]


class Attacker(Protocol):
    """Ranking of people by how well a document matches their profiles.

    Attributes:
        name: its name for the user.
        family: what kind of evidence it lives from; who hides from one of a family hides from the others in part.
        n_people: number of people; those of the store, in its order.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def family(self) -> str: ...  # noqa: D102 - said above

    @property
    def n_people(self) -> int: ...  # noqa: D102 - said above

    def rank(self, document: TokenizedDocument) -> Ranking:
        """Return the people with their probabilities."""
        ...

    def scores(self, document: TokenizedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people].

        Args:
            document: the document of all variants.
            masks: whether each word is masked, [variants, words].
        """
        ...


class ScoringAttacker(ABC):
    """Base of attackers whose ranking is by their scores of the whole document."""

    def rank(self, document: TokenizedDocument) -> Ranking:
        """Return the people with their probabilities."""
        return Ranking(self.scores(document, document.unmasked()[None, :])[0])

    @abstractmethod
    def scores(self, document: TokenizedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people]; see ``Attacker``."""
