"""An entity as the sidebar and the panel *why* show it."""

from __future__ import annotations

from dataclasses import dataclass

from ...corpora.decoding import writable
from ...document import Assessment, Decision, Span
from ..review import Reviewed
from .labels import INDICATORS, TYPES

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class EntityView:
    """What is shown of an entity.

    Attributes:
        id: its id in the document as it stands.
        anchor: ``start-end`` of its first mention, by which the page knows it again.
        label: its longest mention, cut where it is very long.
        type, type_label: its semantic type.
        count: number of mentions.
        spans: its mentions, ``start-end`` joined by blanks.
        strings: all its strings, for the search.
        decision: its decision.
        by_hand: whether a person decided.
        written: what stands instead of it.
        assessment: its evidence.
    """

    id: str
    anchor: str
    label: str
    type: str
    type_label: str
    count: int
    spans: str
    strings: str
    decision: Decision
    by_hand: bool
    written: str
    assessment: Assessment

    @property
    def verdict(self) -> str:
        """Return the decision in a word."""
        if not self.decision.masked:
            return "kept"
        return "generalised" if self.decision.operator == "generalize" else "masked"

    @property
    def chosen_option(self) -> str:
        """Return the option that a person chose; empty if nobody did."""
        choice = self.decision.choice
        return choice.text if self.by_hand and choice is not None else ""

    @property
    def evidence(self) -> list[tuple[str, float, str]]:
        """Return name, value and sentence of each indicator."""
        return [
            (
                INDICATORS.get(item.indicator, item.indicator.replace("_", " ")),
                item.value,
                item.statement,
            )
            for item in self.assessment.evidence
        ]


def anchor(span: Span) -> str:
    """Return how a page writes a span."""
    return f"{span.start}-{span.end}"


def entity_views(reviewed: Reviewed) -> list[EntityView]:
    """Return the entities: kept ones first, the most dangerous first."""
    sanitized = reviewed.sanitized
    text = sanitized.document.text
    written: dict[str, dict[str, None]] = {}
    for edit in sanitized.replacements:
        for id in edit.entity_ids:
            written.setdefault(id, {})[edit.text] = None
    views = []
    for decision, assessment in zip(sanitized.decisions, reviewed.assessments, strict=True):
        entity = decision.entity
        strings = list(dict.fromkeys(writable(m.span.of(text)) for m in entity.mentions))
        longest = " ".join(max(strings, key=len).split())
        views.append(
            EntityView(
                id=entity.id,
                anchor=anchor(entity.mentions[0].span),
                label=longest if len(longest) <= _LONGEST else longest[: _LONGEST - 1] + "…",
                type=str(entity.type),
                type_label=TYPES[entity.type],
                count=len(entity.mentions),
                spans=" ".join(anchor(mention.span) for mention in entity.mentions),
                strings=" ".join(strings).casefold(),
                decision=decision,
                by_hand=entity.id in reviewed.verdicts,
                written=" · ".join(written.get(entity.id, {})),
                assessment=assessment,
            )
        )
    return sorted(views, key=lambda view: (view.decision.masked, -view.decision.risk))
