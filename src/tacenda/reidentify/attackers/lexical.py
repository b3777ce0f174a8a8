"""Bag-of-words attackers: each word adds to a person's score independently of its context.

    score(person) = Σ over words left of own(word, person)

``own`` is above 0 only for the few people who have the word, so a document is a sparse matrix, and
removing a word takes a few subtractions. It is never negative, so removing a word never raises a
score, which the search relies on. (Shifting all people by a constant changes no probability.)
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...text.information import UnigramSurprisal
from ..tokens import STOP_WORDS, TokenizedDocument
from .base import ScoringAttacker

_NO_WORD: Final = ""
"""Stands for all stop words; no one has it."""


class WordContribution(NamedTuple):
    """The score of one occurrence of a word: these values (>= 0) for these people, in order."""

    people: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Contributions:
    """A document prepared for an additive attacker.

    Attributes:
        rows: the contribution of one occurrence of each distinct word, and of each joint feature.
        word_rows: the row of each word of the document, [words].
        joint: (word indexes, row) for each feature of several words, such as a date; it adds its
            row as long as none of its words is masked.
    """

    rows: tuple[WordContribution, ...]
    word_rows: NDArray[np.intp]
    joint: tuple[tuple[tuple[int, ...], int], ...] = ()

    @cached_property
    def flat(self) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.float64]]:
        """(lengths of the rows, their people, their values), concatenated."""
        return (
            np.array([len(row.people) for row in self.rows]),
            np.concatenate([row.people for row in self.rows]),
            np.concatenate([row.values for row in self.rows]),
        )


class AdditiveAttacker(ScoringAttacker):
    """Base class of additive attackers; each defines what a word contributes to a person's score.

    Attackers that compare more than words override ``contributions``.
    """

    name: str
    family = "words"
    n_people: int

    @abstractmethod
    def row(self, term: str) -> WordContribution:
        """Return the contribution of one occurrence of a folded word."""

    def contributions(self, document: TokenizedDocument) -> Contributions:
        """Return a document as the contributions of its words."""
        places = {_NO_WORD: 0}
        for key in document.keys:
            if key not in STOP_WORDS:
                places.setdefault(key, len(places))
        return Contributions(
            tuple(map(self.row, places)),
            np.array([places.get(key, 0) for key in document.keys], dtype=np.intp),
        )

    def scores(self, document: TokenizedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log odds up to a constant per variant, [variants, people], computed from scratch."""
        return additive_scores(self.contributions(document), masks, self.n_people)


def additive_scores(
    contributions: Contributions, masks: NDArray[np.bool_], n_people: int
) -> NDArray[np.float64]:
    """Return the sum of the contributions of unmasked words for each person, [variants, people]."""
    scores = np.empty((len(masks), n_people))
    lengths, people, values = contributions.flat
    for variant, mask in enumerate(masks):
        joint = [row for places, row in contributions.joint if not mask[list(places)].any()]
        rows = np.append(contributions.word_rows[~mask], np.array(joint, dtype=np.intp))
        counts = np.bincount(rows, minlength=len(lengths))
        weights = np.repeat(counts, lengths) * values
        scores[variant] = np.bincount(people, weights=weights, minlength=n_people)
    return scores


# A text classifier over people: multinomial naive Bayes with one class per person.
#
# p(word | person) mixes the profile with general language (Jelinek-Mercer smoothing, which Zhai and
# Lafferty, 2004, find best for long texts), since a text about a person consists of both. All
# people are equally likely a priori, so up to a constant
#
#     log p(text | person) = Σ over words of log(1 + λ / (1 − λ) · c(word, person) / (length · p(word)))
#
# p(word) is the larger of the word's shares in all profiles and in general text: *war* is rare in
# profiles but reveals nothing in a biography.


OWN_WORDS: Final = 0.5
"""λ: share of a text's words that are taken from the profile."""


class NaiveBayes(AdditiveAttacker):
    """Ranks people by how likely the document is as a sample of their words.

    Args:
        people: the background knowledge.
        language: how common words are in general; None for the shipped table.
    """

    name = "bayes"

    def __init__(self, people: People, language: UnigramSurprisal | None = None) -> None:
        self._people = people
        self.n_people = len(people)
        self._language = UnigramSurprisal.shipped() if language is None else language
        self._lengths: NDArray[np.float64] = np.maximum(people.lengths, 1)

    def row(self, term: str) -> WordContribution:
        """Return log(1 + λ / (1 − λ) · c / (length · p(word)))."""
        people, counts = self._people.posting(term)
        in_profiles = self._people.occurrences(term) / max(self._people.n_words, 1)
        share = max(in_profiles, math.exp(-self._language.surprisal(term)))
        odds = OWN_WORDS / (1 - OWN_WORDS) / share
        return WordContribution(people, np.log1p(odds * counts / self._lengths[people]))


# BM25 over the words of profiles (Robertson and Zaragoza, 2009): search as an attack.
#
# This is the "IR ReID" of Morris et al. (2022), section 3. A word's weight is the log odds that a
# profile with the word is the right one, so the sum is also used as log odds: p is its softmax.


K1: Final = 1.2
B: Final = 0.75


class Bm25(AdditiveAttacker):
    """Ranks people the way a search engine ranks pages.

    Args:
        people: the background knowledge.
    """

    name = "bm25"

    def __init__(self, people: People) -> None:
        self._people = people
        self.n_people = len(people)
        average = max(people.n_words / len(people), 1.0)
        self._damping = K1 * (1 - B + B * people.lengths / average)

    def row(self, term: str) -> WordContribution:
        """Return idf · tf (k1 + 1) / (tf + k1 (1 − b + b · length / average))."""
        people, counts = self._people.posting(term)
        with_it = len(people)
        idf = math.log(1 + (self.n_people - with_it + 0.5) / (with_it + 0.5))
        return WordContribution(people, idf * counts * (K1 + 1) / (counts + self._damping[people]))
