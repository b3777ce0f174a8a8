"""Projects on disk."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path
from threading import Thread

import pytest

from tacenda.analysis import Analysis
from tacenda.app.review import Change, Kind
from tacenda.app.store import Stale, Status, Store, StoreError
from tacenda.app.store.documents import NewDocument, Summary
from tacenda.app.store.log import NewEntry
from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.policy import Policy

from ...building import mention

DOCUMENT = Document("letter.txt", "Ada Byron \ud800 wrote\0.", ("Ada Byron",))
CHANGE = Change(Kind.BOUND, value="0.25")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the store is."""
    return tmp_path / "store" / "projects.db"


def _filled(path: Path) -> tuple[Store, int]:
    store = Store(path)
    project = store.projects.add("Letters", Policy(operator="tag"), 0.3, b"digest")
    store.documents.add(project.id, [NewDocument(DOCUMENT), NewDocument(Document("b", "B"))])
    return store, project.id


def test_what_was_written_is_read_again(path: Path) -> None:
    """Closed and opened, the store has project, policy, text and analysis as they were."""
    store, id = _filled(path)
    analysis = Analysis(DOCUMENT, (mention(DOCUMENT, "Ada Byron", masking=0.7, kind="x"),))
    first = store.documents.of(id)[0].id
    store.documents.analysed(first, analysis, Summary(entities=1))
    assert store.log.append(first, 0, NewEntry("Ann", CHANGE), Summary(decided=1)) == 1
    store.close()
    store = Store(path)
    project = store.projects.get(id)
    assert (project.name, project.policy, project.threshold) == (
        "Letters",
        Policy(operator="tag"),
        0.3,
    )
    row, other = store.documents.of(id)
    assert (row.status, row.revision, row.summary) == (Status.READY, 1, Summary(decided=1))
    assert other.status is Status.WAITING
    assert store.documents.analysis(first) == analysis
    (entry,) = store.log.of(first)
    assert (entry.person, entry.change) == ("Ann", CHANGE)
    store.close()


def test_a_stale_change_is_refused_and_says_what_came_between(path: Path) -> None:
    """Of two changes for one revision the second is not written."""
    store, id = _filled(path)
    first = store.documents.of(id)[0].id
    store.log.append(first, 0, NewEntry("Ann", CHANGE), Summary())
    with pytest.raises(Stale, match="revision 0 of document") as caught:
        store.log.append(first, 0, NewEntry("Ben", CHANGE), Summary())
    assert [entry.person for entry in caught.value.since] == ["Ann"]
    assert len(store.log.of(first)) == 1
    store.close()


def test_of_many_at_once_one_is_first(path: Path) -> None:
    """Eight writers for one revision: one line in the log, seven told that they are late."""
    store, id = _filled(path)
    first = store.documents.of(id)[0].id
    outcomes: list[str] = []

    def write() -> None:
        try:
            store.log.append(first, 0, NewEntry("Ann", CHANGE), Summary())
            outcomes.append("written")
        except Stale:
            outcomes.append("stale")

    threads = [Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["stale"] * 7 + ["written"]
    assert len(store.log.of(first)) == 1
    store.close()


def test_the_same_documents_are_found_again(path: Path) -> None:
    """A digest leads to the newest project of the same documents."""
    store, id = _filled(path)
    found = store.projects.find(b"digest")
    assert found is not None
    assert found.id == id
    assert store.projects.find(b"other") is None
    store.close()


def test_a_deleted_project_is_gone_with_its_texts(path: Path) -> None:
    """Documents and logs go with their project."""
    store, id = _filled(path)
    first = store.documents.of(id)[0].id
    store.log.append(first, 0, NewEntry("Ann", CHANGE), Summary())
    store.projects.delete(id)
    assert store.documents.of(id) == []
    assert store.log.of(first) == []
    with pytest.raises(InputError, match="no project 1"):
        store.projects.get(id)
    store.close()


def test_what_is_not_there_is_an_error(path: Path) -> None:
    """Unknown documents, and analyses that are not made, say so."""
    store, id = _filled(path)
    with pytest.raises(InputError, match="no document 99"):
        store.documents.get(99)
    with pytest.raises(InputError, match="no document 99"):
        store.log.append(99, 0, NewEntry("Ann", CHANGE), Summary())
    with pytest.raises(InputError, match="is not analysed"):
        store.documents.analysis(store.documents.of(id)[0].id)
    store.close()


def test_the_file_is_for_its_owner_only(path: Path) -> None:
    """It holds originals: nobody else may read it."""
    store, _ = _filled(path)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    store.close()


def test_every_commit_is_synced(path: Path) -> None:
    """The store waits for the disk before it confirms."""
    store, _ = _filled(path)
    with store._database.transaction() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A text, and a database of somebody else, are no stores."""
    text = tmp_path / "text"
    text.write_text("no database at all, " * 99)
    with pytest.raises(StoreError, match="no file of tacenda's projects"):
        Store(text)
    foreign = tmp_path / "foreign.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    with pytest.raises(StoreError, match="choose another with --store"):
        Store(foreign)
