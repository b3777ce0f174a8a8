"""The record of the files that a run into a folder has finished, to resume a stopped run.

During a run, a hidden file in its output folder has one line per finished file:

    {"run": "<sha256>", "output": "sub/letter.txt", "digest": "<sha256>"}

``run`` is a digest of everything the output depends on: the input's bytes, its name, the policy
with its key, the model, the version and the options. It also takes in the input's inode and times,
unknown to a reader of the output folder: a digest of the text alone would confirm a guess of a
masked string. The file is removed when the run is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from ..atomic import unwritten
from ..documents.record import Origin

_NAME: Final = ".tacenda-run-"


class Resumption:
    """The files finished by this run and by stopped runs before it.

    Args:
        root: the output folder.
        settings: everything that outputs depend on, except the inputs.
        resume: whether to resume; otherwise everything is processed again.
    """

    def __init__(self, root: Path, settings: str, *, resume: bool) -> None:
        self._root = root
        self._settings = hashlib.sha256(settings.encode("utf-8", "backslashreplace")).hexdigest()
        self._resume = resume
        self._earlier = list(_run_files(root)) if resume else []
        self._finished = dict(_entries_of_run(self._earlier))
        self._path = root / f"{_NAME}{secrets.token_hex(8)}.jsonl"
        self._stream: BinaryIO | None = None

    def key_of(self, origin: Origin) -> str | None:
        """Return a digest of everything a file's output depends on; None if the file can't be read twice."""
        try:
            path = Path(origin.path)
            state = path.stat()
            if origin.path == "-" or not stat.S_ISREG(state.st_mode):
                return None
            with path.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            return None
        times = state.st_mtime_ns, state.st_ctime_ns, state.st_ino
        key = [self._settings, origin.name, origin.format, origin.encoding, content, *times]
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()

    def output_of(self, key: str | None) -> str:
        """Return the name of a file's unchanged output; empty if there is none."""
        name, digest = self._finished.get(key or "", ("", ""))
        path = self._root / name
        try:
            if not name or not path.resolve().is_relative_to(self._root.resolve()):
                return ""
        except OSError:
            return ""
        return name if _has(path, digest) else ""

    def has(self, path: Path, digest: str) -> bool:
        """Return whether the run is resumed and a file already exists as it would be written."""
        return self._resume and _has(path, digest)

    def add(self, key: str | None, output: Path, digest: str) -> None:
        """Record a finished file.

        Raises:
            OutputError: if there is no space for the line.
        """
        if key is None:
            return
        entry = {"run": key, "output": output.relative_to(self._root).as_posix(), "digest": digest}
        try:
            if self._stream is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
                self._stream = os.fdopen(os.open(self._path, flags, 0o600), "wb", buffering=0)
            self._stream.write(json.dumps(entry).encode() + b"\n")
        except OSError as error:
            raise unwritten(error, self._path) from None

    def finish(self, failed: int) -> None:
        """Delete the record, unless a resumable run had failures."""
        self.stop()
        if failed and self._resume:
            return
        for path in (*self._earlier, self._path):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Close the record and keep it."""
        if self._stream is not None:
            self._stream.close()


def _has(path: Path, digest: str) -> bool:
    """Return whether a file, not a link, has this digest."""
    try:
        return not path.is_symlink() and path.is_file() and digest_of(path) == digest
    except OSError:
        return False


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def stamp_of(path: Path | None) -> list[int | str]:
    """Return a substitute for the digest of a store that is too large to read: path, size, times, inode."""
    if path is None:
        return []
    state = path.stat()
    return [str(path), state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino]


def _run_files(root: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from sorted(
            path
            for path in root.glob(f"{_NAME}*.jsonl")
            if stat.S_ISREG(path.lstat().st_mode)  # Don't follow a link to somebody else's file.
        )


def _entries_of_run(paths: Iterable[Path]) -> Iterator[tuple[str, tuple[str, str]]]:
    for path in paths:
        with suppress(OSError):
            for line in path.read_bytes().splitlines():
                with suppress(ValueError, TypeError, KeyError):  # cut off when the run was stopped
                    entry = json.loads(line)
                    yield str(entry["run"]), (str(entry["output"]), str(entry["digest"]))
