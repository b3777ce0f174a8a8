"""Workbooks (.xlsx, .ods): the rows of all sheets, including hidden ones, and what is outside rows.

A path consists of a sheet and a column: its name in the first row if that is a header, otherwise
its letter (``Visits.note``, ``Sheet1.B``); ``sheet 1 column B`` is understood as well. Comments and
links of cells are text (``Visits.comments``, ``Visits.links``); so are headers of columns and of
pages, validations, conditional formats, and literals in formulas and
formats. Formulas stay, and are recalculated when the workbook is opened: no cached value is written. A sheet or
defined name that is masked gets another, wherever the workbook refers to it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from pkgutil import resolve_name
from typing import Any, BinaryIO

from ...errors import InputError, LeakError, MissingExtraError
from ...isolation.workers import isolated
from ..containers import whole_file
from ..fields import Fields, Treatment
from ..formats import Passage
from ..inspection import with_forms
from ..inspection.odt import parts
from ..inspection.sheets import FORMULA, sheet_strings
from ..names import NameScrubber
from ..record import Failure, Origin, SourceDocument
from .cells import Book, Contents, NewContents, SheetRows, column_letter
from .rows import Table, TableLeaf, TypedRow, check_names

_KINDS = {"comment": "comments", "link": "links"}
_SHEET = "name of sheet"
_RENAMED = (_SHEET, "defined name")
"""How the positions of names begin that are replaced everywhere the workbook refers to them."""
_PROGRAMS = {"xlsx": "workbook:ExcelBook", "ods": "ods:OdsBook"}
"""Classes that read and write workbooks in a worker, by format."""


def read(stream: BinaryIO, origin: Origin, fields: Fields) -> Iterator[SourceDocument | Failure]:
    """Yield what is outside the rows of a workbook, and its rows, sheet by sheet.

    Args:
        stream: the file.
        origin: its name.
        fields: treatments of the columns.

    Raises:
        InputError: if it can't be read.
        MissingExtraError: if the extra isn't installed.
    """
    try:
        _book_class(origin.format)
    except ImportError as error:
        raise MissingExtraError(f"reading and writing .{origin.format}", "documents") from error
    data = whole_file(stream, origin.name, "split the workbook")
    try:
        book = isolated(_contents, (origin.format, data), subject=origin.name, size=len(data))
    except InputError as error:
        raise error.of(origin.name) from None
    workbook = Workbook(data, book, fields, origin)
    yield workbook.head(workbook.constants, tuple(workbook.notes()))
    yield from workbook.rows()


def _book_class(format: str) -> Callable[[bytes], Book]:
    """Return the class of workbooks of a format.

    Raises:
        ImportError: if its extra isn't installed.
    """
    book: Callable[[bytes], Book] = resolve_name(f"{__package__}.{_PROGRAMS[format]}")
    return book


def _contents(format: str, data: bytes) -> Contents:
    return _book_class(format)(data).contents()


def _assembled(format: str, data: bytes, news: NewContents) -> bytes:
    return _book_class(format)(data).assembled(news)


class Workbook(Table):
    """A workbook being read.

    Args:
        data: the file.
        book: its strings.
        fields: treatments.
        origin: the file.
    """

    def __init__(self, data: bytes, book: Contents, fields: Fields, origin: Origin) -> None:
        self.data = data
        self.book = book
        self.origin = origin
        self.constants = dict(book.besides)
        self.forbidden = set()
        self.left_out: set[str] = set()
        own = [f"{sheet.name}.{kind}" for sheet in book.sheets for kind in _KINDS.values()]
        columns = {
            f"sheet {place} column {column_letter(number)}": f"{sheet.name}.{title}"
            for place, sheet in enumerate(book.sheets, 1)
            for number, title in enumerate(sheet.columns, 1)
        }
        fields = fields.with_names(columns)
        self.fields = fields.with_texts([name for name in own if name not in fields.policy.fields])
        self.dropped: list[frozenset[int]] = []
        paths: list[tuple[str, ...]] = []
        unlisted: dict[str, str] = {}
        for place, sheet in enumerate(book.sheets, 1):
            paths += [(sheet.name, kind) for kind in _KINDS.values()]
            removed: set[int] = set()
            for number, title in enumerate(sheet.columns, 1):
                path = (sheet.name, title)
                paths.append(path)
                fields.declare(path)
                rule = self.fields.rule(path)
                if rule is None:
                    unlisted[f"sheet {place} column {column_letter(number)}"] = ".".join(path)
                elif rule.treatment is Treatment.DROP:
                    removed.add(number)
            self.dropped.append(frozenset(removed))
        for number, gone_of in enumerate(self.dropped, 1):
            for column in gone_of:
                self.constants.pop(f"header of column {column} in sheet {number}", None)
        check_names(self.fields, paths, origin.name)
        self.refusal = fields.refusal(unlisted, "column") if unlisted else ""

    def notes(self) -> Iterator[str]:
        """Yield what isn't written, and each sheet whose first row would be a header if it didn't have two equal cells."""
        yield from self.book.notes
        for number, sheet in enumerate(self.book.sheets, 1):
            if has_titles_twice(sheet):
                yield (
                    f"row {sheet.rows[0][0]} of sheet {number} has two equal cells, so it is "
                    "read as a row of values, and the columns are named by their letters; rename "
                    "one of the two if it is a header."
                )

    def rows(self) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of rows."""
        for index, sheet in enumerate(self.book.sheets):
            for number, strings in sheet.rows:
                leaves = [
                    TableLeaf((sheet.name, _KINDS.get(kind) or sheet.columns[column - 1]), value)
                    for column, kind, value in strings
                    if column not in self.dropped[index]
                ]
                yield self.row((index, number), leaves, f":{index + 1}:{number}")

    def leave_out(self, place: str) -> bool:
        """Leave out a string outside the rows: a sheet or a defined name gets another name; a table's name can't be changed."""
        if _is_name(place) or place.startswith("header of"):
            return False
        self.left_out.add(place)
        return True

    def sink(self) -> WorkbookSink:
        """Return an empty workbook."""
        return WorkbookSink(self)


