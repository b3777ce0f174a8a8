"""What a place, an organisation, an occupation is: the ontology of generalisations.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section
3.2. It is compiled by ``training/ontology`` and lies in ``models/ontology-en``.

    knowledge      KnowledgeBase: what the rules of generalize ask
    linking        from a string to classes: exact, contained, approximate, head noun
    senses         which of several things of one name
    generalising   what may be written: everything above, nothing that names it
    apposition     what the sentence says
    heads, approximate, signatures, keys      parts of these
    store, format, types                      the file
    live           Wikidata itself, only if asked for
"""

from __future__ import annotations

from functools import cache

from .knowledge import KnowledgeBase
from .linking import Link

__all__ = ["KnowledgeBase", "Link", "shipped"]


@cache
def shipped() -> KnowledgeBase:
    """Return the ontology that is shipped, read when it is first asked for.

    Raises:
        ModelError: if it is missing or damaged.
    """
    return KnowledgeBase.load()
