"""Pages of a PDF that are pictures of text, or have some: read by OCR, and written as pictures.

A page that is a scan becomes one picture of 300 dots an inch: nothing of what it drew (pictures, outlines of
letters, a layer of invisible text) is in the file any more. On a page of text each picture is read by itself. It
stays if it is read whole, with boxes over what is masked, or has no edge that could be of a letter; else it is unread.

A scanner's layer of text may lie beside what the picture shows. So a word of the layer says one of the picture
only where both stand in one place, and a box over the one is drawn over the other too.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name
from PIL import Image

from ...errors import InputError, Remedy
from ...result import Result
from ..completeness import is_whole
from ..hyphenation import Origins
from ..ocr.covering import Patch, covered, patch, patches, require_covered
from ..ocr.scans import Scan, in_paragraphs, scanned
from ..ocr.tesseract import OcrSettings, Rectangle, Word, missing, words
from ..pictures import has_edges
from .checking import corner
from .glyphs import Page, Picture
from .painting import may_show_text
from .redaction import Box, Redaction, centre, in_picture, outline, with_boxes

MOST_PAGES = 500
_DOTS = 300 / 72
"""Dots a point."""
_MOST_DOTS = 25_000_000
_SMALL, _LARGE = 0.02, 0.5
"""Shares of a page: pictures that take less are not read, those that take more make it a scan."""
_SURE = 90.0
"""Confidence of each word of a picture that is read: of 62 generated ones each word was right."""
_MOST_PICTURES = 20
"""Of a page, to be read."""
_PAPER = 40
"""Dots around a picture that is read."""
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
        unknown: indices of glyphs of unknown letters that its words say.
    """

    scan: Scan
    scale: float
    left: float
    top: float
    is_scan: bool
    layer: tuple[Word, ...] = ()
    unknown: frozenset[int] = frozenset()

    def text(self) -> tuple[str, Origins]:
        """Return the text, and of each character the numbers of its words, below zero."""
        text, origins = self.scan.text()
        return text, tuple(tuple(-1 - index for index in each) for each in origins)

    def corners(self) -> dict[int, tuple[tuple[float, float], ...]]:
        """Return the corners of its words, by their numbers below zero, in points of the page as it is shown."""
        return {-1 - n: self._box(word.box).corners() for n, word in enumerate(self.scan.words)}

    def widened(self, page: Page, what: Redaction, edits: Edits) -> Redaction:
        """Return a redaction with boxes also over words of pictures: edited ones, and those that its boxes touch.

        Args:
            page: the glyphs.
            what: goes from the page.
            edits: of the words, which a scan gets when it is painted.
        """
        rectangles = [patch_of(box, self).box for box in what.boxes]
        boxes = [
            self._box(word.box)
            for word in self.layer
            if any(_touches(word.box, rectangle) for rectangle in rectangles)
        ]
        if not self.is_scan:
            boxes += [
                self._box(each.box)
                for _, indices in edits
                for each in patches(self.scan.words, indices)
            ]
        return what if not boxes else with_boxes(page, what, boxes)

    def frame(self, picture: Picture) -> tuple[float, ...]:
        """Return the rectangle around a picture, in dots."""
        return _frame(picture.matrix, self.scale, self.left, self.top)

    def dots(self, box: Box) -> tuple[float, float, float, float]:
        """Return the rectangle around a box, in dots."""
        across, up = zip(*box.corners(), strict=True)
        left, right = ((x - self.left) * self.scale for x in (min(across), max(across)))
        top, bottom = ((self.top - y) * self.scale for y in (max(up), min(up)))
        return left, top, right, bottom

    def explains(self, picture: Picture, content: Sequence[Word], pdf: pikepdf.Pdf) -> bool:
        """Return whether words are all that a picture shows, each of them surely."""
        if not picture.object or any(word.confidence < _SURE for word in content):
            return False
        boxes = [self._box(word.box) for word in content]
        margins = (max(2.0, _BESIDE * box.height) for box in boxes)
        wide = [
            Box(box.x - m, box.y - m, box.width + 2 * m, box.height + 2 * m, 0.0)
            for box, m in zip(boxes, margins, strict=True)
        ]
        polygons = tuple(in_picture(wide, picture.matrix))
        return not may_show_text(pdf.get_object(picture.object, 0), polygons)

    def _box(self, rectangle: Rectangle) -> Box:
        left, top, right, bottom = (edge / self.scale for edge in rectangle)
        return Box(self.left + left, self.top - bottom, right - left, bottom - top, 0.0)


