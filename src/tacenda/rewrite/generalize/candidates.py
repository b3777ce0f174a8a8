"""Candidates of a rule, with the share kept and the risk, estimated by counting the things that fit.

Both estimates come from one count. Of the ``scope`` things that an entity of this kind can be, an
option leaves ``fitting`` possible (of the 73,049 days of two centuries, a decade leaves 3,653):

    risk = 1 / fitting
    kept = 0.1 + 0.9 · (1 − log fitting / log scope)

The 0.1 is for the kind of thing alone; the rest is the share of the bits. Things are counted as
precisely as they are written: in days, cents, whole units. The counts are of things, not of people:
a rule can't know how many people share a date.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from ...document import Document, Entity, Option, SemanticType
from ...text.normal_form import fold_text
from ..edits import MASK
from .nouns import plural

KIND_ALONE = 0.1
"""Share of the information that the kind of thing alone keeps."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An option that has no place among the others yet.

    Attributes:
        text: the words, without brackets and article.
        source: where it comes from.
        fitting: number of things that fit it, at least 1.
        scope: number of things of this kind, more than 1.
    """

    text: str = field(repr=False)
    source: str
    fitting: float
    scope: float

    @property
    def risk(self) -> float:
        """Residual risk in [0, 1]."""
        return 1 / max(self.fitting, 1.0)

    @property
    def kept(self) -> float:
        """Share of the information that is kept, in [0.1, 1]."""
        count = min(max(self.fitting, 1.0), self.scope)
        return KIND_ALONE + (1 - KIND_ALONE) * (1 - math.log(count) / math.log(self.scope))


# From the candidates of a rule to the options of an entity: none that gives it away, then ``***``.
#
# An option is dropped if it is a surface form of the entity or contains one as words, or if it has
# a capitalised word of the entity's name (for names only: "1994" may keep a word of "12 March
# 1994", "university in Oslo" must not keep one of "University of Oslo").


SUPPRESSION = "suppress"
"""Source of the last option."""
REVIEWER = "reviewer"
"""Source of a person's own words."""

_NAMES = frozenset(
    (SemanticType.LOC, SemanticType.ORG, SemanticType.DEM, SemanticType.MISC, SemanticType.CODE)
)
_WORD = re.compile(r"\w+")
_CAPITALISED = re.compile(r"[^\W\d_]\w{2,}")


def strings(document: Document, entity: Entity) -> tuple[str, ...]:
    """Return the distinct strings of the entity's mentions, in text order."""
    return tuple(dict.fromkeys(mention.span.of(document.text) for mention in entity.mentions))


def build_options(
    document: Document, entity: Entity, candidates: Iterable[Candidate]
) -> tuple[Option, ...]:
    """Return the options of an entity, from the most to the least specific, with ``***`` last."""
    originals = strings(document, entity)
    forms = [words(original) for original in originals]
    names = {
        word
        for original in originals
        for word in _CAPITALISED.findall(original)
        if entity.type in _NAMES and word[0].isupper()
    }
    options: list[Option] = []
    texts: set[str] = set()
    for candidate in sorted(candidates, key=lambda item: item.fitting):
        tokens = words(candidate.text)
        if candidate.text.casefold() in texts or any(contains(tokens, form) for form in forms):
            continue
        # "Demons" must not be written as [demons].
        if words(plural(candidate.text)) in forms:
            continue
        if names.intersection(_CAPITALISED.findall(candidate.text)):
            continue
        texts.add(candidate.text.casefold())
        options.append(
            Option(candidate.text, len(options), candidate.source, candidate.kept, candidate.risk)
        )
    return (*options, Option(MASK, len(options), SUPPRESSION, 0.0, 0.0))


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Return the case-folded words of a text, for comparison."""
    return tuple(_WORD.findall(fold_text(text)))


def contains(text: tuple[str, ...], form: tuple[str, ...]) -> bool:
    """Return whether the words ``form`` occur in ``text``, one right after another."""
    length = len(form)
    return (
        bool(form)
        and form[0] in text
        and any(text[start : start + length] == form for start in range(len(text) - length + 1))
    )


# The interface to world knowledge: classes of places, organizations and occupations.


@dataclass(frozen=True, slots=True)
class Generalisation:
    """A class that a thing belongs to.

    Attributes:
        text: the class in words, without article: ``city in Norway``.
        source: where it comes from, such as ``ontology:Q515``.
        population: number of things in the class, at least 1.
    """

    text: str
    source: str
    population: float


@dataclass(frozen=True, slots=True)
class Noun:
    """A common noun in a phrase.

    Attributes:
        text: the noun as written.
        kinds: names of its classes and of all classes above them.
        population: estimated number of things it fits.
    """

    text: str = field(repr=False)
    kinds: frozenset[str]
    population: float


class Ontology(Protocol):
    """A knowledge base of the things that strings name."""

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return the classes of the thing named ``text``, the narrowest first, or nothing if it is unknown.

        Args:
            text: the string as it occurs in the document.
            type: semantic type of the mention, which the thing must have.
            context: roughly the sentence around the mention, to tell things with the same name
                apart.
        """
        ...

    def describes(self, text: str) -> bool:
        """Return whether ``text`` is a noun or adjective that describes a person, or any noun if it is lowercase."""
        ...

    def above(self, name: str) -> frozenset[str]:
        """Return the names of a class and of all classes above it, or nothing if it isn't a class."""
        ...

    def nouns(self, text: str) -> tuple[Noun, ...]:
        """Return the common nouns in a phrase, in order, none inside another."""
        ...
