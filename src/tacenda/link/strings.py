"""A distinct string among the mentions of a document."""

from __future__ import annotations

from dataclasses import dataclass

from ..document import Mention, SemanticType


@dataclass(frozen=True, slots=True)
class NamedString:
    """Mentions with equal strings.

    Attributes:
        key: their normalised string.
        type: that of the most certain of them.
        positions: which mentions of the document they are, ascending.
        mentions: they themselves, in the same order.
    """

    key: str
    type: SemanticType
    positions: tuple[int, ...]
    mentions: tuple[Mention, ...]

    @property
    def start(self) -> int:
        """Where the first of them begins in the text."""
        return self.mentions[0].span.start
