"""The protocol of attackers, which map a document, in any number of masked variants, to people.

The model is p(person | text, mask) of Morris et al. (2022), section 4. Attackers aren't trained on
the documents they attack and know nothing about them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..tokens import TokenizedDocument

# Everybody, ranked by how probable an attacker finds them.


TIE: Final = 1e-9
"""Scores this close are equal: sums in another order differ by less."""


def rank_of(scores: NDArray[np.float64], person: int) -> int:
    """Return a person's rank, from 1; the middle rank among ties.

    Equal scores identify nobody, so ties count neither for nor against the attacker.
    """
    score = scores[person]
    above = int(np.count_nonzero(scores > score + TIE))
    level = int(np.count_nonzero(scores >= score - TIE)) - above - 1
    return above + 1 + level // 2


def log_sum(scores: NDArray[np.float64]) -> float:
    """Return log Σ exp(score) without overflow."""
    highest = float(scores.max())
    return highest + float(np.log(np.exp(scores - highest).sum()))


@dataclass(frozen=True, slots=True)
class Ranking:
    """An attacker's ranking of people for a document.

    Attributes:
        scores: each person's log odds up to a constant, [people]; their softmax is p(person).
    """

    scores: NDArray[np.float64]

    def rank(self, person: int) -> int:
        """Return a person's rank, from 1."""
        return rank_of(self.scores, person)

    def probability(self, person: int) -> float:
        """Return a person's probability."""
        return float(np.exp(self.scores[person] - log_sum(self.scores)))

    def probabilities(self) -> NDArray[np.float64]:
        """Return everyone's probability, [people]; they add up to 1."""
        return np.exp(self.scores - log_sum(self.scores))

    def best(self, count: int) -> list[int]:
        """Return the most probable people, best first; ties are in store order."""
        count = min(count, len(self.scores))
        edge = np.partition(self.scores, -count)[-count]
        indices = np.flatnonzero(self.scores >= edge)
        return [int(n) for n in indices[np.argsort(-self.scores[indices], kind="stable")][:count]]


class Attacker(Protocol):
    """Ranks people by how well a document matches their profiles.

    Attributes:
        name: the name shown to users.
        family: the kind of evidence it uses; hiding from one attacker partly hides from others in
            its family.
        n_people: number of people in the store, in store order.
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
        """Return log odds up to a constant per variant, [variants, people].

        Args:
            document: the document whose variants these are.
            masks: whether each word is masked, [variants, words].
        """
        ...


class ScoringAttacker(ABC):
    """Base class for attackers that rank by their scores for the whole document."""

    def rank(self, document: TokenizedDocument) -> Ranking:
        """Return the people with their probabilities."""
        return Ranking(self.scores(document, document.unmasked()[None, :])[0])

    @abstractmethod
    def scores(self, document: TokenizedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people]; see ``Attacker``."""
