"""Where results go: stdout, one file, or a folder with a file for each that came in.

Files are written beside their final place and renamed when they are whole, so that an aborted
run leaves no half of a document that looks like all of it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO, Protocol

from ..corpora import Record, Writer, extension_of, name_tells, safe_name, writer
from ..document import Sanitized
from ..errors import InputError


class Destination(Protocol):
    """Takes results one by one, in order."""

    def write(self, record: Record, result: Sanitized) -> None:
        """Write one result."""
        ...

    def finish(self) -> None:
        """End what is open."""
        ...

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        ...


class Stdout:
    """Everything to stdout, in one format."""

    def __init__(self, to: str, came_in: str | None, reveal: bool) -> None:
        self._writer = writer(to, sys.stdout.buffer, came_in=came_in, reveal=reveal)
        self._same = to == "same"

    def write(self, record: Record, result: Sanitized) -> None:
        """Write one result.

        Raises:
            InputError: if it is no text, and a person would have to read it.
        """
        if record.container is not None and self._same and sys.stdout.isatty():
            raise InputError(
                f"the format {record.origin.format!r} is not text; name a file with -o.",
                record.origin.name,
            )
        self._writer.write(record, result)

    def finish(self) -> None:
        """End the format."""
        self._writer.close()
        sys.stdout.buffer.flush()

    def abort(self) -> None:
        """Do nothing: what is out is out."""


class _Part:
    """A file under construction."""

    def __init__(self, folder: Path, to: str, came_in: str | None, reveal: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / ".tacenda-unfinished.part"
        try:
            self._stream: BinaryIO = self.path.open("wb")
        except OSError as error:
            raise InputError(
                f"can't be written ({error.strerror}); name another -o", str(folder)
            ) from error
        self.writer: Writer = writer(to, self._stream, came_in=came_in, reveal=reveal)

    def finish(self, name: Path) -> None:
        self.writer.close()
        self._stream.close()
        self.path.replace(name)

    def abort(self) -> None:
        self._stream.close()
        self.path.unlink(missing_ok=True)


class OneFile:
    """Everything to one file, in one format."""

    def __init__(self, path: Path, to: str, came_in: str | None, reveal: bool) -> None:
        self._path = path
        self._part = _Part(path.parent, to, came_in, reveal)

    def write(self, record: Record, result: Sanitized) -> None:
        """Write one result."""
        self._part.writer.write(record, result)

    def finish(self) -> None:
        """Give the file its name."""
        self._part.finish(self._path)

    def abort(self) -> None:
        """Remove the unfinished file."""
        self._part.abort()


class Folder:
    """A file for each file that came in, in the same tree below ``root``.

    A file whose name holds something that was masked in it gets a neutral name.
    """

    def __init__(self, root: Path, to: str, reveal: bool) -> None:
        self._root = root
        self._to = to
        self._reveal = reveal
        self._part: _Part | None = None
        self._record: Record | None = None
        self._telling: Sanitized | None = None
        self._taken: set[Path] = set()
        self._number = 0

    def write(self, record: Record, result: Sanitized) -> None:
        """Write one result into the file that belongs to its input."""
        if self._record is None or self._record.origin.path != record.origin.path:
            self._end_file()
            self._part = _Part(self._root, self._to, record.origin.format, self._reveal)
            self._number += 1
        self._record = record
        if self._telling is None and name_tells(self._name(record), [result]):
            self._telling = result
        assert self._part is not None
        self._part.writer.write(record, result)

    def finish(self) -> None:
        """Give the last file its name."""
        self._end_file()

    def abort(self) -> None:
        """Remove the unfinished file."""
        if self._part is not None:
            self._part.abort()

    def _name(self, record: Record) -> str:
        name = "stdin.txt" if record.origin.path == "-" else record.origin.name
        return str(Path(name).with_suffix(extension_of(self._to, name)))

    def _end_file(self) -> None:
        if self._part is None or self._record is None:
            return
        name = self._name(self._record)
        if self._telling is not None:
            name = safe_name(name, [self._telling], self._number)
        # An input named "../letter.txt" stays inside the folder.
        target = self._root.joinpath(
            *(part for part in Path(name).parts if part not in ("..", "/"))
        )
        while target in self._taken:
            target = target.with_stem(f"{target.stem}-{self._number}")
        self._taken.add(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        self._part.finish(target)
        self._part = self._telling = None
