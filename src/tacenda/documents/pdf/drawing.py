"""The pages of a PDF as people see them, and where each character of the text is on them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from ...errors import InputError
from ...isolation.workers import isolated
from ..record import PAGE_BREAK
from .checking import corner
from .glyphs import Page
from .redaction import outline

_WIDTH = 1400
"""Dots of a picture: a page on a screen of twice as many dots as usual."""
_MOST_DOTS = 6_000_000
_PICTURE_SIZE = 2_000_000
"""Bytes that a page counts as when it is drawn, for the time limit."""
_BESIDE = 2.5
"""Maximum distance of two characters of one rectangle, in line heights."""
_SAME_LINE = 0.5


class Rectangle(NamedTuple):
    """Part of a page: its upper left corner, width and height, as shares of the page's."""

    left: float
    top: float
    width: float
    height: float


class DrawnLine(NamedTuple):
    """A line on a page, or the requested part of it: offsets in the document's text, and its position."""

    start: int
    end: int
    rectangle: Rectangle


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPage:
    """Where a page's text is on the page.

    Attributes:
        start: offset of the page's text in the document's.
        text: the text.
        width, height: in points.
        characters: ascending offsets in ``text``; a character drawn in several places occurs
            several times.
        edges: ``(len(characters), 4)``: left, top, right and bottom of each, as shares of the page.
    """

    start: int
    text: str = field(repr=False)
    width: float
    height: float
    characters: NDArray[np.int32] = field(repr=False)
    edges: NDArray[np.float32] = field(repr=False)

    @property
    def end(self) -> int:
        """Offset of the end of the page's text in the document's."""
        return self.start + len(self.text)

    def rectangles(self, start: int, end: int) -> list[Rectangle]:
        """Return where part of the document's text is, one rectangle per line; empty if it isn't drawn.

        Args:
            start: offset in the document's text.
            end: offset of its end.
        """
        return [line.rectangle for line in self.lines(start, end)]

    def lines(self, start: int, end: int) -> list[DrawnLine]:
        """Return the lines of part of the document's text as drawn.

        Args:
            start: offset in the document's text.
            end: offset of its end.
        """
        first, last = np.searchsorted(self.characters, (start - self.start, end - self.start))
        characters, edges = self.characters[first:last].tolist(), self.edges[first:last].tolist()
        rectangles: list[tuple[int, int, list[float]]] = []
        for character, here in zip(characters, edges, strict=True):
            offset = self.start + character
            if rectangles and self._continues(rectangles[-1][2], here):
                begin, _, line = rectangles[-1]
                rectangles[-1] = (begin, offset + 1, _around(line, here))
            else:
                rectangles.append((offset, offset + 1, here))
        return [
            DrawnLine(begin, stop, Rectangle(left, top, right - left, bottom - top))
            for begin, stop, (left, top, right, bottom) in rectangles
        ]

    def _continues(self, line: Sequence[float], edges: Sequence[float]) -> bool:
        """Return whether a character is on the same line as the ones before it, whatever the direction."""
        across = _overlap(line[0], line[2], edges[0], edges[2], self.width)
        down = _overlap(line[1], line[3], edges[1], edges[3], self.height)
        height = (edges[3] - edges[1]) * self.height
        width = (edges[2] - edges[0]) * self.width
        size = max(height, width)
        beside = down >= _SAME_LINE * height and across > -_BESIDE * size
        below = across >= _SAME_LINE * width and down > -_BESIDE * size and width > height
        return beside or below


def _around(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the edges of the bounding rectangle of two rectangles."""
    return [*map(min, one[:2], other[:2]), *map(max, one[2:], other[2:])]


def _overlap(low: float, high: float, other_low: float, other_high: float, length: float) -> float:
    """Return the length of two ranges' overlap; if negative, how far they are apart."""
    return (min(high, other_high) - max(low, other_low)) * length


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFile:
    """The pages of a PDF as shown.

    Attributes:
        pages: one per page.
        data: a file from ``cleaning``, which shows what would be released if nothing were masked.
    """

    pages: tuple[DrawnPage, ...]
    data: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The text of the document."""
        return PAGE_BREAK.join(page.text for page in self.pages)

    def picture(self, number: int) -> bytes:
        """Return a page as PNG.

        Args:
            number: page number, from 1.

        Raises:
            InputError: if the page doesn't exist or can't be drawn.
        """
        if not 1 <= number <= len(self.pages):
            raise InputError(f"there is no page {number}; the document has {len(self.pages)}.")
        size = len(self.data) + _PICTURE_SIZE
        return isolated(_picture, (self.data, number), subject=f"page {number}", size=size)


def _picture(data: bytes, number: int) -> bytes:
    with closing(pypdfium2.PdfDocument(data)) as document:
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(_WIDTH / max(1.0, width), (_MOST_DOTS / max(1.0, width * height)) ** 0.5)
        image = page.render(scale=scale).to_pil().convert("RGB")
        dots = np.asarray(image)
        grey = bool((dots.max(axis=2) == dots.min(axis=2)).all())
        output = io.BytesIO()
        (image.convert("L") if grey else image).save(output, "PNG")
        return output.getvalue()


Text = tuple[str, Sequence[tuple[int, ...]], Page, Mapping[int, Sequence[tuple[float, float]]]]
"""Text of a page, the glyphs (or, below zero, words) of each character, the page, and the corners of the words."""


def drawn_file(data: bytes, pages: Sequence[Text]) -> DrawnFile:
    """Return the pages of a file from ``cleaning`` with the positions of their characters."""
    found = []
    start = 0
    with closing(pypdfium2.PdfDocument(data)) as document:
        for drawing, (text, origins, page, words) in zip(document, pages, strict=True):
            width, height = drawing.get_size()
            left, top = corner(drawing, page.matrix)
            places = list(_places(origins, page, words))
            edges = np.array([edge for _, edge in places], dtype=np.float64).reshape(-1, 4)
            edges = (edges - (left, 0, left, 0)) * (1, -1, 1, -1) + (0, top, 0, top)
            edges = (edges / (width, height, width, height)).clip(0, 1).astype(np.float32)
            characters = np.array([index for index, _ in places], dtype=np.int32)
            # Content drawn outside the page isn't visible.
            seen = (edges[:, 0] < edges[:, 2]) & (edges[:, 1] < edges[:, 3])
            found.append(DrawnPage(start, text, width, height, characters[seen], edges[seen]))
            start += len(text) + len(PAGE_BREAK)
    return DrawnFile(tuple(found), data)


def _places(
    origins: Sequence[tuple[int, ...]],
    page: Page,
    words: Mapping[int, Sequence[tuple[float, float]]],
) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
    """Yield left, top, right and bottom of what draws each character, in points, upwards."""
    boxes: dict[int, tuple[float, float, float, float]] = {}
    for character, indices in enumerate(origins):
        for index in indices:
            if index not in boxes:
                corners = outline([page.glyphs[index]]).corners() if index >= 0 else words[index]
                across, up = zip(*corners, strict=True)
                boxes[index] = (min(across), max(up), max(across), min(up))
            yield character, boxes[index]
