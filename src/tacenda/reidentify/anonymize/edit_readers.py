"""How sure an attacker would be of the person if something else were written of an entity.

Additive attackers are asked incrementally: with S the scores at some levels, what the entity says
now is subtracted and what it would say is added, for the few people who have those words. Others read
the whole text anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ..attack.additive import AdditiveAttacker, Row
from ..attack.attacker import Attacker
from ..attack.ranking import log_sum
from ..words import WordedDocument, read_words
from .additive_game import row_of
from .offers import KEPT, Offer

_LEFT_AT_LEAST: Final = 1e-6
"""Share of a sum that must be left for a difference to be trusted; it then has ten digits."""
_HIGHEST: Final = 500.0
"""How far a score may be above the highest one before, so that its exponential is finite."""

Change = tuple[int, int]
"""The number of an offer, and the level that it would be at."""


class EditReader(Protocol):
    """An attacker, a document, a person, and what may be written of entities."""

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        ...

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        ...


class AskedReader:
    """Any attacker, who reads every text; see ``EditReader``.

    Args:
        attacker: who reads.
        person: number of the person to hide.
        read: returns the document at some levels.
    """

    def __init__(
        self, attacker: Attacker, person: int, read: Callable[[tuple[int, ...]], WordedDocument]
    ) -> None:
        self._attacker = attacker
        self._person = person
        self._read = read

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        return log_odds_of(self._attacker.rank(self._read(tuple(levels))).scores, self._person)

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        return np.array([self.log_odds(changed(levels, change)) for change in changes])


class AdditiveReader:
    """An additive attacker; see ``EditReader``.

    What is written is taken for the words of the option at each mention. The text itself may have
    a word less, where neighbours are joined; nothing that decides rests on that.

    Args:
        attacker: who reads.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
    """

    def __init__(
        self,
        attacker: AdditiveAttacker,
        document: WordedDocument,
        person: int,
        offers: Sequence[Offer],
    ) -> None:
        found = attacker.contributions(document)
        entities = document.unmasked()
        for offer in offers:
            entities[list(offer.words)] = True
        self._rest: NDArray[np.float64] = attacker.scores(document, entities[None, :])[0]
        self._person = person
        self._says = [
            {KEPT: row_of(found, offer.words, attacker.n_people)}
            | {level: _says(attacker, offer, text) for level, text in enumerate(offer.texts)}
            for offer in offers
        ]

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        return log_odds_of(self._scores(levels), self._person)

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        scores = self._scores(levels)
        others = scores.copy()
        others[self._person] = -np.inf
        height = float(others.max())
        weights = np.exp(others - height)
        total = float(weights.sum())
        found = np.empty(len(changes))
        for place, (offer, level) in enumerate(changes):
            row = _difference(self._says[offer][levels[offer]], self._says[offer][level])
            own = row.people == self._person
            those = scores[row.people] + row.values
            risen = np.where(own, -np.inf, those - height)
            if len(risen) and risen.max() > _HIGHEST:
                left = 0.0
            else:
                left = total - float(weights[row.people].sum()) + float(np.exp(risen).sum())
            if left > _LEFT_AT_LEAST * total:
                own_score = float(scores[self._person] + row.values[own].sum())
                found[place] = own_score - height - float(np.log(left))
            else:
                anew = scores.copy()
                anew[row.people] = those
                found[place] = log_odds_of(anew, self._person)
        return found

    def _scores(self, levels: Sequence[int]) -> NDArray[np.float64]:
        scores = self._rest.copy()
        for says, level in zip(self._says, levels, strict=True):
            people, values = says[level]
            scores[people] += values
        return scores


def _says(attacker: AdditiveAttacker, offer: Offer, text: str) -> Row:
    words = read_words(Document("option", text))
    row = row_of(attacker.contributions(words), range(len(words)), attacker.n_people)
    return Row(row.people, offer.mentions * row.values)


def _difference(before: Row, after: Row) -> Row:
    """Return what changes, for people in order, each once."""
    people, places = np.unique(np.concatenate([before.people, after.people]), return_inverse=True)
    values = np.concatenate([-before.values, after.values])
    summed = np.bincount(places, weights=values, minlength=len(people)).astype(np.float64)
    return Row(people, summed)


def changed(levels: Sequence[int], change: Change) -> tuple[int, ...]:
    """Return the levels after a change."""
    number, level = change
    return (*levels[:number], level, *levels[number + 1 :])


def log_odds_of(scores: NDArray[np.float64], person: int) -> float:
    """Return the log-odds of a person, from those of everybody up to a constant, [people]."""
    return float(scores[person]) - log_sum(np.delete(scores, person))
