"""Tables of any database that SQLAlchemy supports, written to another database; the source isn't changed.

A path consists of a table and a column. Tables are created with their columns, types, keys and
indexes; rows are inserted in the order of their foreign keys, in one transaction. Views, triggers,
comments and users aren't copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

from ...errors import InputError, OutputError
from ..fields import Fields, Treatment
from ..record import Failure, Origin, SourceDocument
from .rows import Sink, Table, TableLeaf, TypedRow, check_names

_BATCH = 256
_PLAIN = re.compile(r"[a-z][a-z0-9_]{0,39}")


def engine_of(place: str, *, is_read: bool) -> Engine:
    """Return the engine for a URL; a database file that is only read is opened read-only.

    Raises:
        InputError: if the database doesn't exist, or its driver isn't installed.
    """
    try:
        url = make_url(place)
        file = url.database if url.get_backend_name() == "sqlite" else None
        if is_read and file:
            if not Path(file).is_file():
                raise InputError("the database doesn't exist; check the path.", _name(url))
            url = url.set(database=f"file:{file}", query={"mode": "ro", "uri": "true"})
        # Parameters of statements are values of rows and must not get into messages.
        return sql.create_engine(url, hide_parameters=True)
    except (SQLAlchemyError, NoSuchModuleError, ImportError):
        raise InputError(
            "is not the URL of a database, or its driver is not installed; see SQLAlchemy's list of dialects."
        ) from None


def _name(url: URL) -> str:
    return Path(url.database or "").name or url.get_backend_name()


def check_two(source: str, target: str) -> None:
    """Raise an InputError if a database would be written to while it is read.

    Raises:
        InputError: if both are the same.
    """
    urls = [make_url(source), make_url(target)]
    places = [
        str(Path(url.database or "").resolve())
        if url.get_backend_name() == "sqlite"
        else (url.get_backend_name(), url.host, url.port, url.database)
        for url in urls
    ]
    if places[0] == places[1]:
        raise InputError("the output is the same database; name another one with -o.")


class DatabaseTables(Table):
    """Tables of a database being read.

    Args:
        source: its URL.
        names: names of the tables; empty for all.
        fields: treatments.

    Raises:
        InputError: if it can't be opened, lacks a table, or has a column whose type doesn't support
            its treatment.
    """

    def __init__(self, source: str, names: Sequence[str], fields: Fields) -> None:
        self._engine = engine_of(source, is_read=True)
        self.origin = Origin("-", _name(make_url(source)), "database", "utf-8")
        metadata = sql.MetaData()
        try:
            metadata.reflect(self._engine, only=list(names) or None)
        except SQLAlchemyError:
            raise InputError(
                "can't be opened, or lacks a requested table.", self.origin.name
            ) from None
        self.tables = metadata.sorted_tables
        self.written = sql.MetaData()
        places = {
            f"{table.name}.{column.name}": f"table {number} column {place}"
            for number, table in enumerate(self.tables, 1)
            for place, column in enumerate(table.columns, 1)
        }
        fields = fields.with_names({place: name for name, place in places.items()})
        self.fields = fields
        unlisted: dict[str, str] = {}
        paths: list[tuple[str, ...]] = []
        for number, table in enumerate(self.tables, 1):
            dropped: set[str] = set()
            types: dict[str, Any] = {}
            for column in table.columns:
                path = (table.name, column.name)
                paths.append(path)
                rule = fields.rule(path)
                if rule is None:
                    name = ".".join(path)
                    unlisted[places[name]] = name
                elif rule.treatment is Treatment.DROP:
                    dropped.add(column.name)
                else:
                    types[column.name] = self._type(
                        column,
                        rule.treatment,
                        rule.to == "shift",
                        f"column {path[1]!r} of table {number}",
                    )
            self._add(table, types, dropped)
        check_names(fields, paths, self.origin.name)
        self.refusal = fields.refusal(unlisted, "column") if unlisted else ""
        self.constants: dict[str, str] = {}
        for number, table in enumerate(self.written.sorted_tables, 1):
            self.constants[f"name of table {number}"] = table.name
            for place, column in enumerate(table.columns, 1):
                self.constants[f"name of column {place} of table {number}"] = column.name

    def _type(self, column: Any, treatment: Treatment, is_shifted: bool, place: str) -> Any:
        kind = column.type
        if treatment is Treatment.KEEP or isinstance(kind, sql.String | sql.Enum):
            return (
                sql.Text()
                if isinstance(kind, sql.Enum) and treatment is not Treatment.KEEP
                else kind
            )
        is_date = isinstance(kind, sql.Date | sql.DateTime)
        if treatment is Treatment.DATE and is_date:
            return kind if is_shifted else sql.String(40)
        if treatment is Treatment.NUMBER and isinstance(
            kind, sql.Numeric | sql.Integer | sql.Float
        ):
            return sql.String(80)
        if treatment is Treatment.IDENTIFIER and isinstance(kind, sql.Integer):
            return kind if self._engine.dialect.name == "sqlite" else sql.BigInteger()
        if treatment is Treatment.IDENTIFIER and isinstance(kind, sql.Uuid):
            return kind
        raise InputError(
            f"{place} has a type that {treatment} doesn't support; choose another treatment.",
            self.origin.name,
        )

    def _add(self, table: Any, types: dict[str, Any], dropped: set[str]) -> None:
        """Define an output table: its columns, and the keys and indexes without dropped columns."""
        parts: list[Any] = [
            sql.Column(
                column.name,
                types.get(column.name, column.type),
                primary_key=column.primary_key,
                nullable=column.nullable,
                autoincrement=False,
            )
            for column in table.columns
            if column.name not in dropped
        ]
        for constraint in table.constraints:
            names = [column.name for column in constraint.columns]
            if dropped & set(names):
                continue
            if isinstance(constraint, sql.ForeignKeyConstraint):
                targets = [element.target_fullname for element in constraint.elements]
                parts.append(sql.ForeignKeyConstraint(names, targets))
            elif isinstance(constraint, sql.UniqueConstraint):
                parts.append(sql.UniqueConstraint(*names))
        new = sql.Table(table.name, self.written, *parts)
        for index in table.indexes:
            names = [column.name for column in index.columns]
            if names and not dropped & set(names):
                sql.Index(index.name, *(new.c[name] for name in names), unique=index.unique)

    def sink(self) -> Sink:
        """Raise an error, since rows of a database are written to another database.

        Raises:
            InputError: always.
        """
        raise InputError("name the database to write to with -o.", self.origin.name)

    def documents(self) -> Iterator[SourceDocument | Failure]:
        """Yield the head and the documents of all rows.

        Raises:
            InputError: if the database can't be read completely.
        """
        yield self.head()
        options = {"stream_results": True, "yield_per": _BATCH}
        with self._engine.connect() as connection:
            for number, table in enumerate(self.tables):
                order = list(table.primary_key.columns)
                label = table.name if _PLAIN.fullmatch(table.name) else f"table {number + 1}"
                try:
                    rows = connection.execute(
                        sql.select(table).order_by(*order), execution_options=options
                    )
                    for index, values in enumerate(rows, 1):
                        yield self._row(number, table, f":{label}:{index}", tuple(values))
                except SQLAlchemyError:
                    raise InputError(
                        f"table {number + 1} can't be read completely.", self.origin.name
                    ) from None
        self._engine.dispose()

    def _row(
        self, number: int, table: Any, name: str, values: tuple[Any, ...]
    ) -> SourceDocument | Failure:
        leaves = [
            TableLeaf((table.name, column.name), value, is_typed=True)
            for column, value in zip(table.columns, values, strict=True)
            if value is not None
        ]
        return self.row((number, values), leaves, name)


class DatabaseSink:
    """Writes tables to a database: all of them or none.

    Args:
        tables: the tables as read.
        target: the URL of the database, which must not have tables with these names.

    Raises:
        OutputError: if it can't be written to, or has such a table.
    """

    def __init__(self, tables: DatabaseTables, target: str) -> None:
        self._tables = tables
        self._engine = engine_of(target, is_read=False)
        try:
            self._connection = self._engine.connect()
            duplicates = set(sql.inspect(self._connection).get_table_names()) & set(
                tables.written.tables
            )
            if duplicates:
                raise OutputError(
                    "already has a table of this name; name an empty database with -o"
                )
            tables.written.create_all(self._connection)
        except SQLAlchemyError:
            raise OutputError("can't be written to; check its URL and your rights") from None

    def add(self, row: TypedRow, values: Sequence[Any]) -> None:
        """Add a row.

        Raises:
            InputError: if a constraint of its table forbids it.
        """
        if row.place is None:
            return
        number, old = row.place
        source = self._tables.tables[number]
        target = self._tables.written.tables[source.name]
        news = iter(values)
        cells = {
            column.name: None if value is None else next(news)
            for column, value in zip(source.columns, old, strict=True)
        }
        try:
            with self._connection.begin_nested():
                self._connection.execute(
                    sql.insert(target),
                    {column.name: cells[column.name] for column in target.columns},
                )
        except (SQLAlchemyError, OverflowError):
            raise InputError(
                "the sanitized row breaks a rule of its table; keep its columns or make them identifiers.",
                row.record.document.document.id,
            ) from None

    def commit(self) -> None:
        """Commit the rows.

        Raises:
            OutputError: if the database can't commit them.
        """
        try:
            self._connection.commit()
        except SQLAlchemyError:
            raise OutputError("can't be written completely") from None
        finally:
            self._connection.close()
            self._engine.dispose()

    def abort(self) -> None:
        """Remove the rows, and also the tables, since some databases commit definitions immediately."""
        if self._connection.closed:
            return
        self._connection.rollback()
        self._tables.written.drop_all(self._connection)
        self._connection.commit()
        self._connection.close()
        self._engine.dispose()
