"""The worker's side: a loop of calls, until the parent process closes the pipe.

In both directions, a frame is eight bytes of length and a pickle. The first frame has ``sys.path``
and the limits; each further one is a call: function, arguments, seconds, limits. A call may send
progress before its reply.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, BinaryIO

from ..errors import TacendaError, unforeseen
from .limits import grant

HEADER = struct.Struct(">Q")
BOOTSTRAP = (
    "import pickle, struct, sys; "
    "stream = sys.stdin.buffer; "
    "size, = struct.unpack('>Q', stream.read(8)); "
    "path, memory, parent = pickle.loads(stream.read(size)); "
    "sys.path[:] = path; "
    "from tacenda.isolation.worker import serve; "
    "serve(memory, parent)"
)
"""Code for the interpreter to run; it finds this package where the parent found it."""

_output: BinaryIO | None = None
"""Stream to the parent; None outside of a worker."""
_GRACE = 2.0  # the parent's time limit comes first
_WATCH = 0.5


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of a call.

    Attributes:
        value: the function's return value, or the error of this package that it raised.
        failed: whether it raised.
        fault: the class name of an unexpected exception; empty if there was none.
    """

    value: Any = None
    failed: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CallProgress:
    """The progress of a call.

    Attributes:
        done, total: numbers of pages.
    """

    done: int
    total: int


def report_progress(done: int, total: int) -> None:
    """Tell the parent how many pages of a document are done; does nothing outside a worker."""
    if _output is not None:
        send(_output, CallProgress(done, total))


def send(stream: BinaryIO, value: object) -> None:
    """Write a frame."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    stream.write(HEADER.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Return the value of the next frame.

    Raises:
        EOFError: if there is no further frame.
    """
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        raise EOFError
    (size,) = HEADER.unpack(header)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


def is_worker() -> bool:
    """Return whether this process is a worker."""
    return _output is not None


def serve(memory: int, parent: int) -> None:
    """Answer calls from stdin until it is closed."""
    global _output
    _output = output = quieted()
    _limit(memory)
    threading.Thread(target=watch, args=(parent,), daemon=True).start()
    stream = sys.stdin.buffer
    while True:
        try:
            reply = _answer(stream)
        except EOFError:
            os._exit(0)
        try:
            send(output, reply)
        except MemoryError:
            send(output, Reply(fault="MemoryError"))


def _answer(stream: BinaryIO) -> Reply:
    try:
        function, arguments, seconds, granted = receive(stream)
        grant(granted)
        _alarm(seconds + _GRACE)
        return Reply(function(*arguments))
    except EOFError:
        raise
    except TacendaError as error:
        error.__traceback__ = error.__cause__ = error.__context__ = None
        return Reply(error, failed=True)
    except ModuleNotFoundError as error:
        return Reply(unforeseen(error), failed=True)
    except BaseException as error:  # its message may have text of the document
        return Reply(fault=type(error).__name__)
    finally:
        _alarm(0)


def quieted() -> BinaryIO:
    """Return the stream for replies, after making sure that nothing else can write to stdout or stderr."""
    output = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.close(nothing)
    return output


def _limit(memory: int) -> None:
    # Ctrl-C reaches the whole group of a terminal; the parent decides about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # Windows has no such limits, but time and parts are still limited
        return
    for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(kind, (limit, limit))


def _alarm(seconds: float) -> None:
    """Have the kernel end this process at that time, in case its parent is no longer there to do it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def watch(parent: int) -> None:
    """End this process and the programs it runs when the parent ends, even if something else keeps the pipe open."""
    while os.getppid() == parent:
        time.sleep(_WATCH)
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
