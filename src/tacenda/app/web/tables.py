"""A CSV file as the table that it is: as it came, and as it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ...documents.csv import BLANK, CsvRow
from ...documents.fields import FieldRule, Treatment
from ...documents.record import SourceDocument, edited_source
from ...errors import InputError, LeakError
from ..page_messages import page_message
from ..review.redecide import Reviewed
from ..service import Service
from ..store.database import NotFound
from ..store.documents import Status, StoredDocument
from ..tables import IndexedTable
from .labels import TREATMENTS
from .outcomes import (
    OutcomePiece,
    original_pieces,
    sanitized_offset,
    sanitized_pieces,
    within,
)

_LEFT_OUT = TREATMENTS[Treatment.DROP]
_ANOTHER = "the file is not the one that was reviewed; import it again."


class TableSide(StrEnum):
    """Side of a table to show."""

    LEAVES = "leaves"
    CAME = "came"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its displayed name, its treatment in words, and whether it is released."""

    name: str
    treatment: str
    is_text: bool
    leaves: bool


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell.

    Attributes:
        pieces: its value, cut by outcome.
        left: number of characters that are not shown, for there are too many.
        leaves: whether it is in the file that leaves.
    """

    pieces: tuple[OutcomePiece, ...] = field(default=(), repr=False)
    left: int = 0
    leaves: bool = True


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row.

    Attributes:
        number: of its first line in the file, as in the name of its document.
        document: the document that it is.
        cells: one for each column; none where it can't leave.
        problem: why it can't leave as it stands; empty if it can.
    """

    number: int
    document: StoredDocument
    cells: tuple[TableCell, ...] = field(default=(), repr=False)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TablePage:
    """A page of a table.

    Attributes:
        name: of the file.
        side: which side.
        columns: all of them, in order.
        rows: those of the page, in order.
        number, pages: number of the page, from 1, and of all pages.
        total: number of all rows.
    """

    name: str
    side: TableSide
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    number: int
    pages: int
    total: int


def indexed(service: Service, project: int, file: int) -> IndexedTable:
    """A CSV file of a project with its rows in pages.

    Raises:
        NotFound: if the project has no such file.
        InputError: if it can't be read.
    """
    if file not in {table.id for table in service.store.lists.tables(project)}:
        raise NotFound("the table does not exist; see the list of the project's documents.")
    return kept_table(service, project, file)


def kept_table(service: Service, project: int, file: int) -> IndexedTable:
    """A CSV file of a project, which is known to be there.

    Raises:
        InputError: if it can't be read.
    """
    key = (service.project(project).handle, file)
    return service.readings.tables.get_or_compute(
        key, lambda: IndexedTable.of(service.store.files.get(file))
    )


def table_page(
    service: Service, project: int, file: int, side: TableSide, number: int
) -> TablePage:
    """A page of a table; the last one, where there are fewer.

    Raises:
        NotFound: if the project has no such file.
        InputError: if the file is not the one that was reviewed.
    """
    index = indexed(service, project, file)
    number = min(number, len(index.starts))
    places = index.page(number)
    documents = service.store.lists.of_file(project, file, places.start, len(places))
    if len(documents) != len(places):
        raise InputError(_ANOTHER)
    header: list[str] | None = None
    rows = []
    for place, document in zip(places, documents, strict=True):
        record = index.table.record(index.rows[place])
        reviewed = None
        if document.status is Status.READY:
            reviewed = service.open(document.id).reviewed
            if reviewed.sanitized.document.text != record.document.text:
                raise InputError(_ANOTHER)
        row = _row(index, index.rows[place], document, record, reviewed, side)
        rows.append(row)
        if header is None and reviewed is not None and not row.problem:
            header = _header(index, record, reviewed)
    count = max([len(index.table.names or ()), *(len(row.cells) for row in rows)])
    columns = _columns(index, count, side, header)
    return TablePage(
        index.name, side, columns, tuple(rows), number, len(index.starts), len(index.rows)
    )


