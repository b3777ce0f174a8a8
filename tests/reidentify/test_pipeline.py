"""Attackers in the pipeline: as a risk indicator of entities, and as the check of a result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tacenda
from tacenda.background.people import People
from tacenda.document import Document, Entity
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.pipeline import AttackIndicator, ResidualAttack
from tacenda.reidentify.tokens import read_words
from tacenda.risk.assess import assess
from tests.building import entity, mention
from tests.reidentify.village import ABOUT_ANNA, VILLAGERS, store, word_attackers

PLAIN = Policy(recognizer=False, threshold=0.5)


def indicator(people: People, name: str = "", k: int = 1) -> AttackIndicator:
    """Return the indicator of an attacker, or of those by words."""
    attackers = open_attackers(name, people) if name else word_attackers(people)
    return AttackIndicator(people, attackers, k)


def towns(document: Document, *names: str) -> tuple[Entity, ...]:
    """Return an entity of low risk for each name."""
    return tuple(
        entity(f"e{number}", mention(document, name, "LOC", masking=0.1), number=number)
        for number, name in enumerate(names, start=1)
    )


def test_what_the_attacker_lives_from_must_be_masked(tmp_path: Path) -> None:
    """Of two towns only hers tells; the other is no finding."""
    document = Document("letter", "A baker of Bergen, once in Paris.", subject="anna")
    entities = towns(document, "Bergen", "Paris")
    judge = indicator(store(tmp_path / "p.db"))
    found, nothing = judge.judge(document, entities)
    assert found is not None
    assert nothing is None
    assessments = assess(document, entities, Policy(), [judge])
    assert [assessment.risk for assessment in assessments] == [1.0, 0.1]
    assert "Bergen" not in found.evidence.statement
    assert "rank 1 of 5; without it at rank" in found.evidence.statement


def test_of_two_that_say_the_same_both_are_found(tmp_path: Path) -> None:
    """Either alone could go and she would still be first."""
    people = store(tmp_path / "p.db")
    document = Document("letter", "Anna Berg, a nurse of Bergen.", subject="anna")
    entities = towns(document, "Anna", "Berg", "Bergen")
    (attacker,) = open_attackers("bm25", people)
    words = read_words(document)
    for one in entities:
        spans = [mention.span for mention in one.mentions]
        (scores,) = attacker.scores(words, words.masked(spans)[None, :])
        assert scores.argmax() == 0
    findings = indicator(people, "bm25").judge(document, entities)
    assert sum(finding is not None for finding in findings) > 1


def test_in_vain_only_what_tells_is_found(tmp_path: Path) -> None:
    """Her job is no entity, so that she stays first whatever goes; Paris still tells nothing."""
    document = Document("letter", "A baker, born in March 1966 in Bergen or Paris.", subject="anna")
    judge = indicator(store(tmp_path / "p.db"), k=4)
    findings = judge.judge(document, towns(document, "Bergen", "Paris"))
    assert [finding is not None for finding in findings] == [True, False]


def test_who_is_hidden_already_needs_no_mask(tmp_path: Path) -> None:
    """A text that does not tell has no findings."""
    document = Document("letter", "Somebody of Paris.", subject="anna")
    judge = indicator(store(tmp_path / "p.db"))
    assert judge.judge(document, towns(document, "Paris")) == [None]


def test_a_sanitizer_with_the_indicator_defeats_the_attack(tmp_path: Path) -> None:
    """What the policy alone would keep is masked, and the check of the result agrees."""
    people = store(tmp_path / "p.db")
    attackers = word_attackers(people)
    policy = Policy(threshold=0.999)
    check = ResidualAttack(people, attackers, 1)
    text = "He lives in Oslo and comes from Lund."
    alone = tacenda.load(policy, threads=1, checks=[check])
    assert alone.sanitize(text, subject="carl").identifications[0].found
    both = tacenda.load(policy, threads=1, indicators=[indicator(people)], checks=[check])
    result = both.sanitize(text, subject="carl")
    assert not any(found.found for found in result.identifications)
    assert "Lund" not in result.text
    assert "Oslo" in result.text
    assert both.with_policy(policy).sanitize(text, subject="carl").text == result.text


def test_the_check_reads_the_result_not_the_original(tmp_path: Path) -> None:
    """Denied words are gone from what the attacker sees; nothing else is."""
    people = store(tmp_path / "p.db")
    check = ResidualAttack(people, word_attackers(people), 1)
    result = tacenda.load(PLAIN, checks=[check]).sanitize(ABOUT_ANNA, subject="Anna Berg")
    before = result.identifications
    assert [found.attacker for found in before] == ["bm25", "bayes", "name"]
    assert [(found.rank, found.found, found.people) for found in before] == [(1, True, 5)] * 3
    assert not any(found.held_out for found in before)  # both are of one family
    assert {span.of(result.text) for span in before[2].telling_words} == {"Anna"}
    words = [span.of(result.text) for span in before[0].telling_words]
    assert words[:2] == ["Anna", "Anna"]
    denied = PLAIN.with_changes(deny=({"exact": "Bergen"}, {"exact": "baker"}))
    after = (
        tacenda.load(denied, checks=[check]).sanitize(ABOUT_ANNA, subject="anna").identifications
    )
    assert after[0].probability < before[0].probability


def test_the_check_is_in_json_and_explanation_without_the_person(tmp_path: Path) -> None:
    """Rank and probability are told; neither the id nor the words of the person are."""
    people = store(tmp_path / "p.db")
    check = ResidualAttack(people, open_attackers("bm25", people), 1)
    result = tacenda.load(PLAIN, checks=[check]).sanitize(ABOUT_ANNA, subject="anna")
    item = result.to_dict()
    found, name = item["identifications"]
    assert (name["attacker"], name["rank"]) == ("name", 1)
    assert (found["attacker"], found["rank"], found["people"], found["k"]) == ("bm25", 1, 5, 1)
    assert found["found"] is True
    assert 0 < found["probability"] < 1
    assert "anna" not in str(item["identifications"])
    assert "STILL FOUND: bm25 has the person at rank 1 of 5" in result.explain()
    unchecked = replace(result, identifications=()).to_dict()
    assert unchecked["identifications"] == []


def test_a_document_of_nobody_or_somebody_else_is_an_error(tmp_path: Path) -> None:
    """The message names the document, the person and the way out."""
    people = store(tmp_path / "p.db", (*VILLAGERS, replace(VILLAGERS[0], id="anna2")))
    sanitizer = tacenda.load(
        PLAIN, checks=[ResidualAttack(people, open_attackers("bm25", people), 1)], indicators=()
    )
    for person, message in (
        ("", "letter: its person is unknown"),
        ("zoe", "letter: .*no person has the id or name 'zoe'; add the person"),
        ("Anna Berg", "letter: .*several people have the name 'Anna Berg'; .*'anna', 'anna2'"),
    ):
        with pytest.raises(InputError, match=message):
            sanitizer.sanitize(ABOUT_ANNA, id="letter", subject=person)
    with pytest.raises(InputError, match="below the 6 people of the store"):
        ResidualAttack(people, (), k=6)


def test_an_empty_profile_is_warned_of(tmp_path: Path) -> None:
    """The attack is made, and says by itself how little it is worth."""
    people = store(tmp_path / "p.db", (*VILLAGERS, replace(VILLAGERS[0], id="x", profile=())))
    check = ResidualAttack(people, open_attackers("bm25", people), 1)
    result = tacenda.load(PLAIN, checks=[check]).sanitize("Somebody bakes.", subject="x")
    assert result.identifications
    assert result.warnings == ("Only the person's name is known: the attack says little.",)
