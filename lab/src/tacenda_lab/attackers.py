"""An attacker with a translation model from the words of profiles to the words of texts.

An attacker that associates *PA* with *Harrisburg* finds a person even if every word of the profile
is masked. p(word | person) is a mixture of three: the profile's own words, words associated with
them (a translation model: Berger and Lafferty, 1999), and the language at large.

    log p(text | person) = Σ over words of log(1 + (own(w) + translated(w)) / (rest · p(w)))
    own(w) = 0.3 · c(w, person) / length,  translated(w) = 0.3 · Σ over f of t(w | f) / length

It is learned from pairs of document and profile of other people; see ``learn``.
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
_WAITING: Final = 4_000_000
"""Cells collected before they are merged: 32 MB."""


@dataclass(frozen=True, slots=True)
class Translations:
    """Probabilities that a word of a profile is expressed by a word of a document.

    t(word | feature) is a sparse matrix by rows; only pairs that occur together have a value.

    Attributes:
        words: row of each word of documents.
        features: the words of profiles, one per column.
        starts: where each row begins in the next two arrays, and their length, [words + 1].
        columns: features of the values, ascending in each row.
        values: t(word | feature); those of a feature add up to 1.
        shares: p(word) in documents, [words].
    """

    words: Mapping[str, int]
    features: tuple[str, ...]
    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    shares: NDArray[np.float64]

    def row(self, place: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the columns of a row and their values."""
        extent = slice(self.starts[place], self.starts[place + 1])
        return self.columns[extent], self.values[extent]


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
            for column, value in zip(*self._translations.row(place), strict=True):
                if value > _LEAST:
                    posting = self._people.posting(self._translations.features[column])
                    likely[posting.people] += TRANSLATED * value
        term_posting = self._people.posting(term)
        likely[term_posting.people] += OWN * term_posting.counts
        people = np.flatnonzero(likely).astype(np.int32)
        return WordContribution(
            people, np.log1p(likely[people] / self._lengths[people] / (REST * share))
        )


# Learning translations from pairs of document and profile, by expectation maximization.
#
# IBM model 1 (Brown et al., 1993) on the sets of words of each side. The pairs must be of people
# who aren't attacked, since the model should learn what is true of people in general.


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
        pairs: pairs in which at least one word is in ``at_least`` documents, and one in as many
            profiles.
        at_least: see ``AT_LEAST``.
        iterations: number of rounds of expectation maximization.

    Raises:
        ValueError: if no word is frequent enough.
    """
    documents, profiles = [set(d) for d, _ in pairs], [set(p) for _, p in pairs]
    counts = Counter(word for document in documents for word in document)
    words = _frequent(counts, at_least)
    features = _frequent(Counter(f for profile in profiles for f in profile), at_least)
    if not words or not features:
        raise ValueError(f"no word is in {at_least} of {len(pairs)} pairs; give more pairs.")
    sides = [
        (_places(document, words), _places(profile, features))
        for document, profile in zip(documents, profiles, strict=True)
    ]
    cells = _distinct_cells(sides, len(features))
    columns = (cells % len(features)).astype(np.int32)
    values = np.full(len(cells), 1 / len(words), dtype=np.float32)
    for _ in range(iterations):
        expected = np.zeros_like(values)
        for rows, profile in sides:
            block = np.searchsorted(cells, _block(rows, profile, len(features)))
            likely = values[block]
            expected[block] += likely / np.maximum(likely.sum(axis=1, keepdims=True), 1e-30)
        totals = np.bincount(columns, weights=expected, minlength=len(features))
        values = (expected / np.maximum(totals, 1e-30)[columns]).astype(np.float32)
    starts = np.searchsorted(cells, np.arange(len(words) + 1) * len(features))
    total = sum(counts.values())
    shares = np.array([counts[word] / total for word in words])
    return Translations(words, tuple(features), starts, columns, values, shares)


def _places(words: Collection[str], places: Mapping[str, int]) -> NDArray[np.int64]:
    return np.array(sorted(places[word] for word in words if word in places), dtype=np.int64)


def _block(
    rows: NDArray[np.int64], columns: NDArray[np.int64], n_columns: int
) -> NDArray[np.int64]:
    """Return the numbers of the cells of rows and columns, row · n_columns + column."""
    return rows[:, None] * n_columns + columns[None, :]


def _distinct_cells(
    sides: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], n_columns: int
) -> NDArray[np.int64]:
    """Return the cells that occur in any pair, ascending. Cells are merged in batches of bounded size."""
    cells = np.empty(0, dtype=np.int64)
    waiting: list[NDArray[np.int64]] = []
    n_waiting = 0
    for rows, columns in sides:
        waiting.append(_block(rows, columns, n_columns).ravel())
        n_waiting += len(waiting[-1])
        if n_waiting > max(_WAITING, len(cells)):
            cells = np.unique(np.concatenate([cells, *waiting]))
            waiting, n_waiting = [], 0
    return np.unique(np.concatenate([cells, *waiting]))


def _frequent(counts: Counter[str], at_least: int) -> dict[str, int]:
    frequent = sorted(word for word, n in counts.items() if n >= at_least)
    return {word: place for place, word in enumerate(frequent)}
