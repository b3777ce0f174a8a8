"""*Tag*: type and number, so that a reader can follow who is who within the document."""

from __future__ import annotations

from ...document import Document, Entity, Span


class Tag:
    """Writes ``[PERSON 1]``, the same for all mentions of an entity."""

    joins = False
    by_string = False
    divides = False

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the entity's type and its number among the document's entities of that type."""
        return f"[{entity.type} {entity.number}]"
