"""Linking and traversal by the paper's rules, for an ontology with only Wikidata's triples.

Olstad et al., sections 3.2.1 and 3.2.2: a string is linked to the term it equals; otherwise to the
shortest term that contains it as whole words; otherwise to the nearest term at an edit distance
below 15 % of its length. From there, classes are followed up to the top. Types and context aren't
used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import ceil

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from ...document import SemanticType
from ...text.normal_form import name_key
from ..generalize.candidates import Generalisation
from .knowledge import KnowledgeBase
from .linking import Link
from .store import SHARE, TYPES, names_it


class MembershipOntology(KnowledgeBase):
    """An ontology of terms with one class each, which in turn has one."""

    @cached_property
    def _terms(self) -> list[str]:
        return [name for name, _ in self.store.names()]

    @cached_property
    def _joined(self) -> str:
        return "".join(f"\n {term} " for term in self._terms) + "\n"

    @cached_property
    def _tops(self) -> frozenset[str]:
        return frozenset(name_key(item.text) for item in self.store.classes if not item.parents)

    def link(self, text: str, type: SemanticType, context: str = "") -> Link | None:
        """Return the link of a string by its term alone, or None if there is no similar term."""
        del type, context
        key = name_key(text)
        if not key or (key in self._tops and not self.store.find(key)):
            return None  # nothing is above it
        steps: Mapping[str, Callable[[str], str]] = {
            "exact": str,
            "contained": self._containing,
            "approximate": self._nearest,
        }
        for step, term in steps.items():
            if senses := self.store.find(name := term(key)):
                return Link(step, (name,), frozenset(senses[0].classes), sum(TYPES.values()))
        return None

    def lookup(
        self, text: str, type: SemanticType, context: str = ""
    ) -> tuple[Generalisation, ...]:
        """Return the classes of the term, step by step up to the top, or none if nothing is linked."""
        link = self.link(text, type, context)
        steps: dict[int, Generalisation] = {}
        ids = tuple(link.classes) if link else ()
        least = 1.0
        while link and ids and ids[0] not in steps:
            concept = self.store.classes[ids[0]]
            # A step up never fits fewer things, so the options stay in order.
            least = max(least, float(concept.population))
            steps[ids[0]] = Generalisation(concept.text, f"ontology:{concept.source}", least)
            ids = concept.parents
        names = (text, *(link.names if link else ()))
        return tuple(step for step in steps.values() if not names_it(step.text, names))

    def _containing(self, key: str) -> str:
        """Return the shortest term that contains the words of ``key`` (the alphabetically first one), or nothing."""
        terms: list[str] = []
        place = self._joined.find(f" {key} ")
        while place >= 0:
            start, end = self._joined.rfind("\n", 0, place + 1), self._joined.find("\n", place)
            terms.append(self._joined[start + 2 : end - 1])
            place = self._joined.find(f" {key} ", end)
        return min(terms, key=lambda term: (len(term), term), default="")

    def _nearest(self, key: str) -> str:
        """Return the nearest term below the edit distance (the alphabetically first one), or nothing."""
        edits = ceil(len(key) * SHARE) - 1
        hit = extractOne(key, self._terms, scorer=Levenshtein.distance, score_cutoff=edits)
        return hit[0] if edits > 0 and hit else ""
