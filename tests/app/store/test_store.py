"""Projects on disk."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path
from threading import Thread

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.app.store import Store
from tacenda.app.store.database import StoreError
from tacenda.app.store.documents import DocumentSummary, NewDocument, NewFile, Status
from tacenda.app.store.log import NewEntry, RevisionConflict
from tacenda.deciding import Analysis
from tacenda.detect.merge import merge
from tacenda.detect.terms import policy_mentions
from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.policy import Policy

from ...building import mention

DOCUMENT = Document("letter.txt", "Ada Byron \ud800 wrote\0.", ("Ada Byron",), "q7259")
FILE = NewFile("in/letter.html", "html", "utf-8", b"<p>Ada Byron\r\n</p>\0")
CHANGE = Event(EventKind.BOUND, value="0.25")


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
    store.documents.analysed(first, analysis, DocumentSummary(entities=1))
    assert store.record(first, 0, NewEntry("Ann", CHANGE), DocumentSummary(decided=1)) == 1
    store.close()
    store = Store(path)
    project = store.projects.get(id)
    assert (project.name, project.policy, project.threshold) == (
        "Letters",
        Policy(operator="tag"),
        0.3,
    )
    row, other = store.documents.of(id)
    assert (row.status, row.revision, row.summary) == (Status.READY, 1, DocumentSummary(decided=1))
    assert other.status is Status.WAITING
    assert store.documents.analysis(first) == analysis
    (entry,) = store.log.entries(first)
    assert (entry.person, entry.event) == ("Ann", CHANGE)
    store.close()


def test_a_name_may_be_any_string(path: Path) -> None:
    """Half a surrogate pair in the name of a file or of a document is as it came."""
    store = Store(path)
    id = store.projects.add("Letters", Policy(), 0.3, b"").id
    file = NewFile("\udcff.txt", "text", "utf-8", b"A")
    store.documents.add(id, [NewDocument(Document("odd \ud800", "A"), file=file)])
    (row,) = store.documents.of(id)
    assert (row.name, store.documents.text(row.id).id) == ("odd \ud800", "odd \ud800")
    assert store.files.get(row.file or 0).name == "\udcff.txt"
    store.close()


def test_a_stale_change_is_refused_and_says_what_came_between(path: Path) -> None:
    """Of two changes for one revision the second is not written."""
    store, id = _filled(path)
    first = store.documents.of(id)[0].id
    store.record(first, 0, NewEntry("Ann", CHANGE), DocumentSummary())
    with pytest.raises(RevisionConflict, match="revision 0 of the document") as caught:
        store.record(first, 0, NewEntry("Ben", CHANGE), DocumentSummary())
    assert [entry.person for entry in caught.value.since] == ["Ann"]
    assert len(store.log.entries(first)) == 1
    store.close()


def test_of_many_at_once_one_is_first(path: Path) -> None:
    """Eight writers for one revision: one line in the log, seven told that they are late."""
    store, id = _filled(path)
    first = store.documents.of(id)[0].id
    outcomes: list[str] = []

    def write() -> None:
        try:
            store.record(first, 0, NewEntry("Ann", CHANGE), DocumentSummary())
            outcomes.append("written")
        except RevisionConflict:
            outcomes.append("stale")

    threads = [Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["stale"] * 7 + ["written"]
    assert len(store.log.entries(first)) == 1
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
    store.record(first, 0, NewEntry("Ann", CHANGE), DocumentSummary())
    store.projects.delete(id)
    assert store.documents.of(id) == []
    assert store.log.entries(first) == ()
    with pytest.raises(InputError, match="project 1 does not exist"):
        store.projects.get(id)
    store.close()


def test_what_is_not_there_is_an_error(path: Path) -> None:
    """Unknown documents, and analyses that are not made, say so."""
    store, id = _filled(path)
    with pytest.raises(InputError, match="document 99 does not exist"):
        store.documents.get(99)
    with pytest.raises(InputError, match="document 99 does not exist"):
        store.record(99, 0, NewEntry("Ann", CHANGE), DocumentSummary())
    with pytest.raises(InputError, match="is not analyzed"):
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
    with store.database.transaction() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A text, and a database of somebody else, are no stores."""
    text = tmp_path / "text"
    text.write_text("no database at all, " * 99)
    with pytest.raises(StoreError, match="not a project file of tacenda"):
        Store(text)
    foreign = tmp_path / "foreign.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    with pytest.raises(StoreError, match="choose another with --store"):
        Store(foreign)


def test_files_are_kept_with_their_documents(path: Path) -> None:
    """Byte for byte, each once however many documents it holds; and gone with the project."""
    store = Store(path)
    id = store.projects.add("Letters", Policy(), 0.3, b"").id
    new = [NewDocument(DOCUMENT, file=FILE, notes=("A picture was kept.",)), NewDocument(DOCUMENT)]
    store.documents.add(id, [new[0], new[0], new[1]])
    one, two, none = store.documents.of(id)
    assert (one.file, none.file) == (two.file, None)
    assert (one.notes, none.notes) == (("A picture was kept.",), ())
    assert one.file is not None
    found = store.files.get(one.file)
    assert (found.name, found.format, found.content) == (FILE.name, FILE.format, FILE.content)
    store.projects.delete(id)
    with pytest.raises(InputError, match="file 1 does not exist"):
        store.files.get(one.file)
    store.close()


def test_files_are_brought_up_to_date(path: Path) -> None:
    """Documents without a file get theirs; other bytes of the same text take the old ones' place."""
    store, id = _filled(path)
    store.files.bring(id, [FILE, None])
    first, second = store.documents.of(id)
    assert second.file is None
    assert first.file is not None
    store.files.bring(id, [FILE, None])
    assert store.documents.of(id)[0].file == first.file
    other = NewFile("letter.html", "html", "utf-8", b"<b>Ada</b>")
    store.files.bring(id, [other, None])
    (found,) = {row.file for row in store.documents.of(id)} - {None}
    assert found is not None
    assert store.files.get(found).content == other.content
    assert store.database.rows("SELECT count(*) FROM file") == [(1,)]
    store.close()


def test_a_mention_of_the_deny_list_is_read_with_its_rule(path: Path) -> None:
    """A place in the deny list is no name of the person to protect, nor the other way round."""
    store, id = _filled(path)
    policy = Policy.build(deny=[{"exact": "x"}, {"exact": "wrote"}])
    analysis = Analysis(DOCUMENT, merge(DOCUMENT.text, policy_mentions(DOCUMENT, policy)))
    first = store.documents.of(id)[0].id
    store.documents.analysed(first, analysis, DocumentSummary())
    mentions = store.documents.analysis(first).mentions
    assert mentions == analysis.mentions
    assert [(mention.deny, mention.names_target) for mention in mentions] == [
        (None, True),
        (1, False),
    ]


def test_a_store_of_another_version_is_refused(path: Path) -> None:
    """It is left as it is, and the error names both versions."""
    store, _ = _filled(path)
    with store.database.transaction() as connection:
        connection.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(StoreError, match=r"version 99 .* reads version 14"):
        Store(path)
