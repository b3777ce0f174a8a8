"""The protocol of an operator."""

from __future__ import annotations

from typing import Protocol

from ...document import Document, Entity, Span


class Operator(Protocol):
    """Writes something instead of the mentions of an entity."""

    @property
    def joins(self) -> bool:
        """Whether neighbouring edits by this operator become one."""
        ...

    @property
    def by_string(self) -> bool:
        """Whether what it writes depends on the string that is replaced, not on the entity alone."""
        ...

    @property
    def divides(self) -> bool:
        """Whether each line of a string that is wrapped gets a text of its own."""
        ...

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return what stands in the place of ``span``, which names ``entity``."""
        ...
