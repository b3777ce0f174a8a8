"""The curve next to the slider: words masked and risk left at other bounds.

An entity is masked if its own risk reaches the bound. Entities that the policy or a person decides
whatever the bound are found by deciding at both ends. A combination is broken by the entities that
break it now, then by the entity with the fewest words. Verification and the search for the cheapest
replacement aren't run for every point, so a point may be off by the words of a leak or of another
choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...decide.decide import decide, threshold_for, words_in, words_of
from ...policy import Policy
from .redecide import Reviewed, ReviewOverlay

_ABOVE_ALL = 2.0
_BOUNDS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.33, 0.42, 0.5, 0.58)
BOUNDS = (*_BOUNDS, 0.67, 0.75, 0.82, 0.88, 0.92, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0)
"""The bounds of the slider, from strict to lenient: close where risks are close to 0 or 1."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point on the curve: the number of masked ``words`` and the ``residual`` expected risk at ``bound``."""

    bound: float
    words: int
    residual: float


def curve(reviewed: Reviewed, policy: Policy) -> tuple[Point, ...]:
    """Return a point for each bound."""
    document = reviewed.sanitized.document
    plain = policy.with_changes(thresholds={}, threshold=None, residual_share=None)
    overlay = ReviewOverlay(reviewed.sanitized.document, reviewed.state, plain)
    always, ever = (
        overlay.decisions(decide(document, reviewed.assessments, plain, bound))
        for bound in (_ABOVE_ALL, 0.0)
    )
    words = [words_of(document, item.entity) for item in always]
    combinations = _Together(reviewed, [item.masked for item in ever], words)
    points = []
    for bound in BOUNDS:
        masked = combinations.broken(
            [
                low.masked
                or (high.masked and low.risk >= threshold_for(bound, count, plain.length_penalty))
                for low, high, count in zip(always, ever, words, strict=True)
            ]
        )
        points.append(
            Point(
                bound,
                sum(count for count, is_masked in zip(words, masked, strict=True) if is_masked),
                sum(
                    item.risk
                    for item, hit in zip(always, masked, strict=True)
                    if not (hit or item.is_kept_by_person)
                ),
            )
        )
    return tuple(points)


class _Together:
    """The combinations of a document, and the entities that break them.

    Args:
        reviewed: the current state of the document.
        changeable: for each entity, whether a bound can mask it at all.
        words: number of words of each entity.
    """

    def __init__(
        self, reviewed: Reviewed, changeable: Sequence[bool], words: Sequence[int]
    ) -> None:
        decisions = reviewed.sanitized.decisions
        place = {item.entity.id: index for index, item in enumerate(decisions)}
        self._combinations = [
            [index for id in combination.entity_ids if changeable[index := place[id]]]
            for combination in reviewed.sanitized.combinations
        ]
        # Entities that break combinations now come first again.
        self._order = sorted(
            {index for members in self._combinations for index in members},
            key=lambda index: (not decisions[index].masked, words[index], index),
        )

    def broken(self, masked: Sequence[bool]) -> list[bool]:
        """Return ``masked``, extended until every combination is broken."""
        result = list(masked)
        combinations = [
            combination
            for combination in self._combinations
            if combination and not any(result[i] for i in combination)
        ]
        for index in self._order:
            if any(index in combination for combination in combinations):
                result[index] = True
                combinations = [
                    combination for combination in combinations if index not in combination
                ]
        return result


def nearest(bound: float) -> int:
    """Return the index of the slider's bound closest to ``bound``."""
    return min(range(len(BOUNDS)), key=lambda index: abs(BOUNDS[index] - bound))


def masked_words(reviewed: Reviewed) -> int:
    """Return the number of words in the original that edits cover."""
    sanitized = reviewed.sanitized
    text = sanitized.document.text
    return sum(words_in(edit.original.of(text)) for edit in sanitized.replacements)
