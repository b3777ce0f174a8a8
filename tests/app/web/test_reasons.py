"""Why a decision is as it is, in plain words."""

from __future__ import annotations

from dataclasses import replace

from tacenda.app.web.labels import percent
from tacenda.app.web.reasons import in_plain_words
from tacenda.document import (
    Assessment,
    Decision,
    Effect,
    Entity,
    Evidence,
    IdentifierType,
    Mention,
    MentionSource,
    Reason,
    RuleKind,
    SemanticType,
    Span,
)
from tests.examples import for_each

from ..building import sanitizer

_MENTION = Mention(Span(0, 3), SemanticType.PERSON, 0.39, 0.0, MentionSource.NEURAL)


def _words(reason: Reason, mention: Mention = _MENTION) -> str:
    entity = Entity("e1", SemanticType.PERSON, 1, (mention,))
    evidence = (Evidence("masking_head", 0.39, "The recognizer gives 0.39."),)
    (decision,) = sanitizer().sanitize("Ada Byron").decisions
    decision = replace(decision, entity=entity, reasons=(reason,))
    assert isinstance(decision, Decision)
    return in_plain_words(decision, Assessment(entity, 0.39, IdentifierType.NO_MASK, evidence))


def _threshold(effect: Effect, threshold: float) -> Reason:
    return Reason(
        RuleKind.THRESHOLD,
        effect,
        risk=0.39,
        type=SemanticType.PERSON,
        threshold=threshold,
        words=4,
    )


def test_how_sure_comes_first_then_the_ground() -> None:
    """In per cent, with the strictness that decides; no figure of two decimals is left."""
    assert _words(_threshold(Effect.MASK, 0.194)) == (
        "The program is 39 % sure that this must be masked. The words and their context suggest "
        "it. Masked, since 19 % is enough at this strictness."
    )
    assert "It stays, since at this strictness 60 % is needed." in _words(
        _threshold(Effect.KEEP, 0.6)
    )
    assert "everything is masked" in _words(_threshold(Effect.MASK, 0.0))


def test_what_a_person_marked_is_no_guess() -> None:
    """Nothing is said of how sure the program is."""
    marked = replace(_MENTION, source=MentionSource.REVIEWER)
    words = _words(Reason(RuleKind.REVIEWER, Effect.KEEP), marked)
    assert words == "A person marked it. It stays, since a person decided so."


@for_each("rule", [rule for rule in RuleKind if rule is not RuleKind.INDICATOR])
@for_each("effect", [effect for effect in Effect if effect is not Effect.SUPPORT])
def test_each_reason_has_words(rule: RuleKind, effect: Effect) -> None:
    """Every ground with every effect is a sentence of its own."""
    reason = Reason(
        rule,
        effect,
        index=0,
        risk=0.5,
        threshold=0.4,
        others=2,
        k=3,
        identifier=IdentifierType.QUASI,
        attribute="occupation",
    )
    words = _words(reason)
    assert words.endswith(".")
    assert "{" not in words
    assert "None" not in words


def test_the_finding_of_an_indicator_speaks_for_itself() -> None:
    """Its own statement stands there."""
    reason = Reason.of_evidence(Evidence("search", 0.5, "A search for it brings up nothing."))
    assert _words(reason).endswith("A search for it brings up nothing.")


def test_shares_are_whole_per_cent() -> None:
    """Nearly none and nearly all are not said to be none and all."""
    shares = (0.0, 0.001, 0.39, 0.997, 1.0)
    assert [percent(share) for share in shares] == [
        "0 %",
        "less than 1 %",
        "39 %",
        "more than 99 %",
        "100 %",
    ]
