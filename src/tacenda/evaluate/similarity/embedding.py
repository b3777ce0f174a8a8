"""What maps documents to vectors, so that texts about the same are close."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
"""Rows are texts, columns dimensions."""

Encoder = Callable[[Sequence[str]], Matrix]
"""Maps n texts to vectors, shape (n, dimensions)."""


class Embedding(Protocol):
    """A family of encoders, of which one is fitted to a corpus."""

    @property
    def name(self) -> str:
        """What the signature of a score says of it."""
        ...

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Return what maps texts to vectors.

        A vector has length 1, or 0 for a text in which there is nothing to embed.

        Args:
            originals: the texts before masking. An embedding that learns does so from them
                alone, so that the masked texts are seen with the eyes of the originals.
        """
        ...
