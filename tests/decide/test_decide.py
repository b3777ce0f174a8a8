"""Assessments to decisions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tacenda.decide.decide import decide
from tacenda.detect.terms import policy_mentions
from tacenda.document import Decision, Document, Effect, Entity, Reason, RuleKind
from tacenda.explain import sentences
from tacenda.policy import Policy
from tacenda.risk.assess import assess, risk_summary
from tests.building import entity, mention
from tests.examples import for_each
from tests.keys import KEY

TEXT = "Rose Yalman, c/o Acme Ltd, +44 20 7946 0958, met rose growers and ROSE YALMAN in Bath."


def decided(item: Entity, policy: Policy, document: Document | None = None) -> Decision:
    """Return the decision about one entity at a default threshold of 0.5."""
    document = document or Document("d", TEXT)
    return decide(document, assess(document, [item], policy), policy, 0.5)[0]


def company(masking: float = 0.9) -> Entity:
    """Return the company as an entity."""
    return entity("e1", mention(Document("d", TEXT), "Acme Ltd", "ORG", masking))


@pytest.mark.parametrize(("risk", "masked"), [(0.49, False), (0.5, True), (0.51, True)])
def test_masked_from_the_threshold_on(risk: float, masked: bool) -> None:
    """A risk equal to the threshold is masked."""
    assert decided(company(risk), Policy()).masked is masked


def test_thresholds_and_operators_go_by_type() -> None:
    """A type's own threshold and operator stand above the general ones."""
    policy = Policy.build(threshold=0.1, thresholds={"ORG": 0.95}, operators={"ORG": "tag"})
    assert not decided(company(0.9), policy).masked
    assert decided(company(0.96), policy).operator == "tag"


def test_who_may_be_a_person_is_judged_by_the_stricter_threshold() -> None:
    """What the recognizer took for an organisation, and for a person almost as well."""
    for organisation, person, masked in ((0.95, 0.2, True), (0.95, 0.92, False), (0.5, 0.9, True)):
        policy = Policy.build(thresholds={"ORG": organisation, "PERSON": person})
        (acme,) = company(0.9).mentions
        officer = entity("e1", replace(acme, may_be_person=True))
        assert decided(officer, policy).masked is masked


def test_direct_identifiers_are_masked_at_any_threshold() -> None:
    """No threshold lets a direct identifier through."""
    person = entity("e1", mention(Document("d", TEXT), "Rose Yalman", masking=0.8, direct=0.7))
    assert decided(person, Policy(threshold=1.0)).masked


def test_contact_numbers_are_masked_at_any_threshold() -> None:
    """No threshold lets a contact number through."""
    phone = mention(Document("d", TEXT), "+44 20 7946 0958", "CODE", 1.0, 1.0, "pattern", "phone")
    assert decided(entity("e1", phone), Policy(threshold=1.0)).masked


@pytest.mark.parametrize(
    "rule",
    [
        {"exact": "acme ltd"},
        {"regex": "Acme \\w+"},
        {"fuzzy": "Acme Ltd."},
        {"exact": "Acme Ltd", "type": "ORG"},
    ],
)
def test_the_allow_list_keeps(rule: dict[str, str]) -> None:
    """Exact, regular and fuzzy rules keep what they match as a whole."""
    decision = decided(company(), Policy.build(allow=[rule]))
    assert not decision.masked
    assert decision.reasons[0].rule in (RuleKind.ALLOW, RuleKind.ALLOW_EXACT)


@pytest.mark.parametrize(
    "rule",
    [
        {"exact": "Acme"},
        {"regex": "Acme"},
        {"exact": "acme ltd", "ignore_case": False},
        {"exact": "Acme Ltd", "type": "PERSON"},
    ],
)
def test_the_allow_list_keeps_only_what_it_names(rule: dict[str, object]) -> None:
    """A part of the string, another case or another type is not what was allowed."""
    assert decided(company(), Policy.build(allow=[rule])).masked


def test_the_allow_list_does_not_stand_above_the_target() -> None:
    """The person to protect stays protected."""
    document = Document("d", TEXT, target=("Rose Yalman",))
    person = entity("e1", mention(document, "Rose Yalman"))
    assert decided(person, Policy.build(allow=[{"exact": "Rose Yalman"}]), document).masked


