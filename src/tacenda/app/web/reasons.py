"""The reasons for a decision in plain words, for the page; ``explain`` has the exact ones."""

from __future__ import annotations

from collections.abc import Mapping

from ...document import Assessment, Decision, Mention, MentionSource, Reason, RuleKind
from ...explain import sentence
from ...shipped import shipped_table
from ...wording import IDENTIFIERS
from .labels import percent

_WORDS = shipped_table("page_words")
_EFFECTS: Mapping[str, str] = _WORDS["effects"]
_GROUNDS: Mapping[str, str] = _WORDS["grounds"]
_SOURCES: Mapping[str, str] = _WORDS["sources"]
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
