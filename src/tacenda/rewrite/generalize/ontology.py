"""The hook for knowledge of the world: what a place, an organisation or an occupation is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...document import SemanticType


@dataclass(frozen=True, slots=True)
class Generalisation:
    """A class that a thing is of.

    Attributes:
        text: the class in words, without article: ``city in Norway``.
        source: where that is from, such as ``ontology:Q515``.
        population: how many things are of the class, at least 1.
    """

    text: str
    source: str
    population: float


class Ontology(Protocol):
    """Knows what a string names."""

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return the classes of what ``text`` names, the narrowest first; none if it is unknown.

        Args:
            text: the string as it stands in the document.
            type: semantic type of the mention; what is found must be of it.
            context: the sentence or so around the mention, to tell things of one name apart.
        """
        ...
