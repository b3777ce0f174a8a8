"""The thread that analyses documents in the background, in the order they came.

What waits is in the store, so that a program that was killed goes on where it was.
"""

from __future__ import annotations

import logging
from threading import Event, Thread

from ..errors import ModelError, TacendaError
from ..rewrite.ontology import shipped
from ..sanitizer import Sanitizer
from .recent import Recent
from .service import Service

_BATCH = 8
_log = logging.getLogger(__name__)


class Worker:
    """Analyses what waits until it is stopped.

    Args:
        service: its store says what waits.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._sanitizers: Recent[int, Sanitizer] = Recent(8)
        self._wake = Event()
        self._stopped = False
        self._thread = Thread(target=self._run, name="tacenda-analysis", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Say that there are new documents."""
        self._wake.set()

    def stop(self) -> None:
        """End after the documents at hand."""
        self._stopped = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped:
            self._wake.clear()
            waiting = self._service.store.documents.waiting(_BATCH)
            for document in waiting:
                if self._stopped:
                    return
                self._analyse(document)
            if not waiting:
                _read_ontology()
                self._wake.wait()

    def _analyse(self, id: int) -> None:
        documents = self._service.store.documents
        try:
            project = self._service.project(documents.get(id).project)
            sanitizer = self._sanitizers.get(
                project.id, lambda: self._service.sanitizer.under(project.policy)
            )
            self._service.analysed(id, sanitizer.analyse(documents.text(id)))
        except TacendaError as error:
            documents.failed(id, str(error))
        except Exception as error:  # one document must not stop the others
            # The message may hold text of the document; its class and number do not.
            _log.error("document %d can't be analysed: %s", id, type(error).__name__)
            documents.failed(id, f"the analysis failed ({type(error).__name__}).")


def _read_ontology() -> None:
    """Read what options need while nobody waits; it takes half a second, once."""
    try:
        shipped()
    except ModelError:
        # Whoever asks for options is told.
        _log.error("the ontology can't be read")
