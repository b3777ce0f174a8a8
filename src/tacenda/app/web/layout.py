"""A document's layout: what its lines are in its file, and where they are on its pages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...documents.blocks import Block
from ...documents.containers import drawn_pages
from ...documents.record import Origin, SourceDocument
from ...errors import InputError
from ..export import records_of
from ..intake import TABLES
from ..readings import FieldBlocks
from ..service import Service
from ..store.documents import StoredDocument, StoredFile
from .tables import kept_table

if TYPE_CHECKING:
    from ...documents.pdf.drawing import DrawnFile, DrawnPage, Rectangle

_BODY = Block(0)
_SEVERAL = 2
"""Number of text columns from which each is named."""


def blocks_of(service: Service, row: StoredDocument) -> tuple[Block, ...]:
    """Return the lines of a document that has a layout, or none for one without, which is shown line by line."""
    if row.format != "docx" and row.format not in TABLES:
        return ()
    return service.readings.blocks.get_or_compute(row.handle, lambda: _read(service, row))


def _read(service: Service, row: StoredDocument) -> tuple[Block, ...]:
    if row.file is None:
        return ()
    file = service.store.files.get(row.file)
    if row.format in TABLES and len(file.columns) < _SEVERAL:
        return ()
    try:
        digest, blocks = _record(service, row, file)
    except (InputError, IndexError):
        return ()
    # Offsets are only valid for the text that was reviewed, not for another reading of the file.
    return blocks if digest == hash(service.store.documents.text(row.id).text) else ()


def _record(service: Service, row: StoredDocument, file: StoredFile) -> FieldBlocks:
    number = service.store.lists.place_in_file(row)
    if row.format == "csv":
        index = kept_table(service, row.project, file.id)
        return _fields(index.table.record(index.rows[number]))
    key = (service.project(row.project).handle, file.id)
    return service.readings.fields.get_or_compute(
        key, lambda: tuple(map(_fields, records_of(file)))
    )[number]


def _fields(record: SourceDocument) -> FieldBlocks:
    return hash(record.document.text), record.blocks


def block_at(blocks: Sequence[Block], offset: int) -> Block:
    """Return the block at an offset of the text."""
    place = bisect_right(blocks, offset, key=lambda block: block.start)
    return blocks[place - 1] if place else _BODY


def has_pages(row: StoredDocument) -> bool:
    """Return whether a document can be shown page by page, as pictures."""
    return row.format == "pdf" and row.file is not None


def pages_of(service: Service, row: StoredDocument) -> DrawnFile:
    """Return the pages of a PDF.

    Raises:
        InputError: if it isn't a PDF, its file wasn't kept, or the file is now read differently.
    """
    return service.readings.drawn.get_or_compute(row.handle, lambda: _drawn(service, row))


def _drawn(service: Service, row: StoredDocument) -> DrawnFile:
    if not has_pages(row) or row.file is None:
        raise InputError("the document has no pages to show; only a PDF has.")
    file = service.store.files.get(row.file)
    pages = drawn_pages(file.content, Origin(file.name, file.name, file.format, file.encoding))
    if pages.text != service.store.documents.text(row.id).text:
        raise InputError("the pages are not those that were analyzed; add the file again.")
    return pages


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A selectable line on a page: its offset in the document, its text and its position."""

    start: int
    text: str = field(repr=False)
    box: str


@dataclass(frozen=True, slots=True)
class PlacedSpan:
    """A marked span on a page.

    Attributes:
        kind: ``m`` for a mention, ``r`` for an edit, ``leak``.
        span: ``start-end``.
        text: the original text.
        boxes: its position in percent of the page: left, top, width, height; none if it isn't
            drawn.
    """

    kind: str
    span: str
    text: str = field(repr=False)
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page for the browser.

    Attributes:
        number: number from 1.
        width, height: size in points.
        lines: the drawn lines of its text.
        beside: the lines of its text that aren't drawn, without boxes.
        spans: marked spans.
    """

    number: int
    width: float
    height: float
    lines: tuple[PlacedLine, ...]
    beside: tuple[PlacedLine, ...]
    spans: tuple[PlacedSpan, ...]


def placed_pages(drawn: DrawnFile, marked: Sequence[tuple[str, int, int]]) -> Iterator[PlacedPage]:
    """Yield the pages with marked spans.

    Args:
        drawn: the pages.
        marked: kind, start and end of each span.
    """
    for number, page in enumerate(drawn.pages, 1):
        lines, beside = _lines(page)
        spans = tuple(
            PlacedSpan(
                kind,
                f"{start}-{end}",
                page.text[max(0, start - page.start) : end - page.start],
                tuple(map(_percent, page.rectangles(start, end))),
            )
            for kind, start, end in marked
            if start < page.end and end > page.start
        )
        yield PlacedPage(number, page.width, page.height, lines, beside, spans)


def _lines(page: DrawnPage) -> tuple[tuple[PlacedLine, ...], tuple[PlacedLine, ...]]:
    """Return the drawn lines of a page, and the others."""
    drawn: list[PlacedLine] = []
    beside: list[PlacedLine] = []
    start = page.start
    for text in page.text.split("\n"):
        lines = page.lines(start, start + len(text))
        drawn += (
            PlacedLine(
                line.start, text[line.start - start : line.end - start], _percent(line.rectangle)
            )
            for line in lines
        )
        if text.strip() and not lines:
            beside.append(PlacedLine(start, text, ""))
        start += len(text) + 1
    return tuple(drawn), tuple(beside)


def _percent(rectangle: Rectangle) -> str:
    return " ".join(f"{100 * value:.2f}" for value in rectangle)
