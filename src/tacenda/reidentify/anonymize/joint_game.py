"""The game against several attackers: none of them may have the person among its first K.

Values are added up over those that still have, so that a mask which helps against two is worth
more; who is beaten already is asked again only whether it still is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .game import Game


class JointGame:
    """The game; see ``Game``.

    Args:
        games: one an attacker, of the same document, person and units.
        k: the first K ranks that the person must not have.
    """

    def __init__(self, games: Sequence[Game], k: int) -> None:
        self._games = tuple(games)
        self._k = k
        self._count_open()

    @property
    def values_fall(self) -> bool:
        """Whether old values are bounds; so long as the same attackers are open."""
        return all(game.values_fall for game in self._games)

    @property
    def epoch(self) -> tuple[int, ...]:
        """Which attackers are open; values of different epochs can't be compared."""
        return self._open

    def height(self) -> float:
        """Return the sum of the open attackers' heights."""
        return sum(self._games[n].height() for n in self._open)

    def log_odds(self) -> float:
        """Return the sum of the open attackers' log-odds."""
        return sum(self._games[n].log_odds() for n in self._open)

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the sum of the open attackers' values, [units]."""
        found = [self._games[n].values(units) for n in self._open]
        return np.sum(found, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def bounds(self) -> NDArray[np.float64]:
        """Return the sum of the open attackers' bounds, [units]."""
        found = [self._games[n].bounds() for n in self._open]
        return np.sum(found, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        for game in self._games:
            game.mask(unit)
        self._count_open()

    def unmask(self, unit: int) -> None:
        """Take the mask of a unit back."""
        for game in self._games:
            game.unmask(unit)
        self._count_open()

    def rank(self) -> int:
        """Return the best rank, from 1, that any attacker gives the person."""
        return min(game.rank() for game in self._games)

    def copy(self) -> JointGame:
        """Return a game that goes on from here by itself."""
        return JointGame([game.copy() for game in self._games], self._k)

    def _count_open(self) -> None:
        ranks = [game.rank() for game in self._games]
        found = tuple(n for n, rank in enumerate(ranks) if rank <= self._k)
        # When all are beaten nothing is searched for; values are then those of all.
        self._open = found or tuple(range(len(ranks)))
