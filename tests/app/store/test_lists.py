"""The lists of documents and of names that the store answers without opening a document."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.app.release import release, stage_of
from tacenda.app.review.doubts import doubts_of
from tacenda.app.service import Service
from tacenda.app.store.lists import Counts, State
from tacenda.app.web.decisions import name_groups
from tacenda.document import Span

from ..building import LETTER, MEMO, documents, service

TEXTS = (LETTER, MEMO, "Nobody was there.")
"""Of the documents of project 1."""


def _done(made: Service, document: int) -> None:
    revision = made.store.documents.get(document).revision
    made.change(document, "Ann", revision, Event(EventKind.DONE, value="yes"))


def test_a_list_tells_what_changed_since_a_version(made: Service) -> None:
    """The changed rows alone, whatever changed them; nothing at the version that it led to."""
    version = made.store.lists.version(1)
    assert made.store.lists.changes(1, version, 10) == ([], version)
    _done(made, 2)
    made.store.documents.assign(1, [made.store.documents.get(3).handle], "ben")
    rows, later = made.store.lists.changes(1, version, 10)
    assert [(row.id, row.summary.done, row.assignee) for row in rows] == [
        (2, True, ""),
        (3, False, "ben"),
    ]
    assert later == made.store.lists.version(1) > version
    assert made.store.lists.changes(1, later, 10) == ([], later)
    assert [row.id for row in made.store.lists.changes(1, version, 1)[0]] == [2]


def test_projects_are_counted_without_reading_their_documents(made: Service) -> None:
    """Waiting, failed, ready and reviewed ones, of several projects at once."""
    other = made.add_project("Other", documents("Ada Byron", "Ben Cole", "x")).id
    first = made.store.documents.of(other)[0].id
    made.store.documents.failed(first, "can't be read.")
    _done(made, 1)
    assert made.store.lists.counts_of([1, other, 99]) == {
        1: Counts(ready=3, done=1),
        other: Counts(waiting=2, failed=1),
    }
    assert made.store.lists.counts(1).to_review == 2
    assert made.store.lists.counts(99) == Counts()
    plan = made.store.database.rows(
        "EXPLAIN QUERY PLAN SELECT project, status, done, count(*) FROM document "
        "WHERE project = 1 GROUP BY project, status, done"
    )
    assert any("COVERING INDEX" in step[-1] for step in plan)


def test_a_page_of_a_list_has_what_was_asked_for(made: Service) -> None:
    """In order of the documents, with the number of all; words are found in any case."""
    store = made.store
    _done(made, 2)
    store.documents.assign(1, [store.documents.get(3).handle], "ben")
    page = store.lists.page(1, 1, 1)
    assert ([row.name for row in page.rows], page.total) == (["d2.txt"], 3)

    def names(**choice: str) -> list[str]:
        state = State(choice.pop("state", ""))
        return [row.name for row in store.lists.page(1, 0, 10, state=state, **choice).rows]

    assert names(words="D1.T") == ["d1.txt"]
    assert names(words="%") == []
    assert names(state="open") == ["d1.txt", "d3.txt"]
    assert names(state="done") == ["d2.txt"]
    assert names(state="mine", person="ben", words="d") == ["d3.txt"]
    assert names(state="waiting") == names(state="failed") == names(state="faulty") == []


def test_the_next_document_is_the_next_that_nobody_reviewed(made: Service) -> None:
    """From the begin again after the last one; none if all are."""
    following = made.store.lists.following
    assert [row and row.id for row in (following(1), following(1, 1), following(1, 3))] == [1, 2, 1]
    for document in (1, 2, 3):
        _done(made, document)
    assert following(1) is None


def test_the_names_to_decide_follow_each_change(made: Service) -> None:
    """What the table has is what the document as it stands needs."""
    assert made.store.doubts.totals(1) == (2, 3)
    made.change(1, "Ann", 0, Event(EventKind.DECIDE, (Span(31, 44),), "keep"))
    assert [(item.label, item.count) for item in made.store.doubts.names(1, 10)] == [
        ("Kentville", 2)
    ]
    made.change(2, "Ann", 0, Event(EventKind.BOUND, value="1.0"))
    expected = {item.label for item in doubts_of(made.open(2).reviewed)} | {"Kentville"}
    assert {item.label for item in made.store.doubts.names(1, 10)} == expected
    made.undo(1, "Ann", 1)
    assert "12 March 1994" in {item.label for item in made.store.doubts.names(1, 10)}
    made.delete_project(1)
    assert made.store.database.rows("SELECT count(*) FROM doubt") == [(0,)]


def test_a_name_that_differs_by_document_has_no_one_verdict(tmp_path: Path) -> None:
    """Its first place stands for it, its figures are sums."""
    made = service(tmp_path, LETTER, "Kentville! " * 5)
    made.change(2, "Ann", 0, Event(EventKind.BOUND, value="0.15"))
    (town,) = [item for item in made.store.doubts.names(1, 10) if item.label == "Kentville"]
    assert (town.verdict, town.documents, town.document) == ("", 2, 1)
    assert town.span.of(LETTER) == "Kentville"


def test_what_people_decided_alike_three_times_is_proposed_for_the_others(tmp_path: Path) -> None:
    """Such a name comes first, with the decision; one decided otherwise somewhere is no proposal."""
    made = service(tmp_path, *["Kentville, on 12 March 1994."] * 5)
    town, day = (Span(0, 9),), (Span(14, 27),)
    for document in (1, 2, 3):
        made.change(document, "Ann", 0, Event(EventKind.DECIDE, town, "mask"))
        action = "keep" if document < 3 else "mask"
        made.change(document, "Ann", 1, Event(EventKind.DECIDE, day, action))
    first, second = made.store.doubts.names(1, 10)
    assert (first.label, first.proposal, first.decided, first.documents) == (
        "Kentville",
        "mask",
        3,
        2,
    )
    assert (second.label, second.proposal) == ("12 March 1994", "")
    assert made.store.doubts.repeated(1) == (2, 1)
    (group, _) = name_groups(made, 1, 10)
    assert group.action == "mask"
    made.undo(1, "Ann", 2)
    made.undo(1, "Ann", 3)
    assert made.store.doubts.repeated(1) == (2, 0)


def test_a_project_sums_what_its_documents_show(made: Service) -> None:
    """Decisions, leaks, what is expected to be missed; the next step follows the state."""
    assert stage_of(made, 1) == "review"
    made.change(1, "Ann", 0, Event(EventKind.DECIDE, (Span(31, 44),), "keep"))
    for document in (1, 2, 3):
        _done(made, document)
    figures = made.store.lists.figures(1)
    expected = sum(row.summary.residual for row in made.store.documents.of(1))
    assert (figures.decided, figures.waiting, figures.leaks) == (1, 2, 0)
    assert figures.residual == pytest.approx(expected)
    assert stage_of(made, 1) == "check"
    for document in (1, 2):
        doubtful = made.open(document).reviewed.doubtful
        spans = tuple(mention.span for item in doubtful for mention in item.entity.mentions)
        revision = made.store.documents.get(document).revision
        made.change(document, "Ann", revision, Event(EventKind.DECIDE, spans, "mask"))
        _done(made, document)
    assert stage_of(made, 1) == "release"
    release(made, 1, "Ann")
    assert stage_of(made, 1) == "released"
