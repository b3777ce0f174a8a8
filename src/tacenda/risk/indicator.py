"""The protocols of risk indicators: of those that judge entities, and those that judge them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..document import Combination, Document, Entity, Evidence, IdentifierType


@dataclass(frozen=True, slots=True)
class Finding:
    """What one indicator says of one entity: the evidence, and the identifier type it implies."""

    evidence: Evidence
    identifier: IdentifierType


class Indicator(Protocol):
    """Judges the entities of a document."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding an entity, in order; None where there is nothing to say."""
        ...


@runtime_checkable
class CombinationIndicator(Protocol):
    """Finds the entities that point to the person when they are left together."""

    def combinations(self, document: Document, entities: Sequence[Entity]) -> Sequence[Combination]:
        """Return the risky combinations, no one a superset of another."""
        ...
