"""Destinations for results: stdout, one file, or a folder with one file per input.

A file gets its name when it is complete, so an aborted run leaves no partial file. If every
document in a file failed, it isn't written at all, since an empty file would look like a sanitized
one. An existing file isn't changed.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol

from ..atomic import AtomicFile, unwritten
from ..documents.compression import compression_of, inner_name
from ..documents.names import filename_leaks, safe_name
from ..documents.record import Origin, SourceDocument
from ..documents.remote import RemoteFile, is_remote
from ..documents.writing import CheckedWriter, extension_of, writer
from ..errors import InputError, OutputError
from ..result import Result
from .places import InputFile, existing_paths
from .resumption import Resumption, digest_of

if TYPE_CHECKING:
    from ..pipeline import Sanitizer
    from ..policy import Policy
    from .options import SanitizerOptions

FATAL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
"""Errors that the next file would meet, too."""


class OutputFile(NamedTuple):
    """The output of one input.

    Attributes:
        name: its path in the output folder; empty if it has no file of its own.
        kept: whether the same file already existed.
    """

    name: str = ""
    kept: bool = False


class Destination:
    """Receives results one at a time, in order, file by file."""

    def begin_file(self, file: InputFile) -> None:
        """Expect the results of one file."""

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result; return where masked strings remain, if that is allowed.

        Raises:
            LeakError: if masked strings would be left.
            InputError: if this one can't be written, but others can.
            OutputError: if none can.
        """
        raise NotImplementedError

    def end_file(self, written: int, failed: int) -> OutputFile:
        """Finish the output of the current file, given how many documents were written and failed.

        Raises:
            InputError: if its documents can't be assembled; the destination can continue with other
                files.
            OutputError: if it can't be written; the destination can also continue.
        """
        return OutputFile()

    def finish(self, written: int, failed: int) -> None:
        """Finish the run's open outputs, like ``end_file``."""

    def abort(self) -> None:
        """Discard everything unfinished."""


def is_void(written: int, failed: int) -> bool:
    """Return whether an output would look like sanitized documents although all failed."""
    return not written and bool(failed)


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How results are written.

    Attributes:
        to: name of the format.
        reveal: whether to add originals.
        allow_leaks: whether to write documents in which masked strings remain.
        input_format: the format of all inputs; None to decide by extension.
    """

    to: str
    reveal: bool
    allow_leaks: bool
    input_format: str | None = None

    def writer(
        self, stream: BinaryIO, name: str = "", input_format: str | None = None
    ) -> CheckedWriter:
        """Return a writer to a stream.

        Args:
            stream: the output stream.
            name: name of the output, whose extension shows whether it is compressed.
            input_format: the input's format, if known.
        """
        return writer(
            self.to,
            stream,
            input_format=input_format or self.input_format,
            reveal=self.reveal,
            allow_leaks=self.allow_leaks,
            compression=compression_of(name),
        )


class Stdout(Destination):
    """Writes everything to stdout in one format; what was printed can't be taken back."""

    def __init__(self, format: OutputFormat) -> None:
        self._writer = format.writer(sys.stdout.buffer)
        self._same = format.to == "same"

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result.

        Raises:
            InputError: if it isn't text and stdout is a terminal.
        """
        if record.container is not None and self._same and sys.stdout.isatty():
            raise InputError(
                f"the format {record.origin.format!r} is not text; name a file with -o.",
                record.origin.name,
            )
        return self._writer.write(record, result)

    def finish(self, written: int, failed: int) -> None:
        """Complete the output, unless all documents failed."""
        if not is_void(written, failed):
            self._writer.close()
        sys.stdout.buffer.flush()


class OneFile(Destination):
    """Writes everything to one file in one format."""

    def __init__(self, path: str, format: OutputFormat) -> None:
        self._file = RemoteFile(path) if is_remote(path) else AtomicFile(Path(path))
        try:
            self._writer = format.writer(self._file.stream, path)
        except BaseException:
            self._file.abort()
            raise

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result."""
        return self._writer.write(record, result)

    def finish(self, written: int, failed: int) -> None:
        """Give the file its name, unless all documents failed."""
        if is_void(written, failed):
            self._file.abort()
            return
        self._writer.close()
        self._file.commit()

    def abort(self) -> None:
        """Remove the unfinished file."""
        self._file.abort()


