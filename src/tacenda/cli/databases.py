"""``tacenda sanitize`` from one database into another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from ..documents.fields import refuse_unnamed
from ..documents.inspection import refuse_survivors
from ..documents.record import SourceDocument
from ..documents.tables.rows import TypedRow, strings_of_part
from ..documents.writing import refuse_leaks
from ..errors import require_extra
from ..result import Result
from .options import faults_of_options
from .outputs import Destination, is_void
from .places import InputFile
from .printing import print_dropped
from .run import RunSummary, SanitizingRun

if TYPE_CHECKING:
    from ..documents.tables.database import DatabaseSink
    from .columns import ColumnOptions
    from .options import SanitizerOptions
    from .sanitize import OutputOptions


class _Database(Destination):
    """A database as the destination of rows.

    Args:
        sink: writes to the database.
    """

    def __init__(self, sink: DatabaseSink) -> None:
        self._sink = sink

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one row.

        Raises:
            LeakError: if masked strings would be left.
            InputError: if it can't be written.
        """
        refuse_leaks(result)
        row = record.container
        assert isinstance(row, TypedRow)
        part = row.write(record, result)
        refuse_survivors(iter(strings_of_part(part)), result)
        self._sink.add(row, row.values(part))
        return ()

    def finish(self, written: int, failed: int) -> None:
        """Commit the rows, if there are any."""
        if is_void(written, failed):
            self._sink.abort()
        else:
            self._sink.commit()

    def abort(self) -> None:
        """Roll back; nothing is left behind."""
        self._sink.abort()


def sanitize_database(
    sources: Sequence[str],
    tables: Sequence[str],
    columns: ColumnOptions,
    options: SanitizerOptions,
    outputs: OutputOptions,
) -> None:
    """Sanitize tables of a database into another one.

    Raises:
        typer.BadParameter: if there is no other database.
        typer.Exit: with 1, if a row failed.
        MissingExtraError: if SQLAlchemy isn't installed.
    """
    require_extra("sql", "a database", "sqlalchemy")
    from ..documents.tables.database import DatabaseSink, DatabaseTables, check_two

    target = outputs.output or ""
    if len(sources) > 1 or "://" not in target:
        raise typer.BadParameter(
            "needs one database, and -o with the URL of another", param_hint="-o"
        )
    with faults_of_options("-o"):
        check_two(sources[0], target)
    policy = options.effective_policy()
    fields = columns.rules(policy).with_texts(columns.column or ())
    source = DatabaseTables(sources[0], tables, fields)
    sanitizer = options.open(policy)
    destination = _Database(DatabaseSink(source, target))
    summary = RunSummary(outputs.summary)
    SanitizingRun(
        sanitizer,
        lambda _: refuse_unnamed(source.documents(), "same"),
        destination,
        summary,
        outputs.explanation,
        unit="rows",
    )([InputFile(1, source.origin)])
    print_dropped(fields)
    if summary.faults:
        raise typer.Exit(1)
