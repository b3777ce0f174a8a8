"""An attacker with a translation model from words of profiles to words of texts.

An attacker with the association of *PA* and *Harrisburg* finds a person even if every word of the
profile is masked. p(word | person) is a mixture of three: the profile's own words, words associated
with them (a translation model: Berger and Lafferty, 1999), the language at large.

    log p(text | person) = Σ over words of log(1 + (own(w) + translated(w)) / (rest · p(w)))
    own(w) = 0.3 · c(w, person) / length,  translated(w) = 0.3 · Σ over f of t(w | f) / length

It is learned from other people's pairs of document and profile; see ``learn``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tacenda.background.people import People
from tacenda.reidentify.attackers.lexical import AdditiveAttacker, WordContribution

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
    """Ranks people by the probability of the document as a translation of their profile.

    Args:
        people: the background knowledge.
        translations: the model, trained on other people.
    """

    name = "translation"

    def __init__(self, people: People, translations: Translations) -> None:
        self._people = people
        self.n_people = len(people)
        self._translations = translations
        self._lengths: NDArray[np.float64] = np.maximum(people.lengths, 1)
        self._unseen = float(translations.shares.min())
        self._kept = lru_cache(maxsize=_ROWS_KEPT)(self._row)

    def row(self, term: str) -> WordContribution:
        """Return log(1 + (own + translated) / (rest · p(word)))."""
        return self._kept(term)

    def _row(self, term: str) -> WordContribution:
        likely = np.zeros(self.n_people)
        share = self._unseen
        place = self._translations.words.get(term)
        if place is not None:
            share = float(self._translations.shares[place])
            row = self._translations.table[place]
            for column in np.flatnonzero(row > _LEAST):
                posting = self._people.posting(self._translations.features[column])
                likely[posting.people] += TRANSLATED * row[column]
        term_posting = self._people.posting(term)
        likely[term_posting.people] += OWN * term_posting.counts
        people = np.flatnonzero(likely).astype(np.int32)
        return WordContribution(
            people, np.log1p(likely[people] / self._lengths[people] / (REST * share))
        )


# Learning translations from pairs of document and profile: expectation maximisation.
#
# IBM model 1 (Brown et al., 1993) on the sets of words of each side. The pairs must be of people who
# are not attacked: it is what is true of people in general that is to be learned.


AT_LEAST: Final = 5
"""A word must be in so many documents, or profiles: what is rarer can't be learned of."""
ITERATIONS: Final = 4

Pair = tuple[Collection[str], Collection[str]]
"""The words of a document, and those of the profile of the person it is about."""


def learn(
    pairs: Sequence[Pair], *, at_least: int = AT_LEAST, iterations: int = ITERATIONS
) -> Translations:
    """Return a translation model from words of profiles to words of documents.

    Args:
        pairs: at least one with a word in ``at_least`` documents, and likewise a profile's.
        at_least: see ``AT_LEAST``.
        iterations: of expectation maximisation.

    Raises:
        ValueError: if no word is frequent enough.
    """
    documents, profiles = [set(d) for d, _ in pairs], [set(p) for _, p in pairs]
    counts = Counter(word for document in documents for word in document)
    words = _frequent(counts, at_least)
    features = _frequent(Counter(f for profile in profiles for f in profile), at_least)
    if not words or not features:
        raise ValueError(f"no word is in {at_least} of {len(pairs)} pairs; give more pairs.")
    blocks = [
        np.ix_(
            sorted(words[word] for word in document if word in words),
            sorted(features[feature] for feature in profile if feature in features),
        )
        for document, profile in zip(documents, profiles, strict=True)
    ]
    table = np.full((len(words), len(features)), 1 / len(words), dtype=np.float32)
    for _ in range(iterations):
        expected = np.zeros_like(table)
        for block in blocks:
            likely = table[block]
            expected[block] += likely / np.maximum(likely.sum(axis=1, keepdims=True), 1e-30)
        table = expected / np.maximum(expected.sum(axis=0), 1e-30)
    total = sum(counts.values())
    shares = np.array([counts[word] / total for word in words])
    return Translations(words, tuple(features), table, shares)


def _frequent(counts: Counter[str], at_least: int) -> dict[str, int]:
    frequent = sorted(word for word, n in counts.items() if n >= at_least)
    return {word: place for place, word in enumerate(frequent)}
