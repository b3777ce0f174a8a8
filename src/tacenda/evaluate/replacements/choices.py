"""How far the option that is chosen automatically is the one that people chose.

| figure | over | counted |
|---|---|---|
| chosen by any | all marked spans | at least one annotator chose the same |
| chosen by most | all marked spans | no other option was chosen by more of them |
| share of annotators | all choices of all annotators | they are the same |
| level difference | choices that we offer too | our level less theirs, mean; ``***`` has the last level |

Options are compared without case and brackets. A positive difference is more general than people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...document import Document, Entity, Option
from ..replacement_gold import ReplacedSpan, normal
from .coverage import SUPPRESSED, Offer

Choose = Callable[[Document, Entity, tuple[Option, ...]], Option]
"""Returns the option of an entity that is written."""


@dataclass(frozen=True, slots=True)
class ChoiceCounts:
    """Counts of one semantic type, or of all.

    Attributes:
        spans: marked spans.
        any: of those, our choice is one annotator's.
        most: of those, it is what most annotators chose; of several such, any.
        suppressed: spans for which ours is ``***``.
        people_suppressed: spans for which ``***`` is what most annotators chose.
        choices: choices of annotators.
        same: of those, the same as ours.
        compared: of those, offered by us.
        difference: sum over these of our level less theirs.
    """

    spans: int
    any: int
    most: int
    suppressed: int
    people_suppressed: int
    choices: int
    same: int
    compared: int
    difference: int

    @property
    def mean_difference(self) -> float | None:
        """Mean of our level less theirs; None where nothing can be compared."""
        return self.difference / self.compared if self.compared else None

    def as_json(self) -> dict[str, Any]:
        """Return counts and shares; a share is None over nothing."""
        return {
            "spans": self.spans,
            "chosen_by_any": self.any,
            "share_chosen_by_any": _share(self.any, self.spans),
            "chosen_by_most": self.most,
            "share_chosen_by_most": _share(self.most, self.spans),
            "suppressed": self.suppressed,
            "people_suppressed": self.people_suppressed,
            "choices": self.choices,
            "share_of_annotators": _share(self.same, self.choices),
            "compared_levels": self.compared,
            "mean_level_difference": self.mean_difference,
        }


@dataclass(frozen=True, slots=True)
class ChoiceAgreement:
    """Agreement over all spans, and by semantic type in alphabetical order."""

    total: ChoiceCounts
    by_type: dict[str, ChoiceCounts]

    def as_json(self) -> dict[str, Any]:
        """Return the part ``choice`` of ``tacenda evaluate-replacements --json``."""
        return self.total.as_json() | {
            "by_type": {type: part.as_json() for type, part in self.by_type.items()}
        }


def measure_choices(spans: Sequence[ReplacedSpan], offer: Offer, choose: Choose) -> ChoiceAgreement:
    """Compute how far what ``choose`` takes of what ``offer`` returns is what people took.

    Args:
        spans: the gold.
        offer: returns the options of an entity.
        choose: returns one of them.
    """
    found = [(str(span.entity.type), _one(span, offer, choose)) for span in spans]
    types = sorted({type for type, _ in found})
    return ChoiceAgreement(
        _sum([counts for _, counts in found]),
        {type: _sum([counts for own, counts in found if own == type]) for type in types},
    )


def _one(span: ReplacedSpan, offer: Offer, choose: Choose) -> ChoiceCounts:
    options = offer(span.document, span.entity)
    ours = choose(span.document, span.entity, options)
    levels = {normal(option.text): option.level for option in options}
    votes = span.votes()
    most = max(votes.values(), default=0)
    text = normal(ours.text)
    compared = {other: n for other, n in votes.items() if other in levels}
    return ChoiceCounts(
        spans=1,
        any=int(text in votes),
        most=int(0 < votes[text] == most),
        suppressed=int(text == SUPPRESSED),
        people_suppressed=int(0 < votes[SUPPRESSED] == most),
        choices=votes.total(),
        same=votes[text],
        compared=sum(compared.values()),
        difference=sum((ours.level - levels[other]) * n for other, n in compared.items()),
    )


def _sum(found: Sequence[ChoiceCounts]) -> ChoiceCounts:
    return ChoiceCounts(
        spans=sum(each.spans for each in found),
        any=sum(each.any for each in found),
        most=sum(each.most for each in found),
        suppressed=sum(each.suppressed for each in found),
        people_suppressed=sum(each.people_suppressed for each in found),
        choices=sum(each.choices for each in found),
        same=sum(each.same for each in found),
        compared=sum(each.compared for each in found),
        difference=sum(each.difference for each in found),
    )


def _share(n: int, total: int) -> float | None:
    return n / total if total else None
