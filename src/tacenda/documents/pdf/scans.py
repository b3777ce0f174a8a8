"""Pages of a PDF that are pictures of text, or have some: read by OCR, and written as pictures.

A page on which something is covered that is no glyph becomes one picture of 300 dots an inch: nothing of what
it drew (pictures, outlines of letters, a layer of invisible text) is in the file any more.

A scanner's layer of text may lie beside what the picture shows. So a word of the layer says one of the picture
only where both stand in one place, and a box over the one is drawn over the other too.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name
from PIL import Image

from ...errors import InputError
from ...result import Result
from ..completeness import is_whole
from ..hyphenation import Origins
from ..ocr.covering import Patch, covered, patch, patches, require_covered
from ..ocr.scans import Scan, scanned
from ..ocr.tesseract import OcrSettings, Rectangle, Word
from .checking import corner
from .glyphs import Page
from .redaction import Box, Redaction, centre, with_boxes

MOST_PAGES = 500
_DOTS = 300 / 72
"""Dots a point."""
_MOST_DOTS = 25_000_000
_SMALL, _LARGE = 0.02, 0.5
"""Shares of a page: smaller pictures hold no text, larger ones make it a scan."""
_QUALITY = 90
_TOLERANCE = 72
_COLOURFUL = 24
_BESIDE = 0.3
"""Of a word's height: how far a letter of the layer may stand beside the word in the picture."""

Edits = Sequence[tuple[str, Sequence[int]]]
"""Of each edit the words to write, and the indices of the words of a scan."""


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """What was read in the picture of a page.

    Attributes:
        scan: words that its glyphs don't say, and regions that were not read.
        scale: dots a point.
        left, top: of the picture, in points of the page as it is shown.
        is_scan: whether the page is a picture, not a text with some.
        layer: words of the picture that the glyphs there say too.
    """

    scan: Scan
    scale: float
    left: float
    top: float
    is_scan: bool
    layer: tuple[Word, ...] = ()

    def text(self) -> tuple[str, Origins]:
        """Return the text, and of each character the numbers of its words, below zero."""
        text, origins = self.scan.text()
        return text, tuple(tuple(-1 - index for index in each) for each in origins)

    def corners(self) -> dict[int, tuple[tuple[float, float], ...]]:
        """Return the corners of its words, by their numbers below zero, in points of the page as it is shown."""
        return {-1 - n: self._box(word.box).corners() for n, word in enumerate(self.scan.words)}

    def widened(self, page: Page, what: Redaction) -> Redaction:
        """Return a redaction with boxes also over the words of the picture that its boxes touch.

        Args:
            page: the glyphs.
            what: goes from the page.
        """
        rectangles = [patch_of(box, self).box for box in what.boxes]
        boxes = [
            self._box(word.box)
            for word in self.layer
            if any(_touches(word.box, rectangle) for rectangle in rectangles)
        ]
        return what if not boxes else with_boxes(page, what, boxes)

    def _box(self, rectangle: Rectangle) -> Box:
        left, top, right, bottom = (edge / self.scale for edge in rectangle)
        return Box(self.left + left, self.top - bottom, right - left, bottom - top, 0.0)


def is_pictured(page: Page, text: str) -> bool:
    """Return whether a page may show text that no glyph draws."""
    return not text.strip() or _share(page) >= _SMALL


def _share(page: Page) -> float:
    """Return the share of a page of A4 that pictures take."""
    return sum(abs(a * d - b * c) for a, b, c, d, _, _ in _matrices(page)) / (595 * 842)


def _matrices(page: Page) -> list[tuple[float, ...]]:
    return [tuple(map(float, picture.matrix)) for picture in page.pictures]


