"""Values of the annotation page: the entity list, rows, and the choices of the current step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..web.labels import (
    IDENTIFIER_CHOICES,
    STATUS_CHOICES,
    STEPS,
    TYPE_CHOICES,
    DisplayOutcome,
)
from ..web.rows import anchor
from .annotation import MarkedMention
from .rendering import annotated_rows, outcome, words
from .service import AnnotationView
from .store import Flow

OUTCOMES: Final = {
    DisplayOutcome.MASKED: "must not be read",
    DisplayOutcome.DOUBTFUL: "undecided",
    DisplayOutcome.KEPT: "can stay",
}
"""The meaning of each outcome, for the legend."""
_CHOICES: Final = {1: TYPE_CHOICES, 2: IDENTIFIER_CHOICES, 3: STATUS_CHOICES}
_GROUPS: Final = {
    DisplayOutcome.DOUBTFUL: "To decide",
    DisplayOutcome.MASKED: "Masked",
    DisplayOutcome.KEPT: "Kept",
}


@dataclass(frozen=True, slots=True)
class AnnotatedEntity:
    """Values of an entity in the list.

    Attributes:
        mentions: its mentions in text order.
        strings: their distinct strings, the longest first.
    """

    mentions: tuple[MarkedMention, ...] = field(repr=False)
    strings: tuple[str, ...] = field(repr=False)

    @property
    def anchor(self) -> str:
        """Its first mention, in the notation of the pages."""
        return anchor(self.mentions[0].span)

    @property
    def type(self) -> str:
        """Semantic type of its first mention."""
        return str(self.mentions[0].type)

    @property
    def spans(self) -> str:
        """Its mentions, in the notation of the pages."""
        return _joined(self.mentions)

    @property
    def open(self) -> str:
        """Its undecided mentions."""
        return _joined(item for item in self.mentions if outcome(item) is DisplayOutcome.DOUBTFUL)

    @property
    def outcome(self) -> DisplayOutcome:
        """The most urgent outcome among its mentions."""
        outcomes = {outcome(item) for item in self.mentions}
        return next(kind for kind in _GROUPS if kind in outcomes)

    @property
    def verdict(self) -> str:
        """The outcome as a decision."""
        return "undecided" if self.outcome is DisplayOutcome.DOUBTFUL else str(self.outcome)

    @property
    def said(self) -> str:
        """The decision in words."""
        return ", ".join(dict.fromkeys(word for item in self.mentions for word in words(item)))

    @property
    def options(self) -> dict[str, dict[str, Any]]:
        """Replacement options and choice of each mention that has any."""
        return {
            anchor(item.span): {"choice": item.choice, "texts": item.choices}
            for item in self.mentions
            if item.choices
        }


def _joined(mentions: Iterable[MarkedMention]) -> str:
    return " ".join(anchor(mention.span) for mention in mentions)


def _entities(view: AnnotationView, mentions: Sequence[MarkedMention]) -> list[AnnotatedEntity]:
    text = view.source.text
    members: dict[int, list[MarkedMention]] = {}
    for mention in mentions:
        members.setdefault(mention.entity, []).append(mention)
    entities = []
    for items in members.values():
        strings = dict.fromkeys(" ".join(item.span.of(text).split()) for item in items)
        longest_first = tuple(sorted(strings, key=len, reverse=True))
        entities.append(AnnotatedEntity(tuple(items), longest_first))
    return entities


def work_values(view: AnnotationView, flow: Flow) -> dict[str, Any]:
    """The values of the annotation page, and of an update of it."""
    annotation, text = view.annotation, view.source.text
    steps = STEPS[flow]
    step = min(annotation.step, len(steps))
    replacing = flow is Flow.REPLACEMENT
    # In the replacement flow, only what is replaced is marked.
    mentions = [item for item in annotation.mentions if item.choices or not replacing]
    entities = _entities(view, mentions)
    groups = [
        (kind, heading, [item for item in entities if item.outcome is kind])
        for kind, heading in _GROUPS.items()
    ]
    return {
        "view": view,
        "annotation": annotation,
        "steps": steps,
        "step": step,
        "last": step == len(steps),
        "rows": annotated_rows(text, mentions),
        "choices": () if replacing else _CHOICES.get(step, ()),
        "groups": [group for group in groups if group[2]],
        "entry": "annotation/_entity.html",
        "outcomes": OUTCOMES,
        "missing": annotation.unchosen if replacing else annotation.undecided,
    }
