"""Decide what is masked and what is kept, with typed reasons; the package docstring has the order of rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import nextafter

from ..document import (
    Assessment,
    Certainty,
    Decision,
    Document,
    Effect,
    Entity,
    IdentifierType,
    MentionSource,
    Reason,
    RuleKind,
    SemanticType,
    Span,
)
from ..policy import Policy, Rule
from ..policy.forms import FORMS, FormName
from ..policy.rules import matches
from ..text.spans import DisjointSpans

MAJORITY = 0.5
"""Risk from which an entity is more likely than not to need masking."""


# The length penalty: the odds at which an entity is masked grow with its number of words.
#
# This is the Lagrangian of masking with the least needless loss, at one exchange rate for all
# documents: hiding any one entity is worth the same, and the needless loss grows with its number of
# words. Strict proportionality would trust the probabilities too much, so the policy's
# ``length_penalty`` is an exponent: 0 means one threshold for all entities, 1 means proportional.


TYPICAL = 3
"""Words at which the threshold is the policy's own."""

_BELOW_LIKELY = nextafter(MAJORITY, 0.0)
_WORD = re.compile(r"\w+")


def words_in(text: str) -> int:
    """Return the number of words in a text; numbers and parts of dates count as words."""
    return len(_WORD.findall(text))


def words_of(document: Document, entity: Entity) -> int:
    """Return the number of words in all mentions of an entity."""
    return sum(words_in(mention.span.of(document.text)) for mention in entity.mentions)


def highest_asking(risk: float, words: int, length_penalty: float) -> float:
    """Return the highest threshold at which an entity is still masked; the inverse of ``threshold_for``.

    Args:
        risk: in [0, 1].
        words: of all mentions.
        length_penalty: the exponent, in [0, 1].
    """
    if risk >= MAJORITY:
        return risk
    odds = risk / (1 - risk)
    price: float = (max(1, words) / TYPICAL) ** length_penalty
    # A threshold of one half or more is taken literally.
    return min(odds / (price + odds), _BELOW_LIKELY)


def threshold_for(threshold: float, words: int, length_penalty: float) -> float:
    """Return the lowest risk at which an entity is masked, in [0, 1].

    The penalty never raises a threshold above one half.

    Args:
        threshold: the policy's threshold.
        words: of all mentions.
        length_penalty: the exponent, in [0, 1].
    """
    if threshold >= MAJORITY:
        return threshold
    price: float = (max(1, words) / TYPICAL) ** length_penalty
    odds = price * threshold / (1 - threshold)
    return min(MAJORITY, odds / (1 + odds))


_ABOVE_DIRECT = (RuleKind.TARGET, RuleKind.TARGET_NAME, RuleKind.DENY)
"""The rules that no allow rule is above."""


def decide(
    document: Document,
    assessments: Sequence[Assessment],
    policy: Policy,
    default_threshold: float,
    forced: Sequence[Span] = (),
) -> tuple[Decision, ...]:
    """Return one decision per assessment, in order.

    Args:
        document: the document of the mentions.
        assessments: the entities with their risks.
        policy: thresholds, operators, allow and deny lists.
        default_threshold: a probability, used if the policy sets no threshold; if the policy has a
            bound, the threshold that meets it.
        forced: merged spans of code points that must be masked. An entity that overlaps them can't
            be kept, since it would show a string that is masked elsewhere.
    """
    holds = [_holds(assessment.entity, forced) for assessment in assessments]
    measured = (
        _by_threshold(document, assessments, policy, default_threshold)
        if policy.residual_share is None
        else _by_residual_share(
            document, assessments, policy, policy.residual_share, default_threshold
        )
    )
    return tuple(
        _decision(document, assessment, policy, measure, hold)
        for assessment, measure, hold in zip(assessments, measured, holds, strict=True)
    )


def _holds(entity: Entity, forced: Sequence[Span]) -> bool:
    """Return whether a mention overlaps ``forced``."""
    for mention in entity.mentions:
        place = bisect_left(forced, mention.span.end, key=lambda span: span.start) - 1
        if place >= 0 and forced[place].end > mention.span.start:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Measure:
    """Comparison of a risk with its bound; the effect is the decision by risk alone.

    Attributes:
        others: the reason that the general threshold would give to mask the entity, if only its
            type's threshold keeps it.
    """

    comparison: Reason
    others: tuple[Reason, ...] = ()
    threshold: float | None = None
    masked_up_to: float | None = None


def strictest_type(entity: Entity, policy: Policy, general: float) -> SemanticType:
    """Return the type whose threshold applies to an entity: PERSON if it may be a person and that threshold is stricter."""
    types = [entity.type]
    if any(mention.may_be_person for mention in entity.mentions):
        types.append(SemanticType.PERSON)
    return min(types, key=lambda type: policy.thresholds.get(type, general))