@pytest.mark.parametrize(
    ("rule", "strings"),
    [
        ({"exact": "rose yalman"}, ["Rose Yalman", "ROSE YALMAN"]),
        ({"exact": "rose", "ignore_case": False}, ["rose"]),
        ({"exact": "ose"}, []),
        ({"regex": r"[A-Z]\w+ Ltd"}, ["Acme Ltd"]),
        ({"fuzzy": "Rose Jalman"}, ["Rose Yalman", "ROSE YALMAN"]),
    ],
)
def test_denied_terms_become_mentions(rule: dict[str, object], strings: list[str]) -> None:
    """What no detector found is found by the policy, by whole words."""
    found = policy_mentions(Document("d", TEXT), Policy.build(deny=[rule]))
    assert [item.span.of(TEXT) for item in found] == strings
    assert all(item.p_mask == 1.0 for item in found)


def test_target_names_become_mentions() -> None:
    """Full name and surname are found in capitals too; the flower is not the woman."""
    document = Document("d", TEXT + " Yalman's rose.", target=("Rose Yalman",))
    found = {item.span.of(document.text) for item in policy_mentions(document, Policy())}
    assert found == {"Rose Yalman", "ROSE YALMAN", "Yalman"}


def test_residual_risk_is_the_sum_over_what_is_kept() -> None:
    """What is left is what was kept, in expected entities."""
    document = Document("d", TEXT)
    items = [company(0.4), entity("e2", mention(document, "Bath", "LOC", 0.9))]
    decisions = decide(document, assess(document, items, Policy()), Policy(), 0.5)
    summary = risk_summary(decisions, [])
    assert summary.before == pytest.approx(1.3)
    assert summary.residual == pytest.approx(0.4)
    assert summary.highest_kept == 0.4


@for_each(
    ("policy", "masking", "by_policy"),
    [
        (Policy.build(threshold=0.2, thresholds={"ORG": 0.9}), 0.4, 0.4),
        (Policy.build(threshold=0.2, thresholds={"ORG": 0.9}), 0.1, None),
        (Policy.build(threshold=0.2, thresholds={"ORG": 0.9}, length_penalty=0.35), 0.4, 0.4),
        (Policy.build(threshold=0.2, allow=[{"exact": "Acme Ltd"}]), 0.4, 0.4),
        (Policy.build(threshold=0.2, allow=[{"exact": "Acme Ltd"}]), 0.1, None),
        (Policy.build(threshold=0.5), 0.4, None),
        (Policy.build(threshold=0.5, thresholds={"ORG": 0.2}), 0.1, None),
    ],
)
def test_what_the_policy_keeps_on_purpose_is_counted_apart(
    policy: Policy, masking: float, by_policy: float | None
) -> None:
    """What the general threshold would mask; a person who agrees changes nothing about it."""
    kept = decided(company(masking), policy)
    by_hand = Reason(RuleKind.REVIEWER, Effect.KEEP)
    confirmed = replace(kept, threshold=None, reasons=(by_hand, *kept.reasons))
    risk, reviewed = risk_summary([kept], []), risk_summary([confirmed], [])
    assert not kept.masked
    assert risk.kept_by_policy == reviewed.kept_by_policy == by_policy
    assert risk.kept_by_people is None
    assert reviewed.kept_by_people == (masking if by_policy is None else None)
    assert (risk.undecided, reviewed.undecided) == ((0 if by_policy else masking), 0)


PHONE = mention(Document("d", TEXT), "+44 20 7946 0958", "CODE", 1.0, 1.0, "pattern", "phone")


@pytest.mark.parametrize(
    ("rule", "masked"),
    [
        ({"exact": "+44 20 7946 0958"}, False),
        ({"regex": "[+].*"}, True),
        ({"fuzzy": "+44 20 7946 0957"}, True),
    ],
)
def test_only_an_exact_rule_stands_above_a_contact_number(
    rule: dict[str, str], masked: bool
) -> None:
    """A pattern or similarity says more than was thought of; the very string does not."""
    decision = decided(entity("e1", PHONE), Policy.build(allow=[rule]))
    assert decision.masked is masked
    assert any("allow[0]" in reason for reason in sentences(decision))


