"""The folder of a run: one file per part, and a record of what is done, from which a second run resumes.

    part-00000-00000.parquet …            what is left of each part, in the order of the numbers
    _tacenda/run.json                     digest of spec, key and files, and the number of parts
    _tacenda/done/part-00000-00000.json   committed last: the part's digest, rows and costs
    _tacenda/quarantine/part-….jsonl      file, row and reason of what isn't written

Every file appears only when it is complete. A part is done when its entry exists and its file has
the digest in the entry. A run that is killed therefore loses only the parts it was working on.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from ..errors import InputError, TacendaError, unforeseen
from .parts import DatasetPart, Fault, sanitized
from .places import DataFile, OutputFolder, absolute
from .spec import Spec, row_sanitizer

_STATE: Final = "_tacenda"
_RUN: Final = f"{_STATE}/run.json"
_REFUSED: Final = "files"


@dataclass(frozen=True, slots=True)
class PartEntry:
    """The outcome of a part.

    Attributes:
        name: name of the part.
        digest: SHA-256 of its file; empty if all its rows are in quarantine.
        extension: extension of its file.
        rows: number of rows in its file.
        quarantined: number of entries in the quarantine.
        seconds: wall-clock time it took.
        cpu_seconds: CPU time of all threads of the worker during that time.
        memory: peak memory of the worker so far, in bytes.
        worker: the worker's process id.
        is_new: whether this run did it.
        error: why it failed; a second run will try again. Empty if it is done.
    """

    name: str
    digest: str = ""
    extension: str = ""
    rows: int = 0
    quarantined: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int = 0
    worker: int = 0
    is_new: bool = True
    error: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a data set.

    Attributes:
        parts: number of parts.
        new: how many of them this run did.
        rows: number of rows written, by this run or an earlier one.
        quarantined: number of entries in the quarantine: rows, parts that can't be read, files.
        failed: reasons why parts weren't done; a second run will try them again.
        seconds: wall-clock time of this run.
        memory: peak memory of a worker in bytes.
    """

    parts: int
    new: int
    rows: int
    quarantined: int
    failed: tuple[str, ...]
    seconds: float
    memory: int

    @property
    def complete(self) -> bool:
        """Whether every part is done."""
        return not self.failed

    def line(self) -> str:
        """Return the summary as one line."""
        before = self.parts - self.new - len(self.failed)
        return (
            f"{self.rows:,} rows in {self.parts:,} parts ({before:,} done before), {self.quarantined:,} "
            f"in quarantine, {len(self.failed):,} parts failed; {self.seconds:.0f} s, "
            f"{self.memory / 1e6:.0f} MB a worker"
        )


def begin(
    folder: OutputFolder,
    spec: Spec,
    files: Sequence[DataFile],
    parts: Sequence[DatasetPart],
    refused: Sequence[Fault],
) -> None:
    """Claim a folder for a run, or check that it is already claimed by the same run.

    Raises:
        InputError: if the folder contains anything else.
        OutputError: if it can't be written to.
    """
    # The times and inodes keep readers of the folder from confirming guesses of names in the
    # policy.
    stamps = [(file.name, file.stamp) for file in files]
    ranges = [(part.number, part.group, part.begin, part.end) for part in parts]
    run = hashlib.sha256(repr((spec.digest, stamps, ranges)).encode()).hexdigest()
    entry = json.dumps({"run": run, "parts": len(parts)}).encode()
    present = folder.read(_RUN)
    if present is None:
        if folder.names():
            raise InputError(
                "is not empty, and contains no run of this kind; choose another folder.", folder.url
            )
        folder.write(_RUN, lambda stream: stream.write(entry))
        _write_faults(folder, _REFUSED, refused)
    elif present != entry:
        raise InputError(
            "contains a run with other files, another policy or other options; choose another folder.",
            folder.url,
        )


def do(part: DatasetPart, spec: Spec, folder: OutputFolder) -> PartEntry:
    """Sanitize and commit a part, unless it is done; works in any process, one part at a time.

    Errors go into the entry, so that no text gets into an engine's log.
    """
    try:
        entry = _done(part, folder)
        return entry or _committed(part, spec, folder)
    except TacendaError as error:
        return PartEntry(part.name, error=f"{part.file.name}, {part.name}: {error}")
    except Exception as error:
        return PartEntry(part.name, error=str(unforeseen(error, f"{part.file.name}, {part.name}")))


def _committed(part: DatasetPart, spec: Spec, folder: OutputFolder) -> PartEntry:
    started, cpu = time.perf_counter(), time.process_time()
    result = sanitized(part, row_sanitizer(spec))
    digest = ""
    if result.write is not None:
        digest = folder.write(part.name + part.extension, result.write)
    _write_faults(folder, part.name, result.faults)
    entry = PartEntry(
        part.name,
        digest,
        part.extension if digest else "",
        result.rows,
        len(result.faults),
        round(time.perf_counter() - started, 3),
        round(time.process_time() - cpu, 3),
        peak_memory(),
        os.getpid(),
    )
    content = json.dumps(asdict(entry)).encode()
    folder.write(f"{_STATE}/done/{part.name}.json", lambda stream: stream.write(content))
    return entry


def _done(part: DatasetPart, folder: OutputFolder) -> PartEntry | None:
    """Return the entry of a part if it is already done."""
    content = folder.read(f"{_STATE}/done/{part.name}.json")
    if content is None:
        return None
    entry = PartEntry(**json.loads(content))
    if entry.digest and folder.digest(part.name + entry.extension) != entry.digest:
        return None
    return replace(entry, is_new=False)


def _write_faults(folder: OutputFolder, name: str, faults: Sequence[Fault]) -> None:
    if faults:
        lines = "".join(json.dumps(asdict(fault)) + "\n" for fault in faults).encode()
        folder.write(f"{_STATE}/quarantine/{name}.jsonl", lambda stream: stream.write(lines))


def quarantine(folder: str | Path) -> Iterator[dict[str, Any]]:
    """Yield what a run left out: file, row, number of rows and reason."""
    place = OutputFolder(absolute(str(folder)))
    for name in place.names(f"{_STATE}/quarantine"):
        content = place.read(f"{_STATE}/quarantine/{name}") or b""
        yield from map(json.loads, content.splitlines())


def summary(entries: Iterable[PartEntry], refused: Sequence[Fault], seconds: float) -> Summary:
    """Return the combined outcome of all parts."""
    items = list(entries)
    return Summary(
        len(items),
        sum(item.is_new and not item.error for item in items),
        sum(item.rows for item in items),
        sum(item.quarantined for item in items) + len(refused),
        tuple(item.error for item in items if item.error),
        seconds,
        max((item.memory for item in items if item.is_new), default=0),
    )


def peak_memory() -> int:
    """Return this process's peak memory in bytes; 0 if the system doesn't report it."""
    try:
        # Not from `getrusage`, whose peak starts with the parent process's memory.
        with Path("/proc/self/status").open() as stream:
            lines = dict(line.split(":", 1) for line in stream)
        return int(lines["VmHWM"].split()[0]) * 1_024
    except (OSError, KeyError):
        return 0
