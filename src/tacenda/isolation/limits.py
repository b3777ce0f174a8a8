"""Limits on the cost of a file, and the environment variables for them."""

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
    """Limits of one call in a worker.

    Attributes:
        seconds: wall-clock time of a call, regardless of its size.
        seconds_per_megabyte: further time for each megabyte of input.
        memory: bytes of address space of a worker.
        parts: entries of an archive, and pages of a PDF.
        edits: replacements in one file.
        regex_seconds: time of a policy's regular expression, instead of ``seconds``.
        calls: calls of a worker before it is replaced, which frees leaked memory.
    """

    seconds: float = 60.0
    seconds_per_megabyte: float = 30.0
    memory: int = 2_048 * _MEGABYTE
    parts: int = 10_000
    edits: int = 1_000_000
    regex_seconds: float = 10.0
    calls: int = 100

    def time(self, size: int) -> float:
        """Return the time limit in seconds of a call with ``size`` bytes of input."""
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
        """Return the message of a call stopped after ``seconds``."""
        return f"took more than {seconds:,.0f} s and was stopped; split it, or raise {_SECONDS}."

    def too_large(self) -> str:
        """Return the message of a call beyond the memory limit."""
        return f"needs more than {self.memory // _MEGABYTE:,} MB of memory; split it, or raise {_MEMORY}."


_granted: Limits | None = None


def grant(granted: Limits) -> None:
    """Set the limits of the call in this process, a worker."""
    global _granted
    _granted = granted


def limits() -> Limits:
    """Return the limits of the environment, with defaults; in a worker the limits of the call.

    Raises:
        InputError: if a variable is not a positive number.
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
