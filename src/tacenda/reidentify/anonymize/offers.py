"""What may be written of entities in place of what stands there, as the search of edits sees it.

A *level* says what is written of an entity: ``KEPT`` what stands there, 0 the most specific of its
options, the last one ``***``. An edit is a level; the levels of all entities give a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

KEPT: Final = -1

Write: TypeAlias = Callable[[Sequence[int]], str]
"""Returns the text that levels, one an entity, give."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An entity and its options.

    Attributes:
        words: places of its words in the document, at least one.
        mentions: how often it is mentioned, so how often an option would be written.
        texts: its options as they are written, the most specific first; ``***`` last.
        kept: share of its information that each option keeps, in [0, 1].
        information: of all its mentions, in nats.
    """

    words: tuple[int, ...]
    mentions: int
    texts: tuple[str, ...]
    kept: tuple[float, ...]
    information: float

    def lost(self, level: int) -> float:
        """Return the information that is lost at a level, in nats."""
        return 0.0 if level == KEPT else self.information * (1 - self.kept[level])
