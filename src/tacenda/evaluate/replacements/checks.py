"""Is every option true, and is none of them the thing itself?

| figure | over | counted as a fault |
|---|---|---|
| naming | all options but ``***`` | it is a mention of its entity, or has one in it, as words |
| untrue | options of the ontology, where the entity is linked | its class is not above what is linked |

The second is a check of the ontology with itself: that the link is right, only people can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...document import Document, Entity, Option
from ...text.folding import fold_text
from ..replacement_gold import ReplacedSpan
from .coverage import Offer

Above = Callable[[Document, Entity], frozenset[str] | None]
"""Returns the sources of all classes above what an entity is linked to; None if it isn't linked."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class OptionFaults:
    """Faults among the options of all spans, each entity once.

    Attributes:
        options: options but ``***``.
        naming: of those, the ones that name their entity.
        linked: options of classes of entities that are linked.
        untrue: of those, the ones whose class is not above the linked thing.
        places: of the faults: document, offsets of the first mention, number of the option.
    """

    options: int
    naming: int
    linked: int
    untrue: int
    places: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the part ``faults`` of ``tacenda evaluate-replacements --json``."""
        return {
            "options": self.options,
            "naming": self.naming,
            "linked": self.linked,
            "untrue": self.untrue,
            "places": list(self.places),
        }


def find_faults(
    spans: Sequence[ReplacedSpan], offer: Offer, above: Above | None = None
) -> OptionFaults:
    """Check every option of every entity.

    Args:
        spans: the gold.
        offer: returns the options of an entity.
        above: what its ontology knows; without it nothing is linked.
    """
    options = naming = linked = untrue = 0
    places: list[str] = []
    entities = {(span.document.id, span.entity.id, span.entity.type): span for span in spans}
    for span in entities.values():
        first = span.entity.mentions[0].span
        known = above(span.document, span.entity) if above else None
        for option in offer(span.document, span.entity)[:-1]:
            options += 1
            named = _names(option, span.document, span.entity)
            # A head noun that is no class ("ontology:head") has nothing above it.
            rule = option.source.startswith("rule:") or option.source == "ontology:head"
            classed = known is not None and not rule
            false = classed and option.source not in (known or ())
            naming += named
            linked += classed
            untrue += false
            if named or false:
                places.append(f"{span.document.id} {first.start}-{first.end} {option.level + 1}")
    return OptionFaults(options, naming, linked, untrue, tuple(places))


def _names(option: Option, document: Document, entity: Entity) -> bool:
    said = f" {_plain(option.text)} "
    forms = {_plain(mention.span.of(document.text)) for mention in entity.mentions}
    return any(f" {form} " in said for form in forms if form)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(fold_text(text)))
