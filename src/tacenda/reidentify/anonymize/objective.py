"""Objectives of the search: an attacker's log-odds of the person, under masks.

The log-odds of the person against everybody else is log p / (1 − p): it falls when p does. The
value of a unit is ``height`` minus the log-odds with the unit masked as well; the greedy step of
Algorithm 1 (Morris et al., 2022) takes the unit with the highest value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

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
        diminishing_returns: whether the value of a unit never rises with further masks, so that an
            old value is a bound (submodularity).
        epoch: values of one epoch have the same meaning.
    """

    @property
    def diminishing_returns(self) -> bool: ...  # noqa: D102 - said above

    @property
    def epoch(self) -> tuple[int, ...]: ...  # noqa: D102 - said above

    def height(self) -> float:
        """Return the reference h of values v: masking a unit makes the log-odds h − v."""
        ...

    def log_odds(self) -> float:
        """Return the log-odds of the person as it stands."""
        ...

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return the value of each of some unmasked units, [units]."""
        ...

    def bounds(self) -> NDArray[np.float64]:
        """Return an upper bound of the value of every unit, [all units]; infinity if unknown."""
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

    def copy(self) -> MaskingObjective:
        """Return an independent copy."""
        ...


# The game against an additive attacker: one state, and a unit's value from those it touches.
#
# With S the scores and c(u) what a unit adds, log-odds after masking u are
#
#     S(person) − c(u, person) − log Z(u),    Z(u) = Σ over others y of exp(S(y) − c(u, y))
#
# so value(u) = c(u, person) + log Z(u). Scores only fall, hence Z(u) and the value: what was computed
# before other units were masked is an upper bound. Z(u) differs from Z in the people who have a word
# of u, a short list; where nearly all of Z goes, what is left is summed anew, since a small
# difference of large sums has no digits.


_LEFT_AT_LEAST = 1e-6
"""Share of Z that must be left for a difference to be trusted; it then has ten digits."""


class AdditiveObjective:
    """Objective of masking against one attacker; see ``MaskingObjective``.

    Args:
        attacker: the attacker.
        document: the document.
        person: number of the person to hide.
        units: the units to choose from.
    """

    diminishing_returns = True
    epoch: tuple[int, ...] = ()

    def __init__(
        self,
        attacker: AdditiveAttacker,
        document: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
    ) -> None:
        contributions = attacker.contributions(document)
        self._person = person
        self._rows = [row_of(contributions, unit.words, attacker.n_people) for unit in units]
        self._fading = [-np.expm1(-row.values) for row in self._rows]
        self._own = np.array([self._own_of(unit) for unit in range(len(units))], dtype=np.float64)
        mask = document.unmasked()[None, :]
        self._scores: NDArray[np.float64] = attacker.scores(document, mask)[0]
        self._refresh()

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return c(u, person) + log Z(u), [units]."""
        gains = np.empty(len(units))
        for place, unit in enumerate(units):
            people = self._rows[unit].people
            weights = self._weights
            if len(people) < len(weights):
                weights = weights[people]
            # No matrix product: for so few numbers its threads cost more than they bring.
            remainder = self._total - float((weights * self._fading[unit]).sum())
            if remainder > _LEFT_AT_LEAST * self._total:
                log_z = self._height + float(np.log(remainder))
            else:
                scores = self._scores.copy()
                scores[people] -= self._rows[unit].values
                scores[self._person] = -np.inf
                log_z = log_sum(scores)
            gains[place] = self._own[unit] + log_z
        return gains

    def height(self) -> float:
        """Return S(person)."""
        return float(self._scores[self._person])

    def log_odds(self) -> float:
        """Return the log-odds of the person as it stands."""
        return self.height() - self._height - float(np.log(self._total))

    def bounds(self) -> NDArray[np.float64]:
        """Return c(u, person) + log Z: no unit adds less than nothing to anybody."""
        return self._own + self._height + float(np.log(self._total))

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        people, values = self._rows[unit]
        self._scores[people] -= values
        self._refresh()

    def unmask(self, unit: int) -> None:
        """Take the mask of a unit back."""
        people, values = self._rows[unit]
        self._scores[people] += values
        self._refresh()

    def rank(self) -> int:
        """Return the rank of the person, from 1."""
        return rank_of(self._scores, self._person)

    def scores(self) -> NDArray[np.float64]:
        """Return the log-odds of everybody up to a constant, [people]."""
        return self._scores.copy()

    def copy(self) -> AdditiveObjective:
        """Return an independent copy; constant parts are shared."""
        clone = object.__new__(AdditiveObjective)
        clone.__dict__.update(self.__dict__)
        clone._scores = self._scores.copy()
        clone._refresh()
        return clone

    def _refresh(self) -> None:
        rivals = self._scores.copy()
        rivals[self._person] = -np.inf
        self._height = float(rivals.max())
        self._weights = np.exp(rivals - self._height)
        self._total = float(self._weights.sum())

    def _own_of(self, unit: int) -> float:
        people, values = self._rows[unit]
        place = int(np.searchsorted(people, self._person))
        has_it = place < len(people) and people[place] == self._person
        return float(values[place]) if has_it else 0.0


