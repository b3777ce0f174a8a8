"""Objectives of the search: an attacker's log-odds of the person, under masks.

The log-odds of the person against everybody else are log p / (1 − p): they fall when p does. The
gain of a unit is the drop of the log-odds by masking it, up to a constant of all units; the greedy
step of Algorithm 1 (Morris et al., 2022) takes the unit with the highest gain.
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
    """Objective of masking: an attacker's log-odds of a person, with some units masked.

    Attributes:
        diminishing_returns: whether the gain of a unit never rises with further masks, so that an
            old gain is a bound (submodularity).
        active_attackers: the attackers in the sum of gains, by index; only gains with the same ones
            can be compared. Empty for a single attacker.
    """

    @property
    def diminishing_returns(self) -> bool: ...  # noqa: D102 - said above

    @property
    def active_attackers(self) -> tuple[int, ...]: ...  # noqa: D102 - said above

    def log_odds(self) -> float:
        """Log-odds of the person under the current mask."""
        ...

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Log-odds of the person with each of some unmasked units masked too, [units]."""
        ...

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Gain of each of some unmasked units, [units]."""
        ...

    def upper_bounds(self) -> NDArray[np.float64]:
        """Upper bound of the gain of every unit; infinity if unknown."""
        ...

    def idle_gain(self) -> float:
        """Gain of masking nothing: what a gain is above it, the log-odds fall."""
        ...

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        ...

    def unmask(self, unit: int) -> None:
        """Unmask a unit."""
        ...

    def rank(self) -> int:
        """Rank of the person, from 1."""
        ...

    def hides(self, k: int) -> bool:
        """Whether the person is not among the first K."""
        ...

    def copy(self) -> MaskingObjective:
        """An independent copy with the same masks."""
        ...


class _SingleAttackerObjective(ABC):
    """Person, units and masks of an objective against one attacker.

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
        """Rank of the person among everyone, from 1."""
        return rank_of(self._scores, self._person)

    def hides(self, k: int) -> bool:
        """Whether the person is not among the first K."""
        return self.rank() > k

    def copy(self) -> Self:
        """An independent copy with the same masks."""
        clone = object.__new__(type(self))
        for name, value in self.__dict__.items():
            setattr(clone, name, value.copy() if isinstance(value, np.ndarray) else value)
        return clone

    def _set(self, unit: int, *, masked: bool) -> None:
        # Refreshed when asked: of several masks at once only the last state counts.
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
        """The mask with each of some units as well, [units, words]."""
        masks = np.repeat(self._mask[None, :], len(units), axis=0)
        for variant, unit in enumerate(units):
            masks[variant, list(self._units[unit].words)] = True
        return masks


# The objective of an additive attacker: one state, and a unit's gain from those it touches.
#
# With S the scores and c(u) what a unit adds, log-odds after masking u are
#
#     S(person) − c(u, person) − log Z(u),    Z(u) = Σ over others y of exp(S(y) − c(u, y))
#
# so gain(u) = c(u, person) + log Z(u). Scores only fall, hence Z(u) and the gain: what was computed
# before other units were masked is an upper bound. Z(u) differs from Z in the people who have a word
# of u, a short list; where nearly all of Z goes, what is left is summed again, since a small
# difference of large sums has no digits.


_LEFT_AT_LEAST = 1e-6
"""Share of Z that must be left for a difference to be trusted; it then has ten digits."""


