"""Store, review and sanitizer together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.app.audit import document_audit
from tacenda.app.events import Event, EventError, EventKind, ReviewAction
from tacenda.app.everywhere import EntityNames, find, others_with
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument, Status
from tacenda.app.store.log import RevisionConflict
from tacenda.app.terms import list_names
from tacenda.app.worker import Worker
from tacenda.document import Document, Mention, SemanticType, Span
from tacenda.errors import InputError
from tacenda.models.store import DEFAULT
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.waiting import until

from .building import LETTER, MEMO, documents, sanitizer, service

TEXTS = (LETTER, MEMO)
"""Of the documents of project 1."""

BEN = Event(EventKind.DECIDE, (Span(19, 27),), "keep")


def test_a_change_is_there_after_a_restart(made: Service, tmp_path: Path) -> None:
    """A new service over the same file opens the document as it was left."""
    document_view = made.change(1, "Ann", 0, BEN)
    assert document_view.row.revision == 1
    assert "Ben Cole" in document_view.reviewed.sanitized.text
    store = Store(tmp_path / "projects.db")
    again = Service(store, sanitizer()).open(1)
    assert again.reviewed.sanitized == document_view.reviewed.sanitized
    assert again.row.summary.decided == 1
    store.close()


def test_each_person_takes_back_their_own(made: Service) -> None:
    """Ann's undo leaves what Ben did; redo brings hers back."""
    made.change(1, "Ann", 0, BEN)
    made.change(1, "Ben", 1, Event(EventKind.BOUND, value="0.1"))
    text = made.undo(1, "Ann", 2).reviewed.sanitized.text
    assert "Ben Cole" not in text
    assert "Kentville" not in text
    assert "Ben Cole" in made.redo(1, "Ann", 3).reviewed.sanitized.text
    assert made.undo(1, "Eve", 4).row.revision == 4


DONE = Event(EventKind.DONE, value="yes")
NOTE = Event(EventKind.NOTE, (Span(19, 27),), "Who is this?")


def test_a_later_change_opens_the_review_again(made: Service) -> None:
    """Whoever makes it, in the document, in the list and in the record; a note changes nothing."""

    def is_done() -> bool:
        view = made.open(1)
        record = document_audit(made, 1, "json").content
        held = view.sign_offs.reviewed is not None
        assert view.row.summary.done is held
        assert (b'"done"' in record) is held
        return held

    made.change(1, "Ann", 0, BEN)
    made.change(1, "Ann", 1, DONE)
    assert is_done()
    made.change(1, "Ben", 2, NOTE)
    assert is_done()
    made.change(1, "Ben", 3, Event(EventKind.BOUND, value="0.9"))
    assert not is_done()
    made.change(1, "Ben", 4, DONE)
    assert is_done()
    made.undo(1, "Ann", 5)  # what she said first: that it is reviewed
    made.undo(1, "Ann", 6)  # her decision
    assert not is_done()
    made.change(1, "Ann", 7, DONE)
    made.undo(1, "Ann", 8)
    assert not is_done()
    made.redo(1, "Ann", 9)
    assert is_done()


def test_a_change_in_all_documents_opens_their_reviews_again(made: Service) -> None:
    """Who decided on the other document decided on another text."""
    made.change(2, "Ben", 0, DONE)
    assert list_names(made, 1, "Ann", [("Kentville", SemanticType.LOC)], "mask").changed == [
        "d1.txt",
        "d2.txt",
    ]
    assert not made.open(2).row.summary.done


def test_two_on_one_document_do_not_overwrite_each_other(made: Service) -> None:
    """The second change for one revision is refused and written nowhere."""
    made.change(1, "Ann", 0, BEN)
    with pytest.raises(RevisionConflict) as caught:
        made.change(1, "Ben", 0, Event(EventKind.DECIDE, (Span(19, 27),), "mask"))
    assert caught.value.since[0].person == "Ann"
    with pytest.raises(RevisionConflict):
        made.undo(1, "Ann", 0)
    assert "Ben Cole" in made.open(1).reviewed.sanitized.text


