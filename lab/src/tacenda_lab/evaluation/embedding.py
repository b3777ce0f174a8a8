"""Embeddings of documents: their interface, and latent semantic analysis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tacenda.errors import MissingExtraError
from tacenda.text.information import WORD

Matrix = NDArray[np.float64]
"""Rows are texts, columns dimensions."""

Encoder = Callable[[Sequence[str]], Matrix]
"""Maps n texts to vectors, shape (n, dimensions)."""


class Embedding(Protocol):
    """A family of encoders that are fitted to a corpus."""

    @property
    def name(self) -> str:
        """Its name in the signature of a score."""
        ...

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Return a function from texts to vectors.

        A vector has length 1, or length 0 for a text with nothing to embed.

        Args:
            originals: the texts before masking. A trained embedding is fitted to them alone, so
                masked texts don't influence it.
        """
        ...


DIMENSIONS: Final = 100

_ITERATIONS: Final = 7
_NEGLIGIBLE: Final = 1e-10
"""Singular values below this share of the largest are rounding errors of zero."""


@dataclass(frozen=True, slots=True)
class LatentSemanticAnalysis:
    """An embedding fitted to the originals alone; offline and deterministic.

    Texts are rows of TF-IDF, projected onto their leading right singular vectors (Deerwester et al., 1990).

    Attributes:
        dimensions: the most dimensions that vectors have; a small corpus has fewer.
    """

    dimensions: int = DIMENSIONS

    @property
    def name(self) -> str:
        """For the signature."""
        return f"lsa{self.dimensions}"

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Fit to the originals, and return a function from texts to vectors of length 1.

        A text that shares no word with the originals has the vector 0. Masking adds no words, since
        a mask is not a word.
        """
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
            from sklearn.utils.extmath import randomized_svd
        except ImportError as error:
            raise MissingExtraError("--similarity", "plot", "tacenda-lab") from error
        if not any(map(_words, originals)):
            return lambda texts: np.zeros((len(texts), 0))
        weights = TfidfVectorizer(analyzer=_words)
        matrix = weights.fit_transform(originals)
        size = min(self.dimensions, *matrix.shape)
        _, values, vectors = randomized_svd(matrix, size, n_iter=_ITERATIONS, random_state=0)
        directions = vectors[values > _NEGLIGIBLE * values[0]].T
        return lambda texts: normalize_rows(weights.transform(texts) @ directions)


def _words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def normalize_rows(vectors: Matrix) -> Matrix:
    """Return the rows scaled to length 1; rows equal to 0 up to rounding become 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    nothing = lengths <= _NEGLIGIBLE
    scaled: Matrix = np.where(nothing, 0.0, vectors / np.where(nothing, 1.0, lengths))
    return scaled
