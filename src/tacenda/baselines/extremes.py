"""The two ends of the scale: mask everything, mask nothing."""

from __future__ import annotations

from ..document import Document, Span


class Everything:
    """Masks the whole text: all recalls are 1, and precision is the share of what must go."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return one span over all of the text; none where there is no text."""
        return (Span(0, len(document.text)),) if document.text else ()


class Nothing:
    """Masks nothing: recalls show what counts as masked anyway, the closed-class words."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return no span."""
        return ()
