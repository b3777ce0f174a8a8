"""Projects that are decided by what an adversary could know, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread

import jsonschema
import pytest

from tacenda.app.audit import document_audit
from tacenda.app.events import Event, EventKind
from tacenda.app.review.curve import BOUNDS, curve
from tacenda.app.review.events import ReviewState
from tacenda.app.review.indicators import Background
from tacenda.app.review.redecide import redecide
from tacenda.app.review.summary import summary
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument
from tacenda.app.web.views import entity_views
from tacenda.audit import schema
from tacenda.deciding import AdditionalParts
from tacenda.document import (
    Combination,
    Document,
    Entity,
    Evidence,
    Identification,
    IdentifierType,
    Span,
)
from tacenda.errors import InputError
from tacenda.result import Result
from tacenda.risk.indicators import Finding
from tacenda.risk.registry import CachedIndicator

from .building import LETTER, knowledge, sanitizer, service

LETTER_OF_ADA = NewDocument(Document("letter.txt", LETTER, ("Ada Byron",)))
DAY, TOWN = Span(31, 44), Span(LETTER.index("Kentville"), LETTER.index("Kentville") + 9)


def _said(made: Service) -> str:
    return made.open(1).reviewed.sanitized.text


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """Return a service with a letter, and an index that knows who was where, and when."""
    background = Background(knowledge(tmp_path))
    found = service(tmp_path, LETTER_OF_ADA, background=background)
    yield found
    found.store.close()


def test_what_points_to_the_person_together_is_broken(made: Service) -> None:
    """Neither the day nor the town is risky enough; together they are, and one of them is masked."""
    assert ("12 March 1994" in _said(made)) != ("Kentville" in _said(made))
    found = made.open(1).reviewed.sanitized.combinations
    assert [len(each.entity_ids) for each in found] == [1, 2]


def test_what_a_person_keeps_is_broken_elsewhere(made: Service) -> None:
    """Whoever keeps the one has the other masked, at once; who keeps both is told of it."""
    kept = "Kentville" if "Kentville" in _said(made) else "12 March 1994"
    spans = {"Kentville": TOWN, "12 March 1994": DAY}
    other = next(name for name in spans if name != kept)
    document_view = made.change(1, "Ann", 0, Event(EventKind.DECIDE, (spans[other],), "keep"))
    assert other in document_view.reviewed.sanitized.text
    assert kept not in document_view.reviewed.sanitized.text
    assert document_view.reviewed.left_together == ()
    document_view = made.change(1, "Ann", 1, Event(EventKind.DECIDE, (spans[kept],), "keep"))
    assert all(name in document_view.reviewed.sanitized.text for name in spans)
    assert len(document_view.reviewed.left_together) == 1
    assert document_view.row.summary.together == summary(document_view.reviewed).together == 1
    views = entity_views(document_view.reviewed)
    assert [view.left_together for view in views] == [True, True, False, False]
    assert views[0].together[0].others[0].label == views[1].label


def test_the_curve_knows_of_combinations(made: Service) -> None:
    """At each bound as many words are masked as by deciding at that bound."""
    document_view = made.open(1)
    project = document_view.project
    for point in curve(document_view.reviewed, project.policy):
        moved = made.preview(1, point.bound).reviewed.sanitized
        masked = sum(len(edit.original.of(LETTER).split()) for edit in moved.replacements)
        assert (point.bound, point.words) == (point.bound, masked)
    assert len(BOUNDS) > 10


def test_a_project_goes_on_under_the_background_it_began_with(
    made: Service, tmp_path: Path
) -> None:
    """Another run, with no background of its own, decides as before; without the file it says so."""
    before = _said(made)
    made.store.close()
    again = Service(Store(tmp_path / "projects.db"), sanitizer())
    assert _said(again) == before
    assert again.store.projects.get(1).background == str(tmp_path / "knowledge.db")
    assert again.add_project("Others", [LETTER_OF_ADA]).background == ""
    again.store.close()
    (tmp_path / "knowledge.db").unlink()
    lost = Service(Store(tmp_path / "projects.db"), sanitizer())
    with pytest.raises(InputError, match=r"knowledge\.db: the index doesn't exist"):
        lost.open(1)
    lost.store.close()


def test_the_record_names_background_and_combinations(made: Service) -> None:
    """By digest and by entity, never by a masked string."""
    record = json.loads(document_audit(made, 1, "json").content)
    jsonschema.validate(record, schema())
    assert record["background"]["name"] == "knowledge.db"
    (document,) = record["documents"]
    alone, found = document["combinations"]
    assert (len(alone["entities"]), len(found["entities"]), found["changed"]) == (1, 2, True)
    assert "A search for these 2 together" in found["evidence"][0]["statement"]
    made.change(1, "Ann", 0, Event(EventKind.DECIDE, (DAY, TOWN), "keep"))
    page = document_audit(made, 1, "html").content
    assert b"All of them are left." in page
    assert b"Ada Byron" not in page


def test_many_threads_ask_one_index(made: Service) -> None:
    """The connection is used by whichever thread serves, one after the other."""
    texts: list[str] = []
    bounds = [0.1 + number / 100 for number in range(8)]
    threads = [
        Thread(target=lambda b=bound: texts.append(made.preview(1, b).reviewed.sanitized.text))
        for bound in bounds
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 8


class _Counting:
    """Says the same of everything, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def judge(self, document: Document, entities: tuple[Entity, ...]) -> list[Finding | None]:
        self.asked += 1
        evidence = Evidence("test", 0.99, "An attacker lives from it.")
        return [Finding(evidence, IdentifierType.QUASI)] * len(entities)

    def combinations(
        self, document: Document, entities: tuple[Entity, ...]
    ) -> tuple[Combination, ...]:
        self.asked += 1
        return ()


def test_an_adviser_is_asked_once_about_the_same_entities(made: Service) -> None:
    """Whatever else is changed."""
    indicator = _Counting()
    cached = CachedIndicator(indicator)
    analysis = made.store.documents.analysis(1)
    entities = made.open(1).reviewed.sanitized.entities
    for _ in range(3):
        cached.judge(analysis.document, entities)
        cached.combinations(analysis.document, entities)
    assert indicator.asked == 2


def test_further_indicators_and_a_check_reach_a_review(made: Service) -> None:
    """Their evidence is in the assessments, and what the check finds in the result."""
    found = Identification("bm25", 1, 0.5, 9, 1)

    def check(result: Result) -> Result:
        return replace(result, identifications=(found,))

    project = made.project(1)
    indicators = AdditionalParts(indicators=(_Counting(),), checks=(check,))
    analysis = made.store.documents.analysis(1)
    reviewed = redecide(analysis, project.policy, project.threshold, ReviewState(), indicators)
    assert all(item.masked for item in reviewed.sanitized.decisions)
    assert "test" in [each.indicator for each in reviewed.assessments[0].evidence]
    assert reviewed.sanitized.identifications == (found,)
