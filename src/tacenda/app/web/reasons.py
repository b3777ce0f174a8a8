"""The reasons for a decision in plain words, for the page; ``explain`` has the exact ones."""

from __future__ import annotations

from ...document import (
    Assessment,
    Decision,
    Effect,
    Mention,
    MentionSource,
    Reason,
    RuleKind,
)
from ...explain import sentence
from ...wording import IDENTIFIERS
from .labels import percent

_EFFECTS = {
    Effect.MASK: "Masked, since",
    Effect.KEEP: "It stays, since",
    Effect.GENERALIZE: "Generalized, since",
    Effect.EDIT: "Changed, since",
    Effect.WOULD_MASK: "Otherwise it would be masked, since",
    Effect.WOULD_KEEP: "By itself it would stay, since",
    Effect.YIELD: "This overrides the list of what is never masked, since",
}
_GROUNDS = {
    RuleKind.TARGET: "it names the person to protect",
    RuleKind.TARGET_NAME: "it contains a name of the person to protect",
    RuleKind.DENY: "it is on the list of words to mask always",
    RuleKind.IDENTITY_NUMBER: "contact details and identity numbers always are",
    RuleKind.DIRECT_IDENTIFIER: "direct identifiers always are",
    RuleKind.ALLOW: "it is on the list of words never to mask",
    RuleKind.ALLOW_EXACT: "it is on the list of words never to mask",
    RuleKind.MASKED_ELSEWHERE: "it contains or shares text that is masked elsewhere",
    RuleKind.ATTACK: "a search would rank the person among the first {0.k}",
    RuleKind.REVIEWER: "a person decided so",
    RuleKind.KEPT_ATTRIBUTE: "readers need it ({0.attribute})",
    RuleKind.INSTEAD: "information that readers need is kept, so more of the rest is masked",
}
_SOURCES = {
    MentionSource.NEURAL: "The words and their context suggest it.",
    MentionSource.PATTERN: "It has the form of: {kind}.",
    MentionSource.GAZETTEER: "It says something of a person: {kind}.",
    MentionSource.PROPAGATION: "The same words were found elsewhere in the text.",
    MentionSource.PLUGIN: "A plug-in found it.",
    MentionSource.REVIEWER: "A person marked it.",
}
_GIVEN = (MentionSource.REVIEWER, MentionSource.POLICY)
"""Sources that are not the program's guess."""


def in_plain_words(decision: Decision, assessment: Assessment) -> str:
    """Return the certainty, evidence and consequences of a decision, in sentences."""
    mention = max(decision.entity.mentions, key=lambda item: item.p_mask)
    sentences = [_source(mention), _reason(decision.reasons[0])]
    if mention.source not in _GIVEN:
        certainty = f"The program is {percent(assessment.risk)} sure that this must be masked."
        sentences.insert(0, certainty)
    return " ".join(filter(None, sentences))


def _source(mention: Mention) -> str:
    kind = mention.kind.replace("_", " ") or "a number"
    return _SOURCES.get(mention.source, "").format(kind=kind)


def _reason(reason: Reason) -> str:
    """Return a reason as a sentence; an indicator's finding speaks for itself."""
    if reason.evidence is not None:
        return sentence(reason)
    return f"{_EFFECTS.get(reason.effect, 'So it is, since')} {_ground(reason)}."


def _ground(reason: Reason) -> str:
    if reason.rule in (RuleKind.THRESHOLD, RuleKind.RISK_BUDGET):
        return _comparison(reason)
    if reason.rule is RuleKind.COMBINATION:
        count = reason.others or 0
        company = f"together with {count} other{'s'[: count > 1]} " if count else ""
        return f"{company}it points to the person, and changing it loses least"
    if reason.rule is RuleKind.REVIEWED_IDENTIFIER:
        return f"a person said that it {IDENTIFIERS[str(reason.identifier)]}"
    return _GROUNDS[reason.rule].format(reason)


def _comparison(reason: Reason) -> str:
    threshold = reason.threshold or 0.0
    if threshold <= 0:
        return "at this strictness everything is masked"
    if (reason.risk or 0.0) >= threshold:
        return f"{percent(threshold)} is enough at this strictness"
    return f"at this strictness {percent(threshold)} is needed"
