"""Strings in the bytes of a SQLite database: pages, cells and what is between them, read without SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ...errors import InputError
from . import Passage
from .strings import as_text, read_only

# https://www.sqlite.org/fileformat2.html
_HEADER = 100
_LEAF_TABLE, _INNER_TABLE, _LEAF_INDEX, _INNER_INDEX = 13, 5, 10, 2
_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
_ENCODINGS = {1: "utf-8", 2: "utf-16-le", 3: "utf-16-be"}


def sqlite_strings(file: BinaryIO) -> Iterator[tuple[str, str | bytes, bool]]:
    """Yield position, value and whether it is a cell for each string in a database; free space must not contain any.

    Definitions of tables and indexes aren't cells. What an index computes from cells with an
    expression isn't yielded.

    Raises:
        InputError: if its pages can't be read, or one contains bytes that belong to no cell.
    """
    pages = _Pages(file)
    roots: list[tuple[int, bool]] = []
    for record in pages.records(1):
        kind, _, _, root, sql = record
        is_computed = kind == "index" and isinstance(sql, str) and sql.count("(") > 1
        roots += [(root, is_computed)] if isinstance(root, int) and root else []
        if isinstance(sql, str):
            yield f"definition of a {kind!s}", sql, False
    for root, is_computed in roots:
        for record in pages.records(root):
            if is_computed:
                continue
            yield from (("cell", value, True) for value in record if isinstance(value, str | bytes))
    pages.check_rest()


def unused_ranges(file: BinaryIO) -> list[tuple[int, int]]:
    """Return the ranges of a database, ``[start, end)``, whose bytes aren't zero but belong to nothing.

    They contain what was moved when a page was split.

    Raises:
        InputError: if its pages can't be read.
    """
    pages = _Pages(file)
    for root in [record[3] for record in pages.records(1)]:
        for _ in pages.records(root) if isinstance(root, int) and root else ():
            pass
    return pages.unused


class _Pages:
    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        header = file.read(_HEADER)
        size = int.from_bytes(header[16:18], "big")
        self._size = 65_536 if size == 1 else size
        self._usable = self._size - header[20]
        self._encoding = _ENCODINGS.get(int.from_bytes(header[56:60], "big"), "utf-8")
        self._has_map = bool(int.from_bytes(header[52:56], "big"))
        self._file = file
        self._count = file.seek(0, 2) // self._size
        self._seen: set[int] = set()
        self.unused: list[tuple[int, int]] = []
        if int.from_bytes(header[36:40], "big"):
            raise InputError("the sanitized database has free pages.")

    def _page(self, number: int) -> bytes:
        if not 1 <= number <= self._count or number in self._seen:
            raise InputError("the sanitized database has a page twice, or lacks one.")
        self._seen.add(number)
        self._file.seek((number - 1) * self._size)
        return self._file.read(self._size)

    def records(self, root: int) -> Iterator[list[str | bytes | int | None]]:
        """Yield the records in a tree."""
        numbers = [root]
        while numbers:
            number = numbers.pop()
            page = self._page(number)
            begin = _HEADER if number == 1 else 0
            kind = page[begin]
            if kind not in (_LEAF_TABLE, _INNER_TABLE, _LEAF_INDEX, _INNER_INDEX):
                raise InputError("the sanitized database has a page of an unknown kind.")
            is_inner = kind in (_INNER_TABLE, _INNER_INDEX)
            count = int.from_bytes(page[begin + 3 : begin + 5], "big")
            content = int.from_bytes(page[begin + 5 : begin + 7], "big") or 65_536
            array = begin + (12 if is_inner else 8)
            block = int.from_bytes(page[begin + 1 : begin + 3], "big")
            while block:
                size = int.from_bytes(page[block + 2 : block + 4], "big")
                self._leave(page, number, block + 4, block + size)
                following = int.from_bytes(page[block : block + 2], "big")
                if following and following <= block:
                    raise InputError("the sanitized database has a circle of free blocks.")
                block = following
            self._leave(page, number, array + 2 * count, content)
            if is_inner:
                numbers.append(int.from_bytes(page[begin + 8 : begin + 12], "big"))
            for index in range(count):
                place = array + 2 * index
                position = int.from_bytes(page[place : place + 2], "big")
                if is_inner:
                    numbers.append(int.from_bytes(page[position : position + 4], "big"))
                    position += 4
                if kind != _INNER_TABLE:
                    yield self._record(self._payload(page, position, is_table=kind == _LEAF_TABLE))

    def _leave(self, page: bytes, number: int, start: int, end: int) -> None:
        """Record where a page has bytes that belong to nothing."""
        if page[start:end].strip(b"\0"):
            offset = (number - 1) * self._size
            self.unused.append((offset + start, offset + end))

    def _payload(self, page: bytes, position: int, *, is_table: bool) -> bytes:
        size, position = _varint(page, position)
        if is_table:
            _, position = _varint(page, position)
        minimum = (self._usable - 12) * 32 // 255 - 23
        maximum = self._usable - 35 if is_table else (self._usable - 12) * 64 // 255 - 23
        local = size
        if size > maximum:
            local = minimum + (size - minimum) % (self._usable - 4)
            local = minimum if local > maximum else local
        parts = [page[position : position + local]]
        rest = size - local
        number = int.from_bytes(page[position + local : position + local + 4], "big") if rest else 0
        while rest > 0:
            overflow = self._page(number)
            part = overflow[4 : min(self._usable, 4 + rest)]
            self._leave(overflow, number, 4 + len(part), self._usable)
            parts.append(part)
            rest -= len(part)
            number = int.from_bytes(overflow[:4], "big")
        return b"".join(parts)

    def _record(self, payload: bytes) -> list[str | bytes | int | None]:
        end, position = _varint(payload, 0)
        start = end
        values: list[str | bytes | int | None] = []
        while position < end:
            kind, position = _varint(payload, position)
            size = _SIZES[kind] if kind < len(_SIZES) else (kind - 12) // 2
            part = payload[start : start + size]
            start += size
            if kind >= 12:
                values.append(part.decode(self._encoding, "replace") if kind % 2 else part)
            elif 1 <= kind <= 6:
                values.append(int.from_bytes(part, "big", signed=True))
            else:
                values.append(None)
        return values

    def check_rest(self) -> None:
        """Raise an InputError if bytes belong to nothing; pages of pointers to pages contain nothing else."""
        if self.unused:
            raise InputError("the sanitized database has bytes between its cells.")
        rest = self._count - len(self._seen)
        maps = -(-self._count // (self._usable // 5 + 1)) if self._has_map else 0
        if rest > maps + (self._count * self._size > 1 << 30):
            raise InputError("the sanitized database has pages that belong to nothing.")


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        byte = data[position]
        position += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, position
    return value << 8 | data[position], position + 1


def file_strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a whole database."""
    for place, value, _ in sqlite_strings(read_only(data)):
        yield Passage(as_text(value), place)