def _share(page: Page) -> float:
    """Return the share of a page of A4 that pictures take."""
    matrices = (picture.matrix for picture in page.pictures)
    return sum(abs(a * d - b * c) for a, b, c, d, _, _ in matrices) / (595 * 842)


def recognised(
    data: bytes,
    pages: Sequence[Page],
    unknown: Mapping[int, frozenset[int]],
    wanted: OcrSettings,
    name: str,
) -> tuple[dict[int, ScannedPage], dict[int, frozenset[int]]]:
    """Return what is read in the pictures of pages, and the indices of unread ones, by number of page.

    Args:
        data: a file of ``cleaning``.
        pages: all its pages.
        unknown: indices of glyphs whose letters can't be known, by number of page.
        wanted: languages; none where pictures are not to be read.
        name: of the document, for errors.

    Raises:
        InputError: if they are too many, or can't be read.
    """
    if not unknown and not any(page.pictures or not _has_letters(page) for page in pages):
        return {}, {}
    scans: dict[int, ScannedPage] = {}
    with pikepdf.open(io.BytesIO(data)) as pdf, closing(pypdfium2.PdfDocument(data)) as document:
        unread = _with_edges(pdf, pages)
        numbers = [
            number
            for number, page in enumerate(pages, 1)
            if wanted.languages
            and (
                number in unknown
                or not _has_letters(page)
                or (number in unread and _share(page) >= _SMALL)
            )
        ]
        if len(numbers) > MOST_PAGES:
            raise InputError(
                f"has {len(numbers)} pages with pictures, at most {MOST_PAGES} are read; split it.",
                name,
            )
        for number in numbers:
            page, suspects = pages[number - 1], unread.pop(number, frozenset())
            drawing = document[number - 1]
            if _share(page) >= _LARGE or (number not in unknown and not _has_letters(page)):
                scans[number] = _page(drawing, page, wanted, name)
            else:
                scans[number], left = _text_page(drawing, page, suspects, pdf, wanted, name)
                unread[number] = left
            if number in unknown:
                scans[number] = _with_unknown(
                    scans[number], drawing, page, unknown[number], number, wanted, name
                )
    return scans, {} if wanted.keeps_unread else {n: left for n, left in unread.items() if left}


def _has_letters(page: Page) -> bool:
    return any(glyph.text.strip() for glyph in page.glyphs)


def _with_edges(pdf: pikepdf.Pdf, pages: Sequence[Page]) -> dict[int, frozenset[int]]:
    """Return the indices of pictures with an edge in them, by number of page."""
    edges = {0: True}
    for picture in (picture for page in pages for picture in page.pictures):
        if picture.object not in edges:
            edges[picture.object] = may_show_text(pdf.get_object(picture.object, 0))
    edged = (
        frozenset(index for index, picture in enumerate(page.pictures) if edges[picture.object])
        for page in pages
    )
    return {number: indices for number, indices in enumerate(edged, 1) if indices}


def _text_page(
    drawing: Any,
    page: Page,
    suspects: Collection[int],
    pdf: pikepdf.Pdf,
    wanted: OcrSettings,
    name: str,
) -> tuple[ScannedPage, frozenset[int]]:
    """Return what is read in single pictures of a page, and the indices of those that are not read whole."""
    image, scale = _drawn(drawing)
    left, top = corner(drawing, page.matrix)
    place = ScannedPage(Scan((), ()), scale, left, top, is_scan=False)
    content: list[Word] = []
    unread = set(suspects)
    for index in sorted(suspects)[:_MOST_PICTURES]:
        picture = page.pictures[index]
        some = _words_in(image, place.frame(picture), wanted, name)
        if wanted.keeps_unread or place.explains(picture, some, pdf):
            unread.discard(index)
            shift = 1 + max((word.line[0] for word in content), default=0)
            content += [word._replace(line=(word.line[0] + shift, 0)) for word in some]
    frames = [place.frame(picture) for picture in page.pictures]
    unsaid, layer = _unsaid(in_paragraphs(content), page, place, frames)
    return replace(place, scan=Scan(unsaid, ()), layer=layer), frozenset(unread)