class AdditiveObjective(_SingleAttackerObjective):
    """Objective of masking against an additive attacker; see ``MaskingObjective``.

    Args:
        attacker: whose probabilities count.
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
            # No matrix product: for so few numbers its threads cost more than they bring.
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
        """Log-odds of the person under the current mask."""
        self._update()
        return float(self._scores[self._person]) - self._highest - float(np.log(self._total))

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """S(person) − gain(u), [units]."""
        return float(self._scores[self._person]) - self.gains(units)

    def upper_bounds(self) -> NDArray[np.float64]:
        """c(u, person) + log Z: no unit adds less than nothing to anyone."""
        return self._own + self.idle_gain()

    def idle_gain(self) -> float:
        """Log Z: what c(u, person) is added to where no one else has a word of u."""
        self._update()
        return self._highest + float(np.log(self._total))

    def scores(self) -> NDArray[np.float64]:
        """Log-odds of everyone up to a constant, [people]."""
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
        """An independent copy with the same masks."""
        clone = super().copy()
        clone._rows, clone._fading = self._rows.copy(), self._fading.copy()
        clone._joint = self._joint.copy()
        return clone

    def _row(self, unit: int) -> WordContribution:
        """Effect of a unit, with the others masked as they are."""
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
    """The features of several words of a document, and by how many masked units each is lost.

    Masking a unit loses all features with a word of it; what another unit adds then no longer has them, so gains
    only fall, as those of single words do.

    Args:
        contributions: of the document.
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
        """Return the rows of a unit's features, but those lost by other units."""
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
        """An independent copy with the same masks."""
        clone = object.__new__(JointFeatures)
        clone.__dict__.update(self.__dict__)
        clone._lost = self._lost.copy()
        return clone