def row_of(contributions: Contributions, words: Sequence[int], n_people: int) -> WordContribution:
    """Return the sum of the contributions of words, given by their places, with repetitions."""
    places, counts = np.unique(contributions.word_rows[list(words)], return_counts=True)
    if len(places) == 1:
        people, values = contributions.rows[places[0]]
        return WordContribution(people, counts[0] * values)
    sums = np.zeros(n_people)
    for place, count in zip(places, counts, strict=True):
        row = contributions.rows[place]
        sums[row.people] += count * row.values
    people = np.flatnonzero(sums).astype(np.int32)
    return WordContribution(people, sums[people])


# The game against several attackers: none of them may have the person among its first K.
#
# Values are added up over those that still have, so that a mask which helps against two is worth
# more; who is beaten already is asked again only whether it still is.


class EnsembleObjective:
    """Objective of masking against several attackers; see ``MaskingObjective``.

    Args:
        games: one an attacker, of the same document, person and units.
        k: the person must not be among the first K.
    """

    def __init__(self, games: Sequence[MaskingObjective], k: int) -> None:
        self._games = tuple(games)
        self._k = k
        self._count_open()

    @property
    def diminishing_returns(self) -> bool:
        """Whether old values are bounds; so long as the same attackers are open."""
        return all(game.diminishing_returns for game in self._games)

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
        gains = [self._games[n].values(units) for n in self._open]
        return np.sum(gains, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    def bounds(self) -> NDArray[np.float64]:
        """Return the sum of the open attackers' bounds, [units]."""
        bounds = [self._games[n].bounds() for n in self._open]
        return np.sum(bounds, axis=0, dtype=np.float64)  # type: ignore[no-any-return]

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
        """Return the best rank of the person, from 1, over all attackers."""
        return min(game.rank() for game in self._games)

    def copy(self) -> EnsembleObjective:
        """Return an independent copy."""
        return EnsembleObjective([game.copy() for game in self._games], self._k)

    def _count_open(self) -> None:
        ranks = [game.rank() for game in self._games]
        indices = tuple(n for n, rank in enumerate(ranks) if rank <= self._k)
        # When all are beaten nothing is searched for; values are then those of all.
        self._open = indices or tuple(range(len(ranks)))


# The game against any attacker: masked variants of the document in batches, scored from scratch.
#
# An encoder's probability may rise when a word less confuses it no more, so nothing is known of a
# value before it is asked for.


BATCH: Final = 64
"""Variants asked for at once."""


class BlackBoxObjective:
    """Objective of masking against one attacker; see ``MaskingObjective``.

    Args:
        attacker: the attacker.
        document: the document.
        person: number of the person to hide.
        units: the units to choose from.
        batch: number of variants in one call of the attacker.
    """

    diminishing_returns = False
    epoch: tuple[int, ...] = ()

    def __init__(
        self,
        attacker: Attacker,
        document: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
        batch: int = BATCH,
    ) -> None:
        self._attacker = attacker
        self._document = document
        self._person = person
        self._units = units
        self._batch = batch
        self._mask = document.unmasked()

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the log-odds of the person if each unit were masked too, [units]."""
        gains = []
        for first in range(0, len(units), self._batch):
            part = units[first : first + self._batch]
            masks = np.repeat(self._mask[None, :], len(part), axis=0)
            for variant, unit in enumerate(part):
                masks[variant, list(self._units[unit].words)] = True
            gains += [
                self._value(scores) for scores in self._attacker.scores(self._document, masks)
            ]
        return np.array(gains)

    def height(self) -> float:
        """Return 0: values are the log-odds, negated."""
        return 0.0

    def log_odds(self) -> float:
        """Return the log-odds of the person as it stands."""
        (scores,) = self._attacker.scores(self._document, self._mask[None, :])
        return -self._value(scores)

    def bounds(self) -> NDArray[np.float64]:
        """Return infinity: nothing is known."""
        return np.full(len(self._units), np.inf)

    def mask(self, unit: int) -> None:
        """Mask a unit."""
        self._mask[list(self._units[unit].words)] = True

    def unmask(self, unit: int) -> None:
        """Take the mask of a unit back."""
        self._mask[list(self._units[unit].words)] = False

    def rank(self) -> int:
        """Return the rank of the person, from 1."""
        (scores,) = self._attacker.scores(self._document, self._mask[None, :])
        return rank_of(scores, self._person)

    def copy(self) -> BlackBoxObjective:
        """Return an independent copy."""
        clone = BlackBoxObjective(
            self._attacker, self._document, self._person, self._units, self._batch
        )
        clone._mask = self._mask.copy()
        return clone

    def _value(self, scores: NDArray[np.float64]) -> float:
        rivals = np.delete(scores, self._person)
        return log_sum(rivals) - float(scores[self._person])


# The game against an attacker with an encoder: few variants, few rivals, and the rank from everybody.
#
# Two things are left out of what ``BlackBoxObjective`` does. Who is far behind has no part in the log-odds, so values
# are reckoned against the likeliest rivals. And a unit is looked at again only if its last gain, which
# is how far it lowered the log-odds, could make it the best: gains may rise here, unlike with additive
# attackers, so what is found is nearly always, not always, what looking at all would find.


RIVALS: Final = 512
"""The likeliest people as it stands; beyond them hardly any probability is left."""
_AT_ONCE: Final = 8


class EncoderObjective:
    """Objective of masking against one attacker; see ``MaskingObjective``.

    Args:
        attacker: the attacker.
        document: the document.
        person: number of the person to hide.
        units: the units to choose from.
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
        """Return minus the log-odds of the person with each unit masked too, [units].

        A unit whose last gain is too small to be the best keeps the value by that gain.
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
        """Return an independent copy; constant parts are shared."""
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
