"""PERSON: ``PERSON 1``, the same for all mentions of one person (Olstad et al., section 3.1)."""

from __future__ import annotations

from ...document import Document, Entity, Option
from .candidate import Candidate
from .finishing import finish

_PEOPLE = 8e9
"""Anybody alive; the number tells only which mentions are of one person."""


class Person:
    """Writes the running number of a person within the document."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return ``PERSON N`` and ``***``."""
        candidate = Candidate(f"PERSON {entity.number}", "rule:person", _PEOPLE, _PEOPLE)
        return finish(document, entity, [candidate])
