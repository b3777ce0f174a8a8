"""Risky combinations are broken by the option that loses least, as far as rules leave one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.decide.combinations import break_combinations, with_candidates
from tacenda.deciding import AdditionalParts
from tacenda.document import (
    Combination,
    Decision,
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Option,
    Span,
)
from tacenda.errors import PolicyError
from tacenda.explain import sentences
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.building import entity, mention, reason
from tests.detectors import KnownNames

DOCUMENT = Document("d", "A drummer from Ulm came in 1994 with 23 euros.")
DRUMMER = entity("e1", mention(DOCUMENT, "drummer", "DEM", masking=0.1))
ULM = entity("e2", mention(DOCUMENT, "Ulm", "LOC", masking=0.1))
YEAR = entity("e3", mention(DOCUMENT, "1994", "DATETIME", masking=0.1))
OPTIONS = {
    # Half of 10 nats is lost, 9 tenths of 2, and a fifth of 8 by what does not break anything.
    "e1": (("musician", 0.5, 0.001), ("***", 0.0, 0.0)),
    "e2": (("city", 0.1, 0.001), ("***", 0.0, 0.0)),
    "e3": (("1990s", 0.8, 0.5), ("date", 0.1, 0.001), ("***", 0.0, 0.0)),
}
NATS = {item.mentions[0].span: nats for item, nats in ((DRUMMER, 10.0), (ULM, 2.0), (YEAR, 8.0))}
POLICY = Policy(operator="generalize")
WHY = (Evidence("search", 0.4, "A search says so."),)


def kept(item: Entity) -> Decision:
    """Return a decision to keep."""
    return Decision(item, False, "", IdentifierType.NO_MASK, 0.1, (reason("Kept."),))


def risky(*ids: str) -> Combination:
    """Return a combination of these entities."""
    return Combination(ids, 0.4, WHY)


def with_options(decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
    """Return the decisions with options, where something is generalised."""
    return tuple(
        replace(
            decision,
            options=tuple(
                Option(text, level, "rule:x", share, risk)
                for level, (text, share, risk) in enumerate(OPTIONS[decision.entity.id])
            ),
        )
        if decision.operator == "generalize"
        else decision
        for decision in decisions
    )


def chosen(
    *combinations: Combination,
    decisions: tuple[Decision, ...] = (kept(DRUMMER), kept(ULM), kept(YEAR)),
    policy: Policy = POLICY,
    fixed: tuple[str, ...] = (),
) -> list[str]:
    """Return what is written instead of each entity; empty where it is kept."""
    exposed = with_options(with_candidates(DOCUMENT, decisions, combinations, policy, fixed))
    found = break_combinations(decisions, exposed, combinations, policy, NATS.__getitem__)
    return [each.choice.text if each.choice else each.operator for each in found]


def test_the_cheapest_member_is_changed() -> None:
    """Ulm loses 1.8 nats, the drummer 5."""
    assert chosen(risky("e1", "e2")) == ["", "city", ""]


def test_an_option_above_the_bound_breaks_nothing() -> None:
    """The decade would lose 1.6 nats, but fits two things: any date loses 7.2, the drummer 5."""
    assert chosen(risky("e1", "e3")) == ["musician", "", ""]
    loose = Policy(operator="generalize", residual_risk=0.5)
    assert chosen(risky("e1", "e3"), policy=loose) == ["", "", "1990s"]


def test_one_change_may_break_several() -> None:
    """The drummer is in two combinations: 5 nats, against 9 for both others."""
    assert chosen(risky("e1", "e2"), risky("e1", "e3")) == ["musician", "", ""]


def test_other_operators_lose_everything() -> None:
    """A black box for Ulm loses 2 nats, for the drummer 10."""
    assert chosen(risky("e1", "e2"), policy=Policy(operator="suppress")) == ["", "suppress", ""]


def test_what_is_masked_anyway_breaks_its_combinations() -> None:
    """The drummer is masked by the threshold: nothing else need change, and it is written best."""
    masked = replace(kept(DRUMMER), masked=True, operator="generalize")
    assert chosen(risky("e1", "e2"), decisions=(masked, kept(ULM))) == ["musician", ""]


def test_the_allow_list_and_a_reviewer_are_obeyed() -> None:
    """Ulm stays where a rule or a person keeps it, at the price of the drummer."""
    policy = Policy.from_yaml("operator: generalize\nallow: [{exact: Ulm}]\n")
    assert chosen(risky("e1", "e2"), policy=policy) == ["musician", "", ""]
    assert chosen(risky("e1", "e2"), fixed=("e2",)) == ["musician", "", ""]
    with pytest.raises(PolicyError, match="e2 must not all be left"):
        chosen(risky("e2"), policy=policy)


def test_the_reasons_say_why_it_was_changed() -> None:
    """What was kept and is changed has the combination's evidence, and its risk."""
    decisions = (kept(DRUMMER), kept(ULM))
    combinations = [risky("e1", "e2")]
    exposed = with_options(with_candidates(DOCUMENT, decisions, combinations, POLICY))
    found = break_combinations(decisions, exposed, combinations, POLICY, NATS.__getitem__)[1]
    assert (found.masked, found.risk, found.identifier) == (True, 0.4, IdentifierType.QUASI)
    assert sentences(found) == [
        "Masked: with 1 other it points to the person, and changing it loses least.",
        "A search says so.",
        "Kept.",
    ]