def _by_threshold(
    document: Document,
    assessments: Sequence[Assessment],
    policy: Policy,
    default_threshold: float,
) -> list[_Measure]:
    general = default_threshold if policy.threshold is None else policy.threshold
    measured = []
    for assessment in assessments:
        type, risk = strictest_type(assessment.entity, policy, general), assessment.risk
        threshold = policy.thresholds.get(type, general)
        bound, usual, words, highest = threshold, general, None, risk
        if policy.length_penalty:
            words = words_of(document, assessment.entity)
            bound, usual = (
                threshold_for(item, words, policy.length_penalty) for item in (threshold, general)
            )
            highest = highest_asking(risk, words, policy.length_penalty)
        effect = Effect.MASK if risk >= bound else Effect.KEEP
        comparison = Reason(
            RuleKind.THRESHOLD, effect, risk=risk, type=type, threshold=bound, words=words
        )
        by_usual = replace(comparison, effect=Effect.WOULD_MASK, type=None, threshold=usual)
        measured.append(
            _Measure(comparison, (by_usual,) * (usual <= risk < bound), threshold, highest)
        )
    return measured


def _by_residual_share(
    document: Document,
    assessments: Sequence[Assessment],
    policy: Policy,
    residual_share: float,
    threshold: float,
) -> list[_Measure]:
    """Return comparisons with the threshold that meets a bound on the share of identifiers left.

    If no entity of a document is more likely than not to need masking, the document has no
    identifiers by this measure and is left as it is. The bound was measured with this rule.
    """
    has_identifiers = any(
        assessment.risk >= MAJORITY or _always(document, assessment, policy) is not None
        for assessment in assessments
    )
    return [
        _Measure(
            Reason(
                RuleKind.RISK_BUDGET,
                Effect.MASK if has_identifiers and assessment.risk >= threshold else Effect.KEEP,
                risk=assessment.risk,
                threshold=threshold if has_identifiers else MAJORITY,
                budget=residual_share,
            )
        )
        for assessment in assessments
    ]


def _decision(
    document: Document, assessment: Assessment, policy: Policy, measure: _Measure, hold: bool
) -> Decision:
    entity = assessment.entity
    by_rule, verdict = _verdict(document, assessment, policy, measure)
    masked = verdict[0].effect is Effect.MASK
    threshold, masked_up_to = measure.threshold, measure.masked_up_to
    if by_rule:
        threshold = masked_up_to = None
    if hold and not masked:
        masked = True
        verdict = (Reason(RuleKind.MASKED_ELSEWHERE, Effect.MASK), *map(by_itself, verdict))
        if threshold is not None and masked_up_to is not None:
            masked_up_to = max(masked_up_to, threshold)
    identifier = assessment.identifier
    if masked and identifier is IdentifierType.NO_MASK:
        identifier = IdentifierType.QUASI
    return Decision(
        entity=entity,
        masked=masked,
        operator=operator_of(document, entity, policy) if masked else "",
        identifier=identifier,
        risk=assessment.risk,
        reasons=(*verdict, *map(Reason.of_evidence, assessment.evidence)),
        threshold=threshold,
        masked_up_to=masked_up_to,
    )


def by_itself(reason: Reason) -> Reason:
    """Return a reason to keep an entity as it would be if the entity stood alone."""
    return replace(reason, effect=Effect.WOULD_KEEP) if reason.effect is Effect.KEEP else reason


def operator_of(document: Document, entity: Entity, policy: Policy) -> str:
    """Return the operator of the first rule that matches a mention, or else of the type."""
    for index, rule in enumerate(policy.operators_for):
        place = f"operators_for[{index}]"
        if any(
            matches(rule, string, type, document.id, place)
            for string, type in _strings(document, entity)
        ):
            return rule.operator
    return policy.operator_for(entity.type)