def test_a_change_outside_the_text_is_refused(made: Service) -> None:
    """Nothing is written for a span that is not there."""
    with pytest.raises(EventError, match="ends outside the document"):
        made.change(1, "Ann", 0, Event(EventKind.SPLIT, (Span(0, 9999),)))
    assert made.open(1).row.revision == 0


def test_a_review_refuses_what_only_annotators_do(made: Service) -> None:
    """Nothing is written of it."""
    for change in (
        Event(EventKind.SUBMIT),
        Event(EventKind.TAKE, (Span(0, 1),), "ann"),
    ):
        with pytest.raises(EventError, match="a review has no change of kind"):
            made.change(1, "Ann", 0, change)
    assert made.open(1).row.revision == 0


def test_a_preview_writes_nothing(made: Service) -> None:
    """Another bound can be looked at without deciding."""
    assert "Kentville" not in made.preview(1, 0.1).reviewed.sanitized.text
    assert "Kentville" in made.open(1).reviewed.sanitized.text
    assert made.open(1).row.revision == 0


def test_the_recognizer_runs_once(made: Service) -> None:
    """Opening, changing and previewing ask no detector."""

    class Never:
        def detect(self, documents: list[Document]) -> list[tuple[Mention, ...]]:
            raise AssertionError("asked again")

    made.sanitizer._recognizer = Never()
    made.change(1, "Ann", 0, BEN)
    made.preview(1, 0.9)
    assert made.open(1).row.revision == 1


def test_a_person_is_masked_in_all_documents(made: Service) -> None:
    """Where the name is, its entity is masked; where somebody decided otherwise, it is kept."""
    made.store.documents.add(1, documents("Ada Byron again. Ada Byron!", "ADA BYRON, unseen."))
    for id in (3, 4):
        made.analysed(id, made.sanitizer.analyze(made.store.documents.text(id)))
    made.change(3, "Eve", 0, Event(EventKind.DECIDE, (Span(0, 9),), "keep"))
    person = EntityNames(SemanticType.PERSON, frozenset({"ada byron"}))
    places = [find(made.linked(id), person, ReviewAction.MASK) for id in (2, 3, 4)]
    assert [item.contrary for item in places] == [(), (ReviewAction.KEEP,), ()]
    assert places[2].unseen == (Span(0, 9),)
    effect = list_names(made, 1, "Ann", [("Ada Byron", SemanticType.PERSON)], "mask", here=1)
    assert effect.changed[:2] == ["d1.txt", "d2.txt"]
    assert effect.contrary == {ReviewAction.KEEP: 1}
    assert "Ada Byron again" in made.open(3).reviewed.sanitized.text
    assert made.open(4).reviewed.sanitized.text == "[PERSON 1], unseen."
    memo = made.open(2)
    assert [verdict.action for verdict in memo.reviewed.verdicts.values()] == [ReviewAction.MASK]
    assert "[PERSON 2]" in memo.reviewed.sanitized.text
    assert len({entry.batch for entry in memo.entries}) == 1


def test_words_are_found_in_other_documents_as_whole_words(made: Service) -> None:
    """As they are written there; the document itself is none of them."""
    made.store.documents.add(1, documents("She liveside.", "Who LIVES?", "Eve lives."))
    for id in (3, 4, 5):
        made.analysed(id, made.sanitizer.analyze(made.store.documents.text(id)))
    lives = LETTER.index("lives")
    assert others_with(made, made.open(1), Span(lives, lives + 5)) == ["d3.txt"]
    made.store.documents.add(
        1, [NewDocument(Document("d3.txt", f"Eve lives {n}.")) for n in (1, 2)]
    )
    for id in (6, 7):
        made.analysed(id, made.sanitizer.analyze(made.store.documents.text(id)))
    assert others_with(made, made.open(1), Span(lives, lives + 5)) == ["d3.txt"] * 3


