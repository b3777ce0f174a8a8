"""Decisions by hand, laid over those of the policy; mentions and entities as a person changed them.

| the entity | becomes |
|---|---|
| has a decision by hand | that, whatever the policy says; the latest, where its mentions have several |
| has identifier type DIRECT or QUASI by hand | masked |
| has identifier type NO_MASK by hand | kept |
| anything else | what the policy says |
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Generic, TypeVar

from ...detect.merge import merge
from ...document import (
    Decision,
    Document,
    Effect,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    Option,
    Reason,
    RuleKind,
    SemanticType,
    Span,
)
from ...link.linking import link
from ...pipeline import Analysis
from ...policy import Policy
from .events import Join, ReviewState, Verdict

_Value = TypeVar("_Value")


class SpanIndex(Generic[_Value]):
    """A mapping by span, in which the latest entry that overlaps is found in O(log n).

    Args:
        values: in order of time.
    """

    def __init__(self, values: Mapping[Span, _Value]) -> None:
        entries = [(span, order, value) for order, (span, value) in enumerate(values.items())]
        self._entries = sorted(entries, key=lambda entry: entry[:2])
        self._starts = [span.start for span, _, _ in self._entries]
        self._longest = max(map(len, values), default=0)

    def latest(self, spans: Iterable[Span]) -> _Value | None:
        """The latest value at a span that overlaps one of ``spans``; None if none does."""
        best: tuple[int, _Value] | None = None
        for span in spans:
            first = bisect_left(self._starts, span.start - self._longest)
            for index in range(first, bisect_left(self._starts, span.end)):
                place, order, value = self._entries[index]
                if place.overlaps(span) and (best is None or order > best[0]):
                    best = (order, value)
        return None if best is None else best[1]


_KEPT = 128


def changed_mentions(analysis: Analysis, state: ReviewState) -> Analysis:
    """The analysis with mentions added, removed and retyped.

    What is found inside an added mention goes; what overlaps it keeps the rest.
    """
    if not (state.added or state.removed or state.types):
        return analysis
    text = analysis.document.text
    new_mentions = [
        replace(part, type=state.types.get(part.span, part.type))
        for span, type in state.added.items()
        # One in each passage, as they are shown, retyped and removed.
        for part in merge(
            text,
            [Mention(span, state.types.get(span, type), 1.0, 0.0, MentionSource.REVIEWER)],
        )
        if part.span not in state.removed
    ]
    old_mentions = [
        replace(mention, type=state.types.get(mention.span, mention.type))
        for mention in analysis.mentions
        if mention.span not in state.removed
        and not any(span.contains(mention.span) for span in state.added)
    ]
    mentions = merge(text, [*old_mentions, *new_mentions]) if new_mentions else tuple(old_mentions)
    return Analysis(analysis.document, mentions)


def changed_entities(
    document: Document, mentions: Sequence[Mention], joins: Sequence[Join]
) -> tuple[Entity, ...]:
    """The linked entities, split and merged by hand, in order of first mention."""
    entities = _linked(document, tuple(mentions))
    if not joins:
        return entities
    owner = {
        mention.span: number
        for number, entity in enumerate(entities)
        for mention in entity.mentions
    }
    fresh = len(entities)
    for join in joins:
        meant = [span for span in owner if any(span.overlaps(place) for place in join.spans)]
        if join.apart:
            owner |= dict.fromkeys(meant, fresh)
        else:
            owners = {owner[span] for span in meant}
            owner = {span: fresh if entity in owners else entity for span, entity in owner.items()}
        fresh += 1
    return _entities(mentions, owner)


@lru_cache(_KEPT)
def _linked(document: Document, mentions: tuple[Mention, ...]) -> tuple[Entity, ...]:
    """Link, but once for the same mentions: most changes leave them as they are."""
    return link(document, mentions)


def _entities(mentions: Sequence[Mention], owner: dict[Span, int]) -> tuple[Entity, ...]:
    groups: dict[int, list[Mention]] = {}
    for mention in mentions:
        groups.setdefault(owner[mention.span], []).append(mention)
    numbers: Counter[SemanticType] = Counter()
    result = []
    for count, members in enumerate(groups.values(), start=1):
        type = max(members, key=lambda mention: mention.masking).type
        numbers[type] += 1
        result.append(Entity(f"e{count}", type, numbers[type], tuple(members)))
    return tuple(result)


_EFFECTS = {"keep": Effect.KEEP, "mask": Effect.MASK, "generalise": Effect.GENERALIZE}


class ReviewOverlay:
    """A state as ``finish`` asks for it; see the module for what wins."""

    def __init__(self, state: ReviewState, policy: Policy) -> None:
        self._joins = state.joins
        self._policy = policy
        self._verdicts = SpanIndex(state.verdicts)
        self._identifiers = SpanIndex(state.identifiers)
        self._removed = SpanIndex(dict.fromkeys(state.removed, True))

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """The entities, split and merged by hand."""
        return changed_entities(document, mentions, self._joins)

    def verdict(self, entity: Entity) -> Verdict | None:
        """The decision by hand about an entity, if there is one."""
        return self._verdicts.latest(mention.span for mention in entity.mentions)

    def decisions(self, document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """The decisions with those by hand in their place."""
        return tuple(map(self._decided, decisions))

    def _decided(self, decision: Decision) -> Decision:
        spans = [mention.span for mention in decision.entity.mentions]
        identifier = self._identifiers.latest(spans)
        if identifier is not None:
            decision = replace(decision, identifier=identifier)
        verdict = self._verdicts.latest(spans)
        if verdict is not None:
            return self._with(decision, Reason(RuleKind.REVIEWER, _EFFECTS[verdict.action]))
        if identifier is not None:
            effect = Effect.KEEP if identifier is IdentifierType.NO_MASK else Effect.MASK
            reason = Reason(RuleKind.REVIEWED_IDENTIFIER, effect, identifier=identifier)
            return self._with(decision, reason)
        return decision

    def _with(self, decision: Decision, reason: Reason) -> Decision:
        if reason.effect is Effect.KEEP:
            operator = ""
        elif reason.effect is Effect.GENERALIZE:
            operator = "generalize"
        else:
            operator = self._policy.operator_for(decision.entity.type)
            # To mask is to say nothing: what generalises by itself is suppressed by hand.
            operator = "suppress" if operator == "generalize" else operator
        return replace(
            decision,
            masked=reason.effect is not Effect.KEEP,
            operator=operator,
            threshold=None,
            masked_up_to=None,
            reasons=(reason, *decision.reasons),
        )

    def choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """The decisions with the options that were chosen, where they are still offered."""
        return tuple(self._chosen(decision) for decision in decisions)

    def _chosen(self, decision: Decision) -> Decision:
        verdict = self.verdict(decision.entity)
        if verdict is None or verdict.action != "generalise" or not decision.options:
            return decision
        choice = next(
            (option for option in decision.options if option.text == verdict.option),
            decision.choice,
        )
        return replace(decision, choice=choice, operator=_operator(choice, decision))

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        """Whether a leak is masked: not where a person decided to keep, or to part them."""
        about = self._verdicts.latest((span,))
        of = self.verdict(decision.entity)
        return not (
            (about is not None and about.action == "keep")
            or (of is not None and of.alone)
            or self._removed.latest((span,))
        )


def _operator(choice: Option | None, decision: Decision) -> str:
    """Operator of a choice: *suppress* where nothing is said, so that neighbours are joined; see ``offer``."""
    nothing = choice is None or choice == decision.options[-1]
    return "suppress" if nothing else "generalize"