class _All:
    """Says that all entities of a document must not be left together."""

    def combinations(self, document: Document, entities: Sequence[Entity]) -> list[Combination]:
        """Return one combination of everything."""
        return [risky(*(item.id for item in entities))] if entities else []


_DATES = KnownNames(("12 March 1994", "DATETIME", 0.01), ("1890", "DATETIME", 0.01))


def test_the_sanitizer_breaks_combinations() -> None:
    """Of two dates that are kept alone, one is generalised where both must not be left."""
    text = "Born on 12 March 1994, of a family known since 1890."
    policy = Policy(operator="generalize", patterns=False)
    alone = Sanitizer(policy, _DATES, 0.2).sanitize(text)
    assert alone.text == text
    found = Sanitizer(
        policy, _DATES, 0.2, AdditionalParts(combination_indicators=(_All(),))
    ).sanitize(text)
    assert [each.masked for each in found.decisions].count(True) == 1
    assert found.text != text


def test_a_model_says_what_a_change_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its context the full date is no surprise; by its words it tells more than a year."""

    class _Context:
        def weights(self, text: str, tokens: Sequence[Span]) -> list[float]:
            assert [token.of(text) for token in tokens] == ["12", "March", "1994", "1890"]
            return [0.1, 0.1, 0.1, 5.0]

    text = "Born on 12 March 1994, of a family known since 1890."
    policy = Policy(operator="generalize", patterns=False, information="lm")
    monkeypatch.setattr("tacenda.deciding._weighting", {"lm": _Context()}.__getitem__)
    sanitizer = Sanitizer(policy, _DATES, 0.2, AdditionalParts(combination_indicators=(_All(),)))
    assert [each.masked for each in sanitizer.sanitize(text).decisions] == [True, False]
    monkeypatch.undo()
    sanitizer = Sanitizer(
        policy.with_changes(information="unigram"),
        _DATES,
        0.2,
        AdditionalParts(combination_indicators=(_All(),)),
    )
    assert [each.masked for each in sanitizer.sanitize(text).decisions] == [False, True]


def test_information_is_named_as_a_weighting_is(tmp_path: Path) -> None:
    """A file is found beside the policy."""
    (tmp_path / "words.txt").write_text("1890 1890 known")
    (tmp_path / "policy.yaml").write_text("information: unigram:words.txt\n")
    policy = Policy.load(tmp_path / "policy.yaml")
    assert policy.information == f"unigram:{tmp_path / 'words.txt'}"
    sanitizer = Sanitizer(policy, _DATES, 0.2, AdditionalParts(combination_indicators=(_All(),)))
    assert sanitizer.sanitize("Of a family known since 1890, not 12 March 1994.").entities
