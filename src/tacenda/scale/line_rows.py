"""Rows of CSV and JSON lines files in UTF-8: each part is read and written like a file of its own."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from ..documents import csv, jsonl
from ..documents.field_places import places_of
from ..documents.fields import Fields
from ..documents.record import Failure, Origin, SourceDocument
from ..documents.writing import writer
from ..errors import InputError, TacendaError, unforeseen
from ..frames import BATCH, CHARACTERS, sanitized_cells
from .places import DataFile
from .spec import RowSanitizer, Spec, check_unique, texts_of

if TYPE_CHECKING:
    from .parts import DatasetPart, PartResult

_BLOCK: Final = 1 << 20
_BOM: Final = b"\xef\xbb\xbf"
_BYTES: Final = 6
"""Maximum size of a character: an escape of JSON."""


def layout(
    file: DataFile, spec: Spec, part_bytes: int
) -> tuple[dict[str, str], list[tuple[int, int, int, int]]]:
    """Return the columns of a CSV file, and for each part 0, its first byte, last byte and first line.

    A file without rows is one part.

    Raises:
        InputError: if it can't be read, or its columns aren't those of the spec.
    """
    if spec.details:
        raise InputError("details are columns of tables of Arrow; leave them out.", file.name)
    if file.kind == "jsonl" and (places := places_of(spec.treatments())):
        raise InputError(
            f"{places[0]!r} is a position, which is unknown in a part of a file; use the field's name.",
            file.name,
        )
    columns: dict[str, str] = {}
    with file.opened() as source:
        stream = io.BufferedReader(source, _BLOCK)
        header = b""
        if file.kind != "jsonl":
            header = _header(stream, spec)
            if _is_blank(header):
                raise InputError("is empty: it has no column names; remove it.", file.name)
            names = _names(header, file, spec)
            columns = dict.fromkeys(names, "text")
        ranges = list(_ranges(stream, len(header), part_bytes, quoted=file.kind != "jsonl"))
        return columns, ranges or [(0, len(header), len(header), header.count(b"\n") + 1)]


def _header(stream: io.BufferedReader, spec: Spec) -> bytes:
    """Return the first row that isn't blank, and what precedes it."""
    stream.seek(0)
    lead: list[bytes] = []
    for _, row, _ in _records(stream, None, spec, quoted=True):
        lead.append(row or b"")
        if not _is_blank(lead[-1]) or row is None:
            break
    return b"".join(lead)


def _is_blank(content: bytes) -> bool:
    return not content.removeprefix(_BOM).strip(b"\r\n")


def _names(header: bytes, file: DataFile, spec: Spec) -> list[str]:
    """Return the column names of a table.

    Raises:
        InputError: if a name is used twice, or a column has no treatment.
    """
    fields = Fields(spec.treatments())
    items = list(csv.read(io.BytesIO(header), _origin(file), texts_of(fields.policy), fields))
    (head,) = (item.head for item in items if isinstance(item, SourceDocument) and item.head)
    if head.beside.refusal:
        raise InputError(head.beside.refusal, file.name)
    source = header.removeprefix(_BOM).decode().lstrip(csv.BLANK)
    names = [
        cell.value
        for cell in csv.split_row(
            source, csv.delimiter_of(source, texts_of(fields.policy), fields, file.name)
        )
    ]
    check_unique(names, file.name)
    return names


def _origin(file: DataFile) -> Origin:
    return Origin(file.name, file.name, "jsonl" if file.kind == "jsonl" else "csv", "utf-8")


