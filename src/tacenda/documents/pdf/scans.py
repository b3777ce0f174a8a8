"""Pages of a PDF that are pictures of text, or have some, read by OCR.

A page that is a scan becomes one picture (``page_pictures``). On a page of text each picture is read by itself: it
stays if it is read whole, with boxes over what is masked, or has no edge that could be of a letter; else it is unread.
So it is where a picture fills the page, if its letters are seen above it and say most of what there is to be read.

A scanner's layer of text may lie beside what the picture shows. So a word of the layer says one of the picture
only where both stand in one place, and a box over the one is drawn over the other too.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2
from pdfminer.utils import Matrix, apply_matrix_rect
from PIL import Image

from ...errors import InputError, Remedy
from ...result import Result
from ..completeness import is_whole
from ..hyphenation import Origins
from ..ocr.covering import Patch, covered, patch, patches
from ..ocr.scans import SURE, Scan, in_paragraphs, scanned
from ..ocr.tesseract import OcrSettings, Rectangle, Word, in_parallel, missing, words
from ..pictures import has_edges
from .checking import corner
from .glyphs import Page, Picture
from .painting import may_show_text
from .redaction import UNIT, Box, Redaction, centre, in_picture, outline, redacted, with_boxes

MOST_PAGES = 500
_DOTS = 300 / 72
"""Dots a point."""
_MOST_DOTS = 25_000_000
_SMALL, _LARGE = 0.02, 0.5
"""Shares of a page: pictures that take less are not read, those that take more make it a scan."""
_SURE = 90.0
"""Confidence of each word of a picture that is read: of 62 generated ones each word was right."""
_MOST_PICTURES = 20
"""Limit of a page to be read."""
_PAPER = 40
"""Dots around a picture that is read."""
_DIFFERENT = 40
_MOST_SEEN = 0.9
"""Share of a page's letters that are seen, from which it is a text above pictures."""
_FEW_UNSAID = 0.25
"""Share of the words on a page that its letters don't say, up to which it is a text above pictures."""
_BESIDE = 0.3
"""Maximum distance of a letter of the layer from its word in the picture, in word heights."""

Edits = Sequence[tuple[str, Sequence[int]]]
"""Words to write for each edit, and the indices of the words of a scan."""


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """Text read in the picture of a page.

    Attributes:
        scan: words that its glyphs don't say, and regions that were not read.
        scale: dots a point.
        left, top: of the picture, in points of the page as it is shown.
        is_scan: whether the page is a picture, not a text with some.
        layer: words of the picture that the glyphs there say too.
        unknown: indices of glyphs of unknown letters that its words say.
        seen: all words of a page that is a picture.
    """

    scan: Scan
    scale: float
    left: float
    top: float
    is_scan: bool
    layer: tuple[Word, ...] = ()
    unknown: frozenset[int] = frozenset()
    seen: tuple[Word, ...] = ()

    @property
    def has_words(self) -> bool:
        """Whether some of its text was recognised."""
        return bool(self.scan.words or self.layer or self.unknown)

    def text(self) -> tuple[str, Origins]:
        """Return the text, and of each character the numbers of its words, below zero."""
        text, origins = self.scan.text()
        return text, tuple(tuple(-1 - index for index in each) for each in origins)

    def corners(self) -> dict[int, tuple[tuple[float, float], ...]]:
        """Return the corners of its words, by their numbers below zero, in points of the page as it is shown."""
        return {-1 - n: self.box(word.box).corners() for n, word in enumerate(self.scan.words)}

    def widened(self, page: Page, what: Redaction, edits: Edits, *, keeps: bool) -> Redaction:
        """Return a redaction with boxes also over words of pictures: edited ones, and those that its boxes touch.

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
            if any(_touches(word.box, rectangle) for rectangle in rectangles)
        ]
        if not self.is_scan:
            boxes += [
                self.box(each.box)
                for _, indices in edits
                for each in patches(self.scan.words, indices)
            ]
            boxes += () if keeps else map(self.box, self.scan.unread)
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

    def patch(self, box: Box, *, margin: float = 0.0) -> Patch:
        """Return the areas to paint in the picture of the page for a box."""
        return Patch(
            tuple(
                ((x - self.left) * self.scale, (self.top - y) * self.scale)
                for x, y in box.corners(margin)
            ),
            box.label if not round(box.angle) % 360 else "",
        )

    def explains(self, picture: Picture, content: Sequence[Word], pdf: pikepdf.Pdf) -> bool:
        """Return whether words are all that a picture shows, each of them surely."""
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
        """Return a rectangle of dots on the page."""
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
    """Return the text in the pictures of pages, and the indices of unread ones, by number of page.

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
        with_text = _texts_above_pictures(data, pages, numbers, document)
        views = (
            _view(document[n - 1], n, pages[n - 1], unread.get(n, frozenset()), n in unknown)
            for n in numbers
        )
        read = partial(_with_words, wanted=wanted, name=name)
        for view in in_parallel(read, views, len(numbers)):
            scan, left = _placed(view, view.number in with_text, pdf, wanted)
            unread[view.number] = left
            if view.number in unknown:
                scan = _with_unknown(scan, view, unknown[view.number])
            scans[view.number] = scan
    return scans, {} if wanted.keeps_unread else {n: left for n, left in unread.items() if left}


