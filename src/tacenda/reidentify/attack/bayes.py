"""A text classifier over people: multinomial naive Bayes, one class a person.

p(word | person) mixes the profile with the language at large (Jelinek-Mercer smoothing; Zhai and
Lafferty, 2004, find it best for long texts), since a text about a person is made of both. All
people are equally likely beforehand, so that up to a constant

    log p(text | person) = Σ over words of log(1 + λ / (1 − λ) · c(word, person) / (length · p(word)))

p(word) is the larger of its shares in all profiles and in general text: *war* is rare in profiles
and tells nothing in a biography.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...text.information import UnigramSurprisal
from .additive import AdditiveAttacker, Row

OWN_WORDS: Final = 0.5
"""λ: share of a text's words that are taken from the profile."""


class NaiveBayes(AdditiveAttacker):
    """Ranks people by how likely the document is as a sample of their words.

    Args:
        people: the background knowledge.
        language: how common words are in general; the shipped table if None.
    """

    name = "bayes"

    def __init__(self, people: People, language: UnigramSurprisal | None = None) -> None:
        self._people = people
        self.n_people = len(people)
        self._language = UnigramSurprisal.shipped() if language is None else language
        self._lengths: NDArray[np.float64] = np.maximum(people.lengths, 1)

    def row(self, term: str) -> Row:
        """Return log(1 + λ / (1 − λ) · c / (length · p(word)))."""
        people, counts = self._people.posting(term)
        in_profiles = self._people.occurrences(term) / max(self._people.n_words, 1)
        share = max(in_profiles, math.exp(-self._language.surprisal(term)))
        odds = OWN_WORDS / (1 - OWN_WORDS) / share
        return Row(people, np.log1p(odds * counts / self._lengths[people]))
