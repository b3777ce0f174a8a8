"""One annotation made of several, by somebody who decides where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.app.annotation.adjudication import adjudicated, adjudication, edit_shares
from tacenda.app.annotation.annotation import SpanMark, SpanMarks
from tacenda.app.annotation.service import ADJUDICATOR, AnnotationProject
from tacenda.app.annotation.store import Flow
from tacenda.app.events import Event, EventKind
from tacenda.document import SemanticType, Span

from .building import JUDGMENT, SUBMIT, Visitor, add, at, make, project, replaced

_QUASI = "QUASI"


def _decide(string: str, value: str = _QUASI, nth: int = 0) -> Event:
    return Event(EventKind.IDENTIFIER, (at(string, nth=nth),), value)


@pytest.fixture
def annotations(tmp_path: Path) -> Iterator[AnnotationProject]:
    """Return a project in which ann and ben differ in a type, a span and an entity."""
    found = project(tmp_path)
    name, town = add("Galip Yalman"), add("Ankara", "LOC")
    common = (name, add("Galip Yalman", nth=1), _decide("Galip Yalman"))
    second = _decide("Galip Yalman", nth=1)
    make(found, "ann", *common, second, town, _decide("Ankara"), SUBMIT)
    make(
        found,
        "ben",
        *common,
        second,
        add("Ankara", "ORG"),
        _decide("Ankara"),
        add("4 May 1999", "DATETIME"),
        _decide("4 May 1999"),
        SUBMIT,
    )
    yield found
    found.store.close()


def _take(place: Span, by: str) -> Event:
    return Event(EventKind.TAKE, (place,), by)


def _own(place: Span, span: Span, value: str) -> Event:
    return Event(EventKind.OWN, (place, span), value)


def _rule(judge: Visitor, revision: int, event: Event) -> str:
    sent = {"revision": revision, "act": event.as_object()}
    answer = judge.post("/documents/1/rulings", sent)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_what_differs_is_decided_and_the_rest_is_agreed(annotations: AnnotationProject) -> None:
    """Take one's mark, take another's nothing, or mark something else; then it is exported."""
    judge = Visitor(annotations, ADJUDICATOR)
    assert "2 to decide" in judge.get("/documents/1/differences").text
    assert "no document is decided yet" in judge.get("/export/adjudicated.json").text
    assert "1 to decide" in _rule(judge, 0, _take(at("4 May 1999"), "ann"))
    assert "All is decided" in _rule(
        judge, 1, _own(at("Ankara"), at("Ankara"), "MISC NO_MASK HEALTH")
    )
    answer = judge.get("/export/adjudicated.json")
    assert answer.headers["content-disposition"] == 'attachment; filename="adjudicated.json"'
    (document,) = answer.json()
    assert list(document["annotations"]) == [ADJUDICATOR]
    mentions = document["annotations"][ADJUDICATOR]["entity_mentions"]
    assert [(item["entity_type"], item["identifier_type"]) for item in mentions] == [
        ("PERSON", "QUASI"),
        ("MISC", "NO_MASK"),
        ("PERSON", "QUASI"),
    ]
    one, town, other = (item["entity_id"] for item in mentions)
    assert one == other != town


def test_rulings_are_undone_and_redone(annotations: AnnotationProject) -> None:
    """The place is open again; a page that is behind gets the latest state."""
    judge = Visitor(annotations, ADJUDICATOR)
    _rule(judge, 0, _take(at("Ankara"), "ben"))
    assert "2 to decide" in judge.post("/documents/1/rulings/undo", {"revision": 1}).text
    assert "1 to decide" in judge.post("/documents/1/rulings/redo", {"revision": 2}).text
    late = judge.post("/documents/1/rulings/undo", {"revision": 0})
    assert late.status_code == 409
    assert 'data-revision="3"' in late.text


def test_a_ruling_ends_when_what_it_decided_changes(annotations: AnnotationProject) -> None:
    """An annotator who reopens and marks otherwise is decided anew."""
    _rule(Visitor(annotations, ADJUDICATOR), 0, _take(at("Ankara"), "ann"))
    assert adjudication(annotations, 1).open == 1
    reopened = Event(EventKind.REOPEN)
    make(annotations, "ben", reopened, _decide("Ankara", "DIRECT"), SUBMIT)
    assert adjudication(annotations, 1).open == 2


@pytest.mark.parametrize(
    "event",
    [
        _take(at("Ankara"), "eve"),
        _take(at("lives"), "ann"),
        _own(at("Ankara"), at("lives"), "LOC QUASI NOT_CONFIDENTIAL"),
        _own(at("Ankara"), at("Ankara"), "TOWN QUASI NOT_CONFIDENTIAL"),
        _own(at("Ankara"), at("Ankara"), "LOC"),
        add("Ankara", "LOC"),
    ],
)
def test_a_ruling_that_is_none_is_refused(annotations: AnnotationProject, event: Event) -> None:
    """422, and nothing is written."""
    judge = Visitor(annotations, ADJUDICATOR)
    sent = {"revision": 0, "act": event.as_object()}
    assert judge.post("/documents/1/rulings", sent).status_code == 422
    assert adjudication(annotations, 1).revision == 0


def test_annotators_do_not_decide(annotations: AnnotationProject) -> None:
    """Neither by the adjudicator's addresses, nor by an act of their own; nor do they get the file."""
    ann = Visitor(annotations, "ann")
    sent = {"revision": 0, "act": _take(at("Ankara"), "ann").as_object()}
    assert ann.post("/documents/1/rulings", sent).status_code == 403
    assert ann.post("/documents/1/rulings/undo", {"revision": 0}).status_code == 403
    assert ann.get("/export/adjudicated.json").status_code == 403
    revision = annotations.revision(1, "ann")
    assert ann.act(revision, _take(at("Ankara"), "ann")).status_code == 422
    assert "Take ben" not in ann.get("/documents/1/differences").text


