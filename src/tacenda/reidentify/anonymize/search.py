"""Search for a small mask to hide the person: greedy search and beam search.

Algorithm 1 of Morris et al. (2022): mask the unit with the largest drop of the person's
probability, until the person is not among the K most probable. The order of the units decides
between equal values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..attackers.base import TIE
from .objective import MaskingObjective

_AT_ONCE: Final = 8
"""Units looked at together by the lazy search."""


def greedy(
    objective: MaskingObjective,
    n_units: int,
    k: int,
    *,
    lazy: bool = True,
    masked: Sequence[int] = (),
) -> tuple[int, ...]:
    """Return the units to mask, in order of choice; they are masked in the objective then.

    Args:
        objective: the objective; units masked before stay masked.
        n_units: number of units.
        k: the person must not be among the first K.
        lazy: evaluate only units whose last gain could still be the highest. The result is
            the same; without effect without diminishing returns.
        masked: units that are masked already.
    """
    pick = _LazyGreedy(objective).choose if lazy and objective.diminishing_returns else _best_unit
    units: list[int] = []
    rest = [unit for unit in range(n_units) if unit not in set(masked)]
    while rest and not objective.hides(k):
        unit = pick(objective, rest)
        objective.mask(unit)
        units.append(unit)
        rest.remove(unit)
    return tuple(units)


def beam(
    objective: MaskingObjective, n_units: int, k: int, width: int, *, masked: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the units to mask, looking at the ``width`` best sets of each size.

    Returns as soon as a set hides the person; all units but those ``masked`` already if none does.
    """
    free = [unit for unit in range(n_units) if unit not in set(masked)]
    states: list[tuple[frozenset[int], tuple[int, ...], MaskingObjective]] = [
        (frozenset(), (), objective)
    ]
    for _ in free:
        if objective.hides(k):
            return ()
        successors: dict[
            frozenset[int], tuple[tuple[int, float], tuple[int, ...], MaskingObjective]
        ] = {}
        for chosen, order, state in states:
            rest = [unit for unit in free if unit not in chosen]
            log_odds = state.log_odds_after(rest)
            for place in np.argsort(log_odds, kind="stable")[:width]:
                reached = chosen | {rest[place]}
                # Fewer attackers that still find the person come first.
                price = len(state.active_attackers), float(log_odds[place])
                if reached not in successors:
                    successors[reached] = price, (*order, rest[place]), state
        best = sorted(successors.items(), key=lambda item: (item[1][0], item[1][1]))[:width]
        states = []
        for reached, (_, order, state) in best:
            following = state.copy()
            following.mask(order[-1])
            if following.hides(k):
                return order
            states.append((reached, order, following))
    return tuple(free)


def shrink(
    objective: MaskingObjective, units: Sequence[int], k: int, sizes: Sequence[int]
) -> tuple[int, ...]:
    """Return the necessary units; the needless ones are unmasked in the objective.

    Later masks can make earlier ones needless, and so can a word that is shown again and speaks for others. The largest
    are tried first, since the fewest words are to be lost; among equal sizes the latest first, as least important.
    """
    remainder = list(units)
    if not objective.hides(k):
        return tuple(remainder)
    places = {unit: place for place, unit in enumerate(units)}
    before = 0
    while before != len(remainder):
        before = len(remainder)
        for unit in sorted(remainder, key=lambda unit: (-sizes[unit], -places[unit])):
            objective.unmask(unit)
            if objective.hides(k):
                remainder.remove(unit)
            else:
                objective.mask(unit)
    return tuple(remainder)


def _best_unit(objective: MaskingObjective, units: Sequence[int]) -> int:
    gains = objective.gains(units)
    return units[int(np.argmax(gains >= gains.max() - TIE))]


class _LazyGreedy:
    """Lazy greedy selection: the last gain of each unit is an upper bound now."""

    def __init__(self, objective: MaskingObjective) -> None:
        self._bounds = objective.upper_bounds()
        self._active = objective.active_attackers

    def choose(self, objective: MaskingObjective, units: Sequence[int]) -> int:
        if objective.active_attackers != self._active:
            self._bounds, self._active = objective.upper_bounds(), objective.active_attackers
        order = sorted(units, key=lambda unit: -self._bounds[unit])
        looked_at: list[int] = []
        highest = -np.inf
        for first in range(0, len(order), _AT_ONCE):
            # Twice: a bound and a gain may each be a rounding off.
            if self._bounds[order[first]] < highest - 2 * TIE:
                break
            part = order[first : first + _AT_ONCE]
            self._bounds[part] = objective.gains(part)
            highest = max(highest, float(self._bounds[part].max()))
            looked_at += part
        return min(unit for unit in looked_at if self._bounds[unit] >= highest - TIE)
