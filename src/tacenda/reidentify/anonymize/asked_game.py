"""The game against any attacker: masked variants of the document in batches, scored from scratch.

An encoder's probability may rise when a word less confuses it no more, so nothing is known of a
value before it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..attack.attacker import Attacker
from ..attack.ranking import log_sum, rank_of
from ..words import WordedDocument
from .units import Unit

BATCH: Final = 64
"""Variants asked for at once."""


class AskedGame:
    """The game; see ``Game``.

    Args:
        attacker: whose probabilities count.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
        batch: variants asked for at once.
    """

    values_fall = False
    epoch: tuple[int, ...] = ()

    def __init__(
        self,
        attacker: Attacker,
        document: WordedDocument,
        person: int,
        units: Sequence[Unit],
        batch: int = BATCH,
    ) -> None:
        self._attacker = attacker
        self._document = document
        self._person = person
        self._units = units
        self._batch = batch
        self._mask = document.unmasked()

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the log-odds of the person if each unit were masked too, [units]."""
        found = []
        for first in range(0, len(units), self._batch):
            part = units[first : first + self._batch]
            masks = np.repeat(self._mask[None, :], len(part), axis=0)
            for variant, unit in enumerate(part):
                masks[variant, list(self._units[unit].words)] = True
            found += [
                self._value(scores) for scores in self._attacker.scores(self._document, masks)
            ]
        return np.array(found)

    def height(self) -> float:
        """Return 0: values are the log-odds, negated."""
        return 0.0

    def log_odds(self) -> float:
        """Return the log-odds of the person as it stands."""
        (scores,) = self._attacker.scores(self._document, self._mask[None, :])
        return -self._value(scores)

    def bounds(self) -> NDArray[np.float64]:
        """Return infinity: nothing is known."""
        return np.full(len(self._units), np.inf)

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        self._mask[list(self._units[unit].words)] = True

    def unmask(self, unit: int) -> None:
        """Take the mask of a unit back."""
        self._mask[list(self._units[unit].words)] = False

    def rank(self) -> int:
        """Return the rank of the person, from 1."""
        (scores,) = self._attacker.scores(self._document, self._mask[None, :])
        return rank_of(scores, self._person)

    def copy(self) -> AskedGame:
        """Return a game that goes on from here by itself."""
        other = AskedGame(self._attacker, self._document, self._person, self._units, self._batch)
        other._mask = self._mask.copy()
        return other

    def _value(self, scores: NDArray[np.float64]) -> float:
        others = np.delete(scores, self._person)
        return log_sum(others) - float(scores[self._person])
