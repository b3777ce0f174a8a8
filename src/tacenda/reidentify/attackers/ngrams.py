"""Compares words by their letters: TF-IDF of words in which similar spellings count partly.

    score(person) = sharpness / (|text| · |profile|) · Σ over words t of the text, w of the profile of idf(w)² · tf · sim(t, w)

Soft TF-IDF (Cohen, Ravikumar and Fienberg, 2003), with the cosine of two words' character n-grams,
weighted by idf, as their similarity: *Democrats* is nearly *Democrat*, *Abbottsburg* somewhat
*Abbott*. This finds other forms of a masked word that are left.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ..tokens import STOP_WORDS, TokenizedDocument
from .lexical import AdditiveAttacker, Contributions, WordContribution

SIZES: Final = (3, 4)
"""Lengths of the n-grams of a word between spaces."""
_SIMILAR: Final = 0.4
"""Least similarity of two words; below it they share an ending."""
_MOST: Final = 24
"""Words of the register that a word is compared with, the most similar ones."""
SHARPNESS: Final = 40.0
"""Scale of cosines as log-odds."""


class CharacterNgrams(AdditiveAttacker):
    """Ranks people by similar words.

    Args:
        people: the background knowledge.
    """

    name = "ngrams"
    family = "characters"

    def __init__(self, people: People) -> None:
        self._people = people
        self.n_people = len(people)
        words = [word for word in people.terms_from("") if word not in STOP_WORDS]
        self._words = words
        frequencies = np.empty(len(words))
        squares = np.zeros(self.n_people)
        for n, word in enumerate(words):
            having, counts = people.posting_once(word)
            frequencies[n] = len(having)
            squares[having] += (_tf(counts) * self._idf(len(having))) ** 2
        self._norms = np.sqrt(np.maximum(squares, 1e-9))
        self._index(words)
        self._row_of = lru_cache(maxsize=8192)(self._row)

    def _idf(self, n: int) -> float:
        return math.log(1 + self.n_people / (1 + n))

    def _index(self, words: list[str]) -> None:
        """Index the n-grams of the register's words."""
        numbers: dict[str, int] = {}
        grams, owners = [], []
        for n, word in enumerate(words):
            for gram in set(_ngrams(word)):
                grams.append(numbers.setdefault(gram, len(numbers)))
                owners.append(n)
        order = np.argsort(np.array(grams, dtype=np.int64), kind="stable")
        self._owners = np.array(owners, dtype=np.int64)[order]
        counts = np.bincount(grams, minlength=len(numbers)) if grams else np.zeros(0, np.int64)
        self._ends = np.cumsum(counts)
        self._numbers = numbers
        self._weights = np.log(1 + len(words) / (1 + counts)) ** 2
        per_word = np.zeros(len(words))
        np.add.at(
            per_word,
            np.array(owners, dtype=np.int64),
            self._weights[np.array(grams, dtype=np.int64)] if grams else 0.0,
        )
        self._lengths = np.sqrt(np.maximum(per_word, 1e-9))

    def row(self, term: str) -> WordContribution:
        """Return the score that a word adds for people with similar words, in a text of length 1."""
        return self._row_of(term)

    def contributions(self, document: TokenizedDocument) -> Contributions:
        """Return a document as its words, scaled by the length of their vector."""
        plain = super().contributions(document)
        counts = Counter(key for key in document.keys if key not in STOP_WORDS)
        lengths = {
            key: self._idf(len(self._people.posting(key).people)) * count**0.5
            for key, count in counts.items()
        }
        scale = SHARPNESS / max(math.sqrt(sum(length**2 for length in lengths.values())), 1e-9)
        # Several occurrences of a word count less than that many words: each counts for its share
        # of the square root.
        shares = dict.fromkeys(range(len(plain.rows)), 1.0)
        for key, row in zip(document.keys, plain.word_rows, strict=True):
            shares[int(row)] = counts[key] ** -0.5 if key in counts else 1.0
        rows = tuple(
            WordContribution(row.people, row.values * scale * shares[n])
            for n, row in enumerate(plain.rows)
        )
        return Contributions(rows, plain.word_rows)

    def _row(self, term: str) -> WordContribution:
        people: list[NDArray[np.int32]] = []
        values: list[NDArray[np.float64]] = []
        for word, similarity in self._similar(term):
            posting = self._people.posting(word)
            idf = self._idf(len(posting.people))
            people.append(posting.people)
            values.append(similarity * idf**2 * _tf(posting.counts) / self._norms[posting.people])
        if not people:
            return WordContribution(np.zeros(0, np.int32), np.zeros(0))
        having, places = np.unique(np.concatenate(people), return_inverse=True)
        sums = np.bincount(places, weights=np.concatenate(values)).astype(np.float64)
        return WordContribution(having, sums)

    def _similar(self, term: str) -> Iterator[tuple[str, float]]:
        """Yield the register's words that are similar to a word, with their similarity; numbers are only similar to themselves."""
        if not term:
            return
        if any(map(str.isdigit, term)):
            yield term, 1.0
            return
        known = [
            (gram, self._numbers[gram]) for gram in set(_ngrams(term)) if gram in self._numbers
        ]
        if not known:
            return
        owners = np.concatenate([self._owners[self._start(n) : self._ends[n]] for _, n in known])
        weights = np.concatenate(
            [np.full(self._ends[n] - self._start(n), self._weights[n]) for _, n in known]
        )
        rows_found, places = np.unique(owners, return_inverse=True)
        unknown = len(set(_ngrams(term))) - len(known)
        length = math.sqrt(
            sum(self._weights[n] for _, n in known) + unknown * math.log(1 + len(self._words)) ** 2
        )
        cosines = np.bincount(places, weights=weights) / (length * self._lengths[rows_found])
        best = np.argsort(-cosines, kind="stable")[:_MOST]
        yield from (
            (self._words[rows_found[n]], min(float(cosines[n]), 1.0))
            for n in best
            if cosines[n] >= _SIMILAR
        )

    def _start(self, gram: int) -> int:
        return int(self._ends[gram - 1]) if gram else 0


def _tf(counts: NDArray[np.uint16]) -> NDArray[np.float64]:
    return 1 + np.log(counts)


def _ngrams(word: str) -> Iterator[str]:
    padded = f" {word} "
    for size in SIZES:
        for start in range(len(padded) - size + 1):
            yield padded[start : start + size]