def _with_unknown(
    place: ScannedPage,
    drawing: Any,
    page: Page,
    unknown: frozenset[int],
    number: int,
    wanted: OcrSettings,
    name: str,
) -> ScannedPage:
    """Return what is read on a page, with the lines in which glyphs of unknown letters stand.

    Raises:
        InputError: if a line with such a glyph is not read either.
    """
    scan = scanned(_drawn(drawing)[0], wanted.languages, name)
    frames = {index: place.dots(outline([page.glyphs[index]])) for index in unknown}
    if any(_overlap(frame, region) for frame in frames.values() for region in scan.unread):
        raise InputError(
            f"page {number} has letters that can't be known, since their font has no map to Unicode, "
            "and OCR does not read them surely; leave out the page, or print it in better quality.",
            name,
        )
    if place.is_scan:
        return replace(place, unknown=unknown)
    lines, _ = _unsaid(scan.words, page, place, list(frames.values()), unknown)
    last = max((word.line[0] for word in place.scan.words), default=0)
    moved = (word._replace(line=(word.line[0] + last + 1, word.line[1])) for word in lines)
    words = (*place.scan.words, *moved)
    return replace(place, scan=replace(place.scan, words=words), unknown=unknown)


def _words_in(
    image: Image.Image, frame: Sequence[float], wanted: OcrSettings, name: str
) -> list[Word]:
    """Return the words of a part of a page, in dots of the page."""
    left, top = (max(0, int(edge)) for edge in frame[:2])
    right, bottom = min(image.width, int(frame[2]) + 1), min(image.height, int(frame[3]) + 1)
    if right <= left or bottom <= top:
        return []
    sheet = Image.new("L", (right - left + 2 * _PAPER, bottom - top + 2 * _PAPER), 255)
    sheet.paste(image.crop((left, top, right, bottom)).convert("L"), (_PAPER, _PAPER))
    x, y = left - _PAPER, top - _PAPER
    return [
        word._replace(box=(word.box[0] + x, word.box[1] + y, word.box[2] + x, word.box[3] + y))
        for word in words(sheet, wanted.languages, name)
    ]


def require_drawn_in_pictures(
    data: bytes, pages: Sequence[Page], languages: str, name: str
) -> None:
    """Raise InputError for a page without letters that draws something beside its pictures.

    Raises:
        InputError: naming the page.
    """
    document = pypdfium2.PdfDocument(data)
    try:
        for number, page in enumerate(pages, 1):
            if _has_letters(page):
                continue
            image, scale = _drawn(document[number - 1])
            left, top = corner(document[number - 1], page.matrix)
            frames = [
                patch((int(a) - 9, int(b) - 9, int(c) + 9, int(d) + 9)).corners
                for a, b, c, d in (_frame(each.matrix, scale, left, top) for each in page.pictures)
            ]
            if has_edges(image, frames):
                reading = missing(languages)
                raise InputError(
                    f"page {number} has no text, and what it draws was not read",
                    name,
                    Remedy(
                        f"{reading.command}, or leave it as it is by --pictures keep", reading.page
                    ),
                )
    finally:
        document.close()


def _page(drawing: Any, page: Page, wanted: OcrSettings, name: str) -> ScannedPage:
    image, scale = _drawn(drawing)
    left, top = corner(drawing, page.matrix)
    scan = scanned(image, wanted.languages, name)
    place = ScannedPage(scan, scale, left, top, is_scan=True)
    if not page.glyphs:
        return place
    content, layer = _unsaid(scan.words, page, place, [*map(place.frame, page.pictures)])
    return replace(place, scan=replace(scan, words=content), layer=layer)


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
    content: Sequence[Word],
    page: Page,
    place: ScannedPage,
    frames: Sequence[Sequence[float]],
    unknown: Collection[int] = (),
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words of lines in rectangles that the glyphs there say otherwise or not at all; and the other ones."""
    centres = np.array([centre(glyph) for glyph in page.glyphs])
    across = (centres[:, 0] - place.left) * place.scale
    down = (place.top - centres[:, 1]) * place.scale
    by_line: dict[int, list[Word]] = {}
    for word in content:
        by_line.setdefault(word.line[0], []).append(word)
    kept: set[int] = set()
    pictured: set[int] = set()

    def said(box: Rectangle) -> str:
        margin = _BESIDE * (box[3] - box[1])
        here = (across > box[0] - margin) & (across < box[2] + margin)
        here &= (down > box[1] - margin) & (down < box[3] + margin)
        indices = (index for index in np.flatnonzero(here).tolist() if index not in unknown)
        return "".join(page.glyphs[index].text for index in indices)

    for number, line in by_line.items():
        if not any(_overlap(word.box, frame) for word in line for frame in frames):
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


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether the middle of one rectangle is in the other."""
    return _is_in(one, other) or _is_in(other, one)


def _is_in(box: Sequence[float], frame: Sequence[float]) -> bool:
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
                if page.is_scan
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
