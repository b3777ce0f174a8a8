"""One thread reads the texts of many requests together, which fills the recognizer's batches; results don't depend on it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from ...deciding import Analysis
from ...document import Document
from ...pipeline import Sanitizer

_CHARACTERS = 50_000
"""Code points of texts that are read together, so that short texts don't wait for many long ones."""


class _Job(NamedTuple):
    documents: Sequence[Document]
    future: Future[list[Analysis]]


class Batches:
    """A queue of texts and the thread that reads them.

    Args:
        sanitizer: its recognizer, patterns and policy find the mentions.
    """

    def __init__(self, sanitizer: Sanitizer) -> None:
        self._sanitizer = sanitizer
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        """None is the end."""
        self._thread = Thread(target=self._run, name="tacenda-presidio", daemon=True)
        self._thread.start()

    async def analyze(self, documents: Sequence[Document]) -> list[Analysis]:
        """Return the analyses of the documents of one request.

        Raises:
            InputError: as ``Sanitizer.analyze_all`` does.
        """
        job = _Job(documents, Future())
        self._jobs.put(job)
        return await asyncio.wrap_future(job.future)

    def close(self) -> None:
        """End the thread once it has handled all earlier requests."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while jobs := self._taken():
            try:
                self._read(jobs)
            except Exception:
                # One invalid text must not make other requests fail.
                for job in jobs:
                    try:
                        self._read([job])
                    except Exception as error:
                        job.future.set_exception(error)

    def _taken(self) -> list[_Job]:
        """Return the jobs to read together that nobody has given up on; empty when the thread should end."""
        jobs: list[_Job] = []
        size = 0
        while not jobs or (size < _CHARACTERS and not self._jobs.empty()):
            job = self._jobs.get()
            if job is None:
                self._jobs.put(None)
                break
            if job.future.set_running_or_notify_cancel():
                jobs.append(job)
                size += sum(len(document.text) for document in job.documents)
        return jobs

    def _read(self, jobs: Sequence[_Job]) -> None:
        documents = [document for job in jobs for document in job.documents]
        analyses = iter(self._sanitizer.analyze_all(documents))
        for job in jobs:
            job.future.set_result([next(analyses) for _ in job.documents])
