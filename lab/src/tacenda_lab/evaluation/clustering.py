"""Embeddings of documents, clusters of vectors, and agreement of clusterings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, log
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tacenda.text.information import WORD

Matrix = NDArray[np.float64]
"""Rows are texts, columns dimensions."""

Encoder = Callable[[Sequence[str]], Matrix]
"""Maps n texts to vectors, shape (n, dimensions)."""


class Embedding(Protocol):
    """A family of encoders, to be fitted to a corpus."""

    @property
    def name(self) -> str:
        """Its name in the signature of a score."""
        ...

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Return a map of texts to vectors.

        A vector has length 1, or 0 for a text with nothing to embed.

        Args:
            originals: the texts before masking. A trained embedding is fitted to them alone, so
                masked texts have no influence on it.
        """
        ...


# k-means: Lloyd's algorithm from k-means++ starts (Arthur and Vassilvitskii, 2007).


_ROUNDS: Final = 300


def kmeans_plus_plus(points: Matrix, k: int, random: np.random.Generator) -> list[int]:
    """Draw points to be the first centres, one after the other, each far from those before.

    Fewer than k are drawn where there are fewer than k different points.

    Args:
        points: shape (n, dimensions), n at least 1.
        k: number of clusters, at least 1.
        random: the same state draws the same points.
    """
    centres = [int(random.integers(len(points)))]
    nearest = _squared_distances(points, points[centres])[:, 0]
    while len(centres) < k and nearest.sum() > 0:
        centres.append(int(random.choice(len(points), p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, _squared_distances(points, points[centres[-1:]])[:, 0])
    return centres


def kmeans(points: Matrix, centres: Matrix) -> NDArray[np.intp]:
    """Return the cluster of each point, as the index of its centre.

    Args:
        points: shape (n, dimensions).
        centres: the first centres, shape (k, dimensions); they move until no point changes its
            cluster. A centre without nearest points stays where it is, so there may be fewer than k
            clusters.
    """
    labels: NDArray[np.intp] = np.full(len(points), -1, dtype=np.intp)
    for _ in range(_ROUNDS):
        assignment = _squared_distances(points, centres).argmin(axis=1)
        if np.array_equal(assignment, labels):
            break
        labels = assignment
        members = np.eye(len(centres))[labels]
        sizes = members.sum(axis=0)[:, None]
        centres = np.where(sizes > 0, members.T @ points / np.maximum(sizes, 1), centres)
    return labels


def _squared_distances(points: Matrix, centres: Matrix) -> Matrix:
    squares = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)
    distances: Matrix = squares - 2 * points @ centres.T
    # Rounding makes the distance of a point to itself a little more or less than 0.
    distances[distances < 1e-12] = 0.0
    return distances


# Texts as tf-idf weights of their words, one sparse row each (Salton and Buckley, 1988).
#
# Words are lower-cased ``\w+`` runs. A weight is the word's count in the text times
# ln((1 + n)/(1 + df)) + 1, where df of the n texts fitted to have the word; rows have length 1.


Row = tuple[NDArray[np.intp], Matrix]
"""Columns of a text's words, and their weights."""


@dataclass(frozen=True, slots=True)
class WordWeights:
    """Model fitted to a corpus.

    Attributes:
        columns: column of each word.
        rarity: inverse document frequency by column, shape (words,).
    """

    columns: dict[str, int]
    rarity: Matrix

    @classmethod
    def fit(cls, texts: Sequence[str]) -> WordWeights:
        """Count the texts with each word."""
        texts_with = Counter(word for text in texts for word in set(_words(text)))
        ordered = sorted(texts_with)
        counts = np.array([texts_with[word] for word in ordered], dtype=np.float64)
        rarity = np.log((1 + len(texts)) / (1 + counts)) + 1
        return cls({word: column for column, word in enumerate(ordered)}, rarity)

    def rows(self, texts: Sequence[str]) -> SparseRows:
        """Return the weights of texts; words not fitted have none."""
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


# Latent semantic analysis: tf-idf weights in the plane that holds most of them.
#
# Deerwester et al., "Indexing by latent semantic analysis" (1990), whose number of dimensions is
# the default. The singular vectors are found by subspace iteration from a random start (Halko,
# Martinsson and Tropp, 2011, algorithm 4.4), which touches only non-zero weights: time and memory
# are linear in the corpus. Where the corpus has no more documents than vectors are sought, the
# result is the exact decomposition.
#
# The plane has no more dimensions than the corpus has documents. With a handful of documents it
# sees little of what a text loses; of a single one it sees only whether anything is left.


DIMENSIONS: Final = 100

_OVERSAMPLING: Final = 10
_ITERATIONS: Final = 7
_NEGLIGIBLE: Final = 1e-10
"""Singular values below this share of the largest are rounding errors of zero."""


@dataclass(frozen=True, slots=True)
class LatentSemanticAnalysis:
    """An embedding learnt from the originals alone; offline and deterministic.

    Attributes:
        dimensions: of the vectors, at most; a small corpus has fewer.
    """

    dimensions: int = DIMENSIONS

    @property
    def name(self) -> str:
        """For the signature."""
        return f"lsa{self.dimensions}"

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Fit to the originals; return a map of texts to vectors of length 1.

        A text without words of the originals has the vector 0; a masked text has no words of its
        own, since a mask is not a word.
        """
        weights = WordWeights.fit(originals)
        directions = right_singular_vectors(weights.rows(originals), self.dimensions)

        def encode(texts: Sequence[str]) -> Matrix:
            return normalize_rows(weights.rows(texts).times(directions))

        return encode


def right_singular_vectors(matrix: SparseRows, n: int) -> Matrix:
    """Return the right singular vectors of the ``n`` largest singular values, as columns.

    Args:
        matrix: of any shape.
        n: at most so many; vectors of singular value 0 are left out.

    Returns:
        shape (width of the matrix, up to n).
    """
    size = min(n + _OVERSAMPLING, len(matrix.rows), matrix.width)
    if not size:
        return np.zeros((matrix.width, 0))
    start = np.random.default_rng(0).standard_normal((matrix.width, size))
    basis = np.linalg.qr(matrix.times(start)).Q
    for _ in range(_ITERATIONS):
        basis = np.linalg.qr(matrix.times(matrix.transposed_times(basis))).Q
    # The matrix is basis · small: decompose the small one.
    small = np.linalg.svd(matrix.transposed_times(basis), full_matrices=False)
    rank = int(np.sum(small.S[:n] > _NEGLIGIBLE * max(small.S[0], 1e-300)))
    directions: Matrix = small.U[:, :rank]
    return directions


def normalize_rows(vectors: Matrix) -> Matrix:
    """Return the rows scaled to length 1; rows equal to 0 up to rounding become 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    nothing = lengths <= _NEGLIGIBLE
    scaled: Matrix = np.where(nothing, 0.0, vectors / np.where(nothing, 1.0, lengths))
    return scaled


# Agreement of two clusterings of the same items; names of clusters are ignored.
#
#     normalised mutual information   I(U, V) / ((H(U) + H(V)) / 2), in [0, 1]
#     adjusted Rand index             pairs of things on which both agree, corrected for chance:
#                                     1 for the same clusters, 0 in expectation for unrelated ones
#
# Sources: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section
# 16.3; Hubert and Arabie, "Comparing partitions" (1985).


def normalized_mutual_information(
    one: Sequence[Hashable], reference: Sequence[Hashable]
) -> float | None:
    """Return the NMI with the arithmetic mean of entropies; 0 if one partition has one cluster.

    None if both have one cluster or none: then there is no information to share.

    Args:
        one: cluster of each thing.
        reference: cluster of each, in the other partition.
    """
    n = len(one)
    first, second, both = (
        Counter(one),
        Counter(reference),
        Counter(zip(one, reference, strict=True)),
    )
    entropies = _entropy(first.values(), n) + _entropy(second.values(), n)
    if not entropies:
        return None
    shared = sum(
        count / n * log(n * count / (first[u] * second[v])) for (u, v), count in both.items()
    )
    # Rounding must not take the figure out of its range.
    return min(1.0, max(0.0, 2 * shared / entropies))


def adjusted_rand_index(one: Sequence[Hashable], reference: Sequence[Hashable]) -> float | None:
    """Return the ARI, in [−0.5, 1].

    None where chance alone makes both agree on every pair: each has one cluster, or a cluster
    for each thing.

    Args:
        one: cluster of each thing.
        reference: cluster of each, in the other partition.
    """
    first = _pairs(Counter(one).values())
    second = _pairs(Counter(reference).values())
    both = _pairs(Counter(zip(one, reference, strict=True)).values())
    total = comb(len(one), 2)
    expected = first * second / total if total else 0.0
    largest = (first + second) / 2
    if largest == expected:
        return None
    return (both - expected) / (largest - expected)


def _entropy(sizes: Iterable[int], n: int) -> float:
    return sum(-size / n * log(size / n) for size in sizes if size < n)


def _pairs(sizes: Iterable[int]) -> int:
    return sum(comb(size, 2) for size in sizes)
