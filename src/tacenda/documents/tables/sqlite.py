"""SQLite databases: rebuilt from their schema and the sanitized rows, so that no old page is in the new file.

A path consists of a table and a column (``visits.note``). Tables, columns, types, keys, indexes,
views, triggers, order and nulls stay; a dropped column is removed along with its indexes, and a
dropped table along with its rows. Statistics for the query planner, which are samples of values,
aren't written.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from ...errors import InputError, in_one_line
from ..fields import Fields, Treatment
from ..inspection.sqlite import sqlite_strings, unused_ranges
from ..record import Failure, Origin, SourceDocument
from .rows import Table, TableLeaf, TypedRow, check_names, source_of
from .verified import VerifiedStrings

MAGIC = b"SQLite format 3\0"
_CHUNK = 1 << 20
_OPEN = ("-wal", "-journal")
_STATEMENT = re.compile(r"\s*CREATE\s+(TABLE|INDEX|UNIQUE\s+INDEX|VIEW|TRIGGER)\b", re.IGNORECASE)
_PLAIN = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PRAGMAS = ("encoding", "page_size", "auto_vacuum", "user_version", "application_id")


def read(stream: BinaryIO, origin: Origin, fields: Fields) -> Iterator[SourceDocument | Failure]:
    """Yield the head of a database and its rows, table by table.

    Args:
        stream: the file.
        origin: its name.
        fields: treatments of the columns.

    Raises:
        InputError: if it isn't a database, is open elsewhere, or can't be rebuilt.
    """
    connection = _opened(source_of(stream, origin)[0], origin.name)
    try:
        database = SqliteDatabase(connection, fields, origin)
        yield database.head()
        for number, relation in enumerate(database.relations, 1):
            yield from database.rows(connection, number, relation)
    except sqlite3.Error:
        raise InputError(
            "can't be read: it is damaged; recover it with sqlite3 (.recover).", origin.name
        ) from None
    finally:
        connection.close()


def _opened(source: str | bytes, name: str) -> sqlite3.Connection:
    """Return a connection that can only read and creates no files next to the database."""
    if isinstance(source, str):
        with Path(source).open("rb") as stream:
            begin = stream.read(len(MAGIC))
        for ending in _OPEN:
            journal = Path(source + ending)
            if journal.exists() and journal.stat().st_size:
                raise InputError(
                    "it is open in another program, or was not closed; close it, so that all "
                    "data is in one file (a {ending!r} file lies beside it).",
                    name,
                )
    else:
        begin = source[: len(MAGIC)]
    if begin != MAGIC:
        raise InputError("is not an SQLite database, or is encrypted; check the file.", name)
    if isinstance(source, str):
        uri = f"file:{quote(str(Path(source).absolute()))}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
    else:
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        # Without a separate log, the bytes of a database in WAL mode are like any other's.
        connection.deserialize(source[:18] + b"\x01\x01" + source[20:])
    connection.text_factory = _text
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return _UNREADABLE


_UNREADABLE = "\ud800"
"""Represents a string that can't be decoded."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A table in a database.

    Attributes:
        name: the table's name.
        columns: names of the columns that are written.
        dropped: names of the columns that aren't.
        computed: names of the columns that the database computes from others.
        has_order: whether its rows are read in rowid order.
    """

    name: str
    columns: tuple[str, ...]
    dropped: tuple[str, ...]
    computed: tuple[str, ...]
    has_order: bool


class SqliteDatabase(Table):
    """A database being read, and the schema of the one to write.

    Args:
        connection: connection to the database being read.
        fields: treatments.
        origin: its file.

    Raises:
        InputError: if part of it can't be rebuilt.
    """

    def __init__(self, connection: sqlite3.Connection, fields: Fields, origin: Origin) -> None:
        self.origin = origin
        self.pragmas = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _PRAGMAS
        }
        self.read = 0
        listing = connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
        )
        items = [item for item in listing if not item[1].startswith("sqlite_")]
        kinds = {item[1]: item[2] for item in connection.execute("PRAGMA table_list")}
        tables = [(name, sql) for kind, name, _, sql in items if kind == "table"]
        self._places = {
            f"{name}.{column}": f"table {number} column {place}"
            for number, (name, _) in enumerate(tables, 1)
            if kinds.get(name) == "table"
            for place, (_, column, *_) in enumerate(_columns(connection, name), 1)
        }
        fields = fields.with_names({place: name for name, place in self._places.items()})
        self.fields = fields
        self._unlisted: dict[str, str] = {}
        self.relations: list[Relation] = []
        check_names(fields, self._plan(connection, tables, kinds), origin.name)
        self.refusal = fields.refusal(self._unlisted, "column") if self._unlisted else ""
        names = {relation.name for relation in self.relations}
        self._definitions = [
            (kind, sql)
            for kind, _, table, sql in items
            if sql and (table in names or kind == "view")
        ]
        self.constants: dict[str, str] = {}
        trial = sqlite3.connect(":memory:")
        self.build(trial)
        self.finish(trial)
        self.constants = {
            f"definition {number}": sql
            for number, (sql,) in enumerate(
                trial.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"), 1
            )
        }
        trial.close()
        has_keys = any(
            connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})").fetchone()
            for name in names
        )
        self.violations = _violations(connection) if has_keys else None

    def _plan(
        self,
        connection: sqlite3.Connection,
        tables: Sequence[tuple[str, str]],
        kinds: Mapping[str, str],
    ) -> list[tuple[str, ...]]:
        """Decide which tables are written; return all paths, including columns.

        Raises:
            InputError: if there is a virtual table.
        """
        paths: list[tuple[str, ...]] = []
        for number, (name, sql) in enumerate(tables, 1):
            rule = self.fields.rule((name,))
            is_dropped = rule is not None and rule.treatment is Treatment.DROP
            if kinds.get(name) == "shadow" or (is_dropped and not self.fields.within((name,))):
                paths.append((name,))
            elif kinds.get(name) != "virtual":
                relation = self._relation(connection, name, sql)
                self.relations.append(relation)
                paths += [(name, column) for column in (*relation.columns, *relation.dropped)]
            elif self.fields.takes is not None:
                self.fields.declare((name,), frozenset())
            else:
                raise InputError(
                    f"table {number} is virtual; drop it, and create it again from the sanitized tables.",
                    self.origin.name,
                )
        return paths

    def _relation(self, connection: sqlite3.Connection, name: str, sql: str) -> Relation:
        columns: list[str] = []
        dropped: list[str] = []
        computed: list[str] = []
        foreign = {
            item[3] for item in connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})")
        }
        for _, column, _, _, _, key, hidden in _columns(connection, name):
            if hidden:
                computed.append(column)
                continue
            rule = self.fields.rule((name, column))
            is_key = bool(key) or column in foreign
            self.fields.declare(
                (name, column), frozenset((Treatment.IDENTIFIER,)) if is_key else None
            )
            if rule is None:
                path = f"{name}.{column}"
                self._unlisted[self._places[path]] = path
            if rule is not None and rule.treatment is Treatment.DROP:
                dropped.append(column)
            else:
                columns.append(column)
        is_plain = not re.search(r"\bWITHOUT\s+ROWID\b", sql, re.IGNORECASE)
        has_order = is_plain and "rowid" not in map(str.lower, (*columns, *dropped))
        return Relation(name, tuple(columns), tuple(dropped), tuple(computed), has_order)

    def build(self, connection: sqlite3.Connection) -> None:
        """Create tables and indexes in an empty database.

        Raises:
            InputError: if one can't be created.
        """
        for name, value in self.pragmas.items():
            connection.execute(f"PRAGMA {name} = {value!r}")
        connection.set_authorizer(_allowed)
        self._make(connection, "table")
        for relation in self.relations:
            for column in relation.dropped:
                try:
                    connection.execute(
                        f"ALTER TABLE {_quoted(relation.name)} DROP COLUMN {_quoted(column)}"
                    )
                except sqlite3.Error:
                    raise InputError(
                        "a column of a key, or one that others are computed from, can't be dropped; "
                        "make it an identifier.",
                        self.origin.name,
                    ) from None
        self._make(connection, "index")

    def finish(self, connection: sqlite3.Connection) -> None:
        """Create triggers and views."""
        self._make(connection, "view")
        self._make(connection, "trigger")

    def _make(self, connection: sqlite3.Connection, kind: str) -> None:
        for number, (own, sql) in enumerate(self._definitions, 1):
            if own != kind:
                continue
            if not _STATEMENT.match(sql):
                raise InputError(
                    f"definition {number} does not define a {kind}; correct it.", self.origin.name
                )
            try:
                connection.execute(sql)
            except sqlite3.Error:
                dropped = any(relation.dropped for relation in self.relations)
                if kind == "table" or not dropped:
                    raise InputError(
                        f"definition {number} (of a {kind}) can't be executed; drop or correct it.",
                        self.origin.name,
                    ) from None

    def sink(self) -> SqliteSink:
        """Return an empty database."""
        return SqliteSink(self)

    def rows(
        self, connection: sqlite3.Connection, number: int, relation: Relation
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a table's rows; a damaged row ends the table with a failure."""
        label = relation.name if _PLAIN.fullmatch(relation.name) else f"table {number}"
        columns = ", ".join(map(_quoted, relation.columns)) or "NULL"
        order = " ORDER BY rowid" if relation.has_order else ""
        cursor: sqlite3.Cursor | None = None
        index = 0
        while True:
            index += 1
            name = f":{label}:{index}"
            try:
                if cursor is None:
                    cursor = connection.execute(
                        f"SELECT {columns} FROM {_quoted(relation.name)}{order}"
                    )
                values = cursor.fetchone()
            except sqlite3.Error:
                message = "can't be read: the rest of the table is damaged."
                yield Failure(InputError(message, self.origin.name + name))
                return
            if values is None:
                return
            self.read += 1
            if self.fields.passes_over():
                continue
            leaves = [
                TableLeaf((relation.name, column), value)
                for column, value in zip(relation.columns, values, strict=False)
                if value is not None
            ]
            if _UNREADABLE in values:
                message = f"column {values.index(_UNREADABLE) + 1} is not Unicode text."
                yield Failure(InputError(message, self.origin.name + name))
            else:
                yield self.row((number - 1, values), leaves, name)


