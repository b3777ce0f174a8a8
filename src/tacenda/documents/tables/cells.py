"""Rows, headers and formulas, as in the workbooks of all programs.

Reading and writing visit the same strings in the same order, so strings can be put back without
addresses.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...document import SemanticType
from ...text.spans import edited_text
from ..names import NameScrubber

Setter = Callable[[Any], None]
_LITERAL = re.compile(r'"((?:[^"]|"")*)"')


@dataclass(frozen=True, slots=True)
class SheetRows:
    """A sheet as read.

    Attributes:
        name: name of the sheet.
        columns: names of its columns, from its first row if that is a header, otherwise letters.
        header: number of the header, or 0 if there is none.
        rows: the number of each row, and the column, kind (value, comment or link) and value of
            each of its strings.
    """

    name: str
    columns: tuple[str, ...]
    header: int
    rows: tuple[tuple[int, tuple[tuple[int, str, Any], ...]], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Contents:
    """A workbook as read.

    Attributes:
        sheets: its sheets in order, including hidden ones.
        besides: position and string of everything outside the rows.
        notes: notes on what isn't written.
    """

    sheets: tuple[SheetRows, ...]
    besides: tuple[tuple[str, str], ...] = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewContents:
    """Content to put into a workbook.

    Attributes:
        rows: for each sheet, the new values of its rows by number; other rows are emptied.
        besides: the new strings outside the rows, by position; None leaves one out.
        dropped: for each sheet, the columns that are emptied.
        forbidden: strings masked anywhere in the workbook, with their types.
    """

    rows: Sequence[dict[int, list[Any]]] = field(repr=False)
    besides: dict[str, str | None] = field(repr=False)
    dropped: Sequence[frozenset[int]]
    forbidden: frozenset[tuple[str, SemanticType]] = field(repr=False)


def column_letter(number: int) -> str:
    """Return the letter of a column, counted from 1: A, B … Z, AA."""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def header_of(
    rows: Iterable[tuple[int, Sequence[Any]]], last: int, width: int
) -> tuple[int, tuple[str, ...]]:
    """Return the number of a sheet's header (0 if there is none) and the names of its columns.

    Args:
        rows: the number and cells of each row: strings, None for empty cells, and anything else for
            cells that no header has.
        last: number of the last row.
        width: number of columns.
    """
    letters = tuple(map(column_letter, range(1, width + 1)))
    for number, cells in rows:
        named = [cell for cell in cells if cell is not None]
        if not named:
            continue
        is_header = (
            number < last
            and all(isinstance(cell, str) for cell in named)
            and len({cell.strip() for cell in named}) == len(named)
        )
        if not is_header:
            return 0, letters
        titles = [
            cell.strip() if cell else letter for cell, letter in zip(cells, letters, strict=False)
        ]
        return number, (*titles, *letters[len(titles) :])
    return 0, letters


class Sheet(ABC):
    """A sheet whose cells can be changed.

    Args:
        name: its name.
        last: number of the last row.
        width: number of columns.

    Attributes:
        name: its name.
        header: number of the header, or 0 if there is none.
    """

    def __init__(self, name: str, last: int, width: int) -> None:
        self.name = name
        self.header, self._columns = header_of(self._titles(width), last, width)

    @abstractmethod
    def rename(self, name: str) -> None:
        """Give the sheet another name."""

    @abstractmethod
    def rows(self) -> Iterator[tuple[int, list[tuple[int, Any]]]]:
        """Yield the number of each row, and the column and cell of each of its cells."""

    @abstractmethod
    def title(self, cell: Any) -> Any:
        """Return the text of a cell, None if it is empty, or False if no header has such a cell."""

    @abstractmethod
    def strings(self, cell: Any) -> Iterator[tuple[str, Any, Setter]]:
        """Yield kind (``value``, ``comment``, ``link``), value and setter of each string of a cell."""

    @abstractmethod
    def empty(self, cell: Any) -> None:
        """Empty a cell."""

    def _titles(self, width: int) -> Iterator[tuple[int, list[Any]]]:
        for number, row in self.rows():
            titles: list[Any] = [None] * width
            for column, cell in row:
                titles[column - 1] = self.title(cell)
            yield number, titles

    def read(self) -> SheetRows:
        """Return the strings of the sheet."""
        rows = []
        for number, row in self.rows():
            strings = tuple(
                (column, kind, value)
                for column, cell in row
                for kind, value, _ in self.strings(cell)
            )
            if strings and number != self.header:
                rows.append((number, strings))
        return SheetRows(self.name, self._columns, self.header, tuple(rows))

    def write(self, rows: dict[int, list[Any]], dropped: frozenset[int]) -> None:
        """Put new values into the cells, in the order of their strings.

        Args:
            rows: the values of each row by number; rows that aren't listed are emptied.
            dropped: columns whose cells are emptied.
        """
        for number, row in self.rows():
            strings = [list(self.strings(cell)) for _, cell in row]
            is_header = number == self.header
            is_lost = number not in rows and any(strings) and not is_header
            for (column, cell), setters in zip(row, strings, strict=True):
                if column in dropped or is_lost:
                    self.empty(cell)
                    continue
                for _, _, put in () if is_header else setters:
                    put(rows[number].pop(0))

    def names(self, number: int) -> Iterator[tuple[str, str, Setter]]:
        """Yield position, string and setter of the name of the sheet and of its columns.

        Args:
            number: number of the sheet, from 1.
        """
        yield f"name of sheet {number}", self.name, leave_unchanged
        header = next((row for n, row in self.rows() if n == self.header), [])
        for column, cell in header:
            for _, value, put in self.strings(cell):
                yield f"header of column {column} in sheet {number}", value, put


class Book(ABC):
    """A workbook whose strings can be changed.

    Attributes:
        sheets: its sheets in order, including hidden ones.
        left_out: what is in it that isn't written.
        after_name: what follows the name of a sheet in formulas.
    """

    sheets: Sequence[Sheet]
    left_out: Sequence[str]
    after_name: str

    @abstractmethod
    def besides(self) -> Iterator[tuple[str, str, Setter]]:
        """Yield position, string and setter of each string outside the rows; setting None leaves it out."""

    @abstractmethod
    def refer(self, references: SheetReferences) -> None:
        """Write the new names of sheets wherever the workbook refers to them."""

    @abstractmethod
    def swept(self, masked: NameScrubber) -> bytes:
        """Return the file, without masked names in what isn't text."""

    def contents(self) -> Contents:
        """Return the strings of the workbook."""
        notes = (f"{', '.join(self.left_out)} are not written.",) if self.left_out else ()
        sheets = tuple(sheet.read() for sheet in self.sheets)
        return Contents(sheets, tuple((place, text) for place, text, _ in self.besides()), notes)

    def assembled(self, news: NewContents) -> bytes:
        """Return the workbook with other strings."""
        for place, _, put in self.besides():
            put(news.besides[place])
        for sheet, rows, dropped in zip(self.sheets, news.rows, news.dropped, strict=True):
            sheet.write(rows, dropped)
        self.rename(news.besides)
        return self.swept(NameScrubber(news.forbidden))

    def rename(self, besides: dict[str, str | None]) -> None:
        """Rename what has a name that is left out, also where the workbook refers to it."""
        numbers = {
            sheet.name: number
            for number, sheet in enumerate(self.sheets, 1)
            if besides[f"name of sheet {number}"] is None
        }
        names = neutral_names(numbers, [sheet.name for sheet in self.sheets])
        if names:
            self.refer(SheetReferences(names, self.after_name))
        for sheet in self.sheets:
            if sheet.name in names:
                sheet.rename(names[sheet.name])