def _ranges(
    stream: io.BufferedReader, begin: int, part_bytes: int, *, quoted: bool
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the parts of a file as byte ranges that end at the end of a row.

    A line break inside quotes doesn't end a row: the number of quotation marks before it is odd.
    """
    stream.seek(0)
    line = first = stream.read(begin).count(b"\n") + 1
    position, is_open = begin, False
    while block := stream.read(_BLOCK):
        place = 0
        while (start := max(place, begin + part_bytes - position)) <= len(block):
            end = block.find(b"\n", start) + 1
            if not end:
                break
            is_open ^= quoted and block.count(b'"', place, end) % 2 == 1
            line += block.count(b"\n", place, end)
            place = end
            if not is_open:
                yield 0, begin, position + end, first
                begin, first = position + end, line
        is_open ^= quoted and block.count(b'"', place) % 2 == 1
        line += block.count(b"\n", place)
        position += len(block)
    if position > begin:
        yield 0, begin, position, first


def _records(
    stream: io.BufferedReader, size: int | None, spec: Spec, *, quoted: bool
) -> Iterator[tuple[int, bytes | None, int]]:
    """Yield for each row the number of its first line, from 0, its bytes, and how many there are.

    The bytes are left out if there are more than a row may have.
    """
    longest = _BYTES * spec.longest_cell
    pieces: list[bytes] = []
    length = kept = number = line = position = 0
    is_open = False
    while size is None or position < size:
        piece = stream.readline(_BLOCK)
        if not piece:
            break
        position += len(piece)
        length += len(piece)
        if kept <= longest:
            pieces.append(piece)
            kept += len(piece)
        is_open ^= quoted and piece.count(b'"') % 2 == 1
        if piece.endswith(b"\n"):
            line += 1
            if not is_open:
                yield number, b"".join(pieces) if kept <= longest else None, length
                pieces, length, kept, number = [], 0, 0, line
    if length:
        yield number, b"".join(pieces) if kept <= longest else None, length


def sanitized(part: DatasetPart, sanitizer: RowSanitizer) -> PartResult:
    """Return the sanitized rows of a part.

    Raises:
        InputError: if they can't be read.
    """
    from .parts import Fault, PartResult

    file, faults = part.file, list[Fault]()
    output = io.BytesIO()
    sink = writer("same", output, input_format=_origin(file).format)
    count = 0
    with file.opened() as source:
        items = _items(io.BufferedReader(source, _BLOCK), part, sanitizer)
        for batch in _batches(items):
            documents = [item.document for _, item in batch if isinstance(item, SourceDocument)]
            cells = sanitized_cells(sanitizer.sanitizer, documents)
            for number, item in batch:
                try:
                    if isinstance(item, Failure):
                        raise item.error
                    cell = next(cells)
                    if cell.result is None:
                        raise InputError(cell.error or "")
                    sink.write(item, cell.result)
                    count += item.place != ":end"
                except TacendaError as error:
                    faults.append(Fault(file.name, number, 1, _reason(error, item)))
                except Exception as error:
                    faults.append(Fault(file.name, number, 1, str(unforeseen(error))))
    sink.close()
    content = output.getvalue()
    write = (lambda stream: stream.write(content)) if count or not faults else None
    return PartResult(count, tuple(faults), write)


def _batches(
    items: Iterable[tuple[int, SourceDocument | Failure]],
) -> Iterator[list[tuple[int, SourceDocument | Failure]]]:
    """Yield batches of rows that are sanitized together."""
    batch: list[tuple[int, SourceDocument | Failure]] = []
    size = 0
    for number, item in items:
        batch.append((number, item))
        size += len(item.source) if isinstance(item, SourceDocument) else 0
        if len(batch) >= BATCH or size >= CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _reason(error: TacendaError, item: SourceDocument | Failure) -> str:
    """Return an error without the name of its document, since the row's number in the file is different."""
    name = item.document.id if isinstance(item, SourceDocument) else item.error.document
    return str(error).removeprefix(f"{name}: ")


def _items(
    stream: io.BufferedReader, part: DatasetPart, sanitizer: RowSanitizer
) -> Iterator[tuple[int, SourceDocument | Failure]]:
    """Yield the line number and the document for each row of a part, or why it can't be read."""
    header = b"" if part.file.kind == "jsonl" else _header(stream, sanitizer.spec)
    stream.seek(part.begin)
    rows: list[bytes] = []
    first = part.first
    for number, row, size in _records(
        stream, part.end - part.begin, sanitizer.spec, quoted=bool(header)
    ):
        if row is not None:
            rows.append(row)
            continue
        yield from _documents(rows, header, first, part.file, sanitizer)
        noun, maximum = "row" if header else "line", _BYTES * sanitizer.spec.longest_cell
        fault = f"the {noun} has {size:,} bytes, at most {maximum:,} are read; split it."
        yield part.first + number, Failure(InputError(fault))
        rows, first = [], part.first + number + 1
    yield from _documents(rows, header, first, part.file, sanitizer)


def _documents(
    rows: Iterable[bytes], header: bytes, first: int, file: DataFile, sanitizer: RowSanitizer
) -> Iterator[tuple[int, SourceDocument | Failure]]:
    content = b"".join(rows)
    fields, origin = sanitizer.fields, _origin(file)
    stream = io.BytesIO(header + content)
    if header:
        items = csv.read(stream, origin, texts_of(fields.policy), fields)
    else:
        items = jsonl.read(stream, origin, "", fields, is_whole=False)
    skipped = first - 1 - header.count(b"\n")
    number = 0
    while True:
        try:
            item = next(items, None)
        except InputError as error:
            # A quote is never closed: the rows before it are complete.
            yield first + number, Failure(_within(error, skipped))
            return
        if item is None:
            return
        id = item.document.id if isinstance(item, SourceDocument) else item.error.document
        place = id.rpartition(":")[2]
        if place.isdecimal():
            number = skipped + int(place) - first + 1
        yield first + max(number - 1, 0), item


_LINE = re.compile(r"\bline (\d+): ")


def _within(error: InputError, skipped: int) -> InputError:
    """Return an error whose line numbers refer to the whole file."""
    reason = str(error).removeprefix(f"{error.document}: ")
    return InputError(_LINE.sub(lambda line: f"line {skipped + int(line[1])}: ", reason))
