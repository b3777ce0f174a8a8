"""How many spans have an option, and the option that people chose (after Table 2).

| figure | over | counted |
|---|---|---|
| with option | all marked spans | something other than ``***`` is offered |
| chosen offered | spans where somebody chose another option than ``***`` | the one most of them chose is offered; of several, any |
| levels | all choices of all annotators | level of ours that was chosen, from 1 |

Options are compared without case and brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...document import Document, Entity, Option
from ..replacement_gold import ReplacedSpan, normal

SUPPRESSED = "***"
NOT_OFFERED = "not offered"

Offer = Callable[[Document, Entity], tuple[Option, ...]]
"""Returns the options of an entity, with ``***`` last."""


@dataclass(frozen=True, slots=True)
class TypeCoverage:
    """Counts of one semantic type, or of all.

    Attributes:
        spans: marked spans.
        with_option: of those, with an option other than ``***``.
        decided: spans for which somebody chose another option than ``***``.
        chosen_offered: of those, the chosen option is offered.
        levels: choices by the level of the same option of ours (``1``, ``2``, …), ``***`` or
            ``not offered``.
    """

    spans: int
    with_option: int
    decided: int
    chosen_offered: int
    levels: Counter[str]

    def as_json(self) -> dict[str, Any]:
        """Return counts and shares; a share is None over nothing."""
        return {
            "spans": self.spans,
            "with_option": self.with_option,
            "share_with_option": self.with_option / self.spans if self.spans else None,
            "decided": self.decided,
            "chosen_offered": self.chosen_offered,
            "share_chosen_offered": self.chosen_offered / self.decided if self.decided else None,
            "levels": dict(sorted(self.levels.items())),
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of all spans, and by semantic type in alphabetical order."""

    total: TypeCoverage
    by_type: dict[str, TypeCoverage]

    def as_json(self) -> dict[str, Any]:
        """Return what ``tacenda evaluate-replacements --json`` prints; a stable form."""
        return self.total.as_json() | {
            "by_type": {type: part.as_json() for type, part in self.by_type.items()}
        }


def measure_coverage(spans: Sequence[ReplacedSpan], offer: Offer) -> Coverage:
    """Compute how far what ``offer`` returns covers what people chose.

    Args:
        spans: the gold.
        offer: returns the options of an entity.
    """
    types = sorted({str(span.entity.type) for span in spans})
    return Coverage(
        _measure(spans, offer),
        {
            type: _measure([span for span in spans if span.entity.type == type], offer)
            for type in types
        },
    )


def _measure(spans: Sequence[ReplacedSpan], offer: Offer) -> TypeCoverage:
    with_option = decided = chosen_offered = 0
    levels: Counter[str] = Counter()
    for span in spans:
        options = offer(span.document, span.entity)
        offered = {normal(option.text): option.level + 1 for option in options[:-1]}
        with_option += bool(offered)
        votes: Counter[str] = Counter()
        for text, annotators in span.chosen.items():
            chosen = normal(text)
            level = str(offered.get(chosen, NOT_OFFERED))
            levels[SUPPRESSED if chosen == SUPPRESSED else level] += len(annotators)
            if chosen != SUPPRESSED:
                votes[chosen] += len(annotators)
        if votes:
            decided += 1
            most = max(votes.values())
            chosen_offered += any(votes[text] == most for text in votes.keys() & offered.keys())
    return TypeCoverage(len(spans), with_option, decided, chosen_offered, levels)
