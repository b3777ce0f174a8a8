"""An attacker who has learned what texts say of people whose profiles say something else.

Whoever knows that people from *PA* were born in *Harrisburg* finds a person although every word of
the profile is masked. p(word | person) mixes three things: the profile's own words, words that
profiles like it go with (a translation model: Berger and Lafferty, 1999), the language at large.

    log p(text | person) = Σ over words of log(1 + (own(w) + translated(w)) / (rest · p(w)))
    own(w) = 0.3 · c(w, person) / length,  translated(w) = 0.3 · Σ over f of t(w | f) / length

It is learned from other people's pairs of document and profile; see ``learning``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ..attackers.lexical import AdditiveAttacker, Row

OWN: Final = 0.3
TRANSLATED: Final = 0.3
REST: Final = 1 - OWN - TRANSLATED
"""Chosen on 50 members of Congress who are in no figure: more of the second finds fewer from the whole
text, and more where the profile's words are masked."""
_LEAST: Final = 1e-4
"""Rarer translations are left out: there are many, and they say nothing."""
_ROWS_KEPT: Final = 2048


@dataclass(frozen=True, slots=True)
class Translations:
    """How words of documents go with words of profiles.

    Attributes:
        words: row of each word of documents.
        features: the words of profiles, one a column.
        table: t(word | feature), columns add up to 1; [words, features].
        shares: p(word) in documents, [words].
    """

    words: Mapping[str, int]
    features: tuple[str, ...]
    table: NDArray[np.float32]
    shares: NDArray[np.float64]


class TranslatingBayes(AdditiveAttacker):
    """Ranks people by how likely the document is as a translation of their profile.

    Args:
        people: the background knowledge.
        translations: what was learned from other people.
    """

    name = "translation"

    def __init__(self, people: People, translations: Translations) -> None:
        self._people = people
        self.n_people = len(people)
        self._translations = translations
        self._lengths: NDArray[np.float64] = np.maximum(people.lengths, 1)
        self._unseen = float(translations.shares.min())
        self._kept = lru_cache(maxsize=_ROWS_KEPT)(self._row)

    def row(self, term: str) -> Row:
        """Return log(1 + (own + translated) / (rest · p(word)))."""
        return self._kept(term)

    def _row(self, term: str) -> Row:
        likely = np.zeros(self.n_people)
        share = self._unseen
        place = self._translations.words.get(term)
        if place is not None:
            share = float(self._translations.shares[place])
            row = self._translations.table[place]
            for column in np.flatnonzero(row > _LEAST):
                found = self._people.posting(self._translations.features[column])
                likely[found.people] += TRANSLATED * row[column]
        own = self._people.posting(term)
        likely[own.people] += OWN * own.counts
        people = np.flatnonzero(likely).astype(np.int32)
        return Row(people, np.log1p(likely[people] / self._lengths[people] / (REST * share)))
