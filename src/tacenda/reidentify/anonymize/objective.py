"""Objectives of the search: an attacker's log odds of the person, given masks.

The log odds of the person against everybody else are log p / (1 − p), which fall when p does. A
unit's gain is how far masking it lowers the log odds, up to a constant shared by all units; the
greedy step of Algorithm 1 (Morris et al., 2022) takes the unit with the highest gain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..attackers.base import Attacker, log_sum, rank_of
from ..attackers.encoder import BiEncoder, JointAttacker
from ..attackers.lexical import AdditiveAttacker, Contributions, WordContribution
from ..tokens import TokenizedDocument
from .units import MaskUnit


class MaskingObjective(Protocol):
    """The objective of masking: an attacker's log odds of a person while some units are masked.

    Attributes:
        diminishing_returns: whether a unit's gain never rises as more is masked, so that an old
            gain is an upper bound (submodularity).
        active_attackers: indexes of the attackers whose gains are summed; only gains with the same
            attackers are comparable. Empty for a single attacker.
    """

    @property
    def diminishing_returns(self) -> bool: ...  # noqa: D102 - said above

    @property
    def active_attackers(self) -> tuple[int, ...]: ...  # noqa: D102 - said above

    def log_odds(self) -> float:
        """Log odds of the person under the current mask."""
        ...

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the log odds of the person with each of these unmasked units also masked, [units]."""
        ...

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the gain of each of these unmasked units, [units]."""
        ...

    def upper_bounds(self) -> NDArray[np.float64]:
        """Return an upper bound on every unit's gain; infinity if unknown."""
        ...

    def idle_gain(self) -> float:
        """Return the gain of masking nothing: masking a unit lowers the log odds by its gain minus this."""
        ...

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        ...

    def unmask(self, unit: int) -> None:
        """Unmask a unit."""
        ...

    def rank(self) -> int:
        """Return the rank of the person, from 1."""
        ...

    def hides(self, k: int) -> bool:
        """Return whether the person isn't among the first K."""
        ...

    def copy(self) -> MaskingObjective:
        """Return an independent copy with the same masks."""
        ...


