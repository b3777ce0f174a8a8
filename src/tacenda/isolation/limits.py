"""Limits on what a file may cost, and the environment variables that set them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..errors import InputError

_SECONDS = "TACENDA_LIMIT_SECONDS"
_MEMORY = "TACENDA_LIMIT_MEMORY_MB"
_PARTS = "TACENDA_LIMIT_PARTS"
_EDITS = "TACENDA_LIMIT_EDITS"
REGEX_SECONDS = "TACENDA_LIMIT_REGEX_SECONDS"
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one call in a worker.

    Attributes:
        seconds: wall-clock time for a call of any size.
        seconds_per_megabyte: additional time per megabyte of input.
        memory: a worker's address space in bytes.
        parts: number of entries in an archive, or pages in a PDF.
        edits: number of replacements in one file.
        regex_seconds: time for a policy's regular expression, instead of ``seconds``.
        calls: number of calls before a worker is replaced, which frees leaked memory.
    """

    seconds: float = 60.0
    seconds_per_megabyte: float = 30.0
    memory: int = 2_048 * _MEGABYTE
    parts: int = 10_000
    edits: int = 1_000_000
    regex_seconds: float = 10.0
    calls: int = 100

    def time(self, size: int) -> float:
        """Return the time limit in seconds for a call with ``size`` bytes of input."""
        return self.seconds + self.seconds_per_megabyte * size / _MEGABYTE

    def check_parts(self, number: int, kind: str, name: str) -> None:
        """Check how many parts (``kind``: ``entries``, ``pages``) the document ``name`` has.

        Raises:
            InputError: if they are too many.
        """
        if number > self.parts:
            raise InputError(
                f"has {number:,} {kind}, at most {self.parts:,} are read; split it, or raise {_PARTS}.",
                name,
            )

    def check_edits(self, number: int, name: str) -> None:
        """Check how many edits the document ``name`` needs.

        Raises:
            InputError: if they are too many.
        """
        if number > self.edits:
            raise InputError(
                f"needs {number:,} edits, at most {self.edits:,} are written into one file; split "
                f"it, or raise {_EDITS}.",
                name,
            )

    def too_slow(self, seconds: float) -> str:
        """Return the message for a call that was stopped after ``seconds``."""
        return f"took more than {seconds:,.0f} s and was stopped; split it, or raise {_SECONDS}."

    def too_large(self) -> str:
        """Return the message for a call that exceeded the memory limit."""
        return f"needs more than {self.memory // _MEGABYTE:,} MB of memory; split it, or raise {_MEMORY}."


_granted: Limits | None = None


def grant(granted: Limits) -> None:
    """Set the limits for the current call in this worker process."""
    global _granted
    _granted = granted


def limits() -> Limits:
    """Return the limits from the environment, with defaults; in a worker, those of the current call.

    Raises:
        InputError: if a variable isn't a positive number.
    """
    if _granted is not None:
        return _granted
    plain = Limits()
    return Limits(
        seconds=_number(_SECONDS, plain.seconds),
        memory=int(_number(_MEMORY, plain.memory / _MEGABYTE) * _MEGABYTE),
        parts=int(_number(_PARTS, plain.parts)),
        edits=int(_number(_EDITS, plain.edits)),
        regex_seconds=_number(REGEX_SECONDS, plain.regex_seconds),
    )


def _number(variable: str, default: float) -> float:
    value = os.environ.get(variable)
    if not value:
        return default
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1e12:
        raise InputError(f"{variable} is {value[:40]!r}; it must be a number above 0.")
    return number
