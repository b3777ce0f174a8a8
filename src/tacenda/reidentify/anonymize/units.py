"""What is masked together: all occurrences of a word, or all mentions of an entity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...document import Entity
from ..stop_words import STOP_WORDS
from ..words import WordedDocument


@dataclass(frozen=True, slots=True)
class Unit:
    """Words of a document that are masked together.

    Attributes:
        words: their places in it, at least one.
        entity: id of the entity whose mentions they are; empty where they are of none.
    """

    words: tuple[int, ...]
    entity: str = ""


def word_units(document: WordedDocument) -> tuple[Unit, ...]:
    """Return a unit for each distinct word but stop words.

    One that is left standing elsewhere would not be masked at all, so all occurrences go.
    """
    places: dict[str, list[int]] = {}
    for place, key in enumerate(document.keys):
        if key not in STOP_WORDS:
            places.setdefault(key, []).append(place)
    return tuple(Unit(tuple(found)) for found in places.values())


def entity_units(document: WordedDocument, entities: Sequence[Entity]) -> tuple[Unit, ...]:
    """Return a unit for each entity that has a word: the words of all its mentions.

    A word that two mentions share goes with the entity that comes first.
    """
    taken = document.unmasked()
    units = []
    for entity in entities:
        inside = document.masked([mention.span for mention in entity.mentions])
        found = np.flatnonzero(inside & ~taken)
        taken |= inside
        if len(found):
            units.append(Unit(tuple(int(place) for place in found), entity.id))
    return tuple(units)


def mask_of(units: Sequence[Unit], chosen: Sequence[int], n_words: int) -> NDArray[np.bool_]:
    """Return which words are masked if some units are, [words]."""
    mask = np.zeros(n_words, dtype=bool)
    for number in chosen:
        mask[list(units[number].words)] = True
    return mask
