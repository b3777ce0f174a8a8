"""*Generalize*: something true and less specific, such as ``[date in the 1990s]``."""

from __future__ import annotations

from collections.abc import Mapping

from ...document import Document, Entity, Option, Span
from ..generalize.grammar import realise
from .suppress import MASK


class Generalize:
    """Writes the option that was chosen for an entity, as its sentence needs it.

    Args:
        choices: entity ids to what is said of them; other entities are suppressed.
        brackets: whether what is written stands in square brackets.
    """

    joins = False
    by_string = True
    divides = False

    def __init__(self, choices: Mapping[str, Option], brackets: bool) -> None:
        self._choices = choices
        self._brackets = brackets

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the entity's option in the grammar of the place."""
        option = self._choices.get(entity.id)
        if option is None:
            return MASK
        return realise(document.text, span, entity.type, option, self._brackets)