class _SingleAttackerObjective(ABC):
    """The person, units and masks of an objective against one attacker.

    Args:
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
    """

    active_attackers: tuple[int, ...] = ()
    _scores: NDArray[np.float64]
    _stale = True

    def __init__(self, document: TokenizedDocument, person: int, units: Sequence[MaskUnit]) -> None:
        self._document = document
        self._person = person
        self._units = units
        self._mask = document.unmasked()

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        self._set(unit, masked=True)

    def unmask(self, unit: int) -> None:
        """Unmask a unit."""
        self._set(unit, masked=False)

    def rank(self) -> int:
        """Return the rank of the person among everyone, from 1."""
        return rank_of(self._scores, self._person)

    def hides(self, k: int) -> bool:
        """Return whether the person isn't among the first K."""
        return self.rank() > k

    def copy(self) -> Self:
        """Return an independent copy with the same masks."""
        clone = object.__new__(type(self))
        for name, value in self.__dict__.items():
            setattr(clone, name, value.copy() if isinstance(value, np.ndarray) else value)
        return clone

    def _set(self, unit: int, *, masked: bool) -> None:
        # Refreshed on demand: after several masks in a row only the final state matters.
        self._mask[list(self._units[unit].words)] = masked
        self._stale = True

    def _update(self) -> None:
        if self._stale:
            self._refresh()
            self._stale = False

    @abstractmethod
    def _refresh(self) -> None:
        """Score the document under the current mask."""

    def _masks_with(self, units: Sequence[int] | NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return the masks with each of these units added, [units, words]."""
        masks = np.repeat(self._mask[None, :], len(units), axis=0)
        for variant, unit in enumerate(units):
            masks[variant, list(self._units[unit].words)] = True
        return masks


# The objective for an additive attacker: one state; a unit's gain is computed from the people it
# affects.
#
# With S the scores and c(u) what a unit adds, log-odds after masking u are
#
#     S(person) − c(u, person) − log Z(u),    Z(u) = Σ over others y of exp(S(y) − c(u, y))
#
# so gain(u) = c(u, person) + log Z(u). Scores only fall, and so do Z(u) and the gain: a value
# computed before other units were masked is an upper bound. Z(u) differs from Z only for people who
# have a word of u, a short list; if almost all of Z goes away, the rest is summed again, since a
# small difference of large sums has no precision.


_LEFT_AT_LEAST = 1e-6
"""Share of Z that must be left for a difference to be trusted; it then has ten digits."""


class AdditiveObjective(_SingleAttackerObjective):
    """The objective of masking against an additive attacker; see ``MaskingObjective``.

    Args:
        attacker: the attacker.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
    """

    diminishing_returns = True

    def __init__(
        self,
        attacker: AdditiveAttacker,
        document: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
    ) -> None:
        super().__init__(document, person, units)
        self._contributions = attacker.contributions(document)
        self._n_people = attacker.n_people
        self._joint = JointFeatures(self._contributions, units)
        self._rows = [self._row(unit) for unit in range(len(units))]
        self._fading = [-np.expm1(-row.values) for row in self._rows]
        self._own = np.array([self._own_of(unit) for unit in range(len(units))], dtype=np.float64)
        self._scores = attacker.scores(document, self._mask[None, :])[0]

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """c(u, person) + log Z(u), [units]."""
        self._update()
        gains = np.empty(len(units))
        for place, unit in enumerate(units):
            people = self._rows[unit].people
            weights = self._weights
            if len(people) < len(weights):
                weights = weights[people]
            # Not a matrix product, whose threads cost more than they save for so few numbers.
            remainder = self._total - float((weights * self._fading[unit]).sum())
            if remainder > _LEFT_AT_LEAST * self._total:
                log_z = self._highest + float(np.log(remainder))
            else:
                scores = self._scores.copy()
                scores[people] -= self._rows[unit].values
                scores[self._person] = -np.inf
                log_z = log_sum(scores)
            gains[place] = self._own[unit] + log_z
        return gains

    def log_odds(self) -> float:
        """Log odds of the person under the current mask."""
        self._update()
        return float(self._scores[self._person]) - self._highest - float(np.log(self._total))

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """S(person) − gain(u), [units]."""
        return float(self._scores[self._person]) - self.gains(units)

    def upper_bounds(self) -> NDArray[np.float64]:
        """Return c(u, person) + log Z, since no unit adds less than 0 for anyone."""
        return self._own + self.idle_gain()

    def idle_gain(self) -> float:
        """Return log Z, which c(u, person) is added to if nobody else has a word of u."""
        self._update()
        return self._highest + float(np.log(self._total))

    def scores(self) -> NDArray[np.float64]:
        """Return everyone's log odds up to a constant, [people]."""
        return self._scores.copy()

    def _set(self, unit: int, *, masked: bool) -> None:
        people, values = self._rows[unit]
        self._scores[people] += -values if masked else values
        for other in self._joint.set(unit, masked=masked):
            self._rows[other] = self._row(other)
            self._fading[other] = -np.expm1(-self._rows[other].values)
            self._own[other] = self._own_of(other)
        super()._set(unit, masked=masked)

    def copy(self) -> Self:
        """Return an independent copy with the same masks."""
        clone = super().copy()
        clone._rows, clone._fading = self._rows.copy(), self._fading.copy()
        clone._joint = self._joint.copy()
        return clone

    def _row(self, unit: int) -> WordContribution:
        """Return the effect of a unit, given the other masks."""
        joint = self._joint.rows_of(unit)
        return row_of(self._contributions, self._units[unit].words, self._n_people, joint)

    def _refresh(self) -> None:
        rivals = self._scores.copy()
        rivals[self._person] = -np.inf
        self._highest = float(rivals.max())
        self._weights = np.exp(rivals - self._highest)
        self._total = float(self._weights.sum())

    def _own_of(self, unit: int) -> float:
        people, values = self._rows[unit]
        place = int(np.searchsorted(people, self._person))
        has_it = place < len(people) and people[place] == self._person
        return float(values[place]) if has_it else 0.0


class JointFeatures:
    """A document's features of several words, and how many masked units remove each.

    Masking a unit removes all features with one of its words; other units no longer contribute
    them, so gains only fall, as they do for single words.

    Args:
        contributions: the document's contributions.
        units: what can be masked.
    """

    def __init__(self, contributions: Contributions, units: Sequence[MaskUnit]) -> None:
        of_word = {word: n for n, unit in enumerate(units) for word in unit.words}
        features = [
            (frozenset(of_word[word] for word in words if word in of_word), row)
            for words, row in contributions.joint
        ]
        self._features = features
        self._of_unit: dict[int, list[int]] = {}
        for n, (members, _) in enumerate(features):
            for unit in members:
                self._of_unit.setdefault(unit, []).append(n)
        self._lost = np.zeros(len(features), dtype=np.int64)
        self._masked: frozenset[int] = frozenset()

    def rows_of(self, unit: int) -> list[int]:
        """Return the rows of a unit's features, except those removed by other units."""
        own = unit in self._masked
        return [self._features[n][1] for n in self._of_unit.get(unit, ()) if self._lost[n] == own]

    def set(self, unit: int, *, masked: bool) -> set[int]:
        """Mask or unmask a unit; return the other units that share a feature with it."""
        if masked == (unit in self._masked):
            return set()
        features = self._of_unit.get(unit, [])
        self._lost[features] += 1 if masked else -1
        self._masked = self._masked | {unit} if masked else self._masked - {unit}
        others: set[int] = set().union(*(self._features[n][0] for n in features))
        return others - {unit}

    def copy(self) -> JointFeatures:
        """Return an independent copy with the same masks."""
        clone = object.__new__(JointFeatures)
        clone.__dict__.update(self.__dict__)
        clone._lost = self._lost.copy()
        return clone


def row_of(
    contributions: Contributions, words: Sequence[int], n_people: int, joint: Sequence[int] = ()
) -> WordContribution:
    """Return the sum of the contributions of words, given by index, and of rows of joint features.

    Each counts as often as it is listed.
    """
    rows = [*contributions.word_rows[list(words)], *joint]
    places, counts = np.unique(np.array(rows, dtype=np.intp), return_counts=True)
    if len(places) == 1:
        people, values = contributions.rows[places[0]]
        return WordContribution(people, counts[0] * values)
    sums = np.zeros(n_people)
    for place, count in zip(places, counts, strict=True):
        row = contributions.rows[place]
        sums[row.people] += count * row.values
    people = np.flatnonzero(sums).astype(np.int32)
    return WordContribution(people, sums[people])


# The objective for several attackers: none of them may rank the person among its first K.
#
# Gains are summed over the attackers that still rank the person among their first K, so a mask that
# is effective against two of them counts more. For the others, only the rank is checked again.


class EnsembleObjective:
    """The objective of masking against several attackers; see ``MaskingObjective``.

    Args:
        objectives: one per attacker, for the same document, person and units.
        k: the person must not be among the first K; one value for all attackers, or one per
            attacker.
    """

    def __init__(self, objectives: Sequence[MaskingObjective], k: int | Sequence[int]) -> None:
        self._objectives = tuple(objectives)
        self._goals = (k,) * len(objectives) if isinstance(k, int) else tuple(k)
        # Fast attackers come first: if one of them still finds the person, no other is asked.
        pairs = zip(self._objectives, self._goals, strict=True)
        self._by_speed = sorted(pairs, key=lambda pair: not pair[0].diminishing_returns)
        self._active: tuple[int, ...] | None = None

    @property
    def diminishing_returns(self) -> bool:
        """Whether old gains are upper bounds, as long as the same attackers are active."""
        return all(objective.diminishing_returns for objective in self._objectives)

    @property
    def active_attackers(self) -> tuple[int, ...]:
        """Indexes of the attackers that rank the person among their first K; all if there are none."""
        if self._active is None:
            pairs = zip(self._objectives, self._goals, strict=True)
            hidden = [objective.hides(goal) for objective, goal in pairs]
            indices = tuple(n for n, is_hidden in enumerate(hidden) if not is_hidden)
            # When all are defeated the search is over; gains are then summed over all.
            self._active = indices or tuple(range(len(hidden)))
        return self._active

    def log_odds(self) -> float:
        """Return the sum of the active attackers' log odds."""
        return sum(self._objectives[n].log_odds() for n in self.active_attackers)

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the sum of the active attackers' log odds with each unit also masked, [units]."""
        log_odds = [self._objectives[n].log_odds_after(units) for n in self.active_attackers]
        return np.sum(log_odds, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the sum of the active attackers' gains, [units]."""
        gains = [self._objectives[n].gains(units) for n in self.active_attackers]
        return np.sum(gains, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def idle_gain(self) -> float:
        """Return the sum of the active attackers' gains of masking nothing."""
        return sum(self._objectives[n].idle_gain() for n in self.active_attackers)

    def upper_bounds(self) -> NDArray[np.float64]:
        """Return the sum of the active attackers' bounds, [units]."""
        bounds = [self._objectives[n].upper_bounds() for n in self.active_attackers]
        return np.sum(bounds, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        for objective in self._objectives:
            objective.mask(unit)
        self._active = None

    def unmask(self, unit: int) -> None:
        """Unmask a unit."""
        for objective in self._objectives:
            objective.unmask(unit)
        self._active = None

    def rank(self) -> int:
        """Return the person's best rank over all attackers, from 1."""
        return min(objective.rank() for objective in self._objectives)

    def hides(self, k: int) -> bool:
        """Return whether no attacker ranks the person among its first K, or above its own goal."""
        return all(objective.hides(max(k, goal)) for objective, goal in self._by_speed)

    def copy(self) -> EnsembleObjective:
        """Return an independent copy with the same masks."""
        return EnsembleObjective([one.copy() for one in self._objectives], self._goals)


# The objective for any attacker: masked variants of the document, scored from scratch in batches.
#
# An encoder's probability may rise when a confusing word is removed, so gains have no bounds.


BATCH: Final = 64
"""Number of variants requested at once."""


class VariantObjective(_SingleAttackerObjective):
    """An objective whose gains come from masked variants: minus the log odds after masking."""

    diminishing_returns = False

    def rank(self) -> int:
        """Return the rank of the person among everyone, from 1."""
        self._update()
        return super().rank()

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the log odds of the person with each unit also masked, [units]."""
        return -self.gains(units)

    @abstractmethod
    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the log odds of the person with each unit also masked, [units]."""

    def idle_gain(self) -> float:
        """Return minus the current log odds."""
        return -self.log_odds()

    @abstractmethod
    def log_odds(self) -> float:
        """Log odds of the person under the current mask."""

    def upper_bounds(self) -> NDArray[np.float64]:
        """Return infinity for every unit, since no bound is known."""
        return np.full(len(self._units), np.inf)


class BlackBoxObjective(VariantObjective):
    """The objective of masking against any attacker; see ``MaskingObjective``.

    Args:
        attacker: the attacker.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
        batch: number of variants scored at once.
    """

    def __init__(
        self,
        attacker: Attacker,
        document: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
        batch: int = BATCH,
    ) -> None:
        super().__init__(document, person, units)
        self._attacker = attacker
        self._batch = batch

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the log odds of the person with each unit also masked, [units]."""
        gains = []
        for first in range(0, len(units), self._batch):
            masks = self._masks_with(units[first : first + self._batch])
            gains += [self._gain(row) for row in self._attacker.scores(self._document, masks)]
        return np.array(gains)

    def log_odds(self) -> float:
        """Log odds of the person under the current mask."""
        self._update()
        return -self._gain(self._scores)

    def _refresh(self) -> None:
        (self._scores,) = self._attacker.scores(self._document, self._mask[None, :])

    def _gain(self, scores: NDArray[np.float64]) -> float:
        rivals = np.delete(scores, self._person)
        return log_sum(rivals) - float(scores[self._person])


# The objective for an attacker with an encoder: few variants, few rivals, but the rank among
# everyone.
#
# Two approximations of ``BlackBoxObjective``: gains are computed against the likeliest rivals,
# since the rest hardly contribute to the log-odds. And a unit is evaluated again only if its last
# gain could make it the best: gains may rise here, unlike with additive attackers, so the result is
# nearly always, not always, that of evaluating all units.


RIVALS: Final = 512
"""The likeliest people as it stands; beyond them hardly any probability is left."""
_AT_ONCE: Final = 8


class EncoderObjective(VariantObjective):
    """The objective of masking against an encoder; see ``MaskingObjective``.

    Args:
        attacker: the attacker.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
    """

    def __init__(
        self,
        attacker: BiEncoder | JointAttacker,
        document: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
    ) -> None:
        super().__init__(document, person, units)
        self._encoded = attacker.opened(document)
        self._drops = np.full(len(units), np.inf)

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the log odds of the person with each unit also masked, [units].

        For a unit that probably isn't the best one, this is the gain from its last drop.
        """
        now = self.log_odds()
        fresh = np.zeros(len(self._units), dtype=bool)
        candidates = np.array(units, dtype=np.intp)
        while len(candidates):
            order = candidates[np.argsort(-self._drops[candidates], kind="stable")]
            if fresh[order[0]]:
                break
            # All units that were never inspected at once; otherwise a few.
            unknown = order[np.isinf(self._drops[order])]
            some = unknown if len(unknown) else order[~fresh[order]][:_AT_ONCE]
            self._drops[some] = now - self._log_odds_without(some)
            fresh[some] = True
        gains: NDArray[np.float64] = self._drops[candidates] - now
        return gains

    def log_odds(self) -> float:
        """Return the log odds of the person against the rivals under the current mask."""
        self._update()
        return self._now

    def _refresh(self) -> None:
        (self._scores,) = self._encoded.scores(self._mask[None, :])
        rivals = self._scores.copy()
        rivals[self._person] = -np.inf
        count = min(RIVALS, len(rivals) - 1)
        self._rivals = np.argpartition(rivals, -count)[-count:]
        self._now = float(self._scores[self._person]) - log_sum(rivals[self._rivals])

    def _log_odds_without(self, units: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the log odds against the rivals with each unit also masked, [units]."""
        people = np.concatenate([[self._person], self._rivals])
        scores = self._encoded.scores(self._masks_with(units), people)
        return np.array([row[0] - log_sum(row[1:]) for row in scores])
