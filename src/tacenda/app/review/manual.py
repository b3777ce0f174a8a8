"""Decisions by hand, laid over those of the policy.

| the entity | becomes |
|---|---|
| has a decision by hand | that, whatever the policy says; the latest, where its mentions have several |
| has identifier type DIRECT or QUASI by hand | masked |
| has identifier type NO_MASK by hand | kept |
| anything else | what the policy says |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...document import Decision, Document, Entity, IdentifierType, Mention, Option, Span
from ...policy import Policy
from .places import Places
from .state import State, Verdict
from .structure import changed_entities

_BY_HAND = {
    "keep": "Kept: a reviewer decided so.",
    "mask": "Masked: a reviewer decided so.",
    "generalise": "Generalised: a reviewer decided so.",
}


class Manual:
    """A state as ``finish`` asks for it; see the module for what wins."""

    def __init__(self, state: State, policy: Policy) -> None:
        self._joins = state.joins
        self._policy = policy
        self._verdicts = Places(state.verdicts)
        self._identifiers = Places(state.identifiers)
        self._removed = Places(dict.fromkeys(state.removed, True))

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """Return the entities, split and merged by hand."""
        return changed_entities(document, mentions, self._joins)

    def verdict(self, entity: Entity) -> Verdict | None:
        """Return the decision by hand about an entity, if there is one."""
        return self._verdicts.latest(mention.span for mention in entity.mentions)

    def decisions(self, document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions with those by hand in their place."""
        return tuple(map(self._decided, decisions))

    def _decided(self, decision: Decision) -> Decision:
        spans = [mention.span for mention in decision.entity.mentions]
        identifier = self._identifiers.latest(spans)
        if identifier is not None:
            decision = replace(decision, identifier=identifier)
        verdict = self._verdicts.latest(spans)
        if verdict is not None:
            return self._with(decision, verdict.action, _BY_HAND[verdict.action])
        if identifier is not None:
            action = "keep" if identifier is IdentifierType.NO_MASK else "mask"
            reason = f"a reviewer set its identifier type to {identifier}."
            return self._with(
                decision, action, f"{'Masked' if action == 'mask' else 'Kept'}: {reason}"
            )
        return decision

    def _with(self, decision: Decision, action: str, reason: str) -> Decision:
        if action == "keep":
            operator = ""
        elif action == "generalise":
            operator = "generalize"
        else:
            operator = self._policy.operator_for(decision.entity.type)
            # To mask is to say nothing: what generalises by itself is suppressed by hand.
            operator = "suppress" if operator == "generalize" else operator
        return replace(
            decision,
            masked=action != "keep",
            operator=operator,
            threshold=None,
            masked_up_to=None,
            reasons=(reason, *decision.reasons),
        )

    def choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions with the options that were chosen, where they are still offered."""
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

    def pursues(self, span: Span, decision: Decision) -> bool:
        """Tell whether a leak is masked: not where a person decided to keep, or to part them."""
        about = self._verdicts.latest((span,))
        of = self.verdict(decision.entity)
        return not (
            (about is not None and about.action == "keep")
            or (of is not None and of.alone)
            or self._removed.latest((span,))
        )


def _operator(choice: Option | None, decision: Decision) -> str:
    """Return *suppress* where nothing is said, so that neighbours are joined; see ``offer``."""
    nothing = choice is None or choice == decision.options[-1]
    return "suppress" if nothing else "generalize"
