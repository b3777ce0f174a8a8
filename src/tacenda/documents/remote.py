"""Remote files, given by URL (``s3://bucket/letters/``), through ``fsspec``; extra ``remote``.

Giving a URL allows the connection; nothing else opens one. Input is streamed. Output is assembled
in an unnamed local file and uploaded when it is complete, so that a store never contains a partial
file.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from ..errors import InputError, MissingExtraError, OutputError, require_extra

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_remote(path: object) -> bool:
    """Return whether a path is a URL."""
    return isinstance(path, str) and _URL.match(path) is not None


def is_remote_folder(url: str) -> bool:
    """Return whether a URL is a folder.

    Raises:
        InputError: if the store can't be reached.
        MissingExtraError: without the extra ``remote``, or the store's own.
    """
    with _failures(url):
        store, path = _store(url)
        return bool(store.isdir(path))


def names_below(url: str) -> list[str]:
    """Return the sorted names of all files below a URL, relative to it.

    Raises:
        InputError: if the store can't be reached.
    """
    with _failures(url):
        store, path = _store(url)
        root = path.rstrip("/") + "/"
        return sorted(name.removeprefix(root) for name in store.find(path))


def last_name(url: str) -> str:
    """Return the last component of a URL's path."""
    return url.rstrip("/").rpartition("/")[2]


@contextmanager
def opened(url: str) -> Iterator[BinaryIO]:
    """Yield a stream of a file's bytes.

    Raises:
        InputError: if it can't be read.
    """
    with _failures(url):
        store, path = _store(url)
        stream = store.open(path, "rb")
    try:
        yield cast("BinaryIO", _RemoteStream(stream, url))
    finally:
        stream.close()


class _RemoteStream:
    """A stream with errors for the user."""

    def __init__(self, stream: Any, url: str) -> None:
        self._stream = stream
        self._url = url

    def read(self, size: int = -1) -> bytes:
        with _failures(self._url):
            return bytes(self._stream.read(size))

    def readline(self, size: int = -1) -> bytes:
        with _failures(self._url):
            return bytes(self._stream.readline(size))

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class RemoteFile:
    """A file being written that is uploaded when it is complete.

    Args:
        url: the target.

    Raises:
        MissingExtraError: without the extra ``remote``, or the store's own.
        OutputError: if the kind of store is unknown.

    Attributes:
        stream: receives the bytes.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        with _failures(url, is_output=True):
            _store(url)
        self.stream: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # Open for as long as this.

    def commit(self, url: str | None = None) -> None:
        """Upload the file; without this call nothing is left of it.

        Args:
            url: another target.

        Raises:
            OutputError: if it can't be uploaded.
        """
        target = url or self._url
        self.stream.seek(0)
        with _failures(target, is_output=True):
            store, path = _store(target)
            with store.transaction, store.open(path, "wb") as output:
                shutil.copyfileobj(self.stream, output)
        self.abort()

    def abort(self) -> None:
        """Discard the file; nothing is left behind."""
        self.stream.close()


@contextmanager
def remote_file(url: str) -> Iterator[RemoteFile]:
    """Yield a file that is uploaded at the end of the block, unless the block fails.

    Raises:
        OutputError: if it can't be uploaded.
    """
    file = RemoteFile(url)
    try:
        yield file
        file.commit()
    finally:
        file.abort()


def _store(url: str) -> tuple[Any, str]:
    require_extra("remote", "reading and writing URLs", "fsspec")
    import fsspec

    if "::" in url:
        # A cache would keep the original on this machine.
        raise ValueError("chained URLs are not supported")
    store, path = fsspec.core.url_to_fs(url)
    return store, path


@contextmanager
def _failures(url: str, *, is_output: bool = False) -> Iterator[None]:
    """Turn a store's error inside the block into an error about the file, without the URL and the store's message."""
    try:
        yield
    except (InputError, OutputError, MissingExtraError):
        raise
    except ImportError as error:
        verb = "writing" if is_output else "reading"
        raise MissingExtraError(f"{verb} {_scheme(url)} URLs", "remote") from error
    except Exception as error:
        store = f"its {_scheme(url)} store ({type(error).__name__}); check the URL and your access"
        if is_output:
            raise OutputError(f"can't be written to {store}", last_name(url)) from None
        raise InputError(f"can't be read from {store}.", last_name(url)) from None


def _scheme(url: str) -> str:
    return url.partition("://")[0]
