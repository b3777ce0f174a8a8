"""What the shipped ontology says that an entity is, to check options against it."""

from __future__ import annotations

from ..document import Document, Entity
from ..models.ontology import ontology_file
from ..rewrite.generalize.classes import asked
from ..rewrite.ontology import KnowledgeBase
from ..rewrite.ontology.generalising import ancestors
from ..rewrite.ontology.store import Store


class LinkedClasses:
    """Follows the classes of a linked entity upwards, on its own.

    Args:
        store: the ontology.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.knowledge = KnowledgeBase(store)

    @classmethod
    def load(cls) -> LinkedClasses:
        """Return those of the shipped ontology.

        Raises:
            ModelError: if it is missing, damaged or of another version.
        """
        return cls(Store(ontology_file()))

    def above(self, document: Document, entity: Entity) -> frozenset[str] | None:
        """Return the sources of the classes that are true of an entity; None if it isn't linked."""
        link = self.knowledge.link(*asked(document, entity))
        if link is None:
            return None
        sources = (self._store.classes[id].source for id in ancestors(self._store, link.classes))
        return frozenset(each if ":" in each else f"ontology:{each}" for each in sources)
