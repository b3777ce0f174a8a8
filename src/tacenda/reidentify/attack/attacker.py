"""The protocol of attackers: a document, in as many masked variants as one likes, to people.

The model is p(person | text, mask) of Morris et al. (2022), section 4. Attackers are trained or
told nothing of the documents they attack.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..words import WordedDocument
from .ranking import Ranking


class Attacker(Protocol):
    """Says of whom a document speaks.

    Attributes:
        name: what the user calls it.
        n_people: how many people it knows; those of the store, in its order.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def n_people(self) -> int: ...  # noqa: D102 - said above

    def rank(self, document: WordedDocument) -> Ranking:
        """Return the people with their probabilities."""
        ...

    def scores(self, document: WordedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people].

        Args:
            document: what all variants are of.
            masks: which words are masked, [variants, words].
        """
        ...