class _View(NamedTuple):
    """A page to be read by OCR.

    Attributes:
        number: from 1.
        page: its content.
        image: the page as it is drawn.
        place: of the image; whether it is a scan, as far as its pictures say.
        suspects: indices of the pictures that may show text.
        is_read_whole: whether all of the page is read, not single pictures.
        scan: what is read on all of it.
        words: what is read in single pictures.
    """

    number: int
    page: Page
    image: Image.Image
    place: ScannedPage
    suspects: tuple[int, ...]
    is_read_whole: bool
    scan: Scan = Scan((), ())
    words: Mapping[int, Sequence[Word]] = {}


def _view(
    drawing: Any, number: int, page: Page, suspects: Collection[int], has_unknown: bool
) -> _View:
    image, scale = picture_of(drawing)
    left, top = corner(drawing, page.matrix)
    is_scan = _share(page) >= _LARGE or (not has_unknown and not _has_letters(page))
    place = ScannedPage(Scan((), ()), scale, left, top, is_scan=is_scan)
    return _View(number, page, image, place, tuple(sorted(suspects)), has_unknown or is_scan)


def _with_words(view: _View, wanted: OcrSettings, name: str) -> _View:
    """Return a page with what is read on it."""
    if view.is_read_whole:
        view = view._replace(scan=scanned(view.image, wanted.languages, name))
    if not view.place.is_scan:
        frames = {n: view.place.frame(view.page.pictures[n]) for n in view.suspects}
        some = list(frames.items())[:_MOST_PICTURES]
        view = view._replace(words={n: _words_in(view.image, f, wanted, name) for n, f in some})
    return view


def _placed(
    view: _View, has_text: bool, pdf: pikepdf.Pdf, wanted: OcrSettings
) -> tuple[ScannedPage, frozenset[int]]:
    """Return the text of a page, and the indices of pictures not fully read.

    Args:
        view: the page.
        has_text: whether most of its letters are seen.
        pdf: the file.
        wanted: of the reading of pictures.
    """
    place, page = view.place, view.page
    if not place.is_scan:
        return _text_page(view, view.words, pdf, wanted)
    content, scan = view.scan.words, view.scan
    layer: tuple[Word, ...] = ()
    if page.glyphs:
        content, layer = _unsaid(scan.words, page, place, [*map(place.frame, page.pictures)])
    sure = [word for word in content if word.confidence >= SURE]
    if has_text and len(sure) <= _FEW_UNSAID * len(scan.words):
        frames = {n: place.frame(page.pictures[n]) for n in view.suspects[:_MOST_PICTURES]}
        some = {n: [w for w in content if _overlap(w.box, f)] for n, f in frames.items()}
        return _text_page(view, some, pdf, wanted)
    scan = replace(scan, words=content)
    return replace(place, scan=scan, layer=layer, seen=view.scan.words), frozenset()


def _texts_above_pictures(
    data: bytes, pages: Sequence[Page], numbers: Collection[int], document: Any
) -> frozenset[int]:
    """Return which of some pages are filled by pictures, with letters that are seen above them."""
    chosen = {n for n in numbers if _share(pages[n - 1]) >= _LARGE and _has_letters(pages[n - 1])}
    if not chosen:
        return frozenset()
    removals = [
        Redaction(frozenset(range(len(page.glyphs)) if n in chosen else ()), ())
        for n, page in enumerate(pages, 1)
    ]
    without = redacted(data, pages, removals)
    with closing(pypdfium2.PdfDocument(without)) as other:
        return frozenset(n for n in chosen if _is_seen(document[n - 1], other[n - 1], pages[n - 1]))


