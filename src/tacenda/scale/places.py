"""A data set's files, local or at the URL of a store, and output files that appear only when complete."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final

import pyarrow
import pyarrow.fs

from ..atomic import atomic_file, unwritten
from ..errors import InputError, OutputError

KINDS: Final = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""Kind of a file by its extension."""
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a data set.

    Attributes:
        url: its path or URL.
        name: its name in messages: the path within the folder, or the last component.
        kind: one of ``KINDS``.
        stamp: its size, modification time and inode, if any, to tell whether it has changed.
    """

    url: str
    name: str
    kind: str
    stamp: str

    def check(self) -> None:
        """Raise an ``InputError`` if the file has changed since it was listed."""
        if _stamp(self.url) != self.stamp:
            raise InputError("has changed since it was listed; start again.", self.name)

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """Yield an Arrow file object for reading.

        Raises:
            InputError: if it can't be opened or read; without the library's message.
        """
        try:
            system, path = _system(self.url)
            with system.open_input_file(path) as stream:
                yield stream
        except (pyarrow.ArrowException, OSError) as error:
            if isinstance(error, OutputError):
                raise
            reason = type(error).__name__
            raise InputError(f"can't be read ({reason}); it may be damaged.", self.name) from None


def files_of(dataset: str | Path | Sequence[str | Path]) -> list[DataFile]:
    """Return the files of a data set, sorted by name in each folder.

    Args:
        dataset: paths or URLs of files and folders; hidden files and files whose names start with
            ``_`` are ignored.

    Raises:
        InputError: if there are no files, or one has an unsupported extension.
    """
    sources = [dataset] if isinstance(dataset, str | Path) else list(dataset)
    files = [file for source in sources for file in _files(absolute(str(source)))]
    if not files:
        raise InputError(f"no file to sanitize in {', '.join(map(str, sources))}.")
    return files


def absolute(url: str) -> str:
    """Return a URL unchanged, and a path as an absolute path."""
    return url if "://" in url else str(Path(url).absolute())


def _files(source: str) -> Iterator[DataFile]:
    system, path = _system(source)
    try:
        info = system.get_file_info(path)
        if info.type == pyarrow.fs.FileType.File:
            yield _file(source, PurePosixPath(path).name)
            return
        if info.type != pyarrow.fs.FileType.Directory:
            raise InputError("no such file or folder.", source)
        listing = system.get_file_info(pyarrow.fs.FileSelector(path, recursive=True))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"can't be listed ({reason}).", source) from None
    root = PurePosixPath(path)
    for item in sorted(listing, key=lambda item: item.path):
        name = PurePosixPath(item.path).relative_to(root)
        is_hidden = any(part.startswith((".", "_")) for part in name.parts)
        if item.type == pyarrow.fs.FileType.File and not is_hidden:
            # A store's settings follow a question mark: s3://lake/in?region=eu-north-1
            place, mark, settings = source.partition("?") if "://" in source else (source, "", "")
            yield _file(f"{place.rstrip('/')}/{name}{mark}{settings}", str(name))


def _file(url: str, name: str) -> DataFile:
    kind = KINDS.get(PurePosixPath(name).suffix.lower())
    if kind is None:
        raise InputError(f"must be one of {', '.join(KINDS)}.", name)
    return DataFile(url, name, kind, _stamp(url))


def _stamp(url: str) -> str:
    system, path = _system(url)
    if isinstance(system, pyarrow.fs.LocalFileSystem):
        with suppress(OSError):
            state = Path(path).stat()
            return f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
        return ""
    info = system.get_file_info(path)
    return f"{info.size} {info.mtime_ns}"


def _system(url: str) -> tuple[Any, str]:
    """Return the file system and the path for a URL or a local path.

    Raises:
        InputError: if such URLs aren't supported.
    """
    if "://" not in url:
        return pyarrow.fs.LocalFileSystem(), str(Path(url).absolute())
    try:
        return pyarrow.fs.FileSystem.from_uri(url)  # type: ignore[no-any-return]
    except (pyarrow.ArrowException, ValueError, OSError):
        scheme = url.partition("://")[0]
        raise InputError(f"no file system of Arrow is for URLs of {scheme!r}.", url) from None


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """A folder, or a prefix in a store, in which files appear only when they are complete."""

    url: str

    def write(self, name: str, write: Callable[[Any], None]) -> str:
        """Write a file and return its SHA-256.

        Raises:
            OutputError: if it can't be written.
        """
        system, path = _system(self.url)
        if isinstance(system, pyarrow.fs.LocalFileSystem):
            with atomic_file(Path(path, name)) as file:
                stream = _Digesting(file.stream)
                write(stream)
            return stream.digest
        place = f"{path}/{name}"
        try:
            # A store shows an object only once it is closed; elsewhere, the file is renamed at the
            # end.
            is_store = system.type_name in ("s3", "gcs", "abfs")
            part = place if is_store else f"{place}.part"
            if not is_store:
                system.create_dir(place.rpartition("/")[0], recursive=True)
            stream = _Digesting(system.open_output_stream(part))
            write(stream)
            stream.close()
            if not is_store:
                system.move(part, place)
        except OSError as error:
            raise unwritten(error, Path(name)) from None
        return stream.digest

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None if there is no such file."""
        system, path = _system(self.url)
        try:
            with system.open_input_file(f"{path}/{name}") as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unwritten(error, Path(name)) from None

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a file, or an empty string if there is no such file."""
        system, path = _system(self.url)
        digest = hashlib.sha256()
        try:
            with system.open_input_file(f"{path}/{name}") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
        except OSError:
            return ""
        return digest.hexdigest()

    def names(self, folder: str = "") -> list[str]:
        """Return the names of a folder's entries."""
        system, path = _system(self.url)
        place = f"{path}/{folder}" if folder else path
        selector = pyarrow.fs.FileSelector(place, allow_not_found=True)
        return sorted(PurePosixPath(item.path).name for item in system.get_file_info(selector))


class _Digesting:
    """A writable stream that computes the digest of what was written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self._size = 0
        self.closed = False

    @property
    def digest(self) -> str:
        """SHA-256 of what was written."""
        return self._digest.hexdigest()

    def write(self, data: Any) -> int:
        """Write bytes or a buffer."""
        self._digest.update(data)
        self._stream.write(data)
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._size

    def flush(self) -> None:
        """Do nothing; the stream flushes itself."""

    def close(self) -> None:
        """Close a store's stream; a local file is closed when it is renamed."""
        if not hasattr(self._stream, "raw"):
            self._stream.close()
        self.closed = True

    def writable(self) -> bool:
        """Return True."""
        return True

    def readable(self) -> bool:
        """Return that it isn't."""
        return False

    def seekable(self) -> bool:
        """Return that it isn't."""
        return False
