"""Texts of many requests read together by one thread: the recognizer fills its batches, no result depends on it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread

from ...deciding import Analysis
from ...document import Document
from ...pipeline import Sanitizer

_CHARACTERS = 50_000
"""Code points of texts that are read together, so that short texts don't wait for many long ones."""


@dataclass(slots=True)
class _Job:
    documents: Sequence[Document] = field(repr=False)
    future: asyncio.Future[list[Analysis]]
    loop: asyncio.AbstractEventLoop


class Batches:
    """Queue of texts and the thread that reads them.

    Args:
        sanitizer: its recognizer, patterns and policy find the mentions.
    """

    def __init__(self, sanitizer: Sanitizer) -> None:
        self._sanitizer = sanitizer
        self._jobs: deque[_Job] = deque()
        self._changed = Condition()
        self._is_closed = False
        self._thread = Thread(target=self._run, name="tacenda-presidio", daemon=True)
        self._thread.start()

    async def analyze(self, documents: Sequence[Document]) -> list[Analysis]:
        """Return the analyses of the documents of one request.

        Raises:
            InputError: as ``Sanitizer.analyze_all`` does.
        """
        loop = asyncio.get_running_loop()
        job = _Job(documents, loop.create_future(), loop)
        with self._changed:
            self._jobs.append(job)
            self._changed.notify()
        return await job.future

    def close(self) -> None:
        """End the thread after what it reads now."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while jobs := self._taken():
            try:
                self._read(jobs)
            except Exception:
                # One text at fault must not fail the requests of others.
                for job in jobs:
                    try:
                        self._read([job])
                    except Exception as error:
                        _tell(job, error)

    def _taken(self) -> list[_Job]:
        """The jobs to read together, of which no one has given up; none when it ends."""
        with self._changed:
            while True:
                jobs: list[_Job] = []
                size = 0
                while self._jobs and size < _CHARACTERS:
                    job = self._jobs.popleft()
                    if not job.future.done():
                        jobs.append(job)
                        size += sum(len(document.text) for document in job.documents)
                if jobs or self._is_closed:
                    return jobs
                self._changed.wait()

    def _read(self, jobs: Sequence[_Job]) -> None:
        analyses = iter(
            self._sanitizer.analyze_all([document for job in jobs for document in job.documents])
        )
        for job in jobs:
            _give(job, [next(analyses) for _ in job.documents])


def _give(job: _Job, analyses: list[Analysis]) -> None:
    def give() -> None:
        if not job.future.done():
            job.future.set_result(analyses)

    job.loop.call_soon_threadsafe(give)


def _tell(job: _Job, error: Exception) -> None:
    def tell() -> None:
        if not job.future.done():
            job.future.set_exception(error)

    job.loop.call_soon_threadsafe(tell)