def has_titles_twice(sheet: SheetRows) -> bool:
    """Return whether a sheet's first row consists of strings, two of which are equal, and other rows follow."""
    if sheet.header or len(sheet.rows) < 2:
        return False
    values = [(column, value) for column, kind, value in sheet.rows[0][1] if kind == "value"]
    titles = {column: value.strip() for column, value in values if isinstance(value, str)}
    # A cell with several strings isn't a title.
    return len(titles) == len(values) and len(set(titles.values())) < len(titles)


def _is_name(place: str) -> bool:
    return place.startswith("name of") and not place.startswith(_SHEET)


class WorkbookSink:
    """Writes one workbook.

    Args:
        workbook: the workbook as read.
    """

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._rows: list[dict[int, list[Any]]] = [{} for _ in workbook.book.sheets]
        self._news: dict[str, str | None] = dict.fromkeys(dict(workbook.book.besides))

    def add(self, row: TypedRow, values: Sequence[Any]) -> None:
        """Add a row, or what is outside the rows.

        Raises:
            LeakError: if a table's name or a formula is masked.
        """
        workbook = self._workbook
        if row.place is not None:
            sheet, number = row.place
            self._rows[sheet][number] = list(values)
            return
        for leaf, value in zip(row.leaves, values, strict=True):
            place = leaf.path[0]
            if value != leaf.value and _is_name(place):
                raise LeakError([place], workbook.origin.name)
            if value != leaf.value and place.startswith(_RENAMED) and "literal" not in place:
                value = None
            if value is None:
                workbook.left_out.add(place)
            self._news[place] = value
            workbook.constants[place] = value or ""

    def close(self) -> Iterator[bytes]:
        """Yield the bytes of the workbook.

        Raises:
            LeakError: if a string that is masked anywhere in the workbook is still in one of its
                parts.
        """
        workbook = self._workbook
        forbidden = frozenset(workbook.forbidden or ())
        besides = self._news | dict.fromkeys(workbook.left_out)
        news = NewContents(self._rows, besides, workbook.dropped, forbidden)
        name, format = workbook.origin.name, workbook.origin.format
        arguments = (format, workbook.data, news)
        output = isolated(_assembled, arguments, subject=name, size=len(workbook.data))
        values_written = {
            str(value) for rows in self._rows for values in rows.values() for value in values
        }
        values_written |= {line for value in values_written for line in value.splitlines()}
        values_written |= {value for value in besides.values() if value is not None}
        scrubber = NameScrubber(forbidden)
        strings = _strings(output, format, values_written)
        others = (passage for passage in strings if passage.text not in values_written)
        if places := [passage.place for passage in with_forms(others, scrubber)]:
            raise LeakError(places, name)
        yield output


def _strings(data: bytes, format: str, known: Container[str]) -> Iterator[Passage]:
    """Yield the strings of a workbook; for formulas, possible names and literals that aren't in ``known``."""
    if format == "ods":
        yield from parts(data)
        return
    from .formulas import formula_parts

    for place, text in sheet_strings(data):
        if not place.startswith(FORMULA):
            yield Passage(text, place)
            continue
        names, literals = formula_parts(text)
        if not all(literal in known for literal in literals):
            names = " ".join((names, *literals))
        yield Passage(names, place)
