"""From what a rule proposes to the options of an entity: none that gives it away, then ``***``.

An option is dropped if it is a surface form of the entity or contains one as words, or if it has
a capitalised word of the entity's name (for names only: "1994" may keep a word of "12 March
1994", "university in Oslo" must not keep one of "University of Oslo").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...document import Document, Entity, Option, SemanticType
from ...text.folding import fold_text
from ..operators.suppress import MASK
from .candidate import Candidate

SUPPRESSION = "suppress"
"""Source of the last option."""

_NAMES = frozenset(
    (SemanticType.LOC, SemanticType.ORG, SemanticType.DEM, SemanticType.MISC, SemanticType.CODE)
)
_WORD = re.compile(r"\w+")
_CAPITALISED = re.compile(r"[^\W\d_]\w{2,}")


def strings(document: Document, entity: Entity) -> tuple[str, ...]:
    """Return what the entity's mentions cover, once each, in order of the text."""
    return tuple(dict.fromkeys(mention.span.of(document.text) for mention in entity.mentions))


def finish(
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
    seen: set[str] = set()
    for candidate in sorted(candidates, key=lambda item: item.fitting):
        own = words(candidate.text)
        if candidate.text.casefold() in seen or any(contains(own, form) for form in forms):
            continue
        if names.intersection(_CAPITALISED.findall(candidate.text)):
            continue
        seen.add(candidate.text.casefold())
        options.append(
            Option(candidate.text, len(options), candidate.source, candidate.kept, candidate.risk)
        )
    return (*options, Option(MASK, len(options), SUPPRESSION, 0.0, 0.0))


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded, for comparison."""
    return tuple(_WORD.findall(fold_text(text)))


def contains(text: tuple[str, ...], form: tuple[str, ...]) -> bool:
    """Tell whether the words ``form`` stand one after another in ``text``."""
    length = len(form)
    return (
        bool(form)
        and form[0] in text
        and any(text[start : start + length] == form for start in range(len(text) - length + 1))
    )
