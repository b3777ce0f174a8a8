"""What a hostile file can make a parser do."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tacenda.errors import InputError, MissingExtraError
from tacenda.isolation.workers import isolated


def answer(value: object) -> object:
    """Give back what came."""
    return value


def pid() -> int:
    """Say which process this is."""
    return os.getpid()


def pids() -> tuple[int, int]:
    """Say so twice, the second time through another call."""
    return os.getpid(), isolated(pid, (), subject="", size=0)


def crash(*_: object) -> None:
    """End as a parser in C does that overruns its stack."""
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(*_: object) -> None:
    """End without an answer."""
    os._exit(3)


def hang(*_: object) -> None:
    """Search for ever in C, where no signal handler of Python's runs."""
    re.search("(?:a|a)*b", "a" * 100)


def run_program(path: str, *, dies: bool = False) -> None:
    """Run a program that takes its time, and write its number into a file."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    Path(path).write_text(str(process.pid))
    if dies:
        crash()
    process.wait()


def run_program_and_crash(path: str) -> None:
    """Crash while the program runs."""
    run_program(path, dies=True)


def sleep(seconds: float) -> str:
    """Take a while."""
    time.sleep(seconds)
    return "awake"


_HOARD: list[bytearray] = []


def hoard(size: int) -> int:
    """Take memory, and never give it back; say which process this is."""
    _HOARD.append(bytearray(size))
    return os.getpid()


def swell(*_: object) -> int:
    """Take more memory than anybody has."""
    return len(bytearray(1 << 40))


def swell_in_reply(*_: object) -> bytes:
    """Return more than can be pickled within the limit."""
    return bytes(150_000_000)


def recurse(*_: object) -> None:
    """Call itself for ever."""
    recurse()


def quote(text: str) -> None:
    """Fail as a parser does that quotes the document, aloud."""
    print(text)
    print(text, file=sys.stderr)
    raise LookupError(text)


def refuse(*_: object) -> None:
    """Refuse a document."""
    raise InputError("is no letter.", "letter.docx")


def lack(*_: object) -> None:
    """Miss an optional dependency."""
    raise MissingExtraError("reading a scroll", "documents")
