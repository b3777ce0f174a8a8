"""Latent semantic analysis: tf-idf weights in the plane that holds most of them.

Deerwester et al., "Indexing by latent semantic analysis" (1990), whose number of dimensions is
the default. The singular vectors are found by subspace iteration from a random start (Halko,
Martinsson and Tropp, 2011, algorithm 4.4), which touches only non-zero weights: time and memory
are linear in the corpus. Where the corpus has no more documents than vectors are sought, the
result is the exact decomposition.

The plane has no more dimensions than the corpus has documents. With a handful of documents it
sees little of what a text loses; of a single one it sees only whether anything is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from .embedding import Encoder, Matrix
from .word_weights import SparseRows, WordWeights

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
        """Fit to the originals; return what maps texts to vectors of length 1.

        A text none of whose words is in the originals has the vector 0; a masked text has no
        words of its own, since what stands for a mask is not a word.
        """
        weights = WordWeights.fit(originals)
        directions = right_singular_vectors(weights.rows(originals), self.dimensions)

        def encode(texts: Sequence[str]) -> Matrix:
            return with_length_one(weights.rows(texts).times(directions))

        return encode


def right_singular_vectors(matrix: SparseRows, n: int) -> Matrix:
    """Return the right singular vectors of the ``n`` largest singular values, as columns.

    Args:
        matrix: of any shape.
        n: at most so many; vectors of singular values that are 0 are left out.

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
    kept = int(np.sum(small.S[:n] > _NEGLIGIBLE * max(small.S[0], 1e-300)))
    directions: Matrix = small.U[:, :kept]
    return directions


def with_length_one(vectors: Matrix) -> Matrix:
    """Return the rows scaled to length 1; rows that are 0 but for rounding become 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    nothing = lengths <= _NEGLIGIBLE
    scaled: Matrix = np.where(nothing, 0.0, vectors / np.where(nothing, 1.0, lengths))
    return scaled
