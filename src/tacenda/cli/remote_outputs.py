"""Destination of results in a store: a URL with a file for each input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from ..documents.names import filename_leaks, safe_name
from ..documents.record import Origin, SourceDocument
from ..documents.remote import RemoteFile
from ..result import Result
from .outputs import Destination, OutputFile, OutputFormat, output_name
from .places import InputFile


class RemoteFolder(Destination):
    """A place in a store with a file for each input; a file with a telling name gets a neutral one."""

    def __init__(self, url: str, format: OutputFormat) -> None:
        self._url = url.rstrip("/")
        self._format = format
        self._taken: set[str] = set()
        self._file: RemoteFile | None = None

    def begin_file(self, file: InputFile) -> None:
        """Open the output of an input."""
        assert isinstance(file.entry, Origin)
        self._name = output_name(file.entry, self._format.to)
        self._number, self._documents = file.number, 0
        self._telling: Result | None = None
        self._file = RemoteFile(self._url)
        self._writer = self._format.writer(self._file.stream, self._name, file.entry.format)

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result into the output of its input."""
        places = self._writer.write(record, result)
        self._documents += 1
        if self._telling is None and filename_leaks(self._name, [result]):
            self._telling = result
        return places

    def end_file(self, failed: int) -> OutputFile:
        """Send the file."""
        file = self._file
        if file is None or (failed and not self._documents):
            self.abort()
            return OutputFile()
        names = [] if self._telling is None else [self._telling]
        parts = (part for part in PurePosixPath(self._name).parts if part not in ("..", "/"))
        name = safe_name("/".join(parts), names, self._number)
        if name in self._taken:
            path = PurePosixPath(name)
            name = str(path.with_stem(f"{path.stem}-{self._number}"))
        self._taken.add(name)
        try:
            self._writer.close()
            file.commit(f"{self._url}/{name}")
        finally:
            self.abort()
        return OutputFile(name)

    def abort(self) -> None:
        """Remove the unfinished file."""
        if self._file is not None:
            self._file.abort()
            self._file = None