def recognised(
    data: bytes, pages: Sequence[Page], numbers: Sequence[int], wanted: OcrSettings, name: str
) -> dict[int, ScannedPage]:
    """Return what is read in the pictures of pages.

    Args:
        data: a file of ``cleaning``.
        pages: all its pages.
        numbers: of those to read, from 1.
        wanted: languages.
        name: of the document, for errors.

    Raises:
        InputError: if they are too many, or can't be read.
    """
    if len(numbers) > MOST_PAGES:
        raise InputError(
            f"has {len(numbers)} pages with pictures, at most {MOST_PAGES} are read; split it.",
            name,
        )
    document = pypdfium2.PdfDocument(data)
    try:
        return {
            number: _page(document[number - 1], pages[number - 1], wanted, name)
            for number in numbers
        }
    finally:
        document.close()


def _page(drawing: Any, page: Page, wanted: OcrSettings, name: str) -> ScannedPage:
    image, scale = _drawn(drawing)
    left, top = corner(drawing, page.matrix)
    scan = scanned(image, wanted.languages, name)
    is_scan = _share(page) >= _LARGE or not page.glyphs
    layer: tuple[Word, ...] = ()
    if page.glyphs:
        content, layer = _unsaid(scan.words, page, scale, left, top)
        scan = replace(scan, words=content, unread=scan.unread if is_scan else ())
    return ScannedPage(scan, scale, left, top, is_scan, layer)


def whole_page(data: bytes, page: Page, number: int, wanted: OcrSettings, name: str) -> ScannedPage:
    """Return a page that is to become a picture although its text is known.

    Args:
        data: a file of ``cleaning``.
        page: the content of the page.
        number: of the page, from 1.
        wanted: languages.
        name: of the document, for errors.

    Raises:
        InputError: if it can't be read.
    """
    document = pypdfium2.PdfDocument(data)
    try:
        scanned_page = _page(document[number - 1], page, wanted, name)
    finally:
        document.close()
    return replace(scanned_page, scan=replace(scanned_page.scan, words=(), unread=()), layer=())


def _drawn(page: Any) -> tuple[Image.Image, float]:
    width, height = page.get_size()
    scale = min(_DOTS, (_MOST_DOTS / max(1.0, width * height)) ** 0.5)
    image: Image.Image = page.render(scale=scale).to_pil().convert("RGB")
    return image, scale


