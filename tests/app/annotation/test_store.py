"""Annotation projects on disk."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from tacenda.app.annotation.service import AnnotationService
from tacenda.app.annotation.store import AnnotationSource, Flow
from tacenda.app.store import Store
from tacenda.app.store.database import NotFound
from tacenda.app.store.log import NewEntry, RevisionConflict
from tacenda.errors import InputError

from .building import JUDGMENT, NOTE, add, make, project, replaced


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    """Closed and opened, a project has its documents, marks, annotators and events."""
    odd = AnnotationSource("odd \ud800", "text \ud800\0\r\n", "train")
    event = add("Ada Byron", text=replaced().text[:3] + "x" + replaced().text)
    annotations = project(tmp_path, [replaced(), odd], flow=Flow.REPLACEMENT)
    annotations.log.append(annotations.source(1).id, 0, NewEntry("ann", event), "ann")
    annotations.store.close()
    store = Store(tmp_path / "annotations.db")
    again = AnnotationService(store).begin("other", None, ["ben", "cem"])
    assert (again.project.name, again.flow) == ("annotations", Flow.REPLACEMENT)
    assert again.annotators == ("ann", "ben", "cem")
    first, second = (again.source(number) for number in again.documents())
    assert (first.marks, first.target, first.split) == (replaced().marks, ("Ada Byron",), "test")
    assert (second.name, second.text) == (odd.name, odd.text)
    (entry,) = again.log.entries(first.id, "ann")
    assert (entry.person, entry.event) == ("ann", event)
    assert (again.revision(1, "ann"), again.revision(1, "ben")) == (1, 0)
    store.close()


def test_documents_are_added_once(tmp_path: Path) -> None:
    """The same files again add nothing; another text of the same name is an error, and adds nothing."""
    annotations = project(tmp_path)
    assert annotations.sources.add([JUDGMENT, AnnotationSource("new", "text")]) == 1
    with pytest.raises(InputError, match="note: the project already has a different text"):
        annotations.sources.add(
            [AnnotationSource("more", "text"), AnnotationSource(NOTE.name, "other")]
        )
    assert len(annotations.documents()) == 3
    annotations.store.close()


def test_a_project_keeps_its_flow(tmp_path: Path) -> None:
    """Annotations of one flow mean nothing in the other."""
    annotations = project(tmp_path)
    with pytest.raises(InputError, match="flow is 'tab', not 'replacement'"):
        project(tmp_path, flow=Flow.REPLACEMENT)
    for number in (0, 9):
        with pytest.raises(NotFound, match=f"document {number} does not exist"):
            annotations.source(number)
    annotations.store.close()


def test_projects_of_one_store_are_apart(tmp_path: Path) -> None:
    """Documents and annotators of the annotation of a review are no others' of the same file."""
    first = project(tmp_path)
    review = first.store.projects.add("Letters", first.project.policy, 0.5, b"")
    service = AnnotationService(first.store)
    second = service.begin("Letters", None, ["cem"], [NOTE], owner="Ann", review=review.id)
    assert (first.annotators, second.annotators) == (("ann", "ben"), ("cem",))
    assert (len(first.documents()), len(second.documents())) == (2, 1)
    make(second, "cem", add("Ada Byron", text=NOTE.text))
    assert first.revision(2, "ann") == 0
    first.store.projects.delete(review.id)
    with pytest.raises(NotFound):
        service.project(second.project.id)
    assert len(first.documents()) == 2
    first.store.close()


def test_of_many_at_once_one_is_first(tmp_path: Path) -> None:
    """Eight writers for one revision: one event, seven told that they are late."""
    annotations = project(tmp_path)
    outcomes: list[str] = []

    def write() -> None:
        try:
            annotations.log.append(1, 0, NewEntry("ann", add("Ankara", "LOC")), "ann")
            outcomes.append("written")
        except RevisionConflict:
            outcomes.append("late")

    threads = [Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["late"] * 7 + ["written"]
    assert len(annotations.log.entries(1, "ann")) == 1
    annotations.store.close()


def test_what_another_process_reads_is_what_was_confirmed(tmp_path: Path) -> None:
    """After ``do`` returns, the event is in the file for anybody who opens it."""
    annotations = project(tmp_path)
    make(annotations, "ben", add("Ankara", "LOC"))
    other = sqlite3.connect(tmp_path / "annotations.db")
    assert other.execute("SELECT person, annotator FROM log").fetchall() == [("ben", "ben")]
    assert annotations.store.database.rows("PRAGMA synchronous") == [(2,)]
    other.close()
    annotations.store.close()
