"""The connection: opened, checked, one writer at a time."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from ...errors import InputError
from .schema import TABLES, UPGRADES, VERSION


@dataclass(frozen=True, slots=True)
class Schema:
    """What is in a file.

    Attributes:
        tables: SQL that makes them.
        version: of the tables.
        application: PRAGMA application_id: whose file this is.
        option: of the command line, by which another file is chosen.
        upgrades: statements that lead from version 1 to 2, from 2 to 3, and so on.
    """

    tables: str
    version: int
    application: int
    option: str
    upgrades: tuple[tuple[str, ...], ...] = ()


REVIEW = Schema(TABLES, VERSION, 0x7ACE, "--store", UPGRADES)


class Missing(InputError):
    """There is no project or document of that number."""


class StoreError(InputError):
    """The file of the projects is not one, or is of another version."""


class Database:
    """One SQLite file, made if it is not there, for its owner's eyes only.

    A file of an older version is brought to this one, in one transaction.

    Args:
        path: the file.
        schema: what is in it.

    Raises:
        StoreError: if the file is something else, or written by a newer version.
    """

    def __init__(self, path: Path, schema: Schema = REVIEW) -> None:
        self._schema = schema
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # Before SQLite opens it: it holds originals, and its side files take its mode.
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        self.path = path
        self._lock = RLock()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._depth = 0
        # Random ids of 128 bits: who has not been told one can't find what it names.
        self._connection.create_function("new_handle", 0, lambda: secrets.token_hex(16))
        try:
            self._prepare()
        except sqlite3.DatabaseError:
            self._connection.close()
            raise StoreError(
                f"this is no file of tacenda's projects; choose another with {schema.option}.",
                str(path),
            ) from None
        except StoreError:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        run, schema = self._connection.execute, self._schema
        run("PRAGMA busy_timeout = 5000")
        run("PRAGMA foreign_keys = ON")
        # What is deleted is overwritten: it was somebody's text.
        run("PRAGMA secure_delete = ON")
        version, application = (
            run(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
        )
        empty = not run("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        older = application == schema.application and 1 <= version < schema.version
        if (
            not empty
            and not older
            and (application, version)
            != (
                schema.application,
                schema.version,
            )
        ):
            raise StoreError(
                f"the file is of version {version} of application {application:#x}, this program "
                f"reads version {schema.version} of {schema.application:#x}; choose another with "
                f"{schema.option}.",
                str(self.path),
            )
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        if empty:
            self._connection.executescript(
                f"BEGIN; {schema.tables} PRAGMA application_id = {schema.application}; "
                f"PRAGMA user_version = {schema.version}; COMMIT;"
            )
        elif older:
            self._upgrade()

    def _upgrade(self) -> None:
        with self.transaction() as connection:
            # Asked for again: another process may have been faster.
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            for statements in self._schema.upgrades[version - 1 :]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {self._schema.version}")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection inside a transaction; on disk when the block ends without error.

        A transaction inside another one is part of that: it is on disk when the outer one is.
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

    def settle(self) -> None:
        """Write everything into the file itself and empty the log beside it."""
        with self._lock:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