def _unsaid(
    content: Sequence[Word], page: Page, scale: float, left: float, top: float
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words in pictures, of lines that the glyphs there say otherwise or not at all; and the other ones."""
    centres = np.array([centre(glyph) for glyph in page.glyphs])
    across, down = (centres[:, 0] - left) * scale, (top - centres[:, 1]) * scale
    frames = [_frame(matrix, scale, left, top) for matrix in _matrices(page)]
    by_line: dict[int, list[Word]] = {}
    for word in content:
        by_line.setdefault(word.line[0], []).append(word)
    kept: set[int] = set()
    pictured: set[int] = set()

    def said(box: Rectangle) -> str:
        margin = _BESIDE * (box[3] - box[1])
        here = (across > box[0] - margin) & (across < box[2] + margin)
        here &= (down > box[1] - margin) & (down < box[3] + margin)
        return "".join(page.glyphs[index].text for index in np.flatnonzero(here).tolist())

    for number, line in by_line.items():
        if not any(_is_in(word.box, frame) for word in line for frame in frames):
            continue
        pictured.add(number)
        if not all(is_whole(word.text, said(word.box)) for word in line):
            kept.add(number)
    return (
        tuple(word for word in content if word.line[0] in kept),
        tuple(word for word in content if word.line[0] in pictured - kept),
    )


def _touches(word: Rectangle, box: Rectangle) -> bool:
    """Return whether a box lies on a word, not only on the edge of it."""
    height = word[3] - word[1]
    wide = min(word[2], box[2]) - max(word[0], box[0])
    high = min(word[3], box[3]) - max(word[1], box[1])
    return wide > _BESIDE * height and high > _BESIDE * height


def _frame(matrix: Sequence[float], scale: float, left: float, top: float) -> tuple[float, ...]:
    """Return the rectangle around a picture, in dots."""
    a, b, c, d, e, f = matrix
    across = [(x - left) * scale for x in (e, e + a, e + c, e + a + c)]
    down = [(top - y) * scale for y in (f, f + b, f + d, f + b + d)]
    return min(across), min(down), max(across), max(down)


def _is_in(box: Rectangle, frame: Sequence[float]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]


def repainted(
    data: bytes,
    pages: Mapping[int, ScannedPage],
    redactions: Sequence[Redaction],
    edits: Mapping[int, Edits],
    sanitized: Result,
    wanted: OcrSettings,
    pictured: Collection[int] = (),
) -> tuple[bytes, frozenset[int]]:
    """Return a file with pictures instead of the pages on which more than glyphs is covered.

    Args:
        data: a file of ``cleaning``.
        pages: what was read in pictures, by number of page.
        redactions: of the glyphs, one a page.
        edits: of the words of scans, by number of page.
        sanitized: what is masked.
        wanted: languages, and whether unread regions stay.
        pictured: numbers of pages that become pictures in any case.

    Returns:
        The file, and the numbers of these pages.

    Raises:
        LeakError: if something masked can still be read.
        InputError: if a page can't be read again.
    """
    if not pages:
        return data, frozenset()
    done: set[int] = set()
    document = pypdfium2.PdfDocument(data)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for number, page in pages.items():
            image, _ = _drawn(document[number - 1])
            boxes = [patch_of(box, page, margin=1.0) for box in redactions[number - 1].boxes]
            more = [
                each
                for label, indices in edits.get(number, ())
                for each in patches(page.scan.words, indices, label)
            ]
            if not wanted.keeps_unread:
                more += map(patch, page.scan.unread)
            place = f"page {number}"
            output, everything = covered(
                image, (*boxes, *more), page.scan, sanitized, wanted.languages, place
            )
            if len(everything) > len(boxes) or number in pictured:
                stream = _jpeg(output)
                again = Image.open(io.BytesIO(stream))
                require_covered(output, again, everything, _TOLERANCE, place, sanitized.document.id)
                _replace(pdf, number, stream, again, document[number - 1].get_size())
                done.add(number)
        document.close()
        saved = io.BytesIO()
        pdf.save(saved, deterministic_id=True, compress_streams=True)
    return saved.getvalue(), frozenset(done)


def patch_of(box: Box, page: ScannedPage, *, margin: float = 0.0) -> Patch:
    """Return what is painted in the picture of a page where a box lies."""
    corners = box.corners(margin)
    return Patch(
        tuple(((x - page.left) * page.scale, (page.top - y) * page.scale) for x, y in corners),
        box.label if not round(box.angle) % 360 else "",
    )


def _jpeg(image: Image.Image) -> bytes:
    colours = np.asarray(image, dtype=np.int16)
    if (colours.max(axis=2) - colours.min(axis=2)).max() < _COLOURFUL:
        image = image.convert("L")
    output = io.BytesIO()
    image.save(output, "JPEG", quality=_QUALITY, subsampling=0)
    return output.getvalue()


def _replace(
    pdf: pikepdf.Pdf, number: int, stream: bytes, image: Image.Image, size: tuple[float, float]
) -> None:
    """Make a page one picture."""
    width, height = size
    picture = pdf.make_stream(stream, Filter=Name.DCTDecode)
    picture.Type, picture.Subtype = Name.XObject, Name.Image
    picture.Width, picture.Height = image.size
    picture.BitsPerComponent = 8
    picture.ColorSpace = Name.DeviceGray if image.mode == "L" else Name.DeviceRGB
    page = pdf.pages[number - 1].obj
    for key in list(page.keys()):
        if key not in ("/Type", "/Parent"):
            del page[key]
    page.MediaBox = Array([0, 0, width, height])
    page.Resources = Dictionary(XObject=Dictionary(X0=picture))
    page.Contents = pdf.make_stream(b"q %f 0 0 %f 0 0 cm /X0 Do Q" % (width, height))