class _FilePerInput(Destination):
    """One output per input, which gets its name once its content is known."""

    _file: AtomicFile | RemoteFile | None = None
    _writer: CheckedWriter
    _name: str
    _number: int
    _telling: Result | None

    def __init__(self, format: OutputFormat) -> None:
        self._format = format

    def _begin(self, file: AtomicFile | RemoteFile, number: int, origin: Origin) -> None:
        self._file, self._number, self._telling = file, number, None
        self._name = output_name(origin, self._format.to)
        self._writer = self._format.writer(file.stream, self._name, origin.format)

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result to the output for its input."""
        places = self._writer.write(record, result)
        if self._telling is None and filename_leaks(self._name, [result]):
            self._telling = result
        return places

    def abort(self) -> None:
        """Remove the unfinished file."""
        if self._file is not None:
            self._file.abort()
            self._file = None


def _inside(name: str) -> str:
    """Return an output name that doesn't lead out of its folder, as the input ``../letter.txt`` would."""
    return "/".join(part for part in Path(name).parts if part not in ("..", "/"))


class Folder(_FilePerInput):
    """A folder with one file per input, in the same tree below ``root``.

    If a file's name contains a masked string, it gets a neutral name, which never replaces another
    file. Inputs are never replaced.
    """

    def __init__(
        self,
        root: Path,
        format: OutputFormat,
        sources: Sequence[str],
        resumption: Resumption,
    ) -> None:
        super().__init__(format)
        self._root = root
        self._resumption = resumption
        paths = existing_paths(sources)
        self._inputs = [path for path in paths if not path.is_dir()]
        self._folders = [path.resolve() for path in paths if path.is_dir()]
        self._taken: set[Path] = set()
        self._key: str | None = None

    def begin_file(self, file: InputFile) -> None:
        """Open the output for an input; a finished one keeps its name."""
        if file.kept:
            self._taken.add(self._root / file.kept)
            return
        assert isinstance(file.entry, Origin)
        self._key = file.key
        self._begin(AtomicFile.in_folder(self._root), file.number, file.entry)

    def end_file(self, written: int, failed: int) -> OutputFile:
        """Give the file its name, unless a resumed run already has the same file."""
        file = self._file
        try:
            if not isinstance(file, AtomicFile) or is_void(written, failed):
                return OutputFile()
            self._writer.close()
            file.stream.flush()
            digest = digest_of(file.part)
            target, is_kept = self._commit(file, digest)
        finally:
            super().abort()
        self._taken.add(target)
        if not failed:
            self._resumption.add(self._key, target, digest)
        return OutputFile(target.relative_to(self._root).as_posix(), is_kept)

    def finish(self, written: int, failed: int) -> None:
        """Delete the record of the run's progress."""
        self._resumption.finish(failed)

    def abort(self) -> None:
        """Remove the unfinished file; keep the record of the run's progress."""
        super().abort()
        self._resumption.stop()

    def _commit(self, file: AtomicFile, digest: str) -> tuple[Path, bool]:
        """Give a file its name; return it, and whether an unchanged file was kept."""
        if self._telling is None:
            target = self._free(self._root / _inside(self._name))
            self._check(target)
            is_unchanged = self._resumption.has(target, digest)
            if not is_unchanged:
                file.commit(target)
            return target, is_unchanged
        target = self._root / safe_name(self._name, [self._telling], self._number)
        neutral = target
        for attempt in range(2, 10_000):
            self._check(target)
            if target not in self._taken and self._resumption.has(target, digest):
                return target, True
            try:
                file.commit(target, new=True)
            except FileExistsError:
                # It belongs to another run and document, which a neutral name doesn't show.
                target = neutral.with_stem(f"{neutral.stem}-{attempt}")
                continue
            return target, False
        raise OutputError("has no free name left for a document; empty the folder", str(self._root))

    def _free(self, target: Path) -> Path:
        """Return a name that this run hasn't used yet."""
        free = target
        attempt = self._number
        while free in self._taken:
            free = target.with_stem(f"{target.stem}-{attempt}")
            attempt += 1
        return free

    def _check(self, target: Path) -> None:
        """Refuse a path outside the folder, or among the inputs.

        Raises:
            OutputError: if it is; says why.
        """
        name = target.relative_to(self._root).as_posix()
        try:
            root, folder = self._root.resolve(), target.parent.resolve()
            is_input = target.exists() and any(target.samefile(path) for path in self._inputs)
        except OSError as error:  # For example, the name is too long.
            raise unwritten(error, Path(name)) from None
        if not folder.is_relative_to(root):
            raise OutputError(
                "its folder is a link out of the output folder; choose another -o", name
            )
        overlap = any(
            folder.is_relative_to(source) and not root.is_relative_to(source)
            for source in self._folders
        )
        if overlap or is_input:
            raise OutputError("would overwrite an input; choose another -o", name)


