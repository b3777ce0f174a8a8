"""Reasons as text for the reviewer."""

from __future__ import annotations

from tacenda.decide.decide import decide
from tacenda.document import (
    Document,
    Effect,
    Evidence,
    IdentifierType,
    Reason,
    RuleKind,
    SemanticType,
)
from tacenda.explain import explain, sentence
from tacenda.policy import Policy
from tacenda.result import Result
from tacenda.rewrite.rewrite import rewrite
from tacenda.risk.assess import assess, risk_summary
from tests.building import entity, mention
from tests.examples import for_each

DOCUMENT = Document("letter", "Mr Yalman lives in Ankara. Yalman is well.")


def result() -> Result:
    """Return a document with one entity masked and one kept."""
    entities = (
        entity(
            "e1", mention(DOCUMENT, "Mr Yalman", masking=0.97), mention(DOCUMENT, "Yalman", nth=1)
        ),
        entity("e2", mention(DOCUMENT, "Ankara", "LOC", 0.12)),
    )
    decisions = decide(DOCUMENT, assess(DOCUMENT, entities, Policy()), Policy(), 0.3)
    text, replacements = rewrite(DOCUMENT, decisions, Policy())
    risk = risk_summary(decisions, [])
    return Result(DOCUMENT, text, entities, decisions, replacements, (), risk)


def test_explanation_names_each_entity_with_its_reason() -> None:
    """Masked entities come first, then the riskiest that were kept, then what is left."""
    text = result().explain()
    assert text.index("'Mr Yalman' and in 1 other form") < text.index("Kept, the riskiest first")
    assert text.index("Kept, the riskiest first") < text.index("'Ankara'")
    assert "Masked: its risk is 0.97, the threshold for person 0.30." in text
    assert (
        "Fewer than 1 of 1 entity that needs masking is left (0.12 of 1.09 expected); the riskiest"
        in text
    )


def test_explanation_can_leave_the_originals_out() -> None:
    """Without originals no string of the document is in it."""
    text = explain(result(), originals=False)
    assert "Yalman" not in text
    assert "Ankara" not in text
    assert "person 1" in text


def test_explanation_shows_what_was_written() -> None:
    """Beside each masked entity stands its replacement, beside a kept one none."""
    lines = explain(result(), originals=False).splitlines()
    assert "  person 1  → [PERSON 1]  (indirect identifier, risk 0.97, 2 times)" in lines
    assert "  place 1  (not an identifier, risk 0.12, once)" in lines


def test_explanation_prices_the_alternatives() -> None:
    """Each entity has what keeping and masking it would lose, unless originals must not show."""
    text = result().explain()
    assert "Alternatives: kept (0.0 nats lost, risk 0.97) · *** (" in text
    assert "kept (0.0 nats lost, risk 0.12, as here)" in text
    assert "Alternatives" not in explain(result(), originals=False)


_MASK, _KEEP = Effect.MASK, Effect.KEEP
_SENTENCES = (
    (Reason(RuleKind.TARGET, _MASK), "Masked: it names the person to protect."),
    (Reason(RuleKind.TARGET_NAME, _MASK), "Masked: it contains a name of the person to protect."),
    (Reason(RuleKind.DENY, _MASK, index=2), "Masked: the policy's deny list matches it (deny[2])."),
    (
        Reason(RuleKind.IDENTITY_NUMBER, _MASK),
        "Masked: contact and identity numbers always are.",
    ),
    (Reason(RuleKind.DIRECT_IDENTIFIER, _MASK), "Masked: direct identifiers always are."),
    (
        Reason(RuleKind.ALLOW, _KEEP, index=0),
        "Kept: the policy's allow list matches it (allow[0]).",
    ),
    (
        Reason(RuleKind.ALLOW, Effect.YIELD, index=1),
        "This overrides the policy's allow list (allow[1]).",
    ),
    (
        Reason(RuleKind.ALLOW_EXACT, _KEEP, index=3),
        "Kept: the policy's allow list names it (allow[3]).",
    ),
    (
        Reason(
            RuleKind.THRESHOLD,
            Effect.WOULD_MASK,
            risk=0.5,
            type=SemanticType.DATETIME,
            threshold=0.25,
        ),
        "Otherwise it would be masked: its risk is 0.50, the threshold for date or time 0.25.",
    ),
    (
        Reason(RuleKind.THRESHOLD, _KEEP, risk=0.1, type=SemanticType.ORG, threshold=0.2, words=1),
        "Kept: its risk is 0.10, the threshold for organization (1 word in all) 0.20.",
    ),
    (
        Reason(RuleKind.RISK_BUDGET, Effect.WOULD_KEEP, risk=0.1, budget=0.05, threshold=0.12),
        "By itself it would be kept: its risk is 0.10; where at most 0.05 of the identifiers may be "
        "left, the threshold is 0.12.",
    ),
    (
        Reason(RuleKind.MASKED_ELSEWHERE, _MASK),
        "Masked: it contains or shares text that is masked elsewhere.",
    ),
    (
        Reason(RuleKind.COMBINATION, _MASK, others=0),
        "Masked: it points to the person, and changing it loses least.",
    ),
    (
        Reason(RuleKind.COMBINATION, _MASK, others=2),
        "Masked: with 2 others it points to the person, and changing it loses least.",
    ),
    (
        Reason(RuleKind.ATTACK, Effect.EDIT, k=3),
        "Changed: attackers would rank the person among the first 3.",
    ),
    (Reason(RuleKind.REVIEWER, Effect.GENERALIZE), "Generalized: a reviewer decided so."),
    (
        Reason(RuleKind.REVIEWED_IDENTIFIER, _KEEP, identifier=IdentifierType.NO_MASK),
        "Kept: a reviewer said that it is: not an identifier.",
    ),
    (
        Reason(RuleKind.KEPT_ATTRIBUTE, _KEEP, attribute="illness"),
        "Kept: readers need it, by the policy (illness).",
    ),
    (
        Reason(RuleKind.INSTEAD, _MASK),
        "Masked: information that readers need is kept, so more of the rest is masked.",
    ),
    (Reason.of_evidence(Evidence("search", 0.4, "A search says so.")), "A search says so."),
)


@for_each(("reason", "words"), _SENTENCES)
def test_a_reason_is_worded_by_its_rule_and_its_effect(reason: Reason, words: str) -> None:
    """The sentence has the rule's place, the figures compared and the label of the type."""
    assert sentence(reason) == words


def test_every_rule_has_words() -> None:
    """No rule is without a sentence above."""
    assert {reason.rule for reason, _ in _SENTENCES} == set(RuleKind)
    assert {reason.effect for reason, _ in _SENTENCES} == set(Effect)
