"""The edits that lose least of those that hide the person: greedy search, then taking back.

As Algorithm 1 of Morris et al. (2022), with "write this option of that entity" in place of "mask this
word", and the fall of the log-odds for each nat of information in place of the fall alone: so an
entity is generalised before it is suppressed where that is enough. What an option adds can make
somebody else more probable, so old values are no bounds and every change is valued anew.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..attack.ranking import TIE
from .edit_game import EditGame
from .offers import KEPT

_LEAST_LOST: Final = 1e-3
"""Nats that any change counts as losing, so that one which loses nothing has a price too."""


def greedy_edits(game: EditGame) -> None:
    """Change the game's levels until the person is hidden, or all entities are suppressed.

    Where no change makes the person less probable, what harms least is suppressed: as with masks
    it may still help together with others.
    """
    while not game.hidden and (changes := game.further()):
        falls = game.falls(changes)
        if falls.max() > TIE:
            lost = np.array([max(game.lost(change), _LEAST_LOST) for change in changes])
            worth = np.where(falls > TIE, falls / lost, -np.inf)
        else:
            last = [level == len(game.offers[number].texts) - 1 for number, level in changes]
            worth = np.where(last, falls, -np.inf)
        game.set(*changes[int(np.argmax(worth >= worth.max() - TIE))])


def take_back(game: EditGame) -> None:
    """Write of each entity the most specific thing that still hides the person.

    Later edits can make earlier ones needless. Those that lose most are tried first.
    """
    if not game.hidden:
        return
    edited = [number for number, level in enumerate(game.levels) if level != KEPT]
    edited.sort(key=lambda number: -game.offers[number].lost(game.levels[number]))
    for number in edited:
        level = game.levels[number]
        for better in range(KEPT, level):
            game.set(number, better)
            if game.hidden:
                break
        else:
            game.set(number, level)
