"""A rate over documents, with its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

_Z: Final = 1.959963984540054
"""Quantile of the normal distribution for a 95 % interval."""


class Rate(NamedTuple):
    """A rate with its 95 % confidence interval (Wilson, 1927).

    Unlike a bootstrap interval, it stays in [0, 1] and has a width even if nobody or everybody was
    found. Documents count as independent.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the rate as shown in tables: ``0.010 [0.004, 0.025]``."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"

    def as_object(self) -> dict[str, float]:
        """Return the rate as values for ``json.dumps``."""
        return {"rate": self.value, "low": self.low, "high": self.high}


def rate(hits: int, n: int) -> Rate:
    """Return the rate of ``hits`` in ``n`` documents, at least 1.

    Raises:
        ValueError: unless ``0 <= hits <= n`` and ``n > 0``.
    """
    if not 0 <= hits <= n or not n:
        raise ValueError(f"{hits!r} of {n!r} documents is not a rate.")
    share = hits / n
    scale = 1 + _Z**2 / n
    middle = (share + _Z**2 / (2 * n)) / scale
    half = _Z / scale * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    # At the ends the formula gives the end, except for rounding.
    low = 0.0 if not hits else max(0.0, middle - half)
    high = 1.0 if hits == n else min(1.0, middle + half)
    return Rate(share, low, high)


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of documents with their person at rank 1, and among the first k."""

    first: Rate
    among_k: Rate


def rates(ranks: Sequence[int], k: int) -> Rates:
    """Return the rates for documents, given the right person's rank in each; at least one."""
    return Rates(
        rate(sum(rank == 1 for rank in ranks), len(ranks)),
        rate(sum(rank <= k for rank in ranks), len(ranks)),
    )