def row_of(
    contributions: Contributions, words: Sequence[int], n_people: int, joint: Sequence[int] = ()
) -> WordContribution:
    """Return the sum of the contributions of words, given by their places, and of rows of joint features.

    Each counts as often as it is named.
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


# The objective of several attackers: none of them may have the person among its first K.
#
# Gains are summed over the attackers with the person among their first K, so a mask effective
# against two of them counts more. For the rest only the rank is checked again.


class EnsembleObjective:
    """Objective of masking against several attackers; see ``MaskingObjective``.

    Args:
        objectives: one an attacker, of the same document, person and units.
        k: the person must not be among the first K; of all attackers, or one an attacker.
    """

    def __init__(self, objectives: Sequence[MaskingObjective], k: int | Sequence[int]) -> None:
        self._objectives = tuple(objectives)
        self._goals = (k,) * len(objectives) if isinstance(k, int) else tuple(k)
        # Fast attackers first: once one still finds the person, no other is asked.
        pairs = zip(self._objectives, self._goals, strict=True)
        self._by_speed = sorted(pairs, key=lambda pair: not pair[0].diminishing_returns)
        self._active: tuple[int, ...] | None = None

    @property
    def diminishing_returns(self) -> bool:
        """Whether old gains are bounds; so long as the same attackers are active."""
        return all(objective.diminishing_returns for objective in self._objectives)

    @property
    def active_attackers(self) -> tuple[int, ...]:
        """The attackers with the person among their first K, by index; all if there are none."""
        if self._active is None:
            pairs = zip(self._objectives, self._goals, strict=True)
            hidden = [objective.hides(goal) for objective, goal in pairs]
            indices = tuple(n for n, is_hidden in enumerate(hidden) if not is_hidden)
            # When all are beaten nothing is searched for; gains are then those of all.
            self._active = indices or tuple(range(len(hidden)))
        return self._active

    def log_odds(self) -> float:
        """Sum of the active attackers' log-odds."""
        return sum(self._objectives[n].log_odds() for n in self.active_attackers)

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Sum of the active attackers' log-odds with each unit masked too, [units]."""
        log_odds = [self._objectives[n].log_odds_after(units) for n in self.active_attackers]
        return np.sum(log_odds, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Sum of the active attackers' gains, [units]."""
        gains = [self._objectives[n].gains(units) for n in self.active_attackers]
        return np.sum(gains, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def idle_gain(self) -> float:
        """Sum of the active attackers' gains of masking nothing."""
        return sum(self._objectives[n].idle_gain() for n in self.active_attackers)

    def upper_bounds(self) -> NDArray[np.float64]:
        """Sum of the active attackers' bounds, [units]."""
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
        """Best rank of the person, from 1, over all attackers."""
        return min(objective.rank() for objective in self._objectives)

    def hides(self, k: int) -> bool:
        """Whether no attacker has the person among its first K, or before its own goal."""
        return all(objective.hides(max(k, goal)) for objective, goal in self._by_speed)

    def copy(self) -> EnsembleObjective:
        """An independent copy with the same masks."""
        return EnsembleObjective([one.copy() for one in self._objectives], self._goals)


# The objective of any attacker: masked variants of the document in batches, scored from scratch.
#
# An encoder's probability may rise with a confusing word removed, so gains have no bounds.


BATCH: Final = 64
"""Number of variants requested at once."""


class VariantObjective(_SingleAttackerObjective):
    """Objective with gains from masked variants: minus the log-odds after masking."""

    diminishing_returns = False

    def rank(self) -> int:
        """Rank of the person among everyone, from 1."""
        self._update()
        return super().rank()

    def log_odds_after(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Log-odds of the person with each unit masked too, [units]."""
        return -self.gains(units)

    @abstractmethod
    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Minus the log-odds of the person with each unit masked too, [units]."""

    def idle_gain(self) -> float:
        """Minus the log-odds as it stands."""
        return -self.log_odds()

    @abstractmethod
    def log_odds(self) -> float:
        """Log-odds of the person under the current mask."""

    def upper_bounds(self) -> NDArray[np.float64]:
        """Infinity for every unit: no bound is known."""
        return np.full(len(self._units), np.inf)


class BlackBoxObjective(VariantObjective):
    """Objective of masking against any attacker; see ``MaskingObjective``.

    Args:
        attacker: whose probabilities count.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
        batch: variants asked for at once.
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
        """Minus the log-odds of the person with each unit masked too, [units]."""
        gains = []
        for first in range(0, len(units), self._batch):
            masks = self._masks_with(units[first : first + self._batch])
            gains += [self._gain(row) for row in self._attacker.scores(self._document, masks)]
        return np.array(gains)

    def log_odds(self) -> float:
        """Log-odds of the person under the current mask."""
        self._update()
        return -self._gain(self._scores)

    def _refresh(self) -> None:
        (self._scores,) = self._attacker.scores(self._document, self._mask[None, :])

    def _gain(self, scores: NDArray[np.float64]) -> float:
        rivals = np.delete(scores, self._person)
        return log_sum(rivals) - float(scores[self._person])


# The objective of an attacker with an encoder: few variants, few rivals, and the rank from everyone.
#
# Two approximations of ``BlackBoxObjective``: gains are computed against the likeliest rivals,
# since the rest hardly contribute to the log-odds. And a unit is evaluated again only if its last
# gain could make it the best: gains may rise here, unlike with additive attackers, so the result is
# nearly always, not always, that of evaluating all units.


RIVALS: Final = 512
"""The likeliest people as it stands; beyond them hardly any probability is left."""
_AT_ONCE: Final = 8


class EncoderObjective(VariantObjective):
    """Objective of masking against an encoder; see ``MaskingObjective``.

    Args:
        attacker: whose probabilities count.
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
        """Minus the log-odds of the person with each unit masked too, [units].

        Of a unit that can't be the best one, as far as is known, it is the gain by its last drop.
        """
        now = self.log_odds()
        fresh = np.zeros(len(self._units), dtype=bool)
        candidates = np.array(units, dtype=np.intp)
        while len(candidates):
            order = candidates[np.argsort(-self._drops[candidates], kind="stable")]
            if fresh[order[0]]:
                break
            # Units never inspected, all together; otherwise a few.
            unknown = order[np.isinf(self._drops[order])]
            some = unknown if len(unknown) else order[~fresh[order]][:_AT_ONCE]
            self._drops[some] = now - self._log_odds_without(some)
            fresh[some] = True
        gains: NDArray[np.float64] = self._drops[candidates] - now
        return gains

    def log_odds(self) -> float:
        """Log-odds of the person against the rivals under the current mask."""
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
        """Log-odds against the rivals with each unit masked too, [units]."""
        people = np.concatenate([[self._person], self._rivals])
        scores = self._encoded.scores(self._masks_with(units), people)
        return np.array([row[0] - log_sum(row[1:]) for row in scores])
