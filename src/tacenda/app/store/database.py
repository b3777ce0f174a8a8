"""The database connection (opened, checked, one writer at a time), and how values are stored."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from ...errors import InputError
from .schema import APPLICATION, VERSION, tables


def now() -> str:
    """Return the current time in UTC as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def to_column(text: str) -> str | bytes:
    """Return a string as a column value: bytes if it has lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def from_column(value: str | bytes) -> str:
    """Return the string encoded by ``to_column``."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


class NotFound(InputError):
    """No project or document has this number."""


class PermissionDenied(InputError):
    """The person has no permission, or none yet."""


class StoreError(InputError):
    """The file isn't a project file, or has another version."""


class ProjectDatabase:
    """One SQLite file, created if missing, which only its owner can read.

    Args:
        path: the file.
        option: the command-line option for the path, for messages.

    Raises:
        StoreError: if the file is something else, or has another version.
    """

    def __init__(self, path: Path, option: str = "--store") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # Set the mode before SQLite opens it: it contains originals, and its side files take
            # its mode.
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        self.path = path
        self._lock = RLock()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._depth = 0
        # Random 128-bit ids: someone who doesn't know an id can't find what it names.
        self._connection.create_function("new_handle", 0, lambda: secrets.token_hex(16))
        # For searching names: SQLite itself only folds the case of ASCII.
        self._connection.create_function(
            "folded", 1, lambda name: from_column(name).casefold(), deterministic=True
        )
        try:
            self._prepare(option)
        except sqlite3.DatabaseError:
            self._connection.close()
            raise StoreError(
                f"not a project file of tacenda; choose another with {option}.", str(path)
            ) from None
        except InputError:
            self._connection.close()
            raise

    def _prepare(self, option: str) -> None:
        run = self._connection.execute
        run("PRAGMA busy_timeout = 5000")
        run("PRAGMA foreign_keys = ON")
        # Deleted data is overwritten, since it is people's text.
        run("PRAGMA secure_delete = ON")
        version, application = (
            run(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
        )
        empty = not run("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if not empty and (application, version) != (APPLICATION, VERSION):
            raise StoreError(
                f"the file is of version {version} of application {application:#x}, this program "
                f"reads version {VERSION} of {APPLICATION:#x}; choose another with {option}.",
                str(self.path),
            )
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        if empty:
            self._create_tables()

    def _create_tables(self) -> None:
        with self.transaction() as connection:
            # Check again: another process may have been faster.
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version:
                return
            for statement in tables():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection inside a transaction, which is on disk when the block ends without an error.

        A nested transaction is part of the outer one and on disk with it.
        """
        with self._lock:
            if self._depth:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            else:
                self._connection.execute("COMMIT")
            finally:
                self._depth -= 1

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    def rows_of(self, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with named values."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    def settle(self) -> None:
        """Write everything into the file itself and empty the write-ahead log."""
        with self._lock:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
