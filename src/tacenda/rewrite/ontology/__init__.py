"""The ontology for generalizations: classes of places, organizations, occupations and others.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section
3.2. It is compiled by a recipe of ``tacenda-lab`` and lies in ``models/ontology-en``.

    knowledge  what the rules of *generalize* ask
    linking   from a string to classes: exact, contained, approximate, head noun, the sentence
    heads     nouns in a name that tell its class
    senses    which sense of a name is meant
    context   nouns that the sentence uses for a name
    membership  linking and traversal by the paper's rules, for Wikidata's triples alone
    store     the file, its classes and the senses of names
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...models.tables import DEFAULT_ONTOLOGY, ontology_file
from .knowledge import KnowledgeBase
from .membership import MembershipOntology
from .store import OntologyStore

__all__ = ["KnowledgeBase", "MembershipOntology"]


@cache
def open_ontology(source: str | Path | None = None) -> KnowledgeBase:
    """Return the ontology of a name or in a folder, the shipped one for None, with the rules that it was built for; read once.

    Raises:
        ModelError: if it is missing, damaged or of another version.
    """
    store = OntologyStore(ontology_file(source or DEFAULT_ONTOLOGY))
    return MembershipOntology(store) if store.rules == "paper" else KnowledgeBase(store)


def shipped() -> KnowledgeBase:
    """Return the shipped ontology, read at the first call.

    Raises:
        ModelError: if it is missing or damaged.
    """
    return open_ontology()
