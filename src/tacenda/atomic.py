"""Files that get their name only once they are complete; everything is written through them.

The bytes go into a new file in the target's folder. Where the system supports it, the file is
unnamed (O_TMPFILE), so that nothing is left of it even if the process is killed; otherwise it has a
random name (opened with O_EXCL, so that no link is followed and no two runs share it). It is synced
to disk and takes the target's name in one step. Until then, and if the run fails, an existing
target isn't changed.

If the target is a link, the link itself is replaced and the file it points to isn't changed. A pipe
or a terminal can't be replaced and is written to directly.
"""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .errors import OutputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_OPEN_FILES: Final = Path("/proc/self/fd")
_PREFIX: Final = ".tacenda-"
_SUFFIX: Final = ".part"
_READABLE: Final = 0o666
"""Permissions of a new file before the user's mask."""
_PRIVATE: Final = 0o600


class AtomicFile:
    """A file being written.

    Args:
        path: the target; its folder is created if missing.
        private: whether only the owner may read it, even while it is being written; not for pipes
            and devices.
        place: what to call it in error messages; by default the target.

    Raises:
        OutputError: if nothing can be written there.

    Attributes:
        part: path of the bytes before the file has its name.
        stream: takes the bytes; raises ``OutputError`` instead of the system's errors.
    """

    def __init__(self, path: Path, *, private: bool = False, place: Path | None = None) -> None:
        self._path = path
        place = place or path
        self._private = private
        try:
            self._writes_through, mode = self._inspect()
            if self._writes_through:
                self.part = path
                descriptor = os.open(path, os.O_WRONLY)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                permissions = _READABLE if mode is None and not private else _PRIVATE
                self.part, descriptor = _fresh(path.parent, permissions)
        except OSError as error:
            raise unwritten(error, place) from None
        self.stream = _Stream(descriptor, place)

    @classmethod
    def in_folder(cls, folder: Path) -> AtomicFile:
        """Return a file in a folder whose name is known only when it is committed.

        Raises:
            OutputError: if nothing can be written there.
        """
        return cls(_random(folder), place=folder)

    def commit(self, path: Path | None = None, *, new: bool = False) -> None:
        """Sync the file and give it its name; without this call nothing is left of it.

        Args:
            path: a different target on the same file system, whose folder is created; by default
                the constructor's.
            new: never replace an existing file.

        Raises:
            FileExistsError: if ``new`` is set and the target exists; the file can still be
                committed under another name.
            OutputError: if it can't be written.
        """
        target = self._path if path is None else path
        try:
            if not self.stream.closed:
                self.stream.flush()
                if not self._writes_through:
                    os.fsync(self.stream.fileno())
                    target.parent.mkdir(parents=True, exist_ok=True)
                    if self._name(target, new=new):
                        return
                self.stream.close()
            if self._writes_through:
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            mode = _PRIVATE if self._private else _mode_of(target)
            if mode is not None:
                self.part.chmod(mode)
            if new:
                _claim(self.part, target)
            else:
                self.part.replace(target)
        except OSError as error:
            if new and isinstance(error, FileExistsError):
                raise
            self.abort()
            raise unwritten(error, target) from None
        _sync(target.parent)

    def abort(self) -> None:
        """Discard the file; nothing is left behind."""
        with suppress(OSError):
            self.stream.close()
        if not self._writes_through and self.part.parent != _OPEN_FILES:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)

    def _name(self, target: Path, *, new: bool) -> bool:
        """Link an unnamed file to the target; to a random name if the target exists."""
        if self.part.parent != _OPEN_FILES:
            return False
        with suppress(FileExistsError):
            _link(self.part, target)
            self.stream.close()
            _sync(target.parent)
            return True
        if new:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        part = _random(self._path.parent)
        _link(self.part, part)
        self.part = part
        return False

    def _inspect(self) -> tuple[bool, int | None]:
        """Return whether the target is written to directly, and the permissions of the file."""
        try:
            mode = self._path.lstat().st_mode
        except FileNotFoundError:
            return False, None
        if stat.S_ISLNK(mode):
            try:
                mode = self._path.stat().st_mode
            except FileNotFoundError:
                return False, None
            if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
                if _is_of_the_system(self._path.parent.resolve()):
                    raise OSError(errno.EINVAL, "the system's own link; - is stdout")
                return False, None  # The link itself is replaced.
        if stat.S_ISREG(mode):
            return False, stat.S_IMODE(mode) & 0o777
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if self._private or not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            raise OSError(errno.EINVAL, "not a regular file")
        return True, None


class _Stream(io.BufferedWriter):
    """A binary stream whose errors name the target, never the temporary file."""

    def __init__(self, descriptor: int, place: Path) -> None:
        super().__init__(io.FileIO(descriptor, "wb"))
        self._place = place

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise unwritten(error, self._place) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise unwritten(error, self._place) from None


@contextmanager
def atomic_file(path: Path, *, private: bool = False, new: bool = False) -> Iterator[AtomicFile]:
    """Yield a file that is committed at the end of the block, or removed if the block fails.

    Raises:
        FileExistsError: if it must be new and the target exists.
        OutputError: if it can't be written.
    """
    file = AtomicFile(path, private=private)
    try:
        yield file
        file.commit(new=new)
    except BaseException:
        file.abort()
        raise


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file, either completely or not at all.

    Raises:
        OutputError: if it can't be written.
    """
    with atomic_file(path, private=private) as file:
        file.stream.write(content)


def unwritten(error: OSError, path: Path) -> OutputError:
    """Return in one line why a file can't be written."""
    if isinstance(error, OutputError):
        return error
    reason = error.strerror or type(error).__name__
    return OutputError(f"can't be written ({reason}); choose another path.", str(path), error)


def _is_of_the_system(folder: Path) -> bool:
    """Return whether the links in a folder belong to the system, such as /dev/stdout."""
    return folder == Path("/dev") or folder.is_relative_to("/proc")


def _fresh(folder: Path, permissions: int) -> tuple[Path, int]:
    """Return the path and the descriptor of a new file, which is unnamed if the system supports that."""
    if hasattr(os, "O_TMPFILE") and _OPEN_FILES.is_dir():
        with suppress(OSError):  # The file system may not support it.
            descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, permissions)
            return _OPEN_FILES / str(descriptor), descriptor
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    part = _random(folder)
    return part, os.open(part, flags, permissions)


def _link(part: Path, target: Path) -> None:
    """Link an unnamed file to a free name."""
    descriptor = os.open(target.parent, os.O_RDONLY)
    try:
        # With a folder's descriptor, os.link follows the link in /proc.
        os.link(part, target.name, dst_dir_fd=descriptor, follow_symlinks=True)
    finally:
        os.close(descriptor)


def _random(folder: Path) -> Path:
    return folder / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"


def _mode_of(path: Path) -> int | None:
    """Return the replaced file's permissions for the new one, or None unless it is a file."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    return stat.S_IMODE(mode) & 0o777 if stat.S_ISREG(mode) else None


def _claim(part: Path, target: Path) -> None:
    """Give a file a name; FileExistsError if the name is taken."""
    try:
        os.link(part, target, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        # On a file system without hard links, an empty file claims the name and is replaced at
        # once.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
        part.replace(target)
        return
    part.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Sync a folder's entries to disk, if the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
