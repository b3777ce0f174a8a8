"""What other bounds would mask, and what risk they would leave: the curve beside the slider.

An entity is masked from its own risk on, but for what the policy or a person decides whatever the
bound: these are found by deciding at both ends. Verification is not run for every point, so that
a point may be off by the words of a leak.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...decide import decide
from ...policy import Policy
from .manual import Manual
from .redecide import Reviewed

_WORD = re.compile(r"\w+")
_ABOVE_ALL = 2.0
_BOUNDS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.33, 0.42, 0.5, 0.58)
BOUNDS = (*_BOUNDS, 0.67, 0.75, 0.82, 0.88, 0.92, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0)
"""The bounds of the slider, from strict to lenient: close where risks are close to 0 or 1."""


@dataclass(frozen=True, slots=True)
class Point:
    """At ``bound``, ``words`` words are masked and ``residual`` entities that need it are not."""

    bound: float
    words: int
    residual: float


def curve(reviewed: Reviewed, policy: Policy) -> tuple[Point, ...]:
    """Return a point for each bound."""
    document = reviewed.sanitized.document
    plain = policy.with_changes(thresholds={}, threshold=None)
    manual = Manual(reviewed.state, plain)
    always, ever = (
        manual.decisions(document, decide(document, reviewed.assessments, plain, bound), ())
        for bound in (_ABOVE_ALL, 0.0)
    )
    words = [
        sum(len(_WORD.findall(mention.span.of(document.text))) for mention in item.entity.mentions)
        for item in always
    ]
    points = []
    for bound in BOUNDS:
        masked = [
            low.masked or (high.masked and low.risk >= bound)
            for low, high in zip(always, ever, strict=True)
        ]
        points.append(
            Point(
                bound,
                sum(count for count, is_masked in zip(words, masked, strict=True) if is_masked),
                sum(item.risk for item, hit in zip(always, masked, strict=True) if not hit),
            )
        )
    return tuple(points)


def nearest(bound: float) -> int:
    """Return the index of the slider's bound that is closest to ``bound``."""
    return min(range(len(BOUNDS)), key=lambda index: abs(BOUNDS[index] - bound))


def masked_words(reviewed: Reviewed) -> int:
    """Return how many words of the original the edits cover."""
    sanitized = reviewed.sanitized
    text = sanitized.document.text
    return sum(len(_WORD.findall(edit.original.of(text))) for edit in sanitized.replacements)
