"""A sentence encoder of the user's: mean pooling over the pieces of the whole text.

Reimers and Gurevych, "Sentence-BERT" (2019), whose default pooling this is: the mean of the last
hidden states. A text longer than the model's window is read in windows that overlap; each piece
counts once, in the window in which it is furthest from an edge. Special pieces count as in
Sentence-BERT, those at the two ends of the text, so that a text of one window has exactly the
vector that its pooling gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...errors import ModelError
from ..weights import Checkpoint, windows
from .embedding import Encoder, Matrix
from .lsa import with_length_one

_OVERLAP: Final = 0.25


class SentenceEncoder:
    """An encoder from a folder, or from the local cache; nothing is downloaded.

    Args:
        name: folder, or name of a model that was downloaded before.
        option: by which it was asked for, for messages.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, or its tokenizer has no offsets.
    """

    def __init__(self, name: str, option: str = "--similarity") -> None:
        self._checkpoint = Checkpoint(name, "AutoModel", option)
        self.name = f"hf:{name}"

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Return the encoder; it learns nothing from the originals."""
        del originals
        return self._encode

    def _encode(self, texts: Sequence[str]) -> Matrix:
        return with_length_one(np.array([self._pooled(text) for text in texts]))

    def _pooled(self, text: str) -> Matrix:
        """Return the mean hidden state, shape (dimensions,); 0 for a text without pieces.

        Raises:
            ModelError: the model gives no finite numbers.
        """
        ids = [piece.id for piece in self._checkpoint.pieces(text)]
        states = [
            self._states(ids[start:end], first - start, last - start, first == 0, last == len(ids))
            for start, end, first, last in windows(len(ids), self._checkpoint.window, _OVERLAP)
        ]
        if not states:
            return np.zeros(self._checkpoint.dimensions)
        mean: Matrix = np.concatenate(states).mean(axis=0)
        if not np.isfinite(mean).all():
            raise ModelError(f"{self.name} gives no finite numbers; its weights are damaged")
        return mean

    def _states(
        self, ids: Sequence[int], first: int, last: int, opens: bool, closes: bool
    ) -> Matrix:
        """Return the states of pieces ``[first, last)``, and of the special ones at text ends."""
        states: Matrix = self._checkpoint.run(ids).last_hidden_state[0].double().cpu().numpy()
        offset = len(self._checkpoint.before)
        low = 0 if opens else offset + first
        high = len(states) if closes else offset + last
        return states[low:high]
