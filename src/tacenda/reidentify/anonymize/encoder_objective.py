"""The game against an attacker with an encoder: few variants, few rivals, and the rank from everybody.

Two things are left out of what ``BlackBoxObjective`` does. Who is far behind has no part in the log-odds, so values
are reckoned against the likeliest rivals. And a unit is looked at again only if its last gain, which
is how far it lowered the log-odds, could make it the best: gains may rise here, unlike with additive
attackers, so what is found is nearly always, not always, what looking at all would find.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..attackers.base import log_sum, rank_of
from ..attackers.encoder import BiEncoder, JointAttacker
from ..tokens import TokenizedDocument
from .units import MaskUnit

RIVALS: Final = 512
"""The likeliest people as it stands; beyond them hardly any probability is left."""
_AT_ONCE: Final = 8


class EncoderObjective:
    """The game; see ``MaskingObjective``.

    Args:
        attacker: whose probabilities count.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
    """

    diminishing_returns = False
    epoch: tuple[int, ...] = ()

    def __init__(
        self,
        attacker: BiEncoder | JointAttacker,
        document: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
    ) -> None:
        self._opened = attacker.opened(document)
        self._person = person
        self._units = units
        self._mask = document.unmasked()
        self._gains = np.full(len(units), np.inf)
        self._refresh()

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the log-odds of the person if each unit were masked too, [units].

        Of a unit that can't be the best one, as far as is known, it is the value by its last gain.
        """
        now = self.log_odds()
        fresh = np.zeros(len(self._units), dtype=bool)
        candidates = np.array(units, dtype=np.intp)
        while len(candidates):
            order = candidates[np.argsort(-self._gains[candidates], kind="stable")]
            if fresh[order[0]]:
                break
            # What was never looked at all together, else a few.
            unknown = order[np.isinf(self._gains[order])]
            some = unknown if len(unknown) else order[~fresh[order]][:_AT_ONCE]
            self._gains[some] = now - self._log_odds_without(some)
            fresh[some] = True
        gains: NDArray[np.float64] = self._gains[candidates] - now
        return gains

    def height(self) -> float:
        """Return 0: values are the log-odds, negated."""
        return 0.0

    def log_odds(self) -> float:
        """Return the log-odds of the person against the rivals as it stands."""
        return self._now

    def bounds(self) -> NDArray[np.float64]:
        """Return infinity: nothing is known."""
        return np.full(len(self._units), np.inf)

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        self._mask[list(self._units[unit].words)] = True
        self._refresh()

    def unmask(self, unit: int) -> None:
        """Take the mask of a unit back."""
        self._mask[list(self._units[unit].words)] = False
        self._refresh()

    def rank(self) -> int:
        """Return the rank of the person among everybody, from 1."""
        return rank_of(self._scores, self._person)

    def copy(self) -> EncoderObjective:
        """Return a game that goes on from here by itself; what never changes is shared."""
        clone = object.__new__(EncoderObjective)
        clone.__dict__.update(self.__dict__)
        clone._mask = self._mask.copy()
        clone._gains = self._gains.copy()
        return clone

    def _refresh(self) -> None:
        (self._scores,) = self._opened.scores(self._mask[None, :])
        rivals = self._scores.copy()
        rivals[self._person] = -np.inf
        count = min(RIVALS, len(rivals) - 1)
        self._rivals = np.argpartition(rivals, -count)[-count:]
        self._now = float(self._scores[self._person]) - log_sum(rivals[self._rivals])

    def _log_odds_without(self, units: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the log-odds against the rivals if each unit were masked too, [units]."""
        masks = np.repeat(self._mask[None, :], len(units), axis=0)
        for variant, unit in enumerate(units):
            masks[variant, list(self._units[unit].words)] = True
        scores = self._opened.scores(masks, np.concatenate([[self._person], self._rivals]))
        return np.array([row[0] - log_sum(row[1:]) for row in scores])
