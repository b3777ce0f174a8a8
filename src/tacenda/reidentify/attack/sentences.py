"""An attacker with a sentence encoder of the user's: one encoder for texts and for profiles.

    p(person | text, mask) = softmax over people of sharpness · cos(f(text without the mask), f(profile))

Nothing is learned: what the encoder knows of English is all there is. It says what an adversary
reaches who takes a model from a shelf.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...background.person import linearised
from ..words import WordedDocument
from .ranking import Ranking

Encode = Callable[[Sequence[str]], NDArray[np.floating]]
"""Texts to vectors of length 1, [texts, width]."""
_SHARPNESS: Final = 20.0
"""Reimers and Gurevych's scale of cosines, with which such encoders are usually trained."""


class SentenceAttacker:
    """Ranks people by how near their profile's vector is to the document's.

    Args:
        people: the background knowledge; every profile is encoded now.
        name: what the user calls it.
        encode: the encoder.
    """

    def __init__(self, people: People, name: str, encode: Encode) -> None:
        self.name = name
        self.n_people = len(people)
        self._encode = encode
        self._vectors = encode([linearised(people.person(n)) for n in range(len(people))])

    def rank(self, document: WordedDocument) -> Ranking:
        """Return the people with their probabilities."""
        return Ranking(self.scores(document, document.unmasked()[None, :])[0])

    def scores(self, document: WordedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people]; see ``Attacker``."""
        found = self._encode([_shown(document, mask) for mask in masks])
        scores: NDArray[np.float64] = _SHARPNESS * (found @ self._vectors.T).astype(np.float64)
        return scores


def _shown(document: WordedDocument, mask: NDArray[np.bool_]) -> str:
    """Return the text without its masked words."""
    text, place, shown = document.document.text, 0, []
    for span, hidden in zip(document.spans, mask, strict=True):
        if hidden:
            shown.append(text[place : span.start])
            place = max(place, span.end)
    return "".join([*shown, text[place:]])