def leave_unchanged(value: Any) -> None:
    """Leave a name that others refer to: sheets and defined names are renamed at the end."""


def literals(formula: str, put: Setter) -> Iterator[tuple[str, Setter]]:
    """Yield each literal in a formula with its setter; either all setters are called, in order, or none."""
    matches = list(_LITERAL.finditer(formula))
    news: list[str] = []

    def take(value: Any) -> None:
        news.append("" if value is None else str(value))
        if len(news) == len(matches):
            quoted = ('"' + new.replace('"', '""') + '"' for new in news)
            spans = (literal.span() for literal in matches)
            put(
                edited_text(
                    formula, ((*span, new) for span, new in zip(spans, quoted, strict=True))
                )
            )

    for literal in matches:
        yield literal[1].replace('""', '"'), take


class SheetReferences:
    """References to sheets by name, to be renamed.

    Args:
        names: the new names by old name; new names need no quotes.
        end: what follows a sheet's name: ``!`` in Office Open XML, ``.`` in OpenDocument.
    """

    def __init__(self, names: dict[str, str], end: str) -> None:
        self._names = {old.casefold(): new for old, new in names.items()}
        # Quoted strings are matched first, so that names in literals stay.
        self._pattern = re.compile(
            r'"(?:[^"]|"")*"'
            rf"|'(?P<quoted>(?:[^']|'')+)'(?={re.escape(end)})"
            rf"|(?P<plain>(?<![\w.'])[^\W\d][\w.]*?(?::[^\W\d][\w.]*?)?)(?={re.escape(end)})"
        )

    def renamed(self, formula: str) -> str:
        """Return a formula or address with the new names."""
        return self._pattern.sub(self._name, formula)

    def _name(self, match: re.Match[str]) -> str:
        name = match["plain"] or (match["quoted"] or "").replace("''", "'")
        parts = name.split(":")
        if not any(part.casefold() in self._names for part in parts):
            return match[0]
        news = [self._names.get(part.casefold(), part) for part in parts]
        if all(re.fullmatch(r"[^\W\d]\w*", part) for part in news):
            return ":".join(news)
        return "'" + ":".join(news).replace("'", "''") + "'"


class NameReferences:
    """References to defined names, to be renamed.

    Args:
        names: the new names by old name.
    """

    def __init__(self, names: dict[str, str]) -> None:
        self._names = {old.casefold(): new for old, new in names.items()}
        # A name in quotes is a sheet's or a literal; a name before a bracket is a function's or a
        # table's.
        self._pattern = re.compile(
            r""""(?:[^"]|"")*"|'(?:[^']|'')+'|(?P<name>(?<![\w.\\?])[^\W\d\\?][\w.\\?]*)(?![\w.\\?!(\[])"""
        )

    def renamed(self, formula: str) -> str:
        """Return a formula with the new names."""
        return self._pattern.sub(
            lambda match: self._names.get((match["name"] or "").casefold(), match[0]), formula
        )


def neutral_names(
    number_of: dict[str, int], taken: Iterable[str], kind: str = "Sheet"
) -> dict[str, str]:
    """Return new names, such as ``Sheet2`` for the second sheet, with an ``x`` appended if it is taken.

    Args:
        number_of: the number of each name to replace.
        taken: all names in use.
        kind: the start of the new names.
    """
    used = {name.casefold() for name in taken}
    names: dict[str, str] = {}
    for old, number in number_of.items():
        new = f"{kind}{number}"
        while new.casefold() in used:
            new += "x"
        used.add(new.casefold())
        names[old] = new
    return names
