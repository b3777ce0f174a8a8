"""Outcome of each file of a run: counted on stderr, and as JSON on request.

The JSON (``schemas/run.schema.json``) holds no text, and no name that could reveal a document's
subject: a file is named only if no string masked in it occurs in its name; one that was not
sanitized is never named.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Final

from .._version import __version__
from ..atomic import write_atomically

SCHEMA_VERSION: Final = "1.0"


class FileOutcome(StrEnum):
    """What became of a file."""

    WRITTEN = "written"
    KEPT = "kept"
    """Finished by the run that is resumed, or by one that was whole."""
    INCOMPLETE = "incomplete"
    """Written without some of its documents."""
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(slots=True)
class FileTally:
    """The tally of a file during a run.

    Attributes:
        number: its place in the run, from 1.
        name: its own, possibly revealing.
        tells: whether a masked string occurs in the name, or might (as after a failure).
        documents: number of written documents.
        leaking: number of those with remaining masked strings.
        found: number of those still found by an attacker.
        failures: messages of the failed documents.
        reason: the reason for skipping it.
        output: its file below the output folder, never revealing.
        kept: whether it was finished in an earlier run.
    """

    number: int
    name: str
    tells: bool = True
    documents: int = 0
    leaking: int = 0
    found: int = 0
    failures: list[str] = field(default_factory=list)
    reason: str = ""
    output: str = ""
    kept: bool = False

    @property
    def outcome(self) -> FileOutcome:
        """Its outcome."""
        if self.reason:
            return FileOutcome.SKIPPED
        if self.failures:
            return FileOutcome.INCOMPLETE if self.documents else FileOutcome.FAILED
        if self.kept:
            return FileOutcome.KEPT
        return FileOutcome.WRITTEN

    def as_object(self) -> dict[str, Any]:
        """Return it as an entry of the JSON."""
        neutral = f"document-{self.number}{_extension(self.name)}"
        last = PurePosixPath(self.name).name
        return {
            "number": self.number,
            "name": neutral if self.tells or self.failures else self.name,
            "outcome": self.outcome,
            "output": self.output or None,
            "documents": self.documents,
            "leaking": self.leaking,
            "found": self.found,
            "reason": self.reason or None,
            "failures": [
                message.replace(self.name, neutral).replace(last, neutral) if last else message
                for message in self.failures
            ],
        }


class RunSummary:
    """The files of a run, in order.

    Args:
        path: where the JSON goes; None for nowhere.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._files: list[FileTally] = []

    def add(self, file: FileTally) -> None:
        """Count a finished file."""
        self._files.append(file)

    @property
    def faults(self) -> int:
        """Number of failed or leaking documents."""
        return sum(len(file.failures) + file.leaking + file.found for file in self._files)

    @property
    def failed(self) -> int:
        """Number of failed documents."""
        return sum(len(file.failures) for file in self._files)

    def line(self) -> str:
        """Return the counts, in one line."""
        counts = self._counts()
        words = {FileOutcome.KEPT: "written before"}
        parts = [f"{counts[FileOutcome.WRITTEN]} written"]
        parts += [
            f"{counts[outcome]} {words.get(outcome, outcome)}"
            for outcome in FileOutcome
            if outcome is not FileOutcome.WRITTEN and counts[outcome]
        ]
        leaking = sum(file.leaking for file in self._files)
        if leaking:
            parts.append(f"masked strings left in {leaking}")
        return ", ".join(parts)

    def write(self, *, complete: bool) -> None:
        """Write the JSON if requested.

        Raises:
            OutputError: if it can't be written.
        """
        if self.path is None:
            return
        counts = self._counts()
        item = {
            "schema_version": SCHEMA_VERSION,
            "tool": {"name": "tacenda", "version": __version__},
            "complete": complete,
            "counts": {str(outcome): counts[outcome] for outcome in FileOutcome},
            "files": [file.as_object() for file in self._files],
        }
        write_atomically(self.path, json.dumps(item, indent=1).encode() + b"\n")

    def _counts(self) -> Counter[FileOutcome]:
        return Counter(file.outcome for file in self._files)


def _extension(name: str) -> str:
    """Return a file's extension if it is a known one; another could be revealing."""
    from ..documents.reading import format_of
    from ..errors import InputError

    try:
        format_of(name)
    except InputError:
        return ""
    return PurePosixPath(name).suffix