class SqliteSink:
    """Writes one database, in a separate folder until it is complete.

    Args:
        database: the database as read.
    """

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        folder = tempfile.mkdtemp()
        self._path = Path(folder, "database")
        self._connection = sqlite3.connect(
            self._path, check_same_thread=False, isolation_level=None
        )
        weakref.finalize(self, _removed, self._connection, folder)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("PRAGMA secure_delete = ON")
        database.build(self._connection)
        self._strings = VerifiedStrings()
        self._written = 0

    def add(self, row: TypedRow, values: Sequence[Any]) -> None:
        """Take a row.

        Raises:
            InputError: if a constraint of its table forbids it.
        """
        if row.place is None:
            return
        number, old = row.place
        relation = self._database.relations[number]
        news = iter(values)
        cells = [None if value is None else next(news) for value in old[: len(relation.columns)]]
        names = ", ".join(map(_quoted, relation.columns))
        marks = ", ".join("?" * len(cells))
        statement = f"INSERT INTO {_quoted(relation.name)} ({names}) VALUES ({marks})"
        if not cells:
            statement = f"INSERT INTO {_quoted(relation.name)} DEFAULT VALUES"
        try:
            self._connection.execute(statement, cells)
        except sqlite3.Error as error:
            reason = _REASONS.get(
                getattr(error, "sqlite_errorname", ""), "it breaks a rule of its table"
            )
            raise InputError(
                f"{reason}; keep its columns or make them identifiers.",
                row.record.document.document.id,
            ) from None
        self._strings.add(value for value in cells if isinstance(value, str | bytes))
        self._written += 1

    def close(self) -> Iterator[bytes]:
        """Yield the bytes of the database.

        Raises:
            InputError: if a foreign key is dangling, or a string occurs in none of its rows.
        """
        database, connection = self._database, self._connection
        name = database.origin.name
        database.finish(connection)
        before = database.violations
        if (
            before is not None
            and self._written == database.read
            and _violations(connection) > before
        ):
            raise InputError(
                "foreign keys would point to rows that no longer exist; give the column that is pointed "
                "to and those that point to it the same treatment (identifier).",
                name,
            )
        for relation in database.relations:
            if relation.computed:
                columns = ", ".join(map(_quoted, relation.computed))
                for row in connection.execute(f"SELECT {columns} FROM {_quoted(relation.name)}"):
                    self._strings.add(value for value in row if isinstance(value, str | bytes))
        connection.set_authorizer(None)
        connection.execute("VACUUM")
        connection.close()
        self._strings.end_group()
        with self._path.open("r+b") as file:
            for start, end in unused_ranges(file):
                file.seek(start)
                file.write(bytes(end - start))
        with self._path.open("rb") as result:
            constants = set(database.constants.values())
            places: list[str] = []

            def cells() -> Iterator[str | bytes]:
                for place, value, is_cell in sqlite_strings(result):
                    if is_cell:
                        yield value
                    elif value not in constants:
                        places.append(place)

            places += [f"{count} cells" for count in self._strings.unknown([cells()]) if count]
        if places:
            raise InputError(
                f"strings of unknown origin would be in the output: {in_one_line(places)}. "
                "Nothing was written; please report it.",
                name,
            )
        with self._path.open("rb") as result:
            while chunk := result.read(_CHUNK):
                yield chunk


_REASONS = {
    "SQLITE_CONSTRAINT_UNIQUE": "another row has the same value, once sanitized, where none may",
    "SQLITE_CONSTRAINT_PRIMARYKEY": "another row has the same key, once sanitized",
    "SQLITE_CONSTRAINT_NOTNULL": "a column that must have a value would have none",
    "SQLITE_CONSTRAINT_CHECK": "a sanitized value breaks a rule of its table",
    "SQLITE_CONSTRAINT_DATATYPE": "a sanitized value is not of the type of its column",
    "SQLITE_MISMATCH": "a sanitized value is not of the type of its column",
}


def _removed(connection: sqlite3.Connection, folder: str) -> None:
    connection.close()
    shutil.rmtree(folder, ignore_errors=True)


def _allowed(action: int, *_: Any) -> int:
    """Deny definitions access to anything but this database."""
    denied = (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)
    return sqlite3.SQLITE_DENY if action in denied else sqlite3.SQLITE_OK


def _columns(connection: sqlite3.Connection, table: str) -> list[Any]:
    return connection.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()


def _violations(connection: sqlite3.Connection) -> int:
    """Return the number of rows with dangling foreign keys."""
    return sum(1 for _ in connection.execute("PRAGMA foreign_key_check"))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
