"""Entities to be written otherwise until no attacker has the person among its first K.

What decides is the text as it will be released: ``ranks`` reads that. What a change is worth may
be reckoned faster (``edit_readers``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ..attack.additive import AdditiveAttacker
from ..attack.attacker import Attacker
from ..attack.encoder import BiEncoder
from ..attack.joint import Joint
from ..words import WordedDocument, read_words
from .edit_readers import AdditiveReader, AskedReader, Change, EditReader
from .encoder_reader import EncoderReader
from .offers import KEPT, Offer, Write

_TEXTS_KEPT = 256


class EditGame:
    """Attackers, a document, a person, and what is written of its entities as it stands.

    Args:
        attackers: at least one.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
        write: returns the text of levels.
        k: the first K ranks that the person must not have.

    Attributes:
        offers: what may be written.
        levels: of each offer; all kept at first.
        hidden: whether no attacker has the person among its first K.
    """

    def __init__(
        self,
        attackers: Sequence[Attacker],
        document: WordedDocument,
        person: int,
        offers: Sequence[Offer],
        write: Write,
        k: int,
    ) -> None:
        id = document.document.id

        @lru_cache(maxsize=_TEXTS_KEPT)
        def read(levels: tuple[int, ...]) -> WordedDocument:
            return read_words(Document(id, write(levels)))

        self.offers = tuple(offers)
        self._attackers = tuple(attackers)
        self._person = person
        self._read = read
        self._k = k
        self._readers = [_reader(each, document, person, offers, read) for each in attackers]
        self._become([KEPT] * len(offers))

    def set(self, offer: int, level: int) -> None:
        """Write something else of an entity."""
        levels = list(self.levels)
        levels[offer] = level
        self._become(levels)

    def further(self) -> list[Change]:
        """Return all changes to something less specific."""
        return [
            (number, level)
            for number, offer in enumerate(self.offers)
            for level in range(self.levels[number] + 1, len(offer.texts))
        ]

    def falls(self, changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return how far the log-odds would fall by each change, [changes].

        Summed over the attackers that have the person among their first K; over all where none has.
        """
        open_ = [
            reader
            for reader, rank in zip(self._readers, self._ranks, strict=True)
            if rank <= self._k
        ] or self._readers
        found = np.zeros(len(changes))
        for reader in open_:
            found += reader.log_odds(self.levels) - reader.after(self.levels, changes)
        return found

    def lost(self, change: Change) -> float:
        """Return the information that a change loses, in nats."""
        number, level = change
        offer = self.offers[number]
        return offer.lost(level) - offer.lost(self.levels[number])

    def _become(self, levels: Sequence[int]) -> None:
        self.levels = tuple(levels)
        words = self._read(self.levels)
        self._ranks = [each.rank(words).rank(self._person) for each in self._attackers]
        self.hidden = min(self._ranks) > self._k


def _reader(
    attacker: Attacker,
    document: WordedDocument,
    person: int,
    offers: Sequence[Offer],
    read: Callable[[tuple[int, ...]], WordedDocument],
) -> EditReader:
    """Return the reader for an attacker, a fast one where there is one."""
    if isinstance(attacker, AdditiveAttacker):
        return AdditiveReader(attacker, document, person, offers)
    if isinstance(attacker, BiEncoder | Joint):
        return EncoderReader(attacker, document, person, offers, read)
    return AskedReader(attacker, person, read)
