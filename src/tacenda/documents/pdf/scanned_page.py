"""A page as drawn, with what was read in its picture and the positioned letters of its own text layer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pikepdf
from pdfminer.utils import Rect, apply_matrix_rect
from PIL import Image

from ..completeness import is_whole
from ..hyphenation import Origins
from ..ocr.covering import Patch, patches
from ..ocr.scans import Scan
from ..ocr.tesseract import Rectangle, Word
from .checking import corner
from .glyphs import Page, Picture
from .painting import may_show_text
from .redaction import UNIT, Box, Redaction, centre, in_picture, with_boxes

_DOTS = 300 / 72
"""Dots a point."""
_MOST_DOTS = 25_000_000
_SURE = 90.0
"""Confidence of each word of a picture that is read: of 62 generated ones each word was right."""
_BESIDE = 0.3
"""Maximum distance of a letter of the layer from its word in the picture, in word heights."""

Edits = Sequence[tuple[str, Sequence[int]]]
"""Words to write for each edit, and the indices of the words of a scan."""


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """The text read in a page's picture.

    Attributes:
        scan: words that aren't in its glyphs, and regions that weren't read.
        scale: pixels per point.
        left, top: position of the picture, in points of the page as shown.
        is_scan: whether the page is a picture rather than text with pictures.
        layer: words in the picture that the glyphs there also contain.
        unknown: indexes of glyphs with unknown letters that its words explain.
        seen: all words on a page that is a picture.
        outlines: lines on a text page that are drawn as shapes, in pixels.
    """

    scan: Scan
    scale: float
    left: float
    top: float
    is_scan: bool
    layer: tuple[Word, ...] = ()
    unknown: frozenset[int] = frozenset()
    seen: tuple[Word, ...] = ()
    outlines: tuple[tuple[float, ...], ...] = ()

    @property
    def has_words(self) -> bool:
        """Whether some of its text was recognized."""
        return bool(self.scan.words or self.layer or self.unknown)

    def text(self) -> tuple[str, Origins]:
        """Return the text, and for each character the (negative) numbers of its words."""
        text, origins = self.scan.text()
        return text, tuple(tuple(-1 - index for index in each) for each in origins)

    def corners(self) -> dict[int, tuple[tuple[float, float], ...]]:
        """Return the corners of its words, by their (negative) numbers, in points of the page as shown."""
        return {-1 - n: self.box(word.box).corners() for n, word in enumerate(self.scan.words)}

    def widened(self, page: Page, what: Redaction, edits: Edits, *, keeps: bool) -> Redaction:
        """Return a redaction with boxes also over words in pictures: edited ones, and those that its boxes touch.

        Args:
            page: the glyphs.
            what: goes from the page.
            edits: of the words, which a scan gets when it is painted.
            keeps: whether regions that were not read stay; a scan is painted with boxes over them.
        """
        rectangles = [self.patch(box).box for box in what.boxes]
        boxes = [
            self.box(word.box)
            for word in self.layer
            if any(touches(word.box, rectangle) for rectangle in rectangles)
        ]
        if not self.is_scan:
            boxes += [
                self.box(each.box)
                for _, indices in edits
                for each in patches(self.scan.words, indices)
            ]
            boxes += () if keeps else map(self.box, self.scan.unread)
        return what if not boxes else with_boxes(page, what, boxes)

    def leaves_shapes(self, page: Page) -> bool:
        """Return whether a page has shapes that weren't read as letters although they may be."""
        return not self.is_scan and len(self.outlines) < len(page.outlines)

    def is_outlined(self, what: Redaction) -> bool:
        """Return whether something is removed where letters are drawn as outlines, which would stay under a box."""
        boxes = [self.patch(box).box for box in what.boxes]
        return any(touches(a, b) or overlaps(b, a) for a in self.outlines for b in boxes)

    def dots(self, area: Rect) -> tuple[float, ...]:
        """Return an area of the page in the picture's pixels."""
        left, bottom, right, top = area
        edges = left - self.left, self.top - top, right - self.left, self.top - bottom
        return tuple(self.scale * edge for edge in edges)

    def frame(self, picture: Picture) -> tuple[float, ...]:
        """Return the bounding rectangle of a picture, in pixels."""
        return self.dots(apply_matrix_rect(picture.matrix, UNIT))

    def patch(self, box: Box, *, margin: float = 0.0) -> Patch:
        """Return the areas to paint in the page's picture for a box."""
        return Patch(
            tuple(
                ((x - self.left) * self.scale, (self.top - y) * self.scale)
                for x, y in box.corners(margin)
            ),
            box.label if not round(box.angle) % 360 else "",
        )

    def explains(self, picture: Picture, content: Sequence[Word], pdf: pikepdf.Pdf) -> bool:
        """Return whether words, all read with confidence, are all that a picture shows."""
        if not picture.object or any(word.confidence < _SURE for word in content):
            return False
        boxes = [self.box(word.box) for word in content]
        margins = (max(2.0, _BESIDE * box.height) for box in boxes)
        wide = [
            Box(box.x - m, box.y - m, box.width + 2 * m, box.height + 2 * m, 0.0)
            for box, m in zip(boxes, margins, strict=True)
        ]
        polygons = tuple(in_picture(wide, picture.matrix))
        return not may_show_text(pdf.get_object(picture.object, 0), polygons)

    def box(self, rectangle: Rectangle) -> Box:
        """Return a rectangle of pixels as a box on the page."""
        left, top, right, bottom = (edge / self.scale for edge in rectangle)
        return Box(self.left + left, self.top - bottom, right - left, bottom - top, 0.0)