def test_the_worker_goes_on_where_it_was(tmp_path: Path) -> None:
    """What waits in the store is analysed by whatever run comes next."""
    first = Service(Store(tmp_path / "projects.db"), sanitizer())
    first.add_project("Letters", documents(LETTER, MEMO))
    first.store.close()
    second = Service(Store(tmp_path / "projects.db"), sanitizer())
    worker = Worker(second)
    worker.start()
    until(lambda: not second.store.documents.waiting(1))
    worker.stop()
    assert [row.status for row in second.store.documents.of(1)] == [Status.READY] * 2
    second.store.close()


def test_one_document_that_fails_does_not_stop_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is told by its class, never with the text."""
    made = Service(Store(tmp_path / "projects.db"), sanitizer())

    class FailingDetector:
        def detect(self, documents: list[Document]) -> list[tuple[Mention, ...]]:
            if "Memo" in documents[0].text:
                raise RuntimeError(documents[0].text)
            return [()]

    made.sanitizer._recognizer = FailingDetector()
    made.add_project("Letters", documents(MEMO, LETTER))
    worker = Worker(made)
    worker.start()
    until(lambda: not made.store.documents.waiting(1))
    worker.stop()
    failed, ready = made.store.documents.of(1)
    assert (failed.status, failed.error) == (
        Status.FAILED,
        "the analysis failed (RuntimeError).",
    )
    assert ready.status is Status.READY
    assert "Ada" not in caplog.text
    made.store.close()


def test_a_deleted_project_is_forgotten(made: Service) -> None:
    """Neither disk nor memory opens it again."""
    made.open(1)
    made.delete_project(1)
    with pytest.raises(InputError, match="document 1 does not exist"):
        made.open(1)
    with pytest.raises(InputError, match="project 1 does not exist"):
        made.project(1)


def test_a_project_needs_documents(made: Service) -> None:
    """An empty project is an error that says what to name."""
    with pytest.raises(InputError, match="no documents to review"):
        made.add_project("Empty", [])


def test_the_record_names_the_model_that_ran(tmp_path: Path) -> None:
    """Not the one that the project's policy asked for in another run; none where none ran."""
    made = service(tmp_path)
    for number, policy in enumerate(
        (
            Policy(patterns=False),
            Policy(patterns=False, model="another-model"),
            Policy(recognizer=False, threshold=0.5),
        ),
        start=1,
    ):
        project = made.add_project("p", documents(LETTER), policy)
        made.analysed(number, made.sanitizer.analyze(made.store.documents.text(number)))
        found = made.store.documents.model(number)
        named = None if found is None else found["name"]
        assert (project.id, named) == (number, DEFAULT if policy.recognizer else None)
    made.store.close()


def test_the_threshold_of_a_bound_is_not_sought_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a document builds no sanitizer for its policy anew."""
    made = service(tmp_path, LETTER, MEMO, policy=Policy(operator="tag", residual_share=0.3))
    calls = []
    build = Sanitizer.with_policy

    def counted(base: Sanitizer, policy: Policy) -> Sanitizer:
        calls.append(policy)
        return build(base, policy)

    monkeypatch.setattr(Sanitizer, "with_policy", counted)
    again = Service(made.store, made.sanitizer)
    for revision, action in enumerate(("keep", "mask", "keep")):
        change = Event(EventKind.DECIDE, (Span(19, 27),), action)
        assert again.change(1, "Ann", revision, change).reviewed.bound == 0.25
    assert again.open(2).reviewed.bound == 0.25
    assert calls == []
    made.store.close()


def test_the_threshold_of_a_bound_is_where_the_slider_begins(tmp_path: Path) -> None:
    """As strict as the promise needs; moved, the slider takes its place."""
    made = service(tmp_path, LETTER, policy=Policy(operator="tag", residual_share=0.3))
    reviewed = made.open(1).reviewed
    assert reviewed.bound == 0.25
    assert all(item.masked == (item.risk >= 0.25) for item in reviewed.sanitized.decisions)
    document_view = made.change(1, "Ann", 0, Event(EventKind.BOUND, value="0.95"))
    assert document_view.reviewed.bound == 0.95
    moved = document_view.reviewed.sanitized.decisions
    assert all(item.masked == (item.risk >= 0.95) for item in moved)
    made.store.close()
