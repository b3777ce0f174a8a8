"""Local processes: each has a sanitizer on one core. A process that dies is replaced, and its part is done again."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ..isolation.worker import quieted, receive, send, watch
from ..models.session import cores
from .folder import PartEntry, do
from .parts import DatasetPart
from .places import OutputFolder
from .spec import Spec

TRIES: Final = 3
"""Number of attempts at a part whose worker dies."""
ONE_THREAD: Final = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "ARROW_IO_THREADS",
        "TOKENIZERS_PARALLELISM",
    ),
    "1",
)
"""Environment of a worker: libraries that would start a thread for each core start one."""


def run(
    parts: Sequence[DatasetPart], spec: Spec, folder: OutputFolder, processes: int | None = None
) -> Iterator[PartEntry]:
    """Yield the entry of each part as it is done.

    Args:
        parts: the parts to do.
        spec: how rows are treated.
        folder: the output folder.
        processes: number of workers; by default one per core.
    """
    number = max(1, min(len(parts), cores() if processes is None else processes))
    stop = threading.Event()
    workers = threading.local()
    started: list[_PartWorker] = []

    def done(part: DatasetPart) -> PartEntry:
        for _ in range(TRIES):
            if stop.is_set():
                break
            worker = getattr(workers, "worker", None)
            if worker is None:
                worker = workers.worker = _PartWorker(spec, folder)
                started.append(worker)
            entry = worker.done(part)
            if entry is not None:
                return entry
            manner = worker.end()
            workers.worker = None
        else:
            return PartEntry(
                part.name,
                error=f"{part.file.name}, {part.name}, starting at row {part.first}: {TRIES} workers died processing it ({manner}).",
            )
        return PartEntry(part.name, error="stopped")

    pool = ThreadPoolExecutor(number)
    try:
        # Each worker gets the next part when it has finished one; the queue of parts contains no
        # data.
        yield from pool.map(done, parts)
    finally:
        stop.set()
        for worker in started:
            worker.end()
        pool.shutdown(cancel_futures=True)


class _PartWorker:
    """A process that does one part at a time."""

    def __init__(self, spec: Spec, folder: OutputFolder) -> None:
        path = [str(Path(place).absolute()) for place in sys.path]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _bootstrap(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | ONE_THREAD,
        )
        with suppress(OSError):  # It has ended, so its first answer will be missing.
            send(self._stdin, (os.getpid(), spec, folder))

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    def done(self, part: DatasetPart) -> PartEntry | None:
        """Return the entry of a part, or None if the process died."""
        try:
            send(self._stdin, part)
            entry: PartEntry = receive(self._process.stdout)  # type: ignore[arg-type]
            return entry
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            return None

    def end(self) -> str:
        """End the process; if it had already ended, return how."""
        code = self._process.poll()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError, AttributeError):
                pipe.close()  # type: ignore[union-attr]
        code = self._process.returncode if code is None else code
        with suppress(ValueError):
            return signal.Signals(-code).name
        return f"exit code {code}"


def _bootstrap(path: Sequence[str]) -> str:
    """Return the code that the interpreter runs: without the user's ``__main__``, but with our module paths."""
    return (
        f"import sys; sys.path[:] = {list(path)!r}; from tacenda.scale.local import serve; serve()"
    )


def serve() -> None:
    """Do the parts that arrive on stdin until it is closed; the main loop of a worker."""
    # Ctrl-C reaches all processes in a terminal; the parent decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output, stream = quieted(), sys.stdin.buffer
    with suppress(EOFError):
        parent, spec, folder = receive(stream)
        threading.Thread(target=watch, args=(parent,), daemon=True).start()
        while True:
            send(output, do(receive(stream), spec, folder))
    os._exit(0)