def _is_seen(drawing: Any, other: Any, page: Page) -> bool:
    """Return whether most letters of a page make it look other than without them."""
    image, scale = picture_of(drawing)
    left, top = corner(drawing, page.matrix)
    place = ScannedPage(Scan((), ()), scale, left, top, is_scan=False)
    dots, rest = (np.asarray(each.convert("L"), np.int16) for each in (image, picture_of(other)[0]))
    if dots.shape != rest.shape:
        return False
    changed = np.abs(dots - rest) > _DIFFERENT
    boxes = [place.dots(outline([glyph])) for glyph in page.glyphs if glyph.text.strip()]
    areas = [tuple(max(0, int(edge)) for edge in box) for box in boxes]
    seen = sum(changed[b : d + 1, a : c + 1].any() for a, b, c, d in areas)
    return bool(seen >= _MOST_SEEN * len(areas))


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
    view: _View, some: Mapping[int, Sequence[Word]], pdf: pikepdf.Pdf, wanted: OcrSettings
) -> tuple[ScannedPage, frozenset[int]]:
    """Return the text in single pictures of a page, and the indices of those not fully read.

    Args:
        view: the page.
        some: words of pictures.
        pdf: the file.
        wanted: whether pictures stay that are not read whole.
    """
    page, place = view.page, replace(view.place, is_scan=False)
    content: list[Word] = []
    unread = set(view.suspects)
    for index, line in some.items():
        if wanted.keeps_unread or place.explains(page.pictures[index], line, pdf):
            unread.discard(index)
            shift = 1 + max((word.line[0] for word in content), default=0)
            content += [word._replace(line=(word.line[0] + shift, 0)) for word in line]
    frames = [place.frame(picture) for picture in page.pictures]
    unsaid, layer = _unsaid(in_paragraphs(content), page, place, frames)
    return replace(place, scan=Scan(unsaid, ()), layer=layer), frozenset(unread)


def _with_unknown(place: ScannedPage, view: _View, unknown: frozenset[int]) -> ScannedPage:
    """Return the text of a page, with the lines that contain glyphs of unknown letters; regions of others are unread."""
    page, scan = view.page, view.scan
    frames = {index: place.dots(outline([page.glyphs[index]])) for index in unknown}
    if place.is_scan:
        return replace(place, unknown=unknown)
    lines, _ = _unsaid(scan.words, page, place, list(frames.values()), unknown)
    last = max((word.line[0] for word in place.scan.words), default=0)
    moved = (word._replace(line=(word.line[0] + last + 1, word.line[1])) for word in lines)
    content = (*place.scan.words, *moved)
    unread = (r for r in scan.unread if any(_overlap(frame, r) for frame in frames.values()))
    return replace(
        place, scan=replace(place.scan, words=content, unread=tuple(unread)), unknown=unknown
    )


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
    with closing(pypdfium2.PdfDocument(data)) as document:
        for number, page in enumerate(pages, 1):
            if _has_letters(page):
                continue
            image, scale = picture_of(document[number - 1])
            left, top = corner(document[number - 1], page.matrix)
            frames = [
                patch((int(a) - 9, int(b) - 9, int(c) + 9, int(d) + 9)).corners
                for a, b, c, d in (_frame(each.matrix, scale, left, top) for each in page.pictures)
            ]
            if has_edges(image, frames):
                reading = missing(languages)
                raise InputError(
                    f"page {number} has no text, and its drawing was not read",
                    name,
                    Remedy(
                        f"{reading.command}, or leave it as it is by --pictures keep", reading.page
                    ),
                )


def whole_pages(
    data: bytes, pages: Mapping[int, Page], wanted: OcrSettings, name: str
) -> dict[int, ScannedPage]:
    """Return pages that are to become pictures although their text is known, by number.

    Args:
        data: a file of ``cleaning``.
        pages: their content.
        wanted: languages.
        name: of the document, for errors.

    Raises:
        InputError: if they can't be read.
    """
    with closing(pypdfium2.PdfDocument(data)) as document:
        views = (_view(document[n - 1], n, page, (), True) for n, page in pages.items())
        read = in_parallel(partial(_with_words, wanted=wanted, name=name), views, len(pages))
        return {
            view.number: replace(
                view.place, scan=Scan((), (), view.scan.turn), is_scan=True, seen=view.scan.words
            )
            for view in read
        }


