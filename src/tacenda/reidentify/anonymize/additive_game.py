"""The game against an additive attacker: one state, and a unit's value from those it touches.

With S the scores and c(u) what a unit adds, log-odds after masking u are

    S(person) − c(u, person) − log Z(u),    Z(u) = Σ over others y of exp(S(y) − c(u, y))

so value(u) = c(u, person) + log Z(u). Scores only fall, hence Z(u) and the value: what was computed
before other units were masked is an upper bound. Z(u) differs from Z in the people who have a word
of u, a short list; where nearly all of Z goes, what is left is summed anew, since a small
difference of large sums has no digits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..attack.additive import AdditiveAttacker, Contributions, Row
from ..attack.ranking import log_sum, rank_of
from ..words import WordedDocument
from .units import Unit

_LEFT_AT_LEAST = 1e-6
"""Share of Z that must be left for a difference to be trusted; it then has ten digits."""


class AdditiveGame:
    """The game; see ``Game``.

    Args:
        attacker: whose probabilities count.
        document: the document.
        person: number of the person to hide.
        units: what can be masked.
    """

    values_fall = True
    epoch: tuple[int, ...] = ()

    def __init__(
        self,
        attacker: AdditiveAttacker,
        document: WordedDocument,
        person: int,
        units: Sequence[Unit],
    ) -> None:
        found = attacker.contributions(document)
        self._person = person
        self._rows = [row_of(found, unit.words, attacker.n_people) for unit in units]
        self._fading = [-np.expm1(-row.values) for row in self._rows]
        self._own = np.array([self._own_of(unit) for unit in range(len(units))], dtype=np.float64)
        whole = document.unmasked()[None, :]
        self._scores: NDArray[np.float64] = attacker.scores(document, whole)[0]
        self._refresh()

    def values(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return c(u, person) + log Z(u), [units]."""
        found = np.empty(len(units))
        for place, unit in enumerate(units):
            people = self._rows[unit].people
            weights = self._weights
            if len(people) < len(weights):
                weights = weights[people]
            # No matrix product: for so few numbers its threads cost more than they bring.
            left = self._total - float((weights * self._fading[unit]).sum())
            if left > _LEFT_AT_LEAST * self._total:
                log_z = self._height + float(np.log(left))
            else:
                scores = self._scores.copy()
                scores[people] -= self._rows[unit].values
                scores[self._person] = -np.inf
                log_z = log_sum(scores)
            found[place] = self._own[unit] + log_z
        return found

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

    def copy(self) -> AdditiveGame:
        """Return a game that goes on from here by itself; what never changes is shared."""
        other = object.__new__(AdditiveGame)
        other.__dict__.update(self.__dict__)
        other._scores = self._scores.copy()
        other._refresh()
        return other

    def _refresh(self) -> None:
        others = self._scores.copy()
        others[self._person] = -np.inf
        self._height = float(others.max())
        self._weights = np.exp(others - self._height)
        self._total = float(self._weights.sum())

    def _own_of(self, unit: int) -> float:
        people, values = self._rows[unit]
        place = int(np.searchsorted(people, self._person))
        has_it = place < len(people) and people[place] == self._person
        return float(values[place]) if has_it else 0.0


def row_of(found: Contributions, words: Sequence[int], n_people: int) -> Row:
    """Return what words, by their places, add together, each as often as it stands there."""
    places, counts = np.unique(found.word_rows[list(words)], return_counts=True)
    if len(places) == 1:
        people, values = found.rows[places[0]]
        return Row(people, counts[0] * values)
    added = np.zeros(n_people)
    for place, count in zip(places, counts, strict=True):
        row = found.rows[place]
        added[row.people] += count * row.values
    people = np.flatnonzero(added).astype(np.int32)
    return Row(people, added[people])
