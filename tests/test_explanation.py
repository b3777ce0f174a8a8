"""Reasons as text for the reviewer."""

from __future__ import annotations

from tacenda.decide.decide import decide
from tacenda.document import Document
from tacenda.explain import explain
from tacenda.policy import Policy
from tacenda.result import Result
from tacenda.rewrite.rewrite import rewrite
from tacenda.risk.assess import assess, risk_summary
from tests.building import entity, mention

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
    assert "Masked: its risk is 0.97, the threshold for PERSON 0.30." in text
    assert (
        "Fewer than 1 of 1 entity that needs masking is left (0.12 of 1.09 expected); the riskiest"
        in text
    )


def test_explanation_can_leave_the_originals_out() -> None:
    """Without originals no string of the document is in it."""
    text = explain(result(), originals=False)
    assert "Yalman" not in text
    assert "Ankara" not in text
    assert "PERSON 1" in text


def test_explanation_shows_what_was_written() -> None:
    """Beside each masked entity stands its replacement, beside a kept one none."""
    lines = explain(result(), originals=False).splitlines()
    assert "  PERSON 1  → ***  (QUASI, risk 0.97, 2 times)" in lines
    assert "  LOC 1  (NO_MASK, risk 0.12, once)" in lines


def test_explanation_prices_the_alternatives() -> None:
    """Each entity has what keeping and masking it would lose, unless originals must not show."""
    text = result().explain()
    assert "Alternatives: kept (0.0 nats lost, risk 0.97) · *** (" in text
    assert "kept (0.0 nats lost, risk 0.12, as here)" in text
    assert "Alternatives" not in explain(result(), originals=False)
