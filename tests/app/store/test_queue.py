"""The queue: fair, shared by servers, and empty in the end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument, Status
from tacenda.app.store.queue import LEASE, Queue
from tacenda.app.worker import Worker
from tacenda.document import Document
from tacenda.policy import Policy
from tests.waiting import until

from ..building import sanitizer


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    return Store(tmp_path / "projects.db")


def _project(store: Store, texts: int, owner: str, purpose: str = "job") -> int:
    project = store.projects.add("p", Policy(operator="tag"), 0.5, b"", purpose, owner=owner)
    store.documents.add(
        project.id, [NewDocument(Document(f"{n}", f"{n}: Ada Byron")) for n in range(texts)]
    )
    return project.id


def test_owners_take_turns(store: Store) -> None:
    """A job of 1,000 texts holds up another owner's letter by one slice, and so one's own letter."""
    long = _project(store, 1000, "ann")
    assert len(store.queue.claim("s", 4)) == 4
    letter, own = _project(store, 1, "ben", "review"), _project(store, 1, "ann", "review")
    order = [store.documents.get(store.queue.claim("s", 4)[0]).project for _ in range(4)]
    assert order == [letter, own, long, long]
    store.close()


def test_a_long_document_is_taken_alone(store: Store) -> None:
    """Others wait for one long text of somebody, not for four."""
    project = store.projects.add("p", Policy(operator="tag"), 0.5, b"")
    long, short = Document("long", "Ada " * 50_000), Document("short", "Ada")
    store.documents.add(project.id, [NewDocument(item) for item in (short, long, long, short)])
    assert [store.queue.claim("s") for _ in range(3)] == [[1], [2], [3]]
    store.close()


def test_two_claims_never_meet(store: Store) -> None:
    """What one server works on, another one doesn't get, until it has stopped saying so."""
    _project(store, 6, "ann")
    clock = [1000.0]
    one, two = (Queue(store.database, lambda: clock[0]) for _ in range(2))
    first = one.claim("one", 4)
    assert two.claim("two", 4) == [5, 6]
    assert (one.claim("one"), two.claim("two")) == ([], [])
    clock[0] += LEASE - 1
    two.renew("two")
    clock[0] += 2
    assert two.claim("two", 4) == first
    two.release("two")
    assert one.claim("one", 9) == [1, 2, 3, 4, 5, 6]
    store.close()


_KILLED = """
import os, pathlib, signal, sys
from tacenda.app.store import Store
print(*Store(pathlib.Path(sys.argv[1])).queue.claim("killed"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_server_claimed_is_taken_over(store: Store) -> None:
    """Not at once, for it may only be slow; when its claim is over."""
    _project(store, 3, "ann")
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(store.path)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout.split()) == (-signal.SIGKILL, ["1", "2", "3"])
    assert store.queue.claim("other") == []
    later = Queue(store.database, lambda: time.time() + LEASE)
    assert later.claim("other") == [1, 2, 3]
    store.close()


def test_two_servers_do_the_work_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stores on one file, forty texts: each is analysed by one of the two."""
    stores = [Store(tmp_path / "projects.db") for _ in range(2)]
    services = [Service(store, sanitizer()) for store in stores]
    done: list[int] = []
    for made in services:
        analysed = made.analysed

        def counted(document: int, *rest: object, analysed: object = analysed) -> None:
            done.append(document)
            analysed(document, *rest)  # type: ignore[operator]

        monkeypatch.setattr(made, "analysed", counted)
    project = _project(stores[0], 40, "ann")
    workers = [Worker(made) for made in services]
    for worker in workers:
        worker.start()
    until(lambda: not stores[0].documents.waiting(1))
    for worker in workers:
        worker.stop()
    assert sorted(done) == list(range(1, 41))
    assert {row.status for row in stores[1].documents.of(project)} == {Status.READY}
    for store in stores:
        store.close()


def test_who_lost_a_claim_writes_nothing(store: Store) -> None:
    """A server that was thought dead and comes back late leaves what the other one wrote."""
    project = _project(store, 1, "ann")
    made = Service(store, sanitizer())
    (document,) = store.queue.claim("slow")
    store.queue.release("slow")
    store.queue.claim("fast")
    analysis = made.sanitizer.analyze(store.documents.text(document))
    made.analysed(document, analysis, "slow")
    store.documents.failed(document, "late", "slow")
    assert store.documents.of(project)[0].status is Status.WAITING
    made.analysed(document, analysis, "fast")
    store.documents.failed(document, "late", "fast")
    assert store.documents.of(project)[0].status is Status.READY
    store.close()


def test_finished_jobs_are_deleted_with_their_originals(store: Store) -> None:
    """When their time is over; what is not finished, and what people review, stays."""
    made = Service(store, sanitizer(), keep_jobs=-1.0)
    finished, review = _project(store, 1, "ann"), _project(store, 1, "ann", "review")
    for id in store.documents.waiting(9):
        made.analysed(id, made.sanitizer.analyze(store.documents.text(id)))
    running = _project(store, 1, "ann")
    Service(store, sanitizer(), keep_jobs=3600.0).forget_expired()
    assert len(store.projects.all("job")) == 2
    made.forget_expired()
    assert [project.id for project in store.projects.all("job")] == [running]
    assert store.projects.get(review).purpose == "review"
    assert store.documents.of(finished) == []
    content = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    assert content.count(b"0: Ada Byron") == 2
    store.close()


def test_a_number_that_is_given_again_brings_nothing_back(tmp_path: Path) -> None:
    """One server deletes, another one has seen it: the next document of that number is itself."""
    one, two = (Service(Store(tmp_path / "projects.db"), sanitizer()) for _ in range(2))
    for text in ("Ada Byron wrote.", "Ben Cole wrote."):
        project = one.add_project("p", [NewDocument(Document("d", text))])
        (row,) = one.store.documents.of(project.id)
        one.analysed(row.id, one.sanitizer.analyze(one.store.documents.text(row.id)))
        assert (row.id, two.open(row.id).reviewed.sanitized.document.text) == (1, text)
        thread = Thread(target=one.delete_project, args=(project.id,))
        thread.start()
        thread.join()
    one.store.close()
    two.store.close()
