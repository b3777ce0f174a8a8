"""Upper confidence bounds on what is left in a finite population, from a stratified sample without replacement.

*Units with a hit.* Of the ``N_h`` units in stratum ``h``, ``M_h`` have a hit; ``n_h`` are read, and
``x_h`` of those have one, which is hypergeometric. The bound is the largest total ``M`` that a test
at level α doesn't reject: even for its least favorable split over the strata, the probability of
seeing as little as was seen is above α,

    max over M_1 + … + M_H = M of P(Σ s_h X_h ≤ Σ s_h x_h),

with the scores ``s_h`` the rounded weights ``N_h / n_h`` of the design (Wendell and Schmee, 1996). The probability
falls in each ``M_h``, so the value at a corner bounds that of all splits of a box: boxes are divided until all
are rejected, or one split isn't. Where all scores are 1, the binomial tail bounds it as well (Hoeffding, 1956,
theorem 4; a hypergeometric variable is a sum of independent indicators, Vatutin and Mikhailov, 1982). With one
stratum it is the exact bound, the rule of three where nothing was found.

*Hits.* Units hold ``y`` hits, counted up to a cap ``C``. For θ in (0, 1] the product of ``1 - θ y / C`` over the
read units has, over all populations with total ``Y``, the largest expectation where hits are spread evenly
(elementary symmetric means are Schur-concave); the ratio to it is an e-value, ratios of strata multiply, ratios
for several θ are averaged, and a ratio of 1/α rejects (betting, Waudby-Smith and Ramdas, 2024; a bet a stratum).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

_CELLS: Final = 1e7
"""Maximum number of boxes times terms to compute for a total."""
_BOXES: Final = 20_000
_FIRST_BOXES: Final = 250


@dataclass(frozen=True, slots=True)
class StratumCount:
    """The results of reading a stratum.

    Attributes:
        size: number of units.
        read: number of randomly drawn units read.
        hits: number of units read that have a hit.

    Raises:
        ValueError: unless ``0 <= hits <= read <= size``, and at least one unit is read if there are
            any.
    """

    size: int
    read: int
    hits: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.read <= self.size or (self.size and not self.read):
            raise ValueError(
                f"{self.hits!r} hits in {self.read!r} of {self.size!r} units is not a valid "
                "sample; a stratum must be read in part."
            )


def largest_number_of_hits(strata: Sequence[StratumCount], error: float) -> int:
    """Return the upper confidence bound on the number of units with a hit.

    Args:
        strata: at least one.
        error: 1 minus the confidence level, in (0, 1).
    """
    counted = sum(stratum.hits for stratum in strata)
    drawn = [stratum for stratum in strata if stratum.read < stratum.size]
    if not drawn:
        return counted
    n_hits = sum(stratum.hits for stratum in drawn)
    test = _HitTest(drawn, error)
    low, high = n_hits, sum(stratum.size - stratum.read for stratum in drawn) + n_hits + 1
    # ``high`` is always rejected, and so are all totals above it.
    while high - low > 1:
        middle = (low + high) // 2
        if test.rejects(middle):
            high = middle
        else:
            low = middle
    return high - 1 + counted - n_hits


class _HitTest:
    """Tests totals, at one level, against the counts of partly read strata."""

    def __init__(self, strata: Sequence[StratumCount], error: float) -> None:
        # The widest stratum comes last: its hits are what the others leave of the total.
        self._strata = sorted(strata, key=lambda stratum: stratum.size - stratum.read)
        self._error = error
        weights = [stratum.size / stratum.read for stratum in self._strata]
        self._scores = [max(1, round(weight / min(weights))) for weight in weights]
        self._seen = sum(s * one.hits for s, one in zip(self._scores, self._strata, strict=True))
        self._low = np.array([stratum.hits for stratum in self._strata])
        self._high = np.array([one.size - one.read + one.hits for one in self._strata])

    def rejects(self, total: int) -> bool:
        """Return whether no split of a total is likely enough; False if undecided."""
        if total > self._high.sum() or self._binomial(total) <= self._error:
            return True
        low, high = self._low[:-1], np.minimum(self._high[:-1], total)
        free = len(low)
        limit = min(_BOXES, max(64, int(_CELLS / (self._seen + 1) ** 2)))
        if self._tail(self._even(total))[0] > self._error:
            return False
        width = 1
        while math.prod((high - low) // width + 1) > _FIRST_BOXES:
            width *= 2
        grids = [range(a, b + 1, width) for a, b in zip(low, high, strict=True)]
        corners = _rows(grids)
        while True:
            corners = self._likely(corners, total, width)
            if not len(corners):
                return True
            if width == 1 or len(corners) * 2**free > limit:
                return False
            width //= 2
            halves = _rows([range(0, 2 * width, width)] * free)
            corners = (corners[:, None, :] + halves[None]).reshape(-1, free)

    def _even(self, total: int) -> Counts:
        """Return a split with about equal shares of the strata, which is among the likely ones; shape (1, strata)."""
        room = self._high - self._low
        steps = np.cumsum(room) * int(total - self._low.sum()) // room.sum()
        split: Counts = self._low + np.diff(steps, prepend=0)
        return split[None]

    def _likely(self, corners: Counts, total: int, width: int) -> Counts:
        """Return the boxes that may contain a split that isn't rejected.

        Args:
            corners: smallest number of hits in each stratum except the last, shape (boxes, strata -
                1).
            total: total number of hits.
            width: width of the boxes.
        """
        highest = np.minimum(corners + width - 1, self._high[:-1])
        last = np.maximum(total - highest.sum(axis=1), self._low[-1])
        possible = (
            (corners <= self._high[:-1]).all(axis=1)
            & (last <= self._high[-1])
            & (total - corners.sum(axis=1) >= self._low[-1])
        )
        corners = corners[possible]
        splits = np.column_stack([corners, last[possible]])
        return corners[self._tail(splits) > self._error]

    def _tail(self, splits: Counts) -> Reals:
        """Return the probability of seeing no more than was seen; shape (splits,) for (splits, strata)."""
        terms = self._seen + 1
        sums = np.zeros((len(splits), terms))
        sums[:, 0] = 1.0
        for place, (stratum, score) in enumerate(zip(self._strata, self._scores, strict=True)):
            values = np.arange(min(self._seen // score, stratum.read) + 1)
            chances = hypergeometric(stratum.size, splits[:, place], stratum.read, values)
            before, sums = sums, np.zeros_like(sums)
            for value in values:
                shift = value * score
                sums[:, shift:] += before[:, : terms - shift] * chances[:, value, None]
        tail: Reals = sums.sum(axis=1)
        return tail

    def _binomial(self, total: int) -> float:
        """Return Hoeffding's bound on the probability of seeing no more than was seen; 1 if it doesn't apply."""
        if max(self._scores) > 1:
            return 1.0
        n = sum(stratum.read for stratum in self._strata)
        mean = total * min(stratum.read / stratum.size for stratum in self._strata)
        if self._seen > mean - 1 or mean >= n:
            return 1.0
        return binomial_tail(self._seen, n, mean / n)


def _rows(grids: Sequence[range]) -> Counts:
    """Return all combinations of one value from each grid; shape (combinations, grids)."""
    number = math.prod(map(len, grids))
    return np.array(list(product(*grids)), dtype=np.int64).reshape(number, len(grids))


def hypergeometric(size: int, hits: Counts, read: int, values: Counts) -> Reals:
    """Return the probability of ``values`` hits among ``read`` of ``size`` units, ``hits`` of which have one.

    Args:
        size: size of the population.
        hits: number of units with a hit, shape (k,).
        read: number of units drawn without replacement.
        values: numbers of hits drawn, shape (v,).

    Returns:
        Shape (k, v).
    """
    table = _log_factorials(size)
    m, x = hits[:, None], values[None]
    possible = (x <= m) & (x <= read) & (read - x <= size - m)
    m, x = np.broadcast_arrays(m, x)
    m, x = np.where(possible, m, 0), np.where(possible, x, 0)
    # If there are no hits at all, drawing none has probability 1.
    logs = (
        table[m]
        - table[x]
        - table[m - x]
        + table[size - m]
        - table[read - x]
        - table[size - m - read + x]
        - (table[size] - table[read] - table[size - read])
    )
    return np.where(possible, np.exp(logs), 0.0)


@lru_cache(maxsize=8)
def _log_factorials(n: int) -> Reals:
    table = np.zeros(n + 1)
    np.cumsum(np.log(np.arange(1, n + 1)), out=table[1:])
    return table


def binomial_tail(most: int, n: int, share: float) -> float:
    """Return the probability of at most ``most`` hits in ``n`` independent trials, each with a probability in (0, 1)."""
    logs = (
        math.lgamma(n + 1)
        - math.lgamma(x + 1)
        - math.lgamma(n - x + 1)
        + x * math.log(share)
        + (n - x) * math.log1p(-share)
        for x in range(most + 1)
    )
    return min(1.0, math.fsum(map(math.exp, logs)))


# Totals of counts, by betting.


_BETS: Final = ((1.0, 0.6), (0.6, 0.1), (0.3, 0.1), (0.15, 0.1), (0.07, 0.1))
"""θ and its share of the capital; most is on finding nothing."""
_STEPS: Final = 300


@dataclass(frozen=True, slots=True)
class StratumTotal:
    """The counts of the units read in a stratum; each at least 0; counts above the cap count as the cap.

    Attributes:
        size: number of units.
        counts: one count per unit read.
    """

    size: int
    counts: tuple[int, ...]


def largest_total(strata: Sequence[StratumTotal], cap: int, error: float) -> int:
    """Return the upper confidence bound on the sum of counts over a population, each counted up to ``cap``.

    Args:
        strata: at least one; every stratum must be at least partly read.
        cap: at least 1; set before anything is read.
        error: 1 minus the confidence level, in (0, 1).
    """
    counts = [[min(count, cap) for count in stratum.counts] for stratum in strata]
    total = sum(map(sum, counts))
    unread = sum(stratum.size - len(stratum.counts) for stratum in strata)
    design = tuple((stratum.size, len(stratum.counts)) for stratum in strata)
    bets = []
    for theta, weight in _BETS:
        factors = [1 - theta * count / cap for values in counts for count in values]
        if min(factors) <= 0:
            continue
        gain = math.log(weight) + math.fsum(map(math.log, factors))
        bets.append((gain, _growth(design, cap, theta)))
    low, high = total, total + cap * unread + 1
    while high - low > 1:
        middle = (low + high) // 2
        capital = math.fsum(
            math.exp(min(700.0, gain + float(np.interp(middle, *growth)))) for gain, growth in bets
        )
        if capital >= 1 / error:
            high = middle
        else:
            low = middle
    return high - 1


@lru_cache(maxsize=64)
def _growth(design: tuple[tuple[int, int], ...], cap: int, theta: float) -> tuple[Reals, Reals]:
    """Return totals, and for each the smallest growth of a bet over its splits, in nats, for interpolation.

    The smallest sum of convex functions takes their steps in order of slope.
    """
    steps = []
    for size, read in design:
        totals, growth = _convex(*_stratum_growth(size, read, cap, theta))
        widths, rises = np.diff(totals), np.diff(growth)
        steps.append(np.column_stack([rises / widths, widths]))
    ordered = np.concatenate(steps)
    ordered = ordered[np.argsort(ordered[:, 0], kind="stable")]
    totals = np.concatenate([[0.0], np.cumsum(ordered[:, 1])])
    growth = np.concatenate([[0.0], np.cumsum(ordered[:, 0] * ordered[:, 1])])
    return totals, growth


def _stratum_growth(size: int, read: int, cap: int, theta: float) -> tuple[Reals, Reals]:
    """Return ascending totals of a stratum, and for each a lower bound on the growth for all populations up to the next total."""
    maximum = cap * size
    grid = np.unique(
        np.concatenate(
            [
                np.arange(min(maximum, _STEPS) + 1),
                np.round(np.geomspace(1, max(maximum, 1), _STEPS)).astype(np.int64),
            ]
        )
    )
    growth = np.empty(len(grid))
    values = np.arange(read + 1)
    for base in range(cap + 1):
        inside = grid // size == base if size else np.ones(len(grid), dtype=bool)
        if not inside.any():
            continue
        chances = hypergeometric(size, grid[inside] - base * size, read, values)
        lower, upper = 1 - theta * base / cap, 1 - theta * min(base + 1, cap) / cap
        factors = lower ** (read - values) * upper**values
        with np.errstate(divide="ignore"):
            growth[inside] = -np.log(chances @ factors)
    growth = np.minimum(growth, 800.0)
    # Between two totals in the grid, the growth is at least that at the first.
    shifted = np.concatenate([[0.0], growth[:-1]])
    is_next = np.concatenate([[True], np.diff(grid) == 1])
    return grid.astype(float), np.maximum.accumulate(np.where(is_next, growth, shifted))


def _convex(x: Reals, y: Reals) -> tuple[Reals, Reals]:
    """Return the corners of the largest convex function below points with ascending x."""
    hull: list[int] = []
    for place in range(len(x)):
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            if (y[b] - y[a]) * (x[place] - x[a]) < (y[place] - y[a]) * (x[b] - x[a]):
                break
            hull.pop()
        hull.append(place)
    return x[hull], y[hull]
