"""Labels of the pages, with their keyboard shortcuts."""

from __future__ import annotations

from dataclasses import dataclass

from ...document import ConfidentialStatus, IdentifierType, SemanticType
from ...wording import TYPES
from ..annotation.store import Flow

IDENTIFIERS = {
    "DIRECT": "direct: identifies by itself",
    "QUASI": "quasi: identifies with others",
    "NO_MASK": "none: needs no mask",
}


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """A value for a mention, with its key on the keyboard and its label."""

    key: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class GuidelineStep:
    """A step of the guidelines: its name and its task."""

    name: str
    task: str


IDENTIFIERS_SHORT = {
    "DIRECT": "direct identifier",
    "QUASI": "quasi-identifier",
    "NO_MASK": "no mask",
}
STATUSES = {
    "BELIEF": "religious or philosophical belief",
    "POLITICS": "political opinion, union membership",
    "SEX": "sexual orientation or life",
    "ETHNIC": "racial or ethnic origin",
    "HEALTH": "health, genetic or biometric data",
    "NOT_CONFIDENTIAL": "not confidential",
}
TYPE_CHOICES = tuple(
    KeyChoice(str(key), type.value, TYPES[type]) for key, type in enumerate(SemanticType, start=1)
)
IDENTIFIER_CHOICES = tuple(
    KeyChoice(key, kind.value, IDENTIFIERS_SHORT[kind])
    for key, kind in zip("dqk", IdentifierType, strict=True)
)
STATUS_CHOICES = tuple(
    KeyChoice(key, status.value, STATUSES[status])
    for key, status in zip("123450", ConfidentialStatus, strict=True)
)
STEPS = {
    Flow.TAB: (
        GuidelineStep(
            "Entities",
            "Mark every phrase with personal information and say what it speaks of, whether or "
            "not it will be masked. Check the spans that are marked already.",
        ),
        GuidelineStep(
            "Masking",
            "Decide for each mention: does it identify the person directly, together with others "
            "and public knowledge, or can it stay?",
        ),
        GuidelineStep(
            "Confidential",
            "Say which mentions tell something that could harm the person or be a ground for "
            "discrimination. Most do not.",
        ),
        GuidelineStep(
            "Relations",
            "Connect mentions of one entity that are written differently. Equal words are "
            "connected already; take apart what is not the same.",
        ),
        GuidelineStep(
            "Review",
            "Read the masked text. Is the person protected? Go back where it is not; then submit.",
        ),
    ),
    Flow.REPLACEMENT: (
        GuidelineStep("Read", "Read the text once. The marked spans will be replaced."),
        GuidelineStep(
            "Replace",
            "Choose for each marked span what is written instead: nothing that discloses the "
            "person, otherwise the most informative. Options go from specific to general.",
        ),
        GuidelineStep(
            "Read again",
            "Read the text with your replacements. It should not disclose the person and be as "
            "informative and readable as possible; then submit.",
        ),
    ),
}
