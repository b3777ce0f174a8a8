"""The strings of an .xlsx, one after another, and how to replace them; runs in a worker.

What openpyxl doesn't expose as a string of a cell or of ``besides`` is removed at the end
(``_strip``).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from copy import copy
from typing import Any

import openpyxl
from openpyxl.comments import Comment
from openpyxl.packaging.core import DocumentProperties
from openpyxl.packaging.custom import CustomPropertyList
from openpyxl.styles.builtins import styles as BUILT_IN_STYLES
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula
from openpyxl.worksheet.scenario import ScenarioList

from ...errors import InputError
from ...isolation.limits import limits
from ...shipped import shipped_table
from ..docx.package import archive_of
from ..names import NameScrubber
from ..typefaces import is_shipped
from .cells import (
    Book,
    NameReferences,
    Setter,
    Sheet,
    SheetReferences,
    leave_unchanged,
    literals,
    neutral_names,
)

_PROTECTED = b"\xd0\xcf\x11\xe0"
_UNWRITTEN: dict[str, str] = shipped_table("workbooks")["unwritten"]
_LIST = ("formula1", "formula2")
_PROMPTS = ("prompt", "promptTitle", "error", "errorTitle")
_TYPEFACE = "Calibri"
_THEME_NAME = re.compile(r'(?:name|typeface)="([^"]+)"')
_SIDES = ("left", "center", "right")
_HEADERS = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")


class ExcelBook(Book):
    """A workbook in openpyxl.

    Args:
        data: the file.

    Raises:
        InputError: if it has another format, or is encrypted or damaged.
    """

    after_name = "!"

    def __init__(self, data: bytes) -> None:
        self._book = _loaded(data)
        self.left_out = _unwritten(data)
        self.sheets = [_ExcelSheet(sheet) for sheet in self._book.worksheets]

    def besides(self) -> Iterator[tuple[str, str, Setter]]:
        """Yield position, string and setter of each string outside the rows."""
        book = self._book
        for number, (sheet, inner) in enumerate(zip(self.sheets, book.worksheets, strict=True), 1):
            yield from sheet.names(number)
            yield from _of_sheet(inner, number)
        for where, scope, name in _defined(book):
            item = scope[name]
            yield where, name, leave_unchanged
            for index, (text, put) in enumerate(
                literals(item.attr_text or "", _into(item, "attr_text"))
            ):
                yield f"{where}, literal {index}", text, put
        for index, text in enumerate(book._number_formats):
            if '"' in text:

                def put(value: str | None, index: int = index) -> None:
                    book._number_formats[index] = "General" if value is None else value

                yield f"number format {index}", text, put

    def rename(self, besides: dict[str, str | None]) -> None:
        """Rename sheets and defined names that are left out, also where formulas, rules and links refer to them."""
        super().rename(besides)
        places = [(scope, name, place) for place, scope, name in _defined(self._book)]
        gone = [(scope, name) for scope, name, place in places if besides[place] is None]
        numbered = {name: number for number, (_, name) in enumerate(gone, 1)}
        names = neutral_names(numbered, [name for _, name, _ in places], "Name_")
        if names:
            self.refer(NameReferences(names))
        for scope, name in gone:
            item = scope.pop(name)
            item.name = names[name]
            scope[item.name] = item

    def refer(self, references: SheetReferences | NameReferences) -> None:
        """Write new names wherever the workbook refers to them."""
        for sheet in self._book.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    _refer(cell, "value", references)
                    _refer(getattr(cell, "hyperlink", None), "location", references)
            for rule in sheet.data_validations.dataValidation:
                for name in _LIST:
                    _refer(rule, name, references)
            for area in sheet.conditional_formatting:
                for rule in area.rules:
                    rule.formula = [references.renamed(formula) for formula in rule.formula]
            for table in sheet.tables.values():
                for column in table.tableColumns:
                    for name in ("calculatedColumnFormula", "totalsRowFormula"):
                        _refer(getattr(column, name), "attr_text", references)
        for _, scope, name in _defined(self._book):
            _refer(scope[name], "attr_text", references)

    def swept(self, masked: NameScrubber) -> bytes:
        """Return the file, without masked names in what isn't text."""
        _strip(self._book, masked)
        stream = io.BytesIO()
        self._book.save(stream)
        return _without_times(stream.getvalue())