class RemoteFolder(_FilePerInput):
    """A location in a store with one file per input; a file with a revealing name gets a neutral one."""

    def __init__(self, url: str, format: OutputFormat) -> None:
        super().__init__(format)
        self._url = url.rstrip("/")
        self._taken: set[str] = set()

    def begin_file(self, file: InputFile) -> None:
        """Open the output for an input."""
        assert isinstance(file.entry, Origin)
        self._begin(RemoteFile(self._url), file.number, file.entry)

    def end_file(self, written: int, failed: int) -> OutputFile:
        """Upload the file."""
        file = self._file
        try:
            if not isinstance(file, RemoteFile) or is_void(written, failed):
                return OutputFile()
            telling = [] if self._telling is None else [self._telling]
            name = safe_name(_inside(self._name), telling, self._number)
            if name in self._taken:
                path = PurePosixPath(name)
                name = str(path.with_stem(f"{path.stem}-{self._number}"))
            self._taken.add(name)
            self._writer.close()
            file.commit(f"{self._url}/{name}")
        finally:
            self.abort()
        return OutputFile(name)


def output_name(origin: Origin, to: str) -> str:
    """Return the name of a file's output in the output folder."""
    name = "stdin.txt" if origin.path == "-" else origin.name
    return str(Path(inner_name(name)).with_suffix(extension_of(to, name)))


# Records that ``sanitize`` writes along with its output: the mapping for ``restore``, and the
# audit.


class Recorder(Protocol):
    """An additional file being written along with the output."""

    def finish(self) -> None:
        """Give the file its name."""
        ...

    def abort(self) -> None:
        """Discard everything unfinished."""
        ...


class RecordedDestination(Destination):
    """A destination that also records all its results.

    Args:
        destination: receives the results.
        recorder: the record, which is completed after the output.
        add: records one result.
        check: refuses a document that can't be recorded before it is written.
    """

    def __init__(
        self,
        destination: Destination,
        recorder: Recorder,
        add: Callable[[SourceDocument, Result], None],
        check: Callable[[SourceDocument], None] | None = None,
    ) -> None:
        self._destination = destination
        self._recorder = recorder
        self._add = add
        self._check = check
        self._finished = False

    def begin_file(self, file: InputFile) -> None:
        """Expect the results of one file."""
        self._destination.begin_file(file)

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result, and then record it."""
        if self._check is not None:
            self._check(record)
        places = self._destination.write(record, result)
        self._add(record, result)
        return places

    def end_file(self, written: int, failed: int) -> OutputFile:
        """Finish the output of the current file."""
        return self._destination.end_file(written, failed)

    def finish(self, written: int, failed: int) -> None:
        """Finish the open outputs, and last the record, since it describes them."""
        self._destination.finish(written, failed)
        if is_void(written, failed):
            self._recorder.abort()
            return
        self._finished = True
        self._recorder.finish()

    def abort(self) -> None:
        """Discard everything unfinished."""
        self._destination.abort()
        if not self._finished:
            self._recorder.abort()


def with_mapping(destination: Destination, mapping: Path, policy: Policy) -> Destination:
    """Return a destination with a mapping, which is encrypted if the policy has a key.

    Raises:
        PolicyError: if the path already exists; ``destination`` is then aborted.
    """
    from ..restore.mapping import MappingWriter, require_mappable

    keyed = policy.key_env is not None or policy.key_file is not None
    try:
        writer = MappingWriter(mapping, policy.key() if keyed else None)
    except BaseException:
        destination.abort()
        raise
    return RecordedDestination(destination, writer, writer.add, require_mappable)


def with_audit(
    destination: Destination,
    path: Path,
    sanitizer: Sanitizer,
    options: SanitizerOptions,
    web: str | None,
) -> Destination:
    """Return a destination with an audit record of all decisions and their reasons.

    Raises:
        OutputError: if it can't be written; ``destination`` is then aborted.
        ModelError: if the model's digests can't be read; ``destination`` is then aborted.
    """
    from ..audit.decisions import AuditWriter, provenance_of
    from ..risk.assess import assess
    from ..risk.search.indicator import index_identity

    try:
        # Only the name of a policy file, since its path may identify a person.
        name = Path(options.policy).name
        origin = provenance_of(sanitizer.policy, sanitizer.threshold, options.model, name=name)
        if options.background is not None:
            origin = replace(origin, background=index_identity(options.background))
        elif web is not None:
            origin = replace(origin, background={"name": web})
        writer = AuditWriter(path, origin)
    except BaseException:
        destination.abort()
        raise

    def add(record: SourceDocument, result: Result) -> None:
        arguments = sanitizer.policy, sanitizer.parts.indicators
        writer.add(record, result, assess(result.document, result.entities, *arguments))

    return RecordedDestination(destination, writer, add)
