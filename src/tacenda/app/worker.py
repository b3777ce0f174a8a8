"""The threads that analyse documents in the background, look at their files, and delete expired jobs.

Waiting documents are in the store, so a killed program resumes after a restart, and several servers
share the work; see ``store.Queue``. While none waits, files are looked at that a release will ask for,
one at a time; see ``parts``.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import time
from threading import Event, Thread

from ..errors import ModelError, TacendaError
from ..memory import LruCache
from ..pipeline import Sanitizer
from ..rewrite.ontology import shipped
from .page_messages import page_message
from .parts import look_at
from .service import Service
from .store.documents import Status
from .store.queue import LEASE
from .terms import apply_lists

_BEAT = LEASE / 3
"""Seconds between two signs of life; as often it looks for what another server left or brought."""
CALM = LEASE / 3
"""Seconds without a change to a document before its file is inspected."""
_log = logging.getLogger(__name__)


class Worker:
    """Background analysis of waiting documents, until stopped.

    Args:
        service: service of the queue.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._queue = service.store.queue
        self._name = secrets.token_hex(8)
        self._sanitizers: LruCache[str, Sanitizer] = LruCache(8)
        self._seen: dict[tuple[int, int], float] = {}
        self._unseeable: set[tuple[int, int]] = set()
        self._wake = Event()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="tacenda-analysis", daemon=True)
        self._heart = Thread(target=self._beat, name="tacenda-heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._heart.start()

    def wake(self) -> None:
        """Wake the threads for new documents."""
        self._wake.set()

    def stop(self) -> None:
        """End after the documents at hand."""
        self._stopped.set()
        self._wake.set()
        self._thread.join()
        self._heart.join()
        self._queue.release(self._name)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.clear()
            try:
                claimed = self._queue.claim(self._name)
                for document in claimed:
                    if self._stopped.is_set():
                        return
                    self._analyse(document)
            except sqlite3.OperationalError as error:  # another process writes, or the disk is full
                _log.error("the store can't be written: %s", type(error).__name__)
                claimed = []
            if not claimed:
                _read_ontology()
                if not self._look():
                    self._wake.wait(_BEAT)

    def _look(self) -> bool:
        """Look at a file that was changed since, and return whether there was one.

        A document that is being edited waits until the edits pause, so that its file is not
        rewritten for each decision. The last comes first: the page of a release, which
        looks at files meanwhile, begins with the first.
        """
        try:
            stale = self._service.store.parts.stale_anywhere()
            now = time.monotonic()
            self._seen = {document: self._seen.get(document, now) for document in stale}
            self._unseeable.intersection_update(stale)
            for document in reversed(stale):
                if document not in self._unseeable and now - self._seen[document] >= CALM:
                    self._look_at(document)
                    return True
        except sqlite3.OperationalError as error:
            _log.error("the store can't be read or written: %s", type(error).__name__)
        return False

    def _look_at(self, document: tuple[int, int]) -> None:
        id, _ = document
        try:
            look_at(self._service, self._service.open(id))
        except sqlite3.OperationalError:
            raise
        except Exception as error:  # as above; who opens the page of the release is told
            _log.error("the file of document %d can't be looked at: %s", id, type(error).__name__)
            self._unseeable.add(document)

    def _beat(self) -> None:
        while not self._stopped.wait(_BEAT):
            try:
                self._queue.renew(self._name)
                self._service.forget_expired()
            except sqlite3.OperationalError as error:
                _log.error("the store can't be written: %s", type(error).__name__)

    def _analyse(self, id: int) -> None:
        documents = self._service.store.documents
        try:
            project = self._service.project(documents.get(id).project)
            sanitizer = self._sanitizers.get_or_compute(
                project.handle, lambda: self._service.sanitizer.with_policy(project.policy)
            )
            analysis = sanitizer.analyze(documents.text(id))
            # Never ready for review without what the project's lists say of it.
            with self._service.store.database.transaction():
                self._service.analysed(id, analysis, self._name)
                if documents.get(id).status is Status.READY:
                    apply_lists(self._service, id)
        except sqlite3.OperationalError:
            raise
        except TacendaError as error:
            documents.failed(id, page_message(error), self._name)
        except Exception as error:  # one document must not stop the others
            # The message may hold text of the document; its class and number do not.
            _log.error("document %d can't be analyzed: %s", id, type(error).__name__)
            documents.failed(id, f"the analysis failed ({type(error).__name__}).", self._name)


def _read_ontology() -> None:
    """Load the ontology of options in the background; it takes half a second, once."""
    try:
        shipped()
    except ModelError:
        # Whoever asks for options is told.
        _log.error("the ontology can't be read")
