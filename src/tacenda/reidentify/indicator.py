"""An attacker as a risk indicator: how much surer an entity makes it of the person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..document import Document, Entity, Evidence, IdentifierType
from ..risk.indicator import Finding
from .attack import Attacker, Ranking
from .words import read_words

LEAST: Final = 0.01
"""An entity that makes the attacker surer by less is no finding."""


class AttackIndicator:
    """Judges entities by occlusion; see ``risk.indicator.Indicator``.

    Args:
        attacker: who knows something.
        person: number of the person the documents are about.
    """

    def __init__(self, attacker: Attacker, person: int) -> None:
        self._attacker = attacker
        self._person = person

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return for each entity by how much p(person) falls if all its mentions are masked.

        Entities are looked at one by one: of two that say the same, neither makes a difference.
        """
        words = read_words(document)
        spans = [[mention.span for mention in entity.mentions] for entity in entities]
        masks = np.array([words.unmasked(), *map(words.masked, spans)])
        scores = self._attacker.scores(words, masks)
        before, *after = (Ranking(row).probability(self._person) for row in scores)
        return [self._finding(before, without) for without in after]

    def _finding(self, before: float, without: float) -> Finding | None:
        if before - without < LEAST:
            return None
        name = self._attacker.name
        statement = f"{name} is {before:.0%} sure of the person, and {without:.0%} without it"
        return Finding(
            Evidence(f"attack:{name}", before - without, statement), IdentifierType.QUASI
        )
