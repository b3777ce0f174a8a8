"""The protocol of an operator."""

from __future__ import annotations

from typing import Protocol

from ...document import Document, Entity


class Operator(Protocol):
    """Writes something instead of the mentions of an entity."""

    @property
    def joins(self) -> bool:
        """Whether neighbouring edits by this operator become one."""
        ...

    def write(self, document: Document, entity: Entity) -> str:
        """Return what stands in the place of each mention of ``entity``."""
        ...
