"""Candidates of a rule, with share kept and risk, estimated by counting the things that fit.

Both estimates are from one count. Of the ``scope`` things an entity of the kind may be, an option
leaves ``fitting`` open (days of two centuries: a decade leaves 3,653 of 73,049):

    risk = 1 / fitting
    kept = 0.1 + 0.9 · (1 − log fitting / log scope)

The 0.1 is the share of the kind of thing alone; the rest is the share of the bits. The things are
counted at the grain of their writing: days, cents, whole units. The counts are of things and not of
people: a rule can't know how many people share a date.
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
    """An option before it has a place among the others.

    Attributes:
        text: the words, without brackets and article.
        source: where it is from.
        fitting: how many things fit it, at least 1.
        scope: how many things there are of the kind, more than 1.
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
        """Share of the information kept, in [0.1, 1]."""
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
    """Return the strings of the entity's mentions, once each, in order of the text."""
    return tuple(dict.fromkeys(mention.span.of(document.text) for mention in entity.mentions))


def build_options(
    document: Document, entity: Entity, candidates: Iterable[Candidate]
) -> tuple[Option, ...]:
    """Return the options of an entity, from the most to the least specific, ``***`` last."""
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
        # "Demons" are not to be written as [demons].
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
    """Return the words of a text, folded, for comparison."""
    return tuple(_WORD.findall(fold_text(text)))


def contains(text: tuple[str, ...], form: tuple[str, ...]) -> bool:
    """Return whether the words ``form`` stand one after another in ``text``."""
    length = len(form)
    return (
        bool(form)
        and form[0] in text
        and any(text[start : start + length] == form for start in range(len(text) - length + 1))
    )


# The hook for knowledge of the world: classes of places, organisations and occupations.


@dataclass(frozen=True, slots=True)
class Generalisation:
    """Class of a thing.

    Attributes:
        text: the class in words, without article: ``city in Norway``.
        source: its origin, such as ``ontology:Q515``.
        population: number of things of the class, at least 1.
    """

    text: str
    source: str
    population: float


@dataclass(frozen=True, slots=True)
class Noun:
    """A common noun in a phrase.

    Attributes:
        text: as it is written.
        kinds: names of its classes, with all that these are of.
        population: estimated number of things that it fits.
    """

    text: str = field(repr=False)
    kinds: frozenset[str]
    population: float


class Ontology(Protocol):
    """Knowledge base of the things that strings name."""

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return the classes of the thing named ``text``, the narrowest first; none if unknown.

        Args:
            text: the string as it stands in the document.
            type: semantic type of the mention; the thing must be of it.
            context: the sentence or so around the mention, to tell things of one name apart.
        """
        ...

    def describes(self, text: str) -> bool:
        """Return whether ``text`` is a noun or adjective for what a person is, or small, any noun."""
        ...

    def above(self, name: str) -> frozenset[str]:
        """Return the name of a class and those of all that it is of; none if it is not a class."""
        ...

    def nouns(self, text: str) -> tuple[Noun, ...]:
        """Return the common nouns in a phrase, in order, none within another."""
        ...
