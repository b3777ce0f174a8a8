"""An annotation project on disk."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from tacenda.app.annotate.store import AnnotationStore, Flow, Late, NewEvent, Source
from tacenda.app.store.database import Missing, StoreError
from tacenda.app.store.store import Store
from tacenda.errors import InputError

from .building import JUDGMENT, NOTE, add, project, replaced


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    """Closed and opened, a project has its documents, marks, annotators and events."""
    odd = Source("odd \ud800", "text \ud800\0\r\n", "train")
    annotating = project(tmp_path, [replaced(), odd], flow=Flow.REPLACEMENT)
    annotating.store.append(1, "ann", 0, NewEvent("ann", add("Ada Byron", text=replaced().text)))
    annotating.store.close()
    store = AnnotationStore(tmp_path / "annotations.db")
    assert store.begin(None, ["ben", "cem"]) is Flow.REPLACEMENT
    assert store.annotators() == ("ann", "ben", "cem")
    first, second = (store.source(id) for id in store.documents())
    assert (first.marks, first.target, first.split) == (replaced().marks, ("Ada Byron",), "test")
    assert (second.name, second.text) == (odd.name, odd.text)
    (event,) = store.events(1, "ann")
    assert (event.person, event.change) == ("ann", add("Ada Byron", text=first.text))
    assert (store.revision(1, "ann"), store.revision(1, "ben")) == (1, 0)
    store.close()


def test_documents_are_added_once(tmp_path: Path) -> None:
    """The same files again add nothing; another text of the same name is an error, and adds nothing."""
    store = project(tmp_path).store
    assert store.add([JUDGMENT, Source("new", "text")]) == 1
    with pytest.raises(InputError, match="note: the project has another text of that name"):
        store.add([Source("more", "text"), Source(NOTE.name, "other")])
    assert len(store.documents()) == 3
    store.close()


def test_a_project_keeps_its_flow(tmp_path: Path) -> None:
    """Annotations of one flow mean nothing in the other."""
    store = project(tmp_path).store
    with pytest.raises(InputError, match="flow is 'tab', not 'replacement'"):
        store.begin(Flow.REPLACEMENT, ["ann"])
    with pytest.raises(Missing, match="no document 9"):
        store.source(9)
    store.close()


def test_of_many_at_once_one_is_first(tmp_path: Path) -> None:
    """Eight writers for one revision: one event, seven told that they are late."""
    store = project(tmp_path).store
    outcomes: list[str] = []

    def write() -> None:
        try:
            store.append(1, "ann", 0, NewEvent("ann", add("Ankara", "LOC")))
            outcomes.append("written")
        except Late:
            outcomes.append("late")

    threads = [Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["late"] * 7 + ["written"]
    assert len(store.events(1, "ann")) == 1
    store.close()


def test_what_another_process_reads_is_what_was_confirmed(tmp_path: Path) -> None:
    """After ``append`` returns, the event is in the file for anybody who opens it."""
    store = project(tmp_path).store
    store.append(1, "ben", 0, NewEvent("ben", add("Ankara", "LOC")))
    other = sqlite3.connect(tmp_path / "annotations.db")
    assert other.execute("SELECT person, number FROM event").fetchall() == [("ben", 1)]
    assert store._database.rows("PRAGMA synchronous") == [(2,)]
    other.close()
    store.close()


def test_projects_of_review_and_annotation_are_not_confused(tmp_path: Path) -> None:
    """Neither opens the other's file; the message says how to choose another."""
    Store(tmp_path / "review.db").close()
    with pytest.raises(StoreError, match="choose another with --project"):
        AnnotationStore(tmp_path / "review.db")
    AnnotationStore(tmp_path / "annotation.db").close()
    with pytest.raises(StoreError, match="choose another with --store"):
        Store(tmp_path / "annotation.db")