def picture_of(page: Any) -> tuple[Image.Image, float]:
    """Return a page as drawn, and the number of pixels per point."""
    width, height = page.get_size()
    scale = min(_DOTS, (_MOST_DOTS / max(1.0, width * height)) ** 0.5)
    image: Image.Image = page.render(scale=scale).to_pil().convert("RGB")
    return image, scale


def placed_picture(drawing: Any, page: Page) -> tuple[Image.Image, ScannedPage]:
    """Return a page as drawn, and the picture's position, without words."""
    image, scale = picture_of(drawing)
    return image, ScannedPage(Scan((), ()), scale, *corner(drawing, page.matrix), is_scan=False)


class PlacedLetters:
    """The letters of a page, by their positions in its picture.

    Args:
        page: the page.
        place: position of the picture.
        without: indexes of glyphs to leave out.
    """

    def __init__(self, page: Page, place: ScannedPage, without: Collection[int] = ()) -> None:
        centres = np.array([centre(glyph) for glyph in page.glyphs]).reshape(-1, 2)
        self._across = (centres[:, 0] - place.left) * place.scale
        self._down = (place.top - centres[:, 1]) * place.scale
        self._texts = ["" if n in without else each.text for n, each in enumerate(page.glyphs)]

    def say(self, word: Word) -> bool:
        """Return whether the letters at a word's position are its own."""
        left, top, right, bottom = word.box
        margin = _BESIDE * (bottom - top)
        here = (self._across > left - margin) & (self._across < right + margin)
        here &= (self._down > top - margin) & (self._down < bottom + margin)
        said = "".join(self._texts[index] for index in np.flatnonzero(here).tolist())
        return is_whole(word.text, said)


def unsaid_words(
    content: Sequence[Word],
    page: Page,
    place: ScannedPage,
    frames: Sequence[Sequence[float]],
    unknown: Collection[int] = (),
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words of lines in rectangles whose glyphs are different or missing, and the other words."""
    letters = PlacedLetters(page, place, unknown)
    by_line: dict[int, list[Word]] = {}
    for word in content:
        by_line.setdefault(word.line[0], []).append(word)
    kept: set[int] = set()
    pictured: set[int] = set()
    for number, line in by_line.items():
        if not any(overlaps(word.box, frame) for word in line for frame in frames):
            continue
        pictured.add(number)
        if not all(map(letters.say, line)):
            kept.add(number)
    return (
        tuple(word for word in content if word.line[0] in kept),
        tuple(word for word in content if word.line[0] in pictured - kept),
    )


def with_lines(
    place: ScannedPage,
    page: Page,
    read: Scan,
    frames: Sequence[Sequence[float]],
    unknown: Collection[int] = (),
) -> ScannedPage:
    """Return the text of a page, with the lines and unread regions that were found in rectangles."""
    lines, layer = unsaid_words(read.words, page, place, frames, unknown)
    last = max((word.line[0] for word in place.scan.words), default=0)
    moved = (word._replace(line=(word.line[0] + last + 1, word.line[1])) for word in lines)
    content = (*place.scan.words, *moved)
    more = (r for r in read.unread if any(overlaps(frame, r) for frame in frames))
    scan = replace(place.scan, words=content, unread=(*place.scan.unread, *more))
    return replace(place, scan=scan, layer=(*place.layer, *layer))


def touches(word: Sequence[float], box: Sequence[float]) -> bool:
    """Return whether a box covers part of a word, not only its edge."""
    height = word[3] - word[1]
    wide = min(word[2], box[2]) - max(word[0], box[0])
    high = min(word[3], box[3]) - max(word[1], box[1])
    return wide > _BESIDE * height and high > _BESIDE * height


def overlaps(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether the center of one rectangle is in the other."""
    return is_in(one, other) or is_in(other, one)


def is_in(box: Sequence[float], frame: Sequence[float]) -> bool:
    """Return whether the center of a box is in a frame."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]