class _ExcelSheet(Sheet):
    """A sheet.

    Args:
        sheet: the sheet in openpyxl.
    """

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        super().__init__(sheet.title, sheet.max_row, sheet.max_column)

    def rename(self, name: str) -> None:
        """Give the sheet another name."""
        self._sheet.title = name

    def rows(self) -> Iterator[tuple[int, list[tuple[int, Any]]]]:
        """Yield the number of each row, and the column and cell of each of its cells."""
        for number, row in enumerate(self._sheet.iter_rows(), 1):
            yield number, [(cell.column, cell) for cell in row]

    def title(self, cell: Any) -> Any:
        """Return the text of a cell for ``header_of``."""
        if getattr(cell, "comment", None) or getattr(cell, "hyperlink", None):
            return False
        is_formula = isinstance(cell.value, str) and cell.value.startswith("=")
        return False if is_formula else cell.value

    def strings(self, cell: Any) -> Iterator[tuple[str, Any, Setter]]:
        """Yield kind, value and setter of each string of a cell.

        A formula's literals are values; a merged cell has none.
        """
        value = getattr(cell, "value", None)
        formula = value.text if isinstance(value, ArrayFormula) else value
        if isinstance(value, DataTableFormula) or getattr(cell, "data_type", "") == "e":
            pass
        elif isinstance(formula, str) and formula.startswith("=") and cell.data_type == "f":
            yield from (("value", text, put) for text, put in literals(formula, _into_cell(cell)))
        elif value is not None:
            yield "value", value, _into(cell, "value")
        if (comment := getattr(cell, "comment", None)) is not None:
            yield "comment", comment.text, _into_comment(cell)
        if (link := getattr(cell, "hyperlink", None)) is not None:
            for name in ("target", "location", "tooltip", "display"):
                if text := getattr(link, name):
                    yield "link", text, _into(link, name)

    def empty(self, cell: Any) -> None:
        """Empty a cell."""
        if hasattr(cell, "data_type") and not isinstance(cell, openpyxl.cell.MergedCell):
            cell.value = None
            cell.comment = None
            cell._hyperlink = None


def _unwritten(data: bytes) -> tuple[str, ...]:
    """Return what a file has that isn't written."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        lacks = [
            what for part, what in _UNWRITTEN.items() if any(n.startswith(part) for n in names)
        ]
        shared = archive.read("xl/sharedStrings.xml") if "xl/sharedStrings.xml" in names else b""
    is_mixed = b"<r>" in shared or b"<r " in shared
    return (*lacks, *(["formats of parts of cells"] if is_mixed else []))


def _loaded(data: bytes) -> Any:
    if data.startswith(_PROTECTED):
        raise InputError(
            "is encrypted, or an old .xls file; open it in the program that made it and save it as .xlsx "
            "without a password."
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            limits().check_parts(len(archive.namelist()), "entries", "")
        return openpyxl.load_workbook(io.BytesIO(data), keep_links=False)
    except InputError:
        raise
    except MemoryError:
        raise
    except Exception:  # openpyxl passes on all kinds of errors from its parsers.
        raise InputError(
            "is not a workbook, or is damaged; open it in the program that made it and re-save it."
        ) from None


def _into(owner: Any, name: str) -> Setter:
    return lambda value: setattr(owner, name, value)


def _into_cell(cell: Any) -> Setter:
    def put(formula: str) -> None:
        if isinstance(cell.value, ArrayFormula):
            cell.value.text = formula
        else:
            cell.value = formula

    return put


def _into_comment(cell: Any) -> Setter:
    def put(text: str | None) -> None:
        old = cell.comment
        cell.comment = None if text is None else Comment(text, "author", old.height, old.width)

    return put


def _defined(book: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield position, scope and name of each defined name."""
    scopes = [book.defined_names, *(sheet.defined_names for sheet in book.worksheets)]
    for number, scope in enumerate(scopes):
        for entry, name in enumerate(list(scope), 1):
            yield f"defined name {entry}{f' of sheet {number}' if number else ''}", scope, name


