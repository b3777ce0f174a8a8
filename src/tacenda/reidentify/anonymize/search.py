"""Search for a mask that hides the person but loses little: greedy or beam search, after which needless masks are removed.

Algorithm 1 of Morris et al. (2022; ``algorithm_1`` has it as printed), with the drop of the
person's log-odds per nat of information in place of the drop alone: mask the unit with the largest
one, until the person is not among the K most probable. Then each unit is shown again, or its most
specific option is written, as long as the person stays hidden. Ties are resolved by the order of
the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..attackers.base import TIE
from .objective import MaskingObjective

_AT_ONCE: Final = 8
"""Units looked at together by the lazy search."""
_LEAST_LOST: Final = 1e-3
"""Nats that any unit counts as losing, so that one which loses nothing has a price too."""


def greedy(
    objective: MaskingObjective,
    lost: Sequence[float],
    k: int,
    *,
    lazy: bool = True,
    masked: Sequence[int] = (),
) -> tuple[int, ...]:
    """Return the units to mask, in order of choice; the objective then has them masked.

    Args:
        objective: the objective; units that are already masked stay masked.
        lost: information lost by masking each unit, in nats.
        k: the person must not be among the first K.
        lazy: evaluate only units whose last gain could still be the best. The result is the same;
            ignored without diminishing returns.
        masked: units that are already masked.
    """
    prices = np.maximum(np.asarray(lost, dtype=np.float64), _LEAST_LOST)
    lazily = lazy and objective.diminishing_returns
    choice = _LazyChoice(objective, prices) if lazily else _Choice(prices)
    units: list[int] = []
    rest = [unit for unit in range(len(lost)) if unit not in set(masked)]
    while rest and not objective.hides(k):
        unit = choice.choose(objective, rest)
        objective.mask(unit)
        units.append(unit)
        rest.remove(unit)
    return tuple(units)


def beam(
    objective: MaskingObjective,
    n_units: int,
    k: int,
    width: int,
    *,
    masked: Sequence[int] = (),
    least: int = 0,
) -> tuple[int, ...]:
    """Return the units to mask, keeping the ``width`` best sets of each size.

    Returns as soon as a set of at least ``least`` units hides the person; if none does, all units
    that aren't already ``masked``.
    """
    free = [unit for unit in range(n_units) if unit not in set(masked)]
    states: list[tuple[frozenset[int], tuple[int, ...], MaskingObjective]] = [
        (frozenset(), (), objective)
    ]
    if not least and objective.hides(k):
        return ()
    for size in range(1, len(free) + 1):
        successors: dict[
            frozenset[int], tuple[tuple[int, float], tuple[int, ...], MaskingObjective]
        ] = {}
        for chosen, order, state in states:
            rest = [unit for unit in free if unit not in chosen]
            log_odds = state.log_odds_after(rest)
            for place in np.argsort(log_odds, kind="stable")[:width]:
                reached = chosen | {rest[place]}
                # Sets with fewer attackers that still find the person come first.
                price = len(state.active_attackers), float(log_odds[place])
                if reached not in successors:
                    successors[reached] = price, (*order, rest[place]), state
        best = sorted(successors.items(), key=lambda item: (item[1][0], item[1][1]))[:width]
        states = []
        for reached, (_, order, state) in best:
            following = state.copy()
            following.mask(order[-1])
            if size >= least and following.hides(k):
                return order
            states.append((reached, order, following))
    return tuple(free)


@dataclass(frozen=True, slots=True)
class Offered:
    """Options that may be written in place of masked units.

    Attributes:
        units: the masked units, at least one.
        options: each option's unit, most specific first; None for one that reveals nothing.
        lost: information lost if none of them is written, in nats.
    """

    units: frozenset[int]
    options: tuple[int | None, ...]
    lost: float


@dataclass(frozen=True, slots=True)
class Shown:
    """The final masks and replacements.

    Attributes:
        masked: the units, in the order in which they were masked.
        written: for each offer, by index, the option that is written, if any.
    """

    masked: tuple[int, ...]
    written: dict[int, int]


def show(
    objective: MaskingObjective,
    units: Sequence[int],
    k: int,
    lost: Sequence[float],
    offers: Sequence[Offered] = (),
    required: Sequence[int] = (),
) -> Shown:
    """Write the most specific options and show units again while the person stays hidden.

    Later masks can make earlier ones needless, and so can a shown word that points to other people.
    What loses most is tried first; of equal losses, the latest unit, which is least important.

    Args:
        objective: has all units and the units of all options masked; changed to the result.
        units: the units that may be shown again, in the order in which they were masked.
        k: the person must not be among the first K.
        lost: information lost by masking each unit, in nats.
        offers: what may be written instead of masks.
        required: additional masked units, which stay masked.
    """
    masked = list(units)
    choices: dict[int, int] = {}
    if not objective.hides(k):
        return Shown(tuple(masked), choices)
    places = {unit: place for place, unit in enumerate(units)}
    by_loss = sorted(range(len(offers)), key=lambda n: -offers[n].lost)
    before: tuple[int, dict[int, int]] | None = None
    while before != (len(masked), choices):
        before = len(masked), dict(choices)
        for n in by_loss:
            if offers[n].units <= {*masked, *required}:
                _specify(objective, offers[n].options, choices, n, k)
        for unit in sorted(masked, key=lambda unit: (-lost[unit], -places[unit])):
            over = [n for n in choices if unit in offers[n].units]
            for n in over:
                _set(objective, offers[n].options[choices[n]], shown=False)
            objective.unmask(unit)
            if objective.hides(k):
                masked.remove(unit)
                for n in over:
                    del choices[n]
                continue
            objective.mask(unit)
            for n in over:
                _set(objective, offers[n].options[choices[n]], shown=True)
    return Shown(tuple(masked), choices)


def _specify(
    objective: MaskingObjective,
    options: Sequence[int | None],
    written: dict[int, int],
    offer: int,
    k: int,
) -> None:
    """Write an offer's most specific option that leaves the person hidden."""
    present = written.get(offer, len(options))
    if offer in written:
        _set(objective, options[present], shown=False)
    for level, option in enumerate(options[:present]):
        _set(objective, option, shown=True)
        if option is None or objective.hides(k):
            written[offer] = level
            return
        _set(objective, option, shown=False)
    if offer in written:
        _set(objective, options[present], shown=True)


