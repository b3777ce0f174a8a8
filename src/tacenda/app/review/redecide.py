"""Decides a document again, at another bound or after a change, without running a model.

A person's decisions override the policy's, and mentions and entities are as a person changed them.

| the entity | becomes |
|---|---|
| has a decision by hand | that, even against the policy; the latest one if its mentions have several |
| has a person's own words that name something masked | masked without them |
| has identifier type DIRECT or QUASI by hand | masked |
| has identifier type NO_MASK by hand | kept |
| anything else | the policy's decision |
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Generic, TypeVar

from ...checks import check_result
from ...deciding import NO_PARTS, AdditionalParts, Analysis, Reviewer, complete
from ...detect.merge import merge
from ...document import (
    Assessment,
    Combination,
    Decision,
    Document,
    Effect,
    Entity,
    IdentifierType,
    Leak,
    Mention,
    MentionSource,
    Option,
    Reason,
    RuleKind,
    SemanticType,
    Span,
)
from ...link.linking import link, number_entities
from ...policy import Policy
from ...result import Result
from ...rewrite.edits import MASK
from ...rewrite.generalize.candidates import REVIEWER, SUPPRESSION
from ...rewrite.generalize.options import propose_options
from ...rewrite.identities import KnownIdentities
from ...text.offsets import to_original
from ...verify import names_masked
from ..events import Event, EventError, ReviewAction
from ..numbering import ProjectNumbering
from .events import Join, ReviewState, Verdict

DOUBT = 0.05
"""Risk from which something kept that has not been reviewed needs a person's decision."""
_KEPT = 128
_Value = TypeVar("_Value")


class SpanIndex(Generic[_Value]):
    """A mapping by span that finds the latest overlapping entry in O(log n).

    Args:
        values: the values in order of time.
    """

    def __init__(self, values: Mapping[Span, _Value]) -> None:
        entries = [(span, order, value) for order, (span, value) in enumerate(values.items())]
        self._entries = sorted(entries, key=lambda entry: entry[:2])
        self._starts = [span.start for span, _, _ in self._entries]
        self._longest = max(map(len, values), default=0)

    def latest(self, spans: Iterable[Span]) -> _Value | None:
        """Return the latest value at a span that overlaps one of ``spans``, or None."""
        best: tuple[int, _Value] | None = None
        for span in spans:
            first = bisect_left(self._starts, span.start - self._longest)
            for index in range(first, bisect_left(self._starts, span.end)):
                place, order, value = self._entries[index]
                if place.overlaps(span) and (best is None or order > best[0]):
                    best = (order, value)
        return None if best is None else best[1]


