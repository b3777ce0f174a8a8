"""The protocol of a rule, and which rule is for which type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...document import Document, Entity, Option, SemanticType
from .classes import Classes
from .code import Code
from .dates import Dates
from .ontology import Ontology
from .person import Person
from .quantity import Quantity


class Rule(Protocol):
    """Finds what may be written instead of an entity."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return true options from the most to the least specific; the last is ``***``."""
        ...


def rules(ontology: Ontology | None = None) -> Mapping[SemanticType, Rule]:
    """Return the rule of each semantic type."""
    classes = Classes(ontology)
    return {
        SemanticType.PERSON: Person(),
        SemanticType.CODE: Code(),
        SemanticType.DATETIME: Dates(),
        SemanticType.QUANTITY: Quantity(),
        SemanticType.LOC: classes,
        SemanticType.ORG: classes,
        SemanticType.DEM: classes,
        SemanticType.MISC: classes,
    }