def test_an_entity_is_kept_only_if_each_mention_is_allowed() -> None:
    """One mention that no rule names, and the entity is masked."""
    document = Document("d", "Acme Ltd, later Acme Group")
    item = entity(
        "e1", mention(document, "Acme Ltd", "ORG"), mention(document, "Acme Group", "ORG")
    )
    one = Policy.build(allow=[{"exact": "Acme Ltd"}])
    both = Policy.build(allow=[{"exact": "Acme Ltd"}, {"exact": "Acme Group"}])
    assert decided(item, one, document).masked
    assert not decided(item, both, document).masked


def test_a_pattern_that_was_needed_weakens_an_exact_rule() -> None:
    """A direct identifier is kept only if exact rules name all of its strings."""
    document = Document("d", "Ada Bell, Miss Bell")
    item = entity(
        "e1", mention(document, "Ada Bell", direct=0.9), mention(document, "Miss Bell", direct=0.9)
    )
    policy = Policy.build(allow=[{"exact": "Ada Bell"}, {"regex": "Miss .*"}])
    assert decided(item, policy, document).masked


def test_the_deny_list_stands_above_the_allow_list() -> None:
    """What both lists match is masked, and the reasons say that one of them yields."""
    policy = Policy.build(allow=[{"regex": "Acme.*"}], deny=[{"exact": "acme ltd"}])
    decision = decided(company(0.01), policy)
    assert decision.masked
    assert "deny[0]" in sentences(decision)[0]
    assert "overrides" in sentences(decision)[1]


def test_a_mention_by_the_deny_list_is_masked_at_any_risk() -> None:
    """The mention that the policy made carries its rule to the decision."""
    policy = Policy.build(threshold=1.0, deny=[{"regex": "Acme"}])
    (found,) = policy_mentions(Document("d", TEXT), policy)
    assert found.kind == "deny[0]"
    assert decided(entity("e1", found), policy).masked


def test_reasons_never_quote_document_or_policy() -> None:
    """Reasons can be shown to people who may see neither."""
    policy = Policy.build(deny=[{"exact": "Acme Ltd"}], target=["Rose Yalman"])
    for item in (company(), entity("e2", mention(Document("d", TEXT), "Rose Yalman"))):
        for reason in sentences(decided(item, policy)):
            assert not any(word in reason for word in ("Acme", "Rose", "Yalman"))


def test_an_operator_by_entity_is_above_the_one_by_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rule that matches one mention as a whole names the operator for all of them."""
    monkeypatch.setenv("KEY", KEY)
    policy = Policy.build(
        operator="tag",
        operators_for=[
            {"exact": "anna berg", "operator": "pseudonym"},
            {"regex": "B.*", "type": "LOC", "operator": "hash"},
            {"fuzzy": "Anna Bergh", "operator": "suppress"},
        ],
        key_env="KEY",
        threshold=0.5,
    )
    document = Document("d", "Anna Berg and Bea went to Bergen. Anna slept.")
    items = [
        entity("e1", mention(document, "Anna Berg"), mention(document, "Anna", nth=1)),
        entity("e2", mention(document, "Bea")),
        entity("e3", mention(document, "Bergen", "LOC")),
    ]
    found = decide(document, assess(document, items, policy), policy, 0.5)
    assert [item.operator for item in found] == ["pseudonym", "tag", "hash"]


def test_a_deny_rule_stands_above_an_exact_allow_rule() -> None:
    """Who names a string in both lists gets it masked, and reads why."""
    policy = Policy.build(allow=[{"exact": "Acme Ltd"}], deny=[{"regex": "Acme.*"}])
    decision = decided(company(0.1), policy)
    assert decision.masked
    assert decision.reasons[0].rule is RuleKind.DENY


@pytest.mark.parametrize(("bound", "masked"), [(0.7, True), (0.95, False)])
def test_a_threshold_of_its_type_is_asked_for_what_is_direct(bound: float, masked: bool) -> None:
    """The general threshold isn't: see above."""
    person = entity("e1", mention(Document("d", TEXT), "Rose Yalman", masking=0.8, direct=0.7))
    decision = decided(person, Policy.build(thresholds={"PERSON": bound}))
    assert decision.masked is masked