def _of_sheet(sheet: Any, number: int) -> Iterator[tuple[str, str, Setter]]:
    for place, rule in enumerate(sheet.data_validations.dataValidation, 1):
        for name in _LIST:
            for index, (text, put) in enumerate(
                literals(getattr(rule, name) or "", _into(rule, name))
            ):
                yield f"validation {place} of sheet {number}, {name} {index}", text, put
        for name in _PROMPTS:
            if text := getattr(rule, name):
                yield f"{name} of validation {place} of sheet {number}", text, _into(rule, name)
    for place, area in enumerate(sheet.conditional_formatting, 1):
        for index, rule in enumerate(area.rules):
            where = f"rule {index} of conditional format {place} of sheet {number}"
            if rule.text:
                yield where, rule.text, _into(rule, "text")
            for entry, formula in enumerate(rule.formula):

                def replace(value: str, rule: Any = rule, entry: int = entry) -> None:
                    rule.formula[entry] = value

                for literal, (text, put) in enumerate(literals(formula, replace)):
                    yield f"{where}, formula {entry}, literal {literal}", text, put
    for name in _HEADERS:
        for side in _SIDES:
            part = getattr(getattr(sheet, name), side)
            if part.text:
                yield f"{side} of {name} of sheet {number}", part.text, _into(part, "text")
    for place, table in enumerate(sheet.tables.values(), 1):
        yield f"name of table {place} of sheet {number}", table.displayName, leave_unchanged


def _refer(owner: Any, name: str, references: SheetReferences | NameReferences) -> None:
    value = getattr(owner, name, None)
    if isinstance(value, ArrayFormula):
        _refer(value, "text", references)
    elif isinstance(value, str) and (name != "value" or owner.data_type == "f"):
        new = references.renamed(value)
        if new != value:
            setattr(owner, name, new)


def _strip(book: Any, masked: NameScrubber) -> None:
    """Remove what isn't sanitized: properties, filters with values, scenarios, charts, pictures, pivots, typefaces with masked names."""
    for index, font in enumerate(book._fonts):
        if font.name and not is_shipped(font.name) and masked.occurs_in(font.name):
            book._fonts[index] = copy(font)
            book._fonts[index].name = _TYPEFACE
    for number, style in enumerate(book._named_styles, 1):
        if masked.occurs_in(style.name) and style.name not in BUILT_IN_STYLES:
            style.name = f"Style {number}"
    theme = (book.loaded_theme or b"").decode("utf-8", "replace")
    if any(not is_shipped(name) and masked.occurs_in(name) for name in _THEME_NAME.findall(theme)):
        book.loaded_theme = None
    book.properties = DocumentProperties(creator=None)
    book.custom_doc_props = CustomPropertyList()
    book.security = None
    book._external_links = []
    book.vba_archive = None
    for sheet in list(book.chartsheets):
        book.remove(sheet)
    for scope in (book.defined_names, *(sheet.defined_names for sheet in book.worksheets)):
        for item in scope.values():
            item.comment = item.description = item.help = item.statusBar = item.customMenu = None
    for sheet in book.worksheets:
        for part in (getattr(getattr(sheet, n), side) for n in _HEADERS for side in _SIDES):
            if part.font and masked.occurs_in(part.font) and not is_shipped(part.font):
                part.font = None
        sheet._charts, sheet._images, sheet._pivots = [], [], []
        sheet.scenarios = ScenarioList()
        sheet.sheet_properties.codeName = None
        sheet.auto_filter.filterColumn = []
        sheet.auto_filter.sortState = None
        for table in sheet.tables.values():
            if table.autoFilter is not None:
                table.autoFilter.filterColumn = []
            table.sortState = None
            table.comment = None
            for column, cell in zip(table.tableColumns, sheet[table.ref][0], strict=False):
                if table.headerRowCount != 0:
                    column.name = "" if cell.value is None else str(cell.value)
                column.totalsRowLabel = column.uniqueName = None


def _without_times(data: bytes) -> bytes:
    """Return an archive whose entries and properties have no times."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {item.filename: archive.read(item) for item in archive.infolist()}
    pattern = rb"<dcterms:(created|modified).*?</dcterms:\1>"
    entries["docProps/core.xml"] = re.sub(pattern, b"", entries["docProps/core.xml"])
    return archive_of(entries)
