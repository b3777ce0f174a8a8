"""A back end that fails: what it did not answer is unknown, treated as risky, and says so."""

from __future__ import annotations

from tacenda.document import Document, IdentifierType
from tacenda.policy import Policy
from tacenda.risk.assess import assess
from tacenda.risk.search.algorithm import QueryCache, SearchSession, find_risky
from tacenda.risk.search.indicator import PrecomputedFindings, SearchReport, SearchRisk
from tests.building import entity, mention
from tests.risk.search.toy import FailingPages, Pages

TEXT = "Anna Berg keeps bees in Lund with Carl."
DOCUMENT = Document("d", TEXT, ("Anna Berg",))
ENTITIES = (
    entity("e1", mention(DOCUMENT, "bees", "MISC", masking=0.1)),
    entity("e2", mention(DOCUMENT, "Lund", "LOC", masking=0.1)),
    entity("e3", mention(DOCUMENT, "Carl", masking=0.1)),
)
# Each pair shares a page, and nothing leads to the person.
SAFE = {
    "1": {"bees", "Lund"},
    "2": {"Lund", "Carl"},
    "3": {"bees", "Carl"},
    "4": {"Anna Berg"},
}


def searched(backend: Pages, count: int = 2) -> SearchReport:
    """Return the report; with two results a query, no answer is complete."""
    return SearchRisk(backend, count=count).search(DOCUMENT, ENTITIES)


def test_one_query_without_answer_makes_its_combination_unknown() -> None:
    """Where the search for one entity fails, that entity is risky and the others are judged."""
    report = searched(FailingPages(SAFE, words=frozenset({"Lund"})))
    assert [item.entity_ids for item in report.combinations] == [("e2",)]
    (combination,) = report.combinations
    assert combination.risk == 1.0
    assert "Unknown, treated as risky" in combination.evidence[0].statement
    assert "toy is out of order" in combination.evidence[0].statement
    assert report.findings[1] is not None
    assert report.findings[1].identifier is IdentifierType.QUASI
    assert report.findings[0] is not None
    assert report.findings[0].evidence.value == 0.0
    assert any("treated as risky" in sentence for sentence in report.sentences())


def test_a_back_end_that_goes_down_leaves_every_pair_unknown() -> None:
    """After the single entities the back end is down: no two of them may stay together."""
    report = searched(FailingPages(SAFE, from_query=4))
    assert {item.entity_ids for item in report.combinations} == {
        ("e1", "e2"),
        ("e1", "e3"),
        ("e2", "e3"),
    }
    assert all(item.risk == 1.0 for item in report.combinations)
    assert report.unknown == 3


def test_a_dead_back_end_is_given_up_after_three_failures() -> None:
    """Three failures in a row are enough; the rest is unknown without waiting for it."""
    backend = FailingPages(SAFE, from_query=1)
    report = searched(backend)
    assert len(backend.asked) == 4
    assert report.unknown == 3


def test_without_the_pages_about_the_person_everything_is_unknown() -> None:
    """Where the search for the person fails nothing can be told safe."""
    report = searched(FailingPages(SAFE, from_query=0))
    assert [item.entity_ids for item in report.combinations] == [("e1",), ("e2",), ("e3",)]
    assert report.judged == 0


def test_too_many_unknown_pairs_become_unknown_entities() -> None:
    """Above two thousand unknown pairs each entity is unknown itself, so that the list stays short."""
    words = [f"w{n}" for n in range(70)]
    pages = {"1": set(words), "2": set(words), "3": {"yalman"}}
    asker = SearchSession(FailingPages(pages, from_query=71), QueryCache(), 2, 10_000)
    outcome = find_risky(asker, [("yalman",)], [(word,) for word in words], range(70), 2)
    assert outcome.unknown == [(index,) for index in range(70)]
    assert outcome.collapsed


def test_findings_enter_the_assessment() -> None:
    """An entity that leads to the person has that as its risk, beside the other indicators."""
    report = searched(Pages({"1": {"bees", "Anna Berg"}, "2": {"Lund"}}), count=50)
    first, second, third = assess(
        DOCUMENT, ENTITIES, Policy(), [PrecomputedFindings(report.findings)]
    )
    assert first.risk == 1.0
    assert first.evidence[0].indicator == "search"
    assert "1 result, 1 of them about a person to protect" in first.evidence[0].statement
    assert (second.risk, third.risk) == (0.1, 0.1)
