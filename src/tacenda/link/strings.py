"""Disjoint sets of numbers, for grouping in near-linear time."""

from __future__ import annotations

from dataclasses import dataclass

from ..document import Mention, SemanticType


class Clusters:
    """Numbers ``0 … n-1``, each in a set of its own until joined."""

    def __init__(self, n: int) -> None:
        self._parents = list(range(n))

    def find(self, member: int) -> int:
        """The representative of the set of ``member``."""
        parents = self._parents
        while parents[member] != member:
            parents[member] = member = parents[parents[member]]
        return member

    def join(self, one: int, peer: int) -> None:
        """Make one set of the sets of both; the smaller number stands for it."""
        first, second = sorted((self.find(one), self.find(peer)))
        self._parents[second] = first


# A distinct string among the mentions of a document.


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
