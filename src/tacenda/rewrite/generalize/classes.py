"""LOC, ORG, DEM, MISC: what an ontology knows, and what the string itself says it is.

``University of X`` is a university whoever X is. A word counts where names have it: at the end
("Elm Street"), or before "of" ("University of Oslo").
"""

from __future__ import annotations

import re

from ...document import Document, Entity, Option, SemanticType
from .ages import age_candidates
from .candidate import Candidate
from .class_words import KINDS, match_class
from .finishing import finish, strings
from .ontology import Ontology

THINGS = 1e9
"""Scope of things that have names."""
_CONTEXT = 200
_NAME = re.compile(r"[^\W_]{2}")


class Classes:
    """Writes the class of a thing.

    Args:
        ontology: knows what names stand for; None for what strings say alone.
    """

    def __init__(self, ontology: Ontology | None = None) -> None:
        self._ontology = ontology

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return the classes of the entity, the narrowest first, and ``***``."""
        candidates = self._known(document, entity)
        if not candidates and entity.type in (SemanticType.DEM, SemanticType.MISC):
            candidates += age_candidates(document, entity)
        candidates += _said(document, entity)
        return finish(document, entity, candidates)

    def _known(self, document: Document, entity: Entity) -> list[Candidate]:
        string, type, around = asked(document, entity)
        # A stray "'s" or initial names nothing.
        if self._ontology is None or not _NAME.search(string):
            return []
        found = self._ontology.lookup(string, type, around)
        return [Candidate(each.text, each.source, each.population, THINGS) for each in found]


def asked(document: Document, entity: Entity) -> tuple[str, SemanticType, str]:
    """Return what an ontology is asked about an entity: a string, its type, the text around it."""
    # The longest form says most of what it is.
    span = max(entity.mentions, key=lambda each: len(each.span)).span
    around = document.text[max(0, span.start - _CONTEXT) : span.end + _CONTEXT]
    return span.of(document.text), entity.type, around


def _said(document: Document, entity: Entity) -> list[Candidate]:
    kinds = {mention.kind for mention in entity.mentions} & KINDS.keys()
    found = [KINDS[kind] for kind in sorted(kinds)]
    found += [
        known for string in strings(document, entity) if (known := match_class(string, entity.type))
    ]
    # Two classes: one of the mentions is linked wrongly, or its words mislead.
    if len(set(found)) != 1:
        return []
    name, population = found[0]
    return [Candidate(name, "rule:class", population, THINGS)]
