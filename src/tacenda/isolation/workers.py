"""This process's side: workers are started on demand, reused, and killed at their time limit."""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from ..errors import InputError, TacendaError
from .limits import Limits, limits
from .worker import BOOTSTRAP, CallProgress, Reply, is_worker, receive, send

_Value = TypeVar("_Value")
_MOST = max(2, os.cpu_count() or 1)
_LAST_SECONDS = 5.0
_WORN = 1 - 1e-9

on_progress: Callable[[CallProgress], None] | None = None
"""Called while a document is read or written; set by a program that shows the progress."""


class TimeLimitError(InputError):
    """A call in a worker was stopped because it took too long."""


def isolated(
    function: Callable[..., _Value],
    arguments: tuple[object, ...],
    *,
    subject: str,
    size: int,
    granted: Limits | None = None,
) -> _Value:
    """Return ``function(*arguments)``, computed in a worker.

    Inside a worker the function is called directly, within the worker's limits.

    Args:
        function: a module-level function; it, its arguments and its value must be picklable.
        arguments: its arguments.
        subject: the document's name, for error messages.
        size: size of the input in bytes, for the time limit.
        granted: the limits; by default those from the environment.

    Raises:
        TacendaError: an error that the function raised.
        TimeLimitError: if it took too long.
        InputError: if it used too much memory, crashed, or raised any other exception.
    """
    if is_worker():
        return function(*arguments)
    allowed = limits() if granted is None else granted
    with _slots:
        worker = _taken(allowed)
        while True:
            try:
                reply = worker.call(function, arguments, allowed.time(size), allowed)
            except BaseException:
                worker.kill()
                raise
            if reply is None or reply.fault != "MemoryError" or not worker.wear:
                break
            # Earlier calls may have left it less memory than a new worker has.
            worker.kill()
            worker = _Worker(allowed)
        if reply is None:
            code = worker.exit_code()
        elif reply.fault:
            worker.kill()
        else:
            worker.wear += 1 / allowed.calls
            _give_back(worker)
    if worker.late:
        raise TimeLimitError(allowed.too_slow(allowed.time(size)), subject)
    if reply is None:
        raise InputError(_crash(code, allowed), subject)
    if reply.fault == "MemoryError":
        raise InputError(allowed.too_large(), subject)
    if reply.fault:
        raise InputError(
            f"can't be processed ({reply.fault}); it may be damaged: open it in the program that "
            "made it and re-save it.",
            subject,
        )
    if reply.failed:
        error: TacendaError = reply.value
        raise error
    value: _Value = reply.value
    return value


def _crash(code: int, allowed: Limits) -> str:
    """Return the message for a worker that ended before it answered."""
    if code < 0:
        try:
            manner = f"signal {-code}, {signal.Signals(-code).name}"
        except ValueError:
            manner = f"signal {-code}"
    else:
        manner = f"exit code {code}"
    return (
        f"ended the process that read it ({manner}); it is damaged, hostile, or "
        f"{allowed.too_large().removesuffix('.')}, or open and re-save it."
    )


class _Worker:
    """A subprocess that answers calls.

    Attributes:
        memory: its memory limit in bytes.
        wear: how much of its life is used up; each call adds as much as its limits say.
        late: whether it was stopped at its time limit.
    """

    def __init__(self, granted: Limits) -> None:
        self.memory = granted.memory
        self.wear = 0.0
        self.late = False
        if not sys.executable:
            raise InputError("no Python interpreter found for reading files (sys.executable).")
        try:
            # Without the site module it starts in half the time; it is given our path instead.
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", BOOTSTRAP],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0 if os.name == "posix" else None,
            )
        except OSError as error:
            raise InputError(f"can't start a process to read files: {error.strerror}.") from None
        self._has_group = os.name == "posix"
        path = [str(Path(folder).absolute()) for folder in sys.path]
        self._send((path, granted.memory, os.getpid()))

    @property
    def _pipes(self) -> tuple[BinaryIO, BinaryIO]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout  # type: ignore[return-value]

    def _send(self, value: object) -> None:
        with suppress(ConnectionError):  # it has ended, so the answer will be missing
            send(self._pipes[0], value)

    def call(
        self,
        function: Callable[..., object],
        arguments: tuple[object, ...],
        seconds: float,
        granted: Limits,
    ) -> Reply | None:
        """Return the reply to a call, or None if the process ended first."""
        clock = threading.Timer(seconds, self._stop)
        clock.daemon = True
        clock.start()
        try:
            self._send((function, arguments, seconds, granted))
            reply: Reply | CallProgress = receive(self._pipes[1])
            while isinstance(reply, CallProgress):
                if on_progress is not None:
                    on_progress(reply)
                reply = receive(self._pipes[1])
            return reply
        except (EOFError, OSError, pickle.UnpicklingError):
            return None
        finally:
            clock.cancel()

    def _stop(self) -> None:
        self.late = True
        self._end()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def exit_code(self) -> int:
        """Return the exit code of a process without an answer."""
        try:
            code = self._process.wait(_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            code = -signal.SIGTERM
        self.kill()
        return code

    def _end(self) -> None:
        if self._has_group:
            # Only once, since the process id may be reused later.
            self._has_group = False
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def kill(self) -> None:
        """Kill the process at once, along with the programs it runs."""
        self._end()
        self._process.wait()
        for pipe in self._pipes:
            with suppress(OSError):  # what was still to be written no longer matters
                pipe.close()


_slots = threading.BoundedSemaphore(_MOST)
_lock = threading.Lock()
_idle: list[_Worker] = []


def _taken(granted: Limits) -> _Worker:
    """Return a live worker with these limits."""
    while True:
        with _lock:
            worker = _idle.pop() if _idle else None
        if worker is None:
            return _Worker(granted)
        if worker.memory == granted.memory and worker.alive:
            return worker
        worker.kill()


def _give_back(worker: _Worker) -> None:
    if worker.wear > _WORN:
        worker.kill()
        return
    with _lock:
        _idle.append(worker)


def _end() -> None:
    """Kill the idle workers."""
    with _lock:
        workers, _idle[:] = list(_idle), []
    for worker in workers:
        worker.kill()


def _forget() -> None:
    """Leave the workers to the parent, since this process was forked."""
    global _slots, _lock
    _slots, _lock = threading.BoundedSemaphore(_MOST), threading.Lock()
    _abandoned.extend(_idle)
    _idle.clear()


# Keep the objects, since collecting one would wait for a process that isn't this one's child.
_abandoned: list[_Worker] = []
atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
