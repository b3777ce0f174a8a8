"""An entity as the sidebar and the panel *why* show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...document import Assessment, Decision, Entity, Span
from ...documents.decoding import writable
from ...wording import TYPES, indicator_label
from ..review.redecide import Reviewed

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Companion:
    """Another entity of a combination: its anchor, its label and its decision in a word."""

    anchor: str
    label: str
    verdict: str


@dataclass(frozen=True, slots=True)
class TogetherView:
    """A combination that an entity is in.

    Attributes:
        others: the other entities of it; none where the entity points to the person by itself.
        risk: in [0, 1], how far they point to the person.
        statement: what says so.
        left: whether all of them are shown.
    """

    others: tuple[Companion, ...]
    risk: float
    statement: str
    left: bool


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
        together: the combinations that it is in.
    """

    id: str
    anchor: str
    label: str
    type: str
    type_label: str
    count: int
    spans: str
    strings: str = field(repr=False)
    decision: Decision
    by_hand: bool
    written: str
    assessment: Assessment
    together: tuple[TogetherView, ...]

    @property
    def danger(self) -> float:
        """Return how far it points to the person as it is shown, alone or with what is left."""
        return max((self.decision.risk, *(each.risk for each in self.together if each.left)))

    @property
    def left_together(self) -> bool:
        """Tell whether it is in a combination that is left whole."""
        return any(each.left for each in self.together)

    @property
    def verdict(self) -> str:
        """Return the decision in a word."""
        return in_a_word(self.decision)

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
                indicator_label(item.indicator),
                item.value,
                item.statement,
            )
            for item in self.assessment.evidence
        ]


def in_a_word(decision: Decision) -> str:
    """Return what was decided: kept, masked or generalised."""
    if not decision.masked:
        return "kept"
    return "generalised" if decision.operator == "generalize" else "masked"


def anchor(span: Span) -> str:
    """Return how a page writes a span."""
    return f"{span.start}-{span.end}"


def entity_views(reviewed: Reviewed) -> list[EntityView]:
    """Return the entities: kept ones first, the most dangerous first."""
    sanitized = reviewed.sanitized
    text = sanitized.document.text
    written: dict[str, dict[str, None]] = {}
    for edit in sanitized.replacements:
        for id in edit.entity_ids if edit.text else ():
            written.setdefault(id, {})[edit.text] = None
    together = _together(reviewed)
    views = []
    for decision, assessment in zip(sanitized.decisions, reviewed.assessments, strict=True):
        entity = decision.entity
        strings = _strings(text, entity)
        views.append(
            EntityView(
                id=entity.id,
                anchor=anchor(entity.mentions[0].span),
                label=_label(strings),
                type=str(entity.type),
                type_label=TYPES[entity.type],
                count=len(entity.mentions),
                spans=" ".join(anchor(mention.span) for mention in entity.mentions),
                strings=" ".join(strings).casefold(),
                decision=decision,
                by_hand=entity.id in reviewed.verdicts,
                written=" · ".join(written.get(entity.id, {})),
                assessment=assessment,
                together=tuple(together.get(entity.id, ())),
            )
        )
    return sorted(views, key=lambda view: (view.decision.masked, -view.danger))


def _strings(text: str, entity: Entity) -> list[str]:
    return list(dict.fromkeys(writable(mention.span.of(text)) for mention in entity.mentions))


def _label(strings: Sequence[str]) -> str:
    longest = " ".join(max(strings, key=len).split())
    return longest if len(longest) <= _LONGEST else longest[: _LONGEST - 1] + "…"


def _together(reviewed: Reviewed) -> dict[str, list[TogetherView]]:
    """Return the combinations of each entity, by its id; those that are left first."""
    text = reviewed.sanitized.document.text
    decisions = {combination.entity.id: combination for combination in reviewed.sanitized.decisions}
    left = reviewed.left_together
    others = (
        combination for combination in reviewed.sanitized.combinations if combination not in left
    )
    combinations: dict[str, list[TogetherView]] = {}
    for combination in (*left, *others):
        members = {
            id: Companion(
                anchor(decisions[id].entity.mentions[0].span),
                _label(_strings(text, decisions[id].entity)),
                in_a_word(decisions[id]),
            )
            for id in combination.entity_ids
        }
        for id in members:
            companions = tuple(combination for other, combination in members.items() if other != id)
            statement = combination.evidence[0].statement
            view = TogetherView(companions, combination.risk, statement, combination in left)
            combinations.setdefault(id, []).append(view)
    return combinations