def _header(index: IndexedTable, record: SourceDocument, reviewed: Reviewed) -> list[str]:
    """The names of the columns in the file that leaves."""
    source = edited_source(record, reviewed.sanitized, first=True)
    row = edited_source(record, reviewed.sanitized)
    header = source[: len(source) - len(row)].lstrip(BLANK)
    return [cell.value for cell in index.table.cells(header)]


def _columns(
    index: IndexedTable, count: int, side: TableSide, header: Sequence[str] | None
) -> tuple[TableColumn, ...]:
    """The columns.

    Args:
        index: the table.
        count: how many there are in the rows that are shown.
        side: which side.
        header: names in the file that leaves; None where that is not known yet.
    """
    names = [*(index.table.names or ()), *[""] * (count - len(index.table.names or ()))]
    titles = iter(header or ())
    columns = []
    for name, rule in zip(names, index.table.rules(count), strict=True):
        leaves = _leaves(rule)
        title = next(titles, name) if leaves and side is TableSide.LEAVES else name
        treatment = _LEFT_OUT if rule is None else TREATMENTS[rule.treatment]
        is_text = rule is not None and rule.treatment is Treatment.TEXT
        columns.append(TableColumn(title, treatment, is_text, leaves))
    return tuple(columns)


def _leaves(rule: FieldRule | None) -> bool:
    return rule is not None and rule.treatment is not Treatment.DROP


def _row(
    index: IndexedTable,
    source: CsvRow,
    document: StoredDocument,
    record: SourceDocument,
    reviewed: Reviewed | None,
    side: TableSide,
) -> TableRow:
    lead = len(source.lead)
    came = index.table.cells(record.source[lead:])
    rules = index.table.rules(len(came))
    texts = {slot.source_start: slot for slot in record.slots}
    problem = ""
    written: list[str] = []
    pieces: list[OutcomePiece] = []
    if reviewed is None:
        problem = document.error or "not analyzed yet"
    else:
        by_hand = reviewed.verdicts
        cut = sanitized_pieces if side is TableSide.LEAVES else original_pieces
        pieces = cut(reviewed.sanitized, by_hand)
        try:
            output = edited_source(record, reviewed.sanitized)
        except (InputError, LeakError) as error:
            problem = page_message(error)
        else:
            written = [cell.value for cell in index.table.cells(output[lead:])]
    if problem and side is TableSide.LEAVES:
        return TableRow(source.number, document, problem=problem)
    cells = []
    values = iter(written)
    for cell, rule in zip(came, rules, strict=True):
        leaves = _leaves(rule)
        value = cell.value
        if side is TableSide.LEAVES:
            value = next(values) if leaves else ""
        shown = [OutcomePiece(0, len(value), value)] if value else []
        slot = texts.get(lead + cell.start)
        if slot is not None and reviewed is not None:
            start, end = slot.start, slot.end
            if side is TableSide.LEAVES:
                start = sanitized_offset(reviewed.sanitized, start)
                end = sanitized_offset(reviewed.sanitized, end)
            marked = within(pieces, start, end)
            # An edit over several cells is written in one of them: that one is shown as it is written.
            shown = marked if "".join(piece.text for piece in marked) == value else shown
        cells.append(_shortened(shown, len(value), index.longest, leaves))
    return TableRow(source.number, document, tuple(cells), problem)


def _shortened(
    pieces: Sequence[OutcomePiece], length: int, longest: int, leaves: bool
) -> TableCell:
    if length <= longest or not pieces:
        return TableCell(tuple(pieces), 0, leaves)
    start = pieces[0].start
    return TableCell(tuple(within(pieces, start, start + longest)), length - longest, leaves)


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Place of a document in a table: number of the file, and the line of the row in it."""

    file: int
    line: int


def place_of(row: StoredDocument) -> RowPlace | None:
    """The place of a document in a table; None if it is not a row of one."""
    if row.format != "csv" or row.file is None:
        return None
    line = row.name.rpartition(":")[2]
    return RowPlace(row.file, int(line)) if line.isdecimal() else None
