"""*Suppress*: a black box, of the same length whatever it hides."""

from __future__ import annotations

from ...document import Document, Entity, Span

MASK = "***"


class Suppress:
    """Writes ``***``."""

    joins = True
    by_string = False
    divides = False

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return ``***``: neither length nor identity of what was there shows."""
        return MASK
