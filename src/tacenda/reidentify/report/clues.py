"""What gave the person away, by occlusion: how far the log-odds fall without a word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...document import Span
from ..anonymize.anonymize import make_game
from ..anonymize.units import word_units
from ..attack.attacker import Attacker
from ..words import WordedDocument


@dataclass(frozen=True, slots=True)
class Clue:
    """A word that speaks for the person.

    Attributes:
        spans: all its occurrences.
        weight: how far the person's log-odds fall without it, in nats; above 0.
    """

    spans: tuple[Span, ...]
    weight: float


def clues(
    attacker: Attacker, document: WordedDocument, person: int, count: int
) -> tuple[Clue, ...]:
    """Return the words without which the person is least probable, the weightiest first."""
    units = word_units(document)
    if not units or not count or attacker.n_people < 2:
        return ()
    game = make_game(attacker, document, person, units)
    falls = game.log_odds() - (game.height() - game.values(range(len(units))))
    order = np.argsort(-falls, kind="stable")[:count]
    return tuple(
        Clue(tuple(document.spans[word] for word in units[n].words), float(falls[n]))
        for n in order
        if falls[n] > 0
    )
