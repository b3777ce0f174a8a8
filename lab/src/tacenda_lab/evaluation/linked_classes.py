"""Classes of entities in the shipped ontology, to check options against."""

from __future__ import annotations

from tacenda.document import Document, Entity
from tacenda.models.tables import ontology_file
from tacenda.rewrite.generalize.classes import class_query
from tacenda.rewrite.ontology import KnowledgeBase
from tacenda.rewrite.ontology.linking import Linker
from tacenda.rewrite.ontology.store import Store, ancestors


class LinkedClasses:
    """Follows the classes of a linked entity upwards, on its own.

    Args:
        store: the ontology.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._linker = Linker(store)
        self.knowledge = KnowledgeBase(store)

    @classmethod
    def load(cls) -> LinkedClasses:
        """Return those of the shipped ontology.

        Raises:
            ModelError: if it is missing, damaged or of another version.
        """
        return cls(Store(ontology_file()))

    def above(self, document: Document, entity: Entity) -> frozenset[str] | None:
        """Return the sources of all true classes of an entity; None if it isn't linked."""
        link = self.knowledge.link(*class_query(document, entity))
        if link is None:
            return None
        # The noun that a name is built around may be a class of its own.
        head = self._linker.class_named(link.head) if link.head else None
        below = link.classes if head is None else link.classes | {head}
        sources = (self._store.classes[id].source for id in ancestors(self._store, below))
        # Options of WordNet and registers are called with and without the prefix.
        return frozenset(name for source in sources for name in (source, f"ontology:{source}"))