def _set(objective: MaskingObjective, option: int | None, *, shown: bool) -> None:
    if option is not None:
        (objective.unmask if shown else objective.mask)(option)


class _Choice:
    """Chooses the best unit: the one that lowers the log odds most per nat lost.

    If none lowers them, the unit that raises them least, which may still help in combination.
    """

    def __init__(self, prices: NDArray[np.float64]) -> None:
        self._prices = prices

    def choose(self, objective: MaskingObjective, units: Sequence[int]) -> int:
        """Return the best of these units; the first one on a tie."""
        worth = self._worth(objective.gains(units) - objective.idle_gain(), units)
        return units[int(np.argmax(worth >= worth.max() - TIE))]

    def _worth(self, drops: NDArray[np.float64], units: Sequence[int]) -> NDArray[np.float64]:
        return np.where(drops > TIE, drops / self._prices[units], drops)


class _LazyChoice(_Choice):
    """Chooses by lazy evaluation: the last gain of each unit is an upper bound."""

    def __init__(self, objective: MaskingObjective, prices: NDArray[np.float64]) -> None:
        super().__init__(prices)
        self._bounds = objective.upper_bounds()
        self._active = objective.active_attackers

    def choose(self, objective: MaskingObjective, units: Sequence[int]) -> int:
        """Return the best of these units; the first one on a tie."""
        if objective.active_attackers != self._active:
            self._bounds, self._active = objective.upper_bounds(), objective.active_attackers
        idle = objective.idle_gain()
        # A bound and a gain may each be off by rounding.
        bounds = self._worth(self._bounds[units] - idle + 2 * TIE, units)
        order = np.argsort(-bounds, kind="stable")
        worth = np.full(len(units), -np.inf)
        highest = -np.inf
        for first in range(0, len(order), _AT_ONCE):
            if bounds[order[first]] < highest:
                break
            part = order[first : first + _AT_ONCE]
            some = [units[n] for n in part]
            self._bounds[some] = objective.gains(some)
            worth[part] = self._worth(self._bounds[some] - idle, some)
            highest = max(highest, float(worth[part].max()))
        return units[int(np.argmax(worth >= highest - TIE))]
