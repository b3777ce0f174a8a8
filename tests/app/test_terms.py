"""The lists of a project: one decision on a name, in all documents, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tacenda.app.events import Event, EventKind, ReviewAction
from tacenda.app.service import Service
from tacenda.app.store.documents import NewDocument
from tacenda.app.store.log import NewEntry
from tacenda.app.terms import list_names, take_back
from tacenda.app.web.decisions import name_groups
from tacenda.app.worker import Worker
from tacenda.document import Document, SemanticType, Span
from tacenda.errors import InputError
from tacenda.policy import Policy
from tests.waiting import until

from .building import LETTER, MEMO, service

TEXTS = (LETTER, MEMO)
"""Of the documents of project 1."""

TOWN = [("Kentville", SemanticType.LOC)]


def _texts(made: Service) -> list[str]:
    return [made.open(row.id).reviewed.sanitized.text for row in made.store.documents.of(1)]


def test_a_name_is_masked_in_all_documents_and_back(made: Service) -> None:
    """One batch in the logs, by the person; taking it back leaves every text as it was."""
    before = _texts(made)
    assert list_names(made, 1, "Ann", TOWN, "mask").changed == ["d1.txt", "d2.txt"]
    assert not any("Kentville" in text for text in _texts(made))
    (term,) = made.store.terms.of(1)
    for document in (1, 2):
        (entry,) = made.store.log.entries(document)
        assert (entry.person, entry.batch) == ("Ann", term.batch)
    assert take_back(made, 1, "Ben", term.batch) == 2
    assert _texts(made) == before
    assert made.store.terms.of(1)[0].withdrawn_by == "Ben"
    with pytest.raises(InputError, match="already taken back"):
        take_back(made, 1, "Ben", term.batch)


def test_words_that_nobody_found_are_masked_too(made: Service) -> None:
    """In any case, wherever they stand as whole words."""
    assert list_names(made, 1, "Ann", [("HER SISTER", SemanticType.DEM)], "mask").changed == [
        "d2.txt"
    ]
    assert "Her sister" not in _texts(made)[1]


def test_what_somebody_decided_in_a_document_stays(made: Service) -> None:
    """Ben kept the town in the letter: Ann's list doesn't reach it."""
    made.change(1, "Ben", 0, Event(EventKind.DECIDE, (Span(65, 74),), "keep"))
    effect = list_names(made, 1, "Ann", TOWN, "mask")
    assert (effect.changed, effect.contrary) == (["d2.txt"], {ReviewAction.KEEP: 1})
    assert "Kentville" in _texts(made)[0]
    assert "Kentville" not in _texts(made)[1]


def test_in_the_document_at_hand_a_list_holds_against_a_decision_by_hand(made: Service) -> None:
    """Who sees the document and says "always" means it here, too; elsewhere what was decided stays."""
    made.change(1, "Ben", 0, Event(EventKind.DECIDE, (Span(65, 74),), "keep"))
    effect = list_names(made, 1, "Ben", TOWN, "mask", here=1)
    assert (effect.changed, effect.contrary) == (["d1.txt", "d2.txt"], {})
    assert not any("Kentville" in text for text in _texts(made))


def test_the_newest_list_withdraws_the_opposite_one(made: Service) -> None:
    """Masked, then kept: it stays everywhere, the first is taken back, and the other name is not."""
    before = _texts(made)
    day = ("12 March 1994", SemanticType.DATETIME)
    list_names(made, 1, "Ann", [*TOWN, day], "mask")
    effect = list_names(made, 1, "Ben", [("KENTVILLE", SemanticType.MISC)], "keep")
    assert (effect.changed, effect.contrary) == (["d1.txt", "d2.txt"], {})
    assert [text.count("Kentville") for text in _texts(made)] == [1, 1]
    assert "1994" not in _texts(made)[0]
    standing = [
        (term.string, term.action) for term in made.store.terms.of(1) if not term.withdrawn_by
    ]
    assert standing == [("KENTVILLE", "keep"), ("12 March 1994", "mask")]
    for batch in {term.batch for term in made.store.terms.of(1) if not term.withdrawn_by}:
        take_back(made, 1, "Ben", batch)
    assert _texts(made) == before


def test_a_document_that_is_analysed_later_gets_the_lists(tmp_path: Path) -> None:
    """Before anybody can see it; a list that was taken back says nothing."""
    made = service(tmp_path)
    new = [NewDocument(Document("late.txt", LETTER))]
    project = made.add_project("Letters", new)
    list_names(made, project.id, "Ann", TOWN, "mask")
    list_names(made, project.id, "Ann", [("Ben Cole", SemanticType.PERSON)], "keep")
    take_back(made, project.id, "Ann", made.store.terms.of(project.id)[0].batch)
    worker = Worker(made)
    worker.start()
    (row,) = made.store.documents.of(project.id)
    until(lambda: made.store.documents.get(row.id).status == "ready")
    worker.stop()
    assert "Kentville" not in made.open(row.id).reviewed.sanitized.text
    assert "Ben Cole" not in made.open(row.id).reviewed.sanitized.text
    assert [entry.person for entry in made.store.log.entries(row.id)] == ["Ann"]
    made.store.close()


def test_names_are_grouped_over_the_project(made: Service) -> None:
    """By uncertainty times number of places; what is decided is gone from the list."""
    groups = name_groups(made, 1, 10)
    sums = [group.sums for group in groups]
    assert [(item.label, item.documents, item.count) for item in sums] == [
        ("Kentville", 2, 2),
        ("12 March 1994", 1, 1),
    ]
    # What stays readable is kept for a whole project by a key of its own, never by Enter.
    assert groups[0].action == ""
    list_names(made, 1, "Ann", TOWN, "keep")
    assert [group.sums.label for group in name_groups(made, 1, 10)] == ["12 March 1994"]


@pytest.mark.parametrize(("name", "action"), [("...", "mask"), ("x" * 501, "mask"), ("a", "write")])
def test_what_is_no_decision_is_refused(made: Service, name: str, action: str) -> None:
    """Nothing of it is on the list."""
    with pytest.raises(InputError):
        list_names(made, 1, "Ann", [(name, SemanticType.MISC)], action)
    assert made.store.terms.of(1) == []


def test_names_of_one_entity_are_one_decision_in_its_document(made: Service) -> None:
    """The second name finds what the first did, though neither is written yet."""
    names = [("Ada Byron", SemanticType.PERSON), ("ADA BYRON", SemanticType.PERSON)]
    assert list_names(made, 1, "Ann", names, "keep").changed == ["d1.txt", "d2.txt"]
    assert [len(made.store.log.entries(document)) for document in (1, 2)] == [1, 1]


def test_places_found_and_places_missed_are_decided_together(tmp_path: Path) -> None:
    """Two entries of the log, one after the other, and the document as both make it."""
    policy = Policy(operator="tag", patterns=False, propagate=False)
    made = service(tmp_path, "Kentville is no KENTVILLE.", MEMO, policy=policy)
    assert list_names(made, 1, "Ann", TOWN, "mask").changed == ["d1.txt", "d2.txt"]
    kinds = [entry.event.kind for entry in made.store.log.entries(1) if entry.event is not None]
    assert kinds == [EventKind.DECIDE, EventKind.ADD]
    view = made.open(1)
    assert view.row.revision == 2
    assert "kentville" not in view.reviewed.sanitized.text.casefold()
    assert (view.row.summary.masked, view.reviewed.sanitized.text.count("[")) == (1, 2)
    made.store.close()


def test_a_change_of_somebody_else_meanwhile_is_not_lost(
    made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents are decided first and written together; what came between stands beside the list."""
    appended = made._appended

    def slow(document: int, entries: Sequence[NewEntry]) -> object:
        result = appended(document, entries)
        if document == 2:
            monkeypatch.setattr(made, "_appended", appended)
            made.change(1, "Ben", 0, Event(EventKind.NOTE, (Span(65, 74),), "Where?"))
        return result

    monkeypatch.setattr(made, "_appended", slow)
    assert list_names(made, 1, "Ann", TOWN, "mask").changed == ["d1.txt", "d2.txt"]
    assert [entry.person for entry in made.store.log.entries(1)] == ["Ben", "Ann"]
    assert not any("Kentville" in text for text in _texts(made))