def _verdict(
    document: Document, assessment: Assessment, policy: Policy, measure: _Measure
) -> tuple[bool, tuple[Reason, ...]]:
    """Return whether a rule decided, and the reasons; the effect of the first is the decision."""
    allowed = allowed_by(document, assessment.entity, policy)
    always = _always(document, assessment, policy)
    if always is not None:
        if allowed is None:
            return True, (always,)
        if always.rule not in _ABOVE_DIRECT and policy.allow[allowed].exact is not None:
            return True, (Reason(RuleKind.ALLOW_EXACT, Effect.KEEP, index=allowed),)
        if (
            always.rule is RuleKind.DIRECT_IDENTIFIER and policy.allow[allowed].form is not None
        ):  # A string with the form of a dose isn't a mention, whatever the recognizer says.
            by_form = Reason(RuleKind.ALLOW, Effect.KEEP, index=allowed)
            return True, (by_form, replace(always, effect=Effect.WOULD_MASK))
        return True, (always, Reason(RuleKind.ALLOW, Effect.YIELD, index=allowed))
    comparison = measure.comparison
    if allowed is None or comparison.effect is Effect.KEEP:
        return allowed is not None, (comparison, *measure.others)
    by_rule = Reason(RuleKind.ALLOW, Effect.KEEP, index=allowed)
    return True, (by_rule, replace(comparison, effect=Effect.WOULD_MASK))


def _always(document: Document, assessment: Assessment, policy: Policy) -> Reason | None:
    """Return the reason to mask an entity whatever its risk, or None."""
    if assessment.certain is Certainty.TARGET:
        return Reason(RuleKind.TARGET, Effect.MASK)
    mentions = assessment.entity.mentions
    if any(mention.names_target for mention in mentions):
        return Reason(RuleKind.TARGET_NAME, Effect.MASK)
    indices = (mention.deny for mention in mentions if mention.deny is not None)
    denied = next(indices, None)
    if denied is None:
        denied = _denied(document, assessment.entity, policy)
    if denied is not None:
        return Reason(RuleKind.DENY, Effect.MASK, index=denied)
    if assessment.certain is Certainty.IDENTITY_NUMBER:
        return Reason(RuleKind.IDENTITY_NUMBER, Effect.MASK)
    # A type's threshold also applies to what the recognizer considers a direct identifier.
    bound = policy.thresholds.get(strictest_type(assessment.entity, policy, 0.0), 0.0)
    if assessment.identifier is IdentifierType.DIRECT and assessment.risk >= bound:
        return Reason(RuleKind.DIRECT_IDENTIFIER, Effect.MASK)
    return None


def allowed_by(document: Document, entity: Entity, policy: Policy) -> int | None:
    """Return the allow rule of an entity if every mention matches one; it is exact only if all rules are.

    The rule returned is therefore never stronger than the weakest one needed. A form also allows
    parts of a match, such as ``mg`` in ``500 mg``, but nothing that a pattern is certain about,
    such as a date of birth.
    """
    is_sure = any(
        mention.source is MentionSource.PATTERN and mention.p_mask >= 1.0
        for mention in entity.mentions
    )

    def strength(index: int) -> int:
        rule = policy.allow[index]
        return 2 if rule.exact is not None else 1 if rule.form is not None else 0

    if not policy.allow:
        return None
    weakest: int | None = None
    for (string, type), spans in _spans(document, entity).items():
        indices = [
            index
            for index, rule in enumerate(policy.allow)
            if not (is_sure and rule.form)
            and (
                matches(rule, string, type, document.id, f"allow[{index}]")
                or _is_in_form(document, rule, type, spans)
            )
        ]
        if not indices:
            return None
        best = max(indices, key=strength)
        if weakest is None or strength(best) < strength(weakest):
            weakest = best
    return weakest


def _is_in_form(document: Document, rule: Rule, type: SemanticType, spans: Sequence[Span]) -> bool:
    """Return whether all spans lie within matches of the rule's form."""
    if rule.form is None or rule.type not in (None, type):
        return False
    stretches = _stretches(document.text, rule.form)
    return all(stretches.around(span) is not None for span in spans)


@lru_cache(maxsize=32)
def _stretches(text: str, form: FormName) -> DisjointSpans:
    return DisjointSpans(Span(*match.span()) for match in FORMS[form].finditer(text))


def _denied(document: Document, entity: Entity, policy: Policy) -> int | None:
    """Return the index of the first deny rule that matches a mention."""
    if not policy.deny:
        return None
    for string, _ in _strings(document, entity):
        for index, rule in enumerate(policy.deny):
            place = f"deny[{index}]"
            # Forms found by context are already mentions that carry their rule.
            if rule.form is None and matches(
                rule, string, rule.type or entity.type, document.id, place
            ):
                return index
    return None


def _strings(document: Document, entity: Entity) -> Iterable[tuple[str, SemanticType]]:
    """Return the distinct strings and types of the mentions, in text order."""
    return _spans(document, entity)


def _spans(document: Document, entity: Entity) -> dict[tuple[str, SemanticType], list[Span]]:
    """Return the spans of each distinct string and type, in text order."""
    places: dict[tuple[str, SemanticType], list[Span]] = {}
    for mention in entity.mentions:
        key = mention.span.of(document.text), mention.type
        places.setdefault(key, []).append(mention.span)
    return places
