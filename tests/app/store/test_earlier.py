"""Annotation projects of earlier versions, which were files of their own.

``earlier/*.sql`` are such files, dumped; ``*.json`` is what the version that wrote them exported.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.annotation.export import as_tab, as_wikireplace
from tacenda.app.annotation.service import ADJUDICATOR, AnnotationService
from tacenda.app.annotation.store import Flow, find
from tacenda.app.audit import document_audit
from tacenda.app.events import OF_REVIEW
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda.text.decoding import writable

from ..building import sanitizer

_DUMPS = Path(__file__).parent / "earlier"


def _file(path: Path, name: str) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript((_DUMPS / f"{name}.sql").read_text("utf-8"))
    connection.close()
    return path


def _exported(records: list[dict[str, Any]]) -> bytes:
    return writable(json.dumps(records, ensure_ascii=False, indent=1)).encode()


@pytest.mark.parametrize(
    ("name", "flow", "export"),
    [("tab", Flow.TAB, as_tab), ("replacement", Flow.REPLACEMENT, as_wikireplace)],
)
def test_an_annotation_file_becomes_a_store(
    tmp_path: Path, name: str, flow: Flow, export: Any
) -> None:
    """Its project exports the same bytes, and goes on; opened once more, it is as it was."""
    path = _file(tmp_path / "mine.db", name)
    for _ in range(2):
        store = Store(path, "--project")
        annotations = AnnotationService(store).begin("new", None, ["ann"])
        assert (annotations.project.name, annotations.flow) == ("mine", flow)
        assert _exported(export(annotations, ADJUDICATOR)) == (_DUMPS / f"{name}.json").read_bytes()
        assert store.database.rows("PRAGMA integrity_check") == [("ok",)]
        assert store.database.rows("PRAGMA foreign_key_check") == []
        store.close()


def test_what_was_undone_can_be_redone(tmp_path: Path) -> None:
    """Entries find those that they took back, and a name that is no Unicode is as it was."""
    store = Store(_file(tmp_path / "mine.db", "tab"))
    annotations = AnnotationService(store).begin("new", None, ["ann"])
    kinds = [entry.event and str(entry.event.kind) for entry in annotations.log.entries(1, "ben")]
    assert kinds[5:9] == ["status", None, None, None]
    assert annotations.open(1, "ben").undo
    assert annotations.source(3).name == "odd \ud800"
    store.close()


def test_files_beside_a_store_are_taken_in(tmp_path: Path) -> None:
    """The annotation of a review is in its store, is gone from the disk, and goes with the review."""
    path = tmp_path / "projects.db"
    store = Store(path)
    review = store.projects.add("Letters", Policy(), 0.5, b"", owner="eve")
    store.close()
    beside = _file(tmp_path / f"projects-annotations-{review.id}.db", "tab")
    stray = _file(tmp_path / "projects-annotations-99.db", "tab")
    for last in (False, True):
        store = Store(path)
        project = find(store, review.id)
        assert project is not None
        assert (project.name, project.owner, project.review) == ("Letters", "eve", review.id)
        annotations = AnnotationService(store).project(project.id)
        assert _exported(as_tab(annotations, ADJUDICATOR)) == (_DUMPS / "tab.json").read_bytes()
        assert (beside.exists(), stray.exists()) == (False, True)
        assert len(store.projects.all("annotation")) == 1
        if last:
            store.projects.delete(review.id)
            assert store.database.rows("SELECT count(*) FROM log") == [(0,)]
            assert b"Galip Yalman" not in path.read_bytes()
        store.close()


def test_another_file_beside_a_store_is_left_alone(tmp_path: Path) -> None:
    """It may be anybody's."""
    path = tmp_path / "projects.db"
    store = Store(path)
    id = store.projects.add("Letters", Policy(), 0.5, b"").id
    store.close()
    foreign = tmp_path / f"projects-annotations-{id}.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    Store(path).close()
    assert foreign.exists()
    foreign.write_text("no database at all, " * 99)
    with pytest.raises(InputError, match=r"projects-annotations-1\.db"):
        Store(path)


def test_the_log_of_a_review_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A store from before reviews and annotations had one class of event: all kinds, and the same record."""
    store = Store(_file(tmp_path / "projects.db", "review"))
    made = Service(store, sanitizer())
    entries = made.open(1).entries
    assert {entry.event.kind for entry in entries if entry.event} == set(OF_REVIEW)
    rows = store.database.rows("SELECT event FROM log ORDER BY id")
    written = [event and json.loads(event) for (event,) in rows]
    assert [entry.event and entry.event.as_object() for entry in entries] == written
    record = json.loads(document_audit(made, 1, "json").content)
    assert record["documents"] == json.loads((_DUMPS / "review.json").read_text())["documents"]
    store.close()
