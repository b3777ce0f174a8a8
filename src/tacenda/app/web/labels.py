"""The words of the pages: labels, keyboard shortcuts, and figures in plain English."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from ...document import ConfidentialStatus, Decision, IdentifierType, SemanticType
from ...documents.fields import Treatment
from ...shipped import shipped_table
from ...wording import IDENTIFIER_NAMES, TYPES, about
from ..annotation.store import Flow
from ..release import ProjectStage
from ..review.curve import BOUNDS
from ..review.redecide import DOUBT, is_doubtful
from ..review.sign_off import SignOffs, Stage
from ..store.documents import DocumentSummary
from ..store.lists import State

TYPES_WITH_EXAMPLES = TYPES | {SemanticType.DEM: f"{TYPES[SemanticType.DEM]} (age, job, illness …)"}
"""The label of each type in legends and lists to choose from."""
_WORDS = shipped_table("page_words")
BADGES = {SemanticType(type): letter for type, letter in _WORDS["badges"].items()}
"""The letter of each type; colours say what happens, not what something is."""


class DisplayOutcome(StrEnum):
    """The outcome of a place in a text, which is also the class that colors it in ``app.css``."""

    MASKED = "masked"
    DOUBTFUL = "doubtful"
    KEPT = "kept"
    LEAK = "leak"


STATES = {State(state): words for state, words in _WORDS["states"].items()}
"""Filter of a list of documents."""
OUTCOMES = {DisplayOutcome(outcome): words for outcome, words in _WORDS["outcomes"].items()}
"""The meaning of each outcome, for legends."""
NEXT_STEPS = {ProjectStage(stage): words for stage, words in _WORDS["next_steps"].items()}
"""The button for the next step of a project whose documents are reviewed."""
TREATMENTS = {Treatment(treatment): words for treatment, words in _WORDS["treatments"].items()}
"""Treatment of a column in words."""


def outcome_of(decision: Decision, by_hand: bool, general: float | None = None) -> DisplayOutcome:
    """Return the outcome of a decision; leaks are in the text, not here.

    Args:
        decision: decision about an entity.
        by_hand: whether a person made it.
        general: threshold for types without one of their own, if known.
    """
    if decision.masked:
        return DisplayOutcome.MASKED
    return (
        DisplayOutcome.DOUBTFUL
        if not by_hand and is_doubtful(decision, general)
        else DisplayOutcome.KEPT
    )


def left(
    before: float, residual: float, kept_by_people: float = 0.0, kept_by_policy: float = 0.0
) -> str:
    """Return what is expected to be left in a few words, such as ``about 1 of 32 left``.

    Args:
        before: expected number of things that need masking.
        residual: expected number of those that stay, except what a person decided to keep.
        kept_by_people: expected number among what a person decided to keep.
        kept_by_policy: part of ``before`` and ``residual`` that the policy keeps on purpose.
    """
    residual = max(0.0, residual - kept_by_policy)
    number = max(round(before - kept_by_policy), round(residual))
    keepers = (("the policy", kept_by_policy), ("a person", kept_by_people))
    kept = ", ".join(f"{about(count)} by {name}" for name, count in keepers if count >= 0.5)
    words = f"{about(residual)} of {number} left" if number else "nothing left"
    return f"{words}; kept on purpose: {kept}" if kept else words


_CHANCES = (
    (0.95, "almost certainly must be masked"),
    (0.6, "probably must be masked"),
    (0.3, "may have to be masked"),
    (DOUBT, "probably can stay"),
    (0.0, "can stay"),
)


def chance(risk: float) -> str:
    """Return the probability, in [0, 1], that something must be masked, in words."""
    return next(words for least, words in _CHANCES if risk >= least)


def percent(share: float) -> str:
    """Return a share in [0, 1] as a whole percentage, or words for nearly none or nearly all."""
    if 0 < share < 0.005:
        return "less than 1 %"
    if 0.995 <= share < 1:
        return "more than 99 %"
    return f"{100 * share:.0f} %"


def fits(risk: float) -> str:
    """Return how far an option singles out a person, in [0, 1], in words: ``one of 1,200``."""
    number = 1 / risk if risk else math.inf
    if number < 1.5:
        return "only this one"
    if math.isinf(number) or number >= 1e9:
        return "could be anyone or anything"
    if number >= 1e6:
        return "one of millions"
    digits = max(0, len(str(round(number))) - 2)
    return f"one of {round(number, -digits):,.0f}"


_STRICTNESS = (
    (0.7, "very lenient"),
    (0.4, "lenient"),
    (0.15, "balanced"),
    (0.05, "strict"),
    (0.0, "very strict"),
)


def strictness(bound: float) -> str:
    """Return a bound, in [0, 1], in the words of the shipped policies that have it."""
    return next(words for least, words in _STRICTNESS if bound >= least)


STRICTNESS = tuple(map(strictness, reversed(BOUNDS)))
"""Each place of the slider in words; it goes from lenient to strict."""


def moment(at: str) -> str:
    """Return a time from the log in readable form: ``26 November 2026, 00:50 UTC``."""
    time = datetime.fromisoformat(at).astimezone(UTC)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def stage_of(signed: SignOffs) -> str:
    """Return the review stage of a document and its author, such as ``approved by ben``."""
    if signed.released is not None:
        return f"released by {signed.released.person}"
    if signed.reset is not None:
        return f"changed by {signed.reset.person} after it was {signed.reset.stage}"
    return _signed(
        signed.reviewed.person if signed.reviewed else "",
        signed.approved.person if signed.approved else "",
    )


def stage_in_list(summary: DocumentSummary) -> str:
    """Return the review stage of a document and its author, from its summary."""
    if summary.reset_by:
        return f"changed by {summary.reset_by}; review it again"
    words = _signed(summary.reviewed_by, summary.approved_by)
    if summary.stage == Stage.RELEASED:
        return f"released; {words}"
    return words if summary.stage == Stage.OPEN or words != "open" else summary.stage


def _signed(reviewed_by: str, approved_by: str) -> str:
    words = [f"reviewed by {reviewed_by}"] if reviewed_by else ["open"]
    return ", ".join(words + [f"approved by {approved_by}"] * bool(approved_by))


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """A value for a mention, with its keyboard key and its label."""

    key: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class GuidelineStep:
    """A step in the guidelines: its name and its task."""

    name: str
    task: str


STATUSES: dict[str, str] = _WORDS["statuses"]
TYPE_CHOICES = tuple(
    KeyChoice(str(key), type.value, TYPES_WITH_EXAMPLES[type])
    for key, type in enumerate(SemanticType, start=1)
)
IDENTIFIER_CHOICES = tuple(
    KeyChoice(key, kind.value, IDENTIFIER_NAMES[kind])
    for key, kind in zip("dqk", IdentifierType, strict=True)
)
STATUS_CHOICES = tuple(
    KeyChoice(key, status.value, STATUSES[status])
    for key, status in zip("123450", ConfidentialStatus, strict=True)
)
STEPS = {
    Flow(flow): tuple(GuidelineStep(name, task) for name, task in steps.items())
    for flow, steps in _WORDS["steps"].items()
}
