r"""Texts as tf-idf weights of their words, one sparse row each (Salton and Buckley, 1988).

Words are lower-cased ``\w+`` runs. A weight is the word's count in the text times
ln((1 + n)/(1 + df)) + 1, where df of the n texts fitted to have the word; rows have length 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...text.information import WORD
from .embedding import Matrix

Row = tuple[NDArray[np.intp], Matrix]
"""Columns of a text's words, and their weights."""


@dataclass(frozen=True, slots=True)
class WordWeights:
    """What was fitted to a corpus.

    Attributes:
        columns: column of each word.
        rarity: inverse document frequency by column, shape (words,).
    """

    columns: dict[str, int]
    rarity: Matrix

    @classmethod
    def fit(cls, texts: Sequence[str]) -> WordWeights:
        """Count in how many texts each word is."""
        texts_with = Counter(word for text in texts for word in set(_words(text)))
        ordered = sorted(texts_with)
        counts = np.array([texts_with[word] for word in ordered], dtype=np.float64)
        rarity = np.log((1 + len(texts)) / (1 + counts)) + 1
        return cls({word: column for column, word in enumerate(ordered)}, rarity)

    def rows(self, texts: Sequence[str]) -> SparseRows:
        """Return the weights of texts; words that were not fitted have none."""
        return SparseRows(tuple(map(self._row, texts)), len(self.columns))

    def _row(self, text: str) -> Row:
        counts = Counter(word for word in _words(text) if word in self.columns)
        columns = np.array([self.columns[word] for word in counts], dtype=np.intp)
        weights = np.array(list(counts.values()), dtype=np.float64) * self.rarity[columns]
        length = float(np.linalg.norm(weights))
        return columns, weights / length if length else weights


@dataclass(frozen=True, slots=True)
class SparseRows:
    """A matrix of few entries: the non-zero ones of each row.

    Attributes:
        rows: columns and weights.
        width: number of columns.
    """

    rows: tuple[Row, ...]
    width: int

    def times(self, right: Matrix) -> Matrix:
        """Return the product with ``right``, shape (width, k): (rows, k)."""
        products: Iterator[Matrix] = (weights @ right[columns] for columns, weights in self.rows)
        return np.array(list(products)).reshape(len(self.rows), right.shape[1])

    def transposed_times(self, right: Matrix) -> Matrix:
        """Return the transpose's product with ``right``, shape (rows, k): (width, k)."""
        product = np.zeros((self.width, right.shape[1]))
        for (columns, weights), row in zip(self.rows, right, strict=True):
            product[columns] += np.outer(weights, row)
        return product


def _words(text: str) -> list[str]:
    return WORD.findall(text.lower())
