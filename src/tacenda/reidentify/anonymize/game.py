"""The search's view of an attacker: how sure it is of the person, and what a mask would change.

Sure is the log-odds of the person against everybody else, log p / (1 − p): it falls when p does.
``values`` of a unit is how far below ``height`` the log-odds would be if the unit were masked as
well; the greedy step of Algorithm 1 (Morris et al., 2022) takes the unit of the highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Game(Protocol):
    """An attacker, a document and a person; some units are masked.

    Attributes:
        values_fall: whether the value of a unit never rises when others are masked, so that an
            old value is a bound.
        epoch: values of one epoch have the same meaning.
    """

    @property
    def values_fall(self) -> bool: ...  # noqa: D102 - said above

    @property
    def epoch(self) -> tuple[int, ...]: ...  # noqa: D102 - said above

    def height(self) -> float:
        """Return what values are counted from: a value less, and it is the log-odds."""
        ...

    def log_odds(self) -> float:
        """Return the log-odds of the person as it stands."""
        ...

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the value of each of some units that are not masked, [units]."""
        ...

    def bounds(self) -> NDArray[np.float64]:
        """Return for every unit what its value can't exceed; infinity where nothing is known."""
        ...

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        ...

    def unmask(self, unit: int) -> None:
        """Take the mask of a unit back."""
        ...

    def rank(self) -> int:
        """Return the rank of the person, from 1."""
        ...

    def copy(self) -> Game:
        """Return a game that goes on from here by itself."""
        ...
