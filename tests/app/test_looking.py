"""Files are looked at in the background, before anybody asks for the page of the release."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tacenda.app import parts, worker
from tacenda.app.events import Event, EventKind
from tacenda.app.intake import from_upload
from tacenda.app.service import DocumentView, Service
from tacenda.app.worker import Worker
from tests.waiting import until

from ..documents.test_parts import letter
from .building import MEMO, client, come_in, service

ALL = Event(EventKind.BOUND, value="0")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Return a service with two letters and a memo, still to be analysed, whose files are looked at soon."""
    monkeypatch.setattr(worker, "CALM", 0.0)
    found = service(tmp_path)
    files = [*from_upload("a.docx", letter()), *from_upload("b.docx", letter())]
    found.add_project("Three", [*files, *from_upload("memo.txt", MEMO.encode())])
    yield found
    found.store.close()


def _worked(made: Service, condition: Callable[[], bool]) -> None:
    working = Worker(made)
    working.start()
    try:
        until(condition)
    finally:
        working.stop()


def _is_seen(made: Service) -> bool:
    return not made.store.documents.waiting(1) and not made.store.parts.stale(1)


def test_the_page_of_the_release_finds_everything_looked_at(made: Service) -> None:
    """Nothing is left for the page to do once the worker has been idle; the parts stand there."""
    _worked(made, lambda: _is_seen(made))
    assert made.store.parts.open_counts(1) == {1: 3, 2: 3}
    with client(made) as outside:
        page = come_in(outside).get("/projects/1/release").text
    assert 'id="reading"' not in page
    assert 'data-open="6"' in page


def test_what_was_looked_at_is_not_looked_at_after_a_restart(
    made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on where it was, and looks again only at the file whose text a person changed."""
    _worked(made, lambda: _is_seen(made))
    looks: list[int] = []

    def counted(service: Service, view: DocumentView) -> None:
        looks.append(view.row.id)
        parts.look_at(service, view)

    monkeypatch.setattr(worker, "look_at", counted)
    made.change(2, "Ann", 0, ALL)
    _worked(made, lambda: _is_seen(made))
    assert looks == [2]


def test_a_document_is_left_alone_while_somebody_works_on_it(
    made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each new revision has to stand for a while before its file is written for a look."""
    monkeypatch.setattr(worker, "CALM", 3600.0)
    _worked(made, lambda: not made.store.documents.waiting(1))
    working = Worker(made)
    assert not working._look()
    later = time.monotonic() + 3601
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: later))
    made.change(2, "Ann", 0, ALL)
    assert working._look()
    assert made.store.parts.stale(1) == [2]
    assert not working._look()


def test_a_failure_is_logged_without_text_and_not_tried_again(
    made: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The class of the error and the number of the document; the next document has its turn."""
    monkeypatch.setattr(worker, "CALM", 3600.0)
    _worked(made, lambda: not made.store.documents.waiting(1))
    monkeypatch.setattr(worker, "CALM", 0.0)

    def failing(service: Service, view: DocumentView) -> None:
        raise RuntimeError(view.reviewed.sanitized.document.text)

    monkeypatch.setattr(worker, "look_at", failing)
    with caplog.at_level(logging.ERROR):
        working = Worker(made)
        tries = [working._look() for _ in range(3)]
    assert tries[-1] is False
    assert "RuntimeError" in caplog.text
    assert "Byron" not in caplog.text
