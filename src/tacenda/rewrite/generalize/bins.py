"""Bins of numbers: the round numbers around a value, never the value itself.

Edges are 1 and 5 times powers of ten, then powers of ten. The value lies strictly between them,
so that no bin names it: 23 is between 10 and 50, 10 between 5 and 50.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

FINE = (1, 5)
COARSE = (1,)
_SHARES = (0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 100.0)


@dataclass(frozen=True, slots=True)
class Bin:
    """Numbers strictly between ``low`` and ``high``."""

    low: float
    high: float

    def between(self, before: str = "", scale: str = "", after: str = "") -> str:
        """Return the bin in words.

        ``between 10 and 50 €``; with a unit before, ``between €10m and €50m``; with a hyphen, as
        an adjective, ``10-to-50-metre``.
        """
        low, high = written(self.low), written(self.high)
        if after.startswith("-"):
            return f"{low}-to-{high}{scale}{after}"
        if before:
            return f"between {before}{low}{scale} and {before}{high}{scale}{after}"
        return f"between {low} and {high}{scale}{after}"


def around(low: float, high: float, steps: tuple[int, ...]) -> Bin | None:
    """Return the narrowest bin of powers of ten times ``steps`` around ``[low, high]``.

    None unless ``0 < low <= high`` and both are within 1e-6 and 1e15, where edges are exact.
    """
    if not 1e-6 < low <= high < 1e15:
        return None
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    edges = [round(step * 10.0**power, 9) for power in powers for step in steps]
    return Bin(
        max(edge for edge in edges if edge < low), min(edge for edge in edges if edge > high)
    )


def share(low: float, high: float) -> Bin | None:
    """Return the part of a hundred around ``[low, high]``; None if neither end is within."""
    if not 0 < low <= high < 100:
        return None
    return Bin(
        max(edge for edge in _SHARES if edge < low), min(edge for edge in _SHARES if edge > high)
    )


def written(number: float) -> str:
    """Return a number as English writes it: ``1,000``, ``0.5``."""
    return f"{number:,.0f}" if number == int(number) else f"{number:.7f}".rstrip("0")
