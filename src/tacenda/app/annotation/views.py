"""Values of the annotation page: entities for the list, rows, choices of the step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..web.labels import (
    IDENTIFIER_CHOICES,
    IDENTIFIERS_SHORT,
    STATUS_CHOICES,
    STATUSES,
    STEPS,
    TYPE_CHOICES,
    Outcome,
)
from ..web.rows import anchor
from .annotation import MarkedMention
from .rendering import annotated_rows, outcome
from .service import AnnotationView
from .store import Flow

OUTCOMES: Final = {
    Outcome.MASKED: "must not be read",
    Outcome.DOUBTFUL: "nobody has decided",
    Outcome.KEPT: "can stay",
}
"""The meaning of each outcome, for the legend."""
_CHOICES: Final = {1: TYPE_CHOICES, 2: IDENTIFIER_CHOICES, 3: STATUS_CHOICES}
_GROUPS: Final = {"undecided": "To decide", "masked": "Masked", "kept": "Kept"}


@dataclass(frozen=True, slots=True)
class AnnotatedEntity:
    """Values of an entity for the list.

    Attributes:
        anchor: ``start-end`` of its first mention.
        label: its longest mention.
        also: its other strings.
        type: of its first mention.
        count: number of mentions.
        spans, open: its mentions, and those to be decided, ``start-end`` joined by blanks.
        said: what was decided, in words.
        options: replacement options and choice of each mention that has any.
    """

    anchor: str
    label: str = field(repr=False)
    also: tuple[str, ...] = field(repr=False)
    type: str
    count: int
    spans: str
    open: str
    masked: bool
    said: str = field(repr=False)
    options: dict[str, dict[str, Any]] = field(repr=False)

    @property
    def verdict(self) -> str:
        """The decision in a word; the outcome that has most to be done about it."""
        if self.open:
            return "undecided"
        return "masked" if self.masked else "kept"

    @property
    def outcome(self) -> Outcome:
        """What becomes of it."""
        return Outcome.DOUBTFUL if self.open else Outcome(self.verdict)

    @property
    def strings(self) -> str:
        """All its strings, for the search."""
        return " ".join((self.label, *self.also)).casefold()


def _entity(text: str, mentions: Sequence[MarkedMention]) -> AnnotatedEntity:
    strings = list(dict.fromkeys(" ".join(m.span.of(text).split()) for m in mentions))
    label = max(strings, key=len)
    return AnnotatedEntity(
        anchor=anchor(mentions[0].span),
        label=label,
        also=tuple(string for string in strings if string != label),
        type=str(mentions[0].type),
        count=len(mentions),
        spans=_joined(mentions),
        open=_joined([item for item in mentions if outcome(item) is Outcome.DOUBTFUL]),
        masked=any(outcome(item) is Outcome.MASKED for item in mentions),
        said=", ".join(dict.fromkeys(word for item in mentions for word in _words(item))),
        options={
            anchor(item.span): {"choice": item.choice, "texts": item.choices}
            for item in mentions
            if item.choices
        },
    )


def _words(mention: MarkedMention) -> list[str]:
    if mention.choices:
        return [mention.choice] if mention.choice else []
    words = [IDENTIFIERS_SHORT[mention.identifier]] if mention.identifier else []
    if mention.status != "NOT_CONFIDENTIAL":
        words.append(STATUSES[mention.status])
    return words


def _joined(mentions: Sequence[MarkedMention]) -> str:
    return " ".join(anchor(mention.span) for mention in mentions)


def work_values(view: AnnotationView, flow: Flow) -> dict[str, Any]:
    """The values of the annotation page, and of an update of it."""
    annotation, text = view.annotation, view.source.text
    steps = STEPS[flow]
    step = min(annotation.step, len(steps))
    replacing = flow is Flow.REPLACEMENT
    # In the replacement flow only what is replaced is marked.
    mentions = [item for item in annotation.mentions if item.choices or not replacing]
    entities = [
        _entity(text, [item for item in group if item.choices or not replacing])
        for group in annotation.entities().values()
        if not replacing or any(item.choices for item in group)
    ]
    groups = [
        (verdict, heading, [item for item in entities if item.verdict == verdict])
        for verdict, heading in _GROUPS.items()
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
