"""Annotation mode for the documents of a review, in the same process, on this machine only.

Each project of the review has its own project of annotation: a file beside that of the review, a
server at a port of its own, and keys that hold until the process ends.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Thread

import uvicorn

from ..listening import listen
from ..service import Service
from ..store.documents import Status
from ..web.security.access import Access
from .people import access_with, addresses, checked_names, keys_for
from .recognized import marks_in
from .service import Annotating
from .store import AnnotationStore, Source


@dataclass(frozen=True, slots=True)
class _Running:
    store: AnnotationStore
    listener: socket.socket
    server: uvicorn.Server
    thread: Thread
    keys: dict[str, str]

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        self.listener.close()
        self.store.close()


class Beside:
    """The annotation projects of a review.

    Args:
        service: has the documents.
        serve: makes the server of a project of annotation.
    """

    def __init__(
        self, service: Service, serve: Callable[[Annotating, Access], uvicorn.Server]
    ) -> None:
        self._service = service
        self._serve = serve
        self._running: dict[int, _Running] = {}
        self._lock = Lock()

    def open(self, project: int, annotators: Sequence[str], marked: bool) -> dict[str, str]:
        """Return the address at which each annotator, and the adjudicator of several, comes in.

        Args:
            project: of the review; its documents that are analysed are annotated.
            annotators: their names; who joined before is there still.
            marked: whether documents that are new to it begin with what was found in them.

        Raises:
            InputError: if a name is none, or there is no such project.
        """
        names = checked_names(annotators)
        sources = self._sources(project, marked)
        with self._lock:
            running = self._running.pop(project, None)
            if running is not None:
                running.stop()
            store = AnnotationStore(self._path(project))
            flow = store.begin(None, names)
            store.add(sources)
            annotating = Annotating(store, flow)
            keys = keys_for(annotating.annotators) | (running.keys if running else {})
            listener = listen("127.0.0.1", 0)
            serving = self._serve(annotating, access_with(keys))
            thread = Thread(target=serving.run, args=([listener],), daemon=True)
            thread.start()
            self._running[project] = _Running(store, listener, serving, thread, keys)
            return addresses(listener, keys)

    def exists(self, project: int) -> bool:
        """Tell whether a project has been annotated, in this run or an earlier one."""
        return self._path(project).exists()

    def delete(self, project: int) -> None:
        """Delete the annotations of a project; they hold its texts."""
        with self._lock:
            running = self._running.pop(project, None)
            if running is not None:
                running.stop()
        path = self._path(project)
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)

    def close(self) -> None:
        """End all of them; every annotation is on disk."""
        with self._lock:
            for running in self._running.values():
                running.stop()
            self._running.clear()

    def _path(self, project: int) -> Path:
        review = self._service.store.path
        return review.with_name(f"{review.stem}-annotations-{project}.db")

    def _sources(self, project: int, marked: bool) -> list[Source]:
        rows = self._service.store.documents.of(self._service.project(project).id)
        sources: dict[str, Source] = {}
        for row in rows:
            if row.status is not Status.READY:
                continue
            sanitized = self._service.open(row.id).reviewed.sanitized
            document = sanitized.document
            # The project of annotation knows documents by their names.
            name = f"{row.name} ({row.place})" if row.name in sources else row.name
            source = Source(name, document.text, target=document.target)
            sources[name] = replace(source, marks=marks_in(sanitized, False)) if marked else source
        return list(sources.values())