def test_entities_are_those_of_whose_marks_they_are(tmp_path: Path) -> None:
    """Ben took the second mention out of the entity: whose mark is taken there decides."""
    found = project(tmp_path, [JUDGMENT])
    first, second = at("Galip Yalman"), at("Galip Yalman", nth=1)
    both = (add("Galip Yalman"), add("Galip Yalman", nth=1))
    decided = Event(EventKind.IDENTIFIER, (first, second), _QUASI)
    make(found, "ann", *both, decided, SUBMIT)
    apart = Event(EventKind.SPLIT, (second,))
    make(found, "ben", *both, apart, decided, SUBMIT)
    judge = Visitor(found, ADJUDICATOR)
    _rule(judge, 0, _take(first, "ann"))
    _rule(judge, 1, _take(second, "ann"))
    (view,) = adjudicated(found)
    assert [mention.entity for mention in view.annotation.mentions] == [1, 1]
    _rule(judge, 2, _take(first, "ben"))
    _rule(judge, 3, _take(second, "ben"))
    (view,) = adjudicated(found)
    assert [mention.entity for mention in view.annotation.mentions] == [1, 2]
    found.store.close()


def test_choices_are_decided_too(tmp_path: Path) -> None:
    """In the replacement flow, the adjudicator's choice is what the file says."""
    found = project(tmp_path, [replaced()], flow=Flow.REPLACEMENT)
    text = replaced().text
    for name, choice in (("ann", "1815"), ("ben", "***")):
        chosen = [
            Event(EventKind.CHOOSE, (at("Ada Byron", text),), "PERSON 1"),
            Event(EventKind.CHOOSE, (at("4 May 1815", text),), choice),
        ]
        make(found, name, *chosen, SUBMIT)
    judge = Visitor(found, ADJUDICATOR)
    _rule(judge, 0, _take(at("4 May 1815", text), "ben"))
    (document,) = judge.get("/export/adjudicated.json").json()
    assert document["generalized_text"] == "[PERSON 1] was born on *** in London."
    found.store.close()


def test_edits_of_the_pre_annotation_are_counted(tmp_path: Path) -> None:
    """Of four marks one is removed and one changed, and a fifth is inserted: 1/4, 2/4 and 1/4."""
    strings = ("Galip Yalman", "Ankara", "journalist", "4 May 1999")
    marks = tuple(SpanMark(at(string), SemanticType.MISC) for string in strings)
    source = replace(JUDGMENT, marks=SpanMarks("recognizer", marks))
    found = project(tmp_path, [source])
    decided = [_decide(string) for string in ("Galip Yalman", "Ankara", "4 May 1999")]
    remove = Event(EventKind.REMOVE, (at("journalist"),))
    retype = Event(EventKind.TYPE, (at("Ankara"),), "LOC")
    insert = (add("ill", "DEM"), _decide("ill"))
    make(found, "ann", remove, retype, *insert, *decided, SUBMIT)
    make(found, "ben", *decided, _decide("journalist"), SUBMIT)
    views = [found.open(1, name) for name in ("ann", "ben")]
    ann, ben, mean = edit_shares(views)
    assert (ann.mentions, ann.inserted, ann.edited, ann.removed) == (4, 0.25, 0.5, 0.25)
    assert (ben.inserted, ben.edited, ben.removed) == (0, 0, 0)
    assert (mean.inserted, mean.edited, mean.spread) == (0.125, 0.25, (0.125, 0.25))
    page = Visitor(found, ADJUDICATOR).get("/agreement").text
    assert "25.00 %" in page
    assert "12.50 % ± 12.50" in page
    found.store.close()