def picture_of(page: Any) -> tuple[Image.Image, float]:
    """Return a page as it is drawn, and the number of dots a point."""
    width, height = page.get_size()
    scale = min(_DOTS, (_MOST_DOTS / max(1.0, width * height)) ** 0.5)
    image: Image.Image = page.render(scale=scale).to_pil().convert("RGB")
    return image, scale


class _Letters:
    """The letters of a page, by their places in its picture.

    Args:
        page: the page.
        place: of the picture.
        without: indices of glyphs that are not among them.
    """

    def __init__(self, page: Page, place: ScannedPage, without: Collection[int] = ()) -> None:
        centres = np.array([centre(glyph) for glyph in page.glyphs]).reshape(-1, 2)
        self._across = (centres[:, 0] - place.left) * place.scale
        self._down = (place.top - centres[:, 1]) * place.scale
        self._texts = ["" if n in without else each.text for n, each in enumerate(page.glyphs)]

    def say(self, word: Word) -> bool:
        """Return whether the letters in the place of a word are its own."""
        left, top, right, bottom = word.box
        margin = _BESIDE * (bottom - top)
        here = (self._across > left - margin) & (self._across < right + margin)
        here &= (self._down > top - margin) & (self._down < bottom + margin)
        said = "".join(self._texts[index] for index in np.flatnonzero(here).tolist())
        return is_whole(word.text, said)


def _unsaid(
    content: Sequence[Word],
    page: Page,
    place: ScannedPage,
    frames: Sequence[Sequence[float]],
    unknown: Collection[int] = (),
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words of lines in rectangles whose glyphs are different or missing; and the other ones."""
    letters = _Letters(page, place, unknown)
    by_line: dict[int, list[Word]] = {}
    for word in content:
        by_line.setdefault(word.line[0], []).append(word)
    kept: set[int] = set()
    pictured: set[int] = set()
    for number, line in by_line.items():
        if not any(_overlap(word.box, frame) for word in line for frame in frames):
            continue
        pictured.add(number)
        if not all(map(letters.say, line)):
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


def _frame(matrix: Matrix, scale: float, left: float, top: float) -> tuple[float, ...]:
    """Return the rectangle around a picture, in dots."""
    first, low, last, high = apply_matrix_rect(matrix, UNIT)
    return (first - left) * scale, (top - high) * scale, (last - left) * scale, (top - low) * scale


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether the middle of one rectangle is in the other."""
    return _is_in(one, other) or _is_in(other, one)


def _is_in(box: Sequence[float], frame: Sequence[float]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]


def seen_again(
    data: bytes,
    pages: Mapping[int, tuple[Page, ScannedPage, Redaction]],
    sanitized: Result,
    wanted: OcrSettings,
) -> Iterator[tuple[int, list[Box], bool]]:
    """Yield the pages on which masked strings are still seen beside their boxes.

    Args:
        data: a file of ``cleaning``.
        pages: by number, with what goes from them.
        sanitized: what is masked.
        wanted: languages.

    Yields:
        The number of a page, boxes over its pictures, and whether something is seen elsewhere, as where letters
        are drawn as outlines: then boxes don't help.

    Raises:
        LeakError: if something masked can still be read.
        InputError: if a page can't be read again.
    """

    def looked_at(
        row: tuple[int, Page, ScannedPage, Redaction, Image.Image],
    ) -> tuple[int, list[Box], bool]:
        number, page, place, what, image = row
        boxes = [place.patch(box, margin=1.0) for box in what.boxes]
        letters = _Letters(page, place, what.removed)
        _, everything = covered(
            image, boxes, place.scan, sanitized, wanted.languages, f"page {number}", letters.say
        )
        more = [each.box for each in everything[len(boxes) :]]
        frames = [place.frame(picture) for picture in page.pictures]
        is_elsewhere = place.is_scan or not all(
            any(_is_in(box, frame) for frame in frames) for box in more
        )
        return number, [place.box(box) for box in more], is_elsewhere

    with closing(pypdfium2.PdfDocument(data)) as document:
        rows = ((n, *page, picture_of(document[n - 1])[0]) for n, page in pages.items())
        yield from (row for row in in_parallel(looked_at, rows, len(pages)) if row[1])