def changed_mentions(analysis: Analysis, state: ReviewState) -> Analysis:
    """Return the analysis with mentions added, removed and retyped.

    A detected mention inside an added one is dropped; an overlapping one keeps the rest of its
    span.
    """
    if not (state.added or state.removed or state.types):
        return analysis
    text = analysis.document.text
    new_mentions = [
        replace(part, type=state.types.get(part.span, part.type))
        for span, type in state.added.items()
        # One in each passage, since they are shown, retyped and removed that way.
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
    return replace(analysis, mentions=mentions)


def changed_entities(
    document: Document, mentions: Sequence[Mention], joins: Sequence[Join]
) -> tuple[Entity, ...]:
    """Return the linked entities, split and merged by hand, in order of first mention."""
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
    return _entities(document.text, mentions, owner)


@lru_cache(_KEPT)
def _linked(document: Document, mentions: tuple[Mention, ...]) -> tuple[Entity, ...]:
    """Link mentions, but only once for the same ones: most changes don't affect them."""
    return link(document, mentions)


def _entities(text: str, mentions: Sequence[Mention], owner: dict[Span, int]) -> tuple[Entity, ...]:
    groups: dict[int, list[Mention]] = {}
    for mention in mentions:
        groups.setdefault(owner[mention.span], []).append(mention)
    return number_entities(
        text,
        (
            (max(members, key=lambda mention: mention.p_mask).type, tuple(members))
            for members in groups.values()
        ),
    )


_EFFECTS = {
    ReviewAction.KEEP: Effect.KEEP,
    ReviewAction.MASK: Effect.MASK,
    ReviewAction.GENERALISE: Effect.GENERALIZE,
    ReviewAction.WRITE: Effect.GENERALIZE,
}


class ReviewOverlay(Reviewer):
    """A review state as a reviewer; see the module for the precedence."""

    def __init__(
        self,
        document: Document,
        state: ReviewState,
        policy: Policy,
        numbering: ProjectNumbering | None = None,
    ) -> None:
        self._document = document
        self._numbering = numbering
        self._joins = state.joins
        self._policy = policy
        self._verdicts = SpanIndex(state.verdicts)
        self._identifiers = SpanIndex(state.identifiers)
        self._removed = SpanIndex(dict.fromkeys(state.removed, True))
        self._accepted = state.accepted

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """Return the entities, split and merged by hand."""
        return changed_entities(document, mentions, self._joins)

    def verdict(self, entity: Entity) -> Verdict | None:
        """Return the decision made by hand about an entity, if there is one."""
        return self._verdicts.latest(mention.span for mention in entity.mentions)

    def verdicts(self, entities: Sequence[Entity]) -> dict[str, Verdict]:
        """Return the decisions made by hand, by entity id."""
        verdicts = {entity.id: self.verdict(entity) for entity in entities}
        return {id: verdict for id, verdict in verdicts.items() if verdict is not None}

    def decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions, with those made by hand replacing the policy's."""
        return tuple(map(self._decided, decisions))

    def _decided(self, decision: Decision) -> Decision:
        spans = [mention.span for mention in decision.entity.mentions]
        identifier = self._identifiers.latest(spans)
        if identifier is not None:
            decision = replace(decision, identifier=identifier)
        verdict = self._verdicts.latest(spans)
        if verdict is not None:
            by_hand = self._with(decision, Reason(RuleKind.REVIEWER, _EFFECTS[verdict.action]))
            # Until the person's own words are written; see ``apply_choices``.
            is_written = verdict.action is ReviewAction.WRITE
            return replace(by_hand, operator="suppress") if is_written else by_hand
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
            # Masking by hand means suppressing what the policy would generalize.
            operator = "suppress" if operator == "generalize" else operator
        return replace(
            decision,
            masked=reason.effect is not Effect.KEEP,
            operator=operator,
            threshold=None,
            masked_up_to=None,
            reasons=(reason, *decision.reasons),
        )

    def apply_choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions with the selected options, if still offered, and with a person's own words.

        Own words that name something masked aren't written.
        """
        verdicts = [self.verdict(decision.entity) for decision in decisions]
        texts = {
            verdict.option
            for verdict in verdicts
            if verdict is not None and verdict.action is ReviewAction.WRITE
        }
        texts -= {text for text in texts if names_masked(self._document, decisions, text)}
        return tuple(
            self._chosen(decision, verdict, texts)
            for decision, verdict in zip(decisions, verdicts, strict=True)
        )

    @staticmethod
    def _chosen(decision: Decision, verdict: Verdict | None, texts: Set[str]) -> Decision:
        if verdict is not None and verdict.action is ReviewAction.WRITE:
            return _written(decision, verdict.option) if verdict.option in texts else decision
        if verdict is None or verdict.action is not ReviewAction.GENERALISE or not decision.options:
            return decision
        choice = next(
            (option for option in decision.options if option.text == verdict.option),
            decision.choice,
        )
        return replace(decision, choice=choice, operator=_operator(choice, decision))

    def known(self, document: Document, decisions: Sequence[Decision]) -> KnownIdentities:
        """What is written for the entities in other documents."""
        if self._numbering is None:
            return KnownIdentities()
        return self._numbering.known(document, decisions)

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        """Return whether to mask a leak: not if a person kept it, split it off, or accepted it."""
        about = self._verdicts.latest((span,))
        of = self.verdict(decision.entity)
        return not (
            (about is not None and about.action is ReviewAction.KEEP)
            or (of is not None and of.alone)
            or self._removed.latest((span,))
            or span in self._accepted
        )


def _written(decision: Decision, text: str) -> Decision:
    """Return a decision with a person's own words; how much they reveal is unknown."""
    words = Option(text, 0, REVIEWER, 0.0, decision.risk)
    options = (words, Option(MASK, 1, SUPPRESSION, 0.0, 0.0))
    return replace(decision, options=options, choice=words, operator="generalize")


def _operator(choice: Option | None, decision: Decision) -> str:
    """Return the operator of a choice: *suppress* for none and for the last option, to join neighbors."""
    nothing = choice is None or choice == decision.options[-1]
    return "suppress" if nothing else "generalize"


def original_of(leak: Leak, sanitized: Result) -> Span:
    """Return the position of a leak in the original."""
    return to_original(leak.output_start, leak.output_end, sanitized.replacements)


@dataclass(frozen=True, slots=True)
class LinkedEntities:
    """The entities of a document under review, before anything is decided or masked.

    Attributes:
        document: the document.
        entities: the entities in order, as linked, split and merged by hand.
        verdicts: decisions made by hand, by entity id.
    """

    document: Document
    entities: tuple[Entity, ...]
    verdicts: dict[str, Verdict]


def linked_entities(analysis: Analysis, policy: Policy, state: ReviewState) -> LinkedEntities:
    """Return the entities of an analysis with a person's decisions.

    Masking may add further mentions of the same strings; only ``redecide`` finds these.
    """
    overlay = ReviewOverlay(analysis.document, state, policy)
    mentions = changed_mentions(analysis, state).mentions
    entities = overlay.entities(analysis.document, mentions)
    return LinkedEntities(analysis.document, entities, overlay.verdicts(entities))


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """The current state of a reviewed document; compared by identity, so that pages can be cached.

    Attributes:
        sanitized: text and decisions, without the text of removed parts.
        assessments: one per entity, in the order of the decisions.
        verdicts: decisions made by hand, by entity id.
        bound: entities at or above this risk are masked, unless the policy has one for the type.
        state: the person's decisions.
        in_file: the result with all parts, as the file is written before they are treated.
        removed: mentions removed by hand whose words stay, with their types, in text order.
    """

    sanitized: Result
    assessments: tuple[Assessment, ...]
    verdicts: dict[str, Verdict]
    bound: float
    state: ReviewState
    in_file: Result
    removed: Mapping[Span, SemanticType]

    @property
    def undecided(self) -> tuple[Decision, ...]:
        """The decisions neither confirmed nor changed by a person."""
        decisions = self.sanitized.decisions
        return tuple(item for item in decisions if item.entity.id not in self.verdicts)

    @property
    def doubtful(self) -> tuple[Decision, ...]:
        """The undecided entities that are kept (not on purpose) although they may have to be masked.

        They block a release.
        """
        return tuple(item for item in self.undecided if is_doubtful(item, self.bound))

    @property
    def left_together(self) -> tuple[Combination, ...]:
        """The unbroken combinations that point to the person, which a reviewer kept."""
        masked = {item.entity.id for item in self.sanitized.decisions if item.masked}
        return tuple(
            item for item in self.sanitized.combinations if masked.isdisjoint(item.entity_ids)
        )


def is_doubtful(decision: Decision, general: float | None = None) -> bool:
    """Return whether something that may have to be masked stays, and not on purpose; see ``is_kept_on_purpose``."""
    is_risky = not decision.masked and decision.risk >= DOUBT
    return is_risky and not is_kept_on_purpose(decision, general)


_BY_RULE = (RuleKind.ALLOW, RuleKind.ALLOW_EXACT, RuleKind.REVIEWED_IDENTIFIER)


def is_kept_on_purpose(decision: Decision, general: float | None = None) -> bool:
    """Return whether a rule keeps something whatever its risk, or its type is masked less readily than others.

    Args:
        decision: decision about an entity.
        general: threshold for types without one of their own, if known.
    """
    if decision.masked:
        return False
    threshold = decision.threshold
    # It was compared with a threshold that didn't decide, so the allow list did.
    by_rule = any(
        item.rule in _BY_RULE or (item.rule is RuleKind.THRESHOLD and threshold is None)
        for item in decision.reasons[:1]
    )
    by_type = threshold is not None and general is not None and threshold > general
    return by_rule or by_type or decision.is_kept_by_policy


def redecide(
    analysis: Analysis,
    policy: Policy,
    threshold: float,
    state: ReviewState,
    parts: AdditionalParts = NO_PARTS,
    numbering: ProjectNumbering | None = None,
) -> Reviewed:
    """Return the document as decided by policy and person.

    Args:
        analysis: mentions detected under this policy.
        policy: the policy, with thresholds, operators and lists.
        threshold: used if neither policy nor person set one, for example the one for the policy's
            bound.
        state: the person's decisions; their bound replaces all thresholds of the policy.
        parts: indicators, checks and ontology in addition to the policy's.
        numbering: the project's numbering; None to number each document by itself.
    """
    if state.bound is not None:
        policy = policy.with_changes(
            threshold=state.bound, thresholds={}, length_penalty=policy.length_penalty
        )
    overlay = ReviewOverlay(analysis.document, state, policy, numbering)
    result = complete(changed_mentions(analysis, state), policy, threshold, overlay, parts)
    accepted = {
        leak.place: state.accepted[span]
        for leak in result.sanitized.leaks
        if (span := original_of(leak, result.sanitized)) in state.accepted
    }
    checked = check_result(result.sanitized.accepting(accepted), policy, parts.checks)
    bound = threshold if policy.threshold is None else policy.threshold
    verdicts = overlay.verdicts(checked.entities)
    removed = _removed(analysis, checked.entities, state)
    return Reviewed(checked, result.assessments, verdicts, bound, state, checked, removed)


def _removed(
    analysis: Analysis, entities: Sequence[Entity], state: ReviewState
) -> dict[Span, SemanticType]:
    """Return the mentions removed by hand and not marked again, not even as part of another one."""
    marked = SpanIndex({mention.span: True for entity in entities for mention in entity.mentions})
    types = {mention.span: mention.type for mention in analysis.mentions}
    return {
        span: types.get(span, SemanticType.MISC)
        for span in sorted(state.removed)
        if not marked.latest((span,))
    }


def check_own_words(reviewed: Reviewed, change: Event) -> None:
    """Refuse own words that weren't written because they name something masked.

    Raises:
        EventError: if they do.
    """
    if change.value == ReviewAction.WRITE and any(
        decision.choice is None and reviewed.verdicts[decision.entity.id].option == change.option
        for decision in reviewed.sanitized.decisions
        if decision.entity.id in reviewed.verdicts
    ):
        raise EventError("your words name something that is masked; use other words.")


def options_of(
    reviewed: Reviewed, policy: Policy, entity: str, parts: AdditionalParts = NO_PARTS
) -> tuple[Option, ...]:
    """Return the options of one entity, from the most specific to ``***``, or none if it is unknown."""
    sanitized = reviewed.sanitized
    decisions = tuple(
        replace(item, masked=True, operator="generalize")
        if item.entity.id == entity
        else replace(item, operator="suppress" if item.masked else "")
        for item in sanitized.decisions
    )
    ontology = parts.ontology(policy, sanitized.document.target)
    for decision in propose_options(sanitized.document, decisions, policy, ontology):
        if decision.entity.id == entity:
            return decision.options
    return ()
