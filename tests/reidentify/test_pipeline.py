"""Attackers in the pipeline: as a risk indicator of entities, and as the check of a result."""

from __future__ import annotations

from pathlib import Path

import tacenda
from tacenda.document import Document
from tacenda.policy import Policy
from tacenda.reidentify import open_attackers
from tacenda.reidentify.indicator import AttackIndicator
from tacenda.reidentify.residual import residual_beliefs
from tacenda.risk import assess
from tests.building import entity, mention
from tests.reidentify.village import ABOUT_ANNA, store


def test_an_entity_is_as_risky_as_it_makes_the_attacker_sure(tmp_path: Path) -> None:
    """Of two towns only hers tells; what is no word of any profile is no finding."""
    document = Document("letter", "A baker of Bergen, once in Paris.")
    entities = (
        entity("e1", mention(document, "Bergen", "LOC", masking=0.1)),
        entity("e2", mention(document, "Paris", "LOC", masking=0.1), number=2),
    )
    (attacker,) = open_attackers("bm25", store(tmp_path / "p.db"))
    indicator = AttackIndicator(attacker, 0)
    found, nothing = indicator.judge(document, entities)
    assert found is not None
    assert nothing is None
    assert 0 < found.evidence.value < 1
    assessments = assess(document, entities, Policy(), [indicator])
    assert assessments[0].risk == max(found.evidence.value, 0.1)
    assert "Bergen" not in found.evidence.statement


def test_the_check_reads_the_result_not_the_original(tmp_path: Path) -> None:
    """Denied words are gone from what the attacker sees; nothing else is."""
    people = store(tmp_path / "p.db")
    attackers = open_attackers("ensemble", people)
    policy = Policy(recognizer=False, threshold=0.5)
    result = tacenda.load(policy).sanitize(ABOUT_ANNA)
    before = residual_beliefs(result, 0, attackers)
    assert [belief.attacker for belief in before] == ["bm25", "bayes"]
    assert "baker" in result.text
    (told,) = open_attackers("bm25", people)
    denied = policy.with_changes(deny=({"exact": "Bergen"}, {"exact": "baker"}))
    after = residual_beliefs(tacenda.load(denied).sanitize(ABOUT_ANNA), 0, (told,))
    assert after[0].probability < before[0].probability
