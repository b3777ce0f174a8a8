"""PDF pages that are or contain pictures of text, read by OCR.

A page that is a scan becomes one picture (``page_pictures``). On a text page, each picture is read
separately: it stays, with boxes over what is masked, if it is read completely or has no edges that
could belong to letters; otherwise it counts as unread. The same applies if a picture fills the page
but letters are visible on top of it and make up most of the readable text.

A scanner's text layer may be misaligned with the picture. So a word in the layer matches one in the
picture only if they are at the same position, and a box over one is also drawn over the other.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2
from pdfminer.utils import apply_matrix_rect
from PIL import Image

from ...errors import InputError, Remedy
from ...result import Result
from ..ocr.covering import covered, patch
from ..ocr.scans import SURE, Scan, in_paragraphs, scanned
from ..ocr.tesseract import OcrSettings, Word, in_parallel, missing, words
from ..pictures import has_edges
from .glyphs import Page
from .outline_reading import outlines_alone, with_outlines
from .painting import may_show_text
from .redaction import UNIT, Box, Redaction, centre, outline, redacted
from .scanned_page import (
    PlacedLetters,
    ScannedPage,
    is_in,
    overlaps,
    picture_of,
    placed_picture,
    unsaid_words,
    with_lines,
)

MOST_PAGES = 500
_SMALL, _LARGE = 0.02, 0.5
"""Shares of a page: pictures that take less are not read, those that take more make it a scan."""
_MOST_PICTURES = 20
"""Limit of a page to be read."""
_PAPER = 40
"""Dots around a picture that is read."""
_DIFFERENT = 40
_MOST_SEEN = 0.9
"""Share of a page's letters that are seen, from which it is a text above pictures."""
_FEW_UNSAID = 0.25
"""Share of the words on a page that its letters don't say, up to which it is a text above pictures."""


def _share(page: Page) -> float:
    """Return the share of an A4 page that pictures cover."""
    matrices = (picture.matrix for picture in page.pictures)
    return sum(abs(a * d - b * c) for a, b, c, d, _, _ in matrices) / (595 * 842)


def recognised(
    data: bytes,
    pages: Sequence[Page],
    unknown: Mapping[int, frozenset[int]],
    wanted: OcrSettings,
    name: str,
) -> tuple[dict[int, ScannedPage], dict[int, frozenset[int]]]:
    """Return the text in the pictures on pages, and the indexes of unread pictures, by page number.

    Args:
        data: a file of ``cleaning``.
        pages: all its pages.
        unknown: indexes of glyphs whose letters can't be known, by page number.
        wanted: languages; none if pictures aren't to be read.
        name: of the document, for errors.

    Raises:
        InputError: if there are too many, or they can't be read.
    """
    if not unknown and not any(
        page.pictures or page.outlines or not _has_letters(page) for page in pages
    ):
        return {}, {}
    scans: dict[int, ScannedPage] = {}
    with pikepdf.open(io.BytesIO(data)) as pdf, closing(pypdfium2.PdfDocument(data)) as document:
        unread = _with_edges(pdf, pages)
        pictured = [
            number in unknown
            or not _has_letters(page)
            or (number in unread and _share(page) >= _SMALL)
            for number, page in enumerate(pages, 1)
        ]
        if wanted.languages and sum(pictured) > MOST_PAGES:
            raise InputError(
                f"has {sum(pictured)} pages with pictures, at most {MOST_PAGES} are read; split it.",
                name,
            )
        rows = enumerate(zip(pages, pictured, strict=True), 1)
        numbers = [n for n, (page, it) in rows if wanted.languages and (it or page.outlines)]
        with_text = _texts_above_pictures(data, pages, numbers)
        views = (
            _view(document[n - 1], n, pages[n - 1], unread.get(n, frozenset()), n in unknown)
            for n in numbers
        )
        read = partial(_with_words, wanted=wanted, name=name, known={})
        for view in in_parallel(read, views, len(numbers)):
            scan, left = _placed(view, view.number in with_text, pdf, wanted)
            unread[view.number] = left
            if view.number in unknown:
                scan = _with_unknown(scan, view, unknown[view.number])
            if view.page.outlines and not scan.is_scan:
                scan = with_outlines(scan, view.page, view.scan)
            scans[view.number] = scan
    return scans, {} if wanted.keeps_unread else {n: left for n, left in unread.items() if left}


class _View(NamedTuple):
    """A page to be read by OCR.

    Attributes:
        number: from 1.
        page: its content.
        image: the page as drawn.
        place: position of the image, and whether its pictures suggest that it is a scan.
        suspects: indexes of the pictures that may show text.
        is_read_whole: whether the whole page is read instead of single pictures.
        scan: what is read on the whole page, or only in its outlines.
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
    image, place = placed_picture(drawing, page)
    is_scan = _share(page) >= _LARGE or (not has_unknown and not _has_letters(page))
    place = replace(place, is_scan=is_scan)
    return _View(number, page, image, place, tuple(sorted(suspects)), has_unknown or is_scan)


def _with_words(view: _View, wanted: OcrSettings, name: str, known: dict[bytes, Scan]) -> _View:
    """Return a page with what is read on it.

    Args:
        view: the page.
        wanted: languages.
        name: of the document, for errors.
        known: outlines already read on other pages, such as a letterhead.
    """
    if view.is_read_whole:
        view = view._replace(scan=scanned(view.image, wanted.languages, name))
    elif view.page.outlines:
        sheet = outlines_alone(view.image, view.page, view.place)
        key = sha256(sheet.tobytes()).digest()
        known[key] = known.get(key) or scanned(sheet, wanted.languages, name)
        view = view._replace(scan=known[key])
    if not view.place.is_scan:
        frames = {n: view.place.frame(view.page.pictures[n]) for n in view.suspects}
        some = list(frames.items())[:_MOST_PICTURES]
        view = view._replace(words={n: _words_in(view.image, f, wanted, name) for n, f in some})
    return view


def _placed(
    view: _View, has_text: bool, pdf: pikepdf.Pdf, wanted: OcrSettings
) -> tuple[ScannedPage, frozenset[int]]:
    """Return the text of a page, and the indexes of pictures not fully read.

    Args:
        view: the page.
        has_text: whether most of its letters are visible.
        pdf: the file.
        wanted: settings for reading pictures.
    """
    place, page = view.place, view.page
    if not place.is_scan:
        return _text_page(view, view.words, pdf, wanted)
    content, scan = view.scan.words, view.scan
    layer: tuple[Word, ...] = ()
    if page.glyphs:
        content, layer = unsaid_words(scan.words, page, place, [*map(place.frame, page.pictures)])
    sure = [word for word in content if word.confidence >= SURE]
    if has_text and len(sure) <= _FEW_UNSAID * len(scan.words):
        frames = {n: place.frame(page.pictures[n]) for n in view.suspects[:_MOST_PICTURES]}
        some = {n: [w for w in content if overlaps(w.box, f)] for n, f in frames.items()}
        return _text_page(view, some, pdf, wanted)
    scan = replace(scan, words=content)
    return replace(place, scan=scan, layer=layer, seen=view.scan.words), frozenset()


def _texts_above_pictures(
    data: bytes, pages: Sequence[Page], numbers: Collection[int]
) -> frozenset[int]:
    """Return which pages are filled by pictures with visible letters on top."""
    letters = {
        number: [n for n, each in enumerate(pages[number - 1].glyphs) if each.text.strip()]
        for number in numbers
        if _share(pages[number - 1]) >= _LARGE
    }
    unseen = unseen_letters(data, pages, letters, _DIFFERENT)
    return frozenset(
        n for n, few in unseen.items() if len(few) <= (1 - _MOST_SEEN) * len(letters[n])
    )


def letters_in(page: Page, pictures: Collection[int]) -> list[int]:
    """Return the indexes of the glyphs in pictures, given by their indexes."""
    frames = [apply_matrix_rect(page.pictures[index].matrix, UNIT) for index in pictures]
    middles = ((*centre(glyph), *centre(glyph)) for glyph in page.glyphs)
    return [n for n, middle in enumerate(middles) if any(is_in(middle, each) for each in frames)]


def unseen_letters(
    data: bytes, pages: Sequence[Page], letters: Mapping[int, Sequence[int]], difference: int = 0
) -> dict[int, frozenset[int]]:
    """Return which letters nobody sees, such as those under or inside a picture, by page number.

    Args:
        data: a file of ``cleaning``.
        pages: all its pages.
        letters: the indexes of the letters in question, by page number.
        difference: how much brighter or darker they must make a dot to be seen, at most 255.
    """
    chosen = {number: some for number, some in letters.items() if some}
    if not chosen:
        return {}
    removals = [Redaction(frozenset(chosen.get(n, ())), ()) for n in range(1, len(pages) + 1)]
    without = redacted(data, pages, removals)
    with (
        closing(pypdfium2.PdfDocument(data)) as before,
        closing(pypdfium2.PdfDocument(without)) as after,
    ):
        return {
            n: frozenset(_unseen(before[n - 1], after[n - 1], pages[n - 1], some, difference))
            for n, some in chosen.items()
        }


def _unseen(
    drawing: Any, other: Any, page: Page, letters: Sequence[int], difference: int
) -> Iterator[int]:
    image, place = placed_picture(drawing, page)
    dots, rest = (np.asarray(each.convert("L"), np.int16) for each in (image, picture_of(other)[0]))
    changed = np.abs(dots - rest) > difference
    for index in letters:
        box = place.dots(outline([page.glyphs[index]]).bounds)
        a, b, c, d = (max(0, int(edge)) for edge in box)
        if not changed[b : d + 1, a : c + 1].any():
            yield index


def _has_letters(page: Page) -> bool:
    return any(glyph.text.strip() for glyph in page.glyphs)


def _with_edges(pdf: pikepdf.Pdf, pages: Sequence[Page]) -> dict[int, frozenset[int]]:
    """Return the indexes of pictures that contain edges, by page number."""
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
    """Return the text in single pictures on a page, and the indexes of those not fully read.

    Args:
        view: the page.
        some: words in pictures.
        pdf: the file.
        wanted: whether pictures that aren't completely read stay.
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
    unsaid, layer = unsaid_words(in_paragraphs(content), page, place, frames)
    return replace(place, scan=Scan(unsaid, ()), layer=layer), frozenset(unread)


def _with_unknown(place: ScannedPage, view: _View, unknown: frozenset[int]) -> ScannedPage:
    """Return the text of a page, including the lines that contain glyphs with unknown letters; other such regions are unread."""
    if place.is_scan:
        return replace(place, unknown=unknown)
    frames = [place.dots(outline([view.page.glyphs[index]]).bounds) for index in unknown]
    return replace(with_lines(place, view.page, view.scan, frames, unknown), unknown=unknown)


def _words_in(
    image: Image.Image, frame: Sequence[float], wanted: OcrSettings, name: str
) -> list[Word]:
    """Return the words in part of a page, in the page's pixels."""
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
    """Raise an InputError if a page draws letters as outlines, or has no letters but draws something besides pictures.

    Raises:
        InputError: if it does; names the page.
    """
    with closing(pypdfium2.PdfDocument(data)) as document:
        for number, page in enumerate(pages, 1):
            if not _has_letters(page) and _draws_beside_pictures(document[number - 1], page):
                fault = f"page {number} has no text, and its drawing was not read"
            elif _has_letters(page) and any(line.is_certain for line in page.outlines):
                fault = f"page {number} has letters drawn as shapes, and they were not read"
            else:
                continue
            reading = missing(languages)
            command = f"{reading.command}, or leave it as it is by --pictures keep"
            raise InputError(fault, name, Remedy(command, reading.page))


def _draws_beside_pictures(drawing: Any, page: Page) -> bool:
    image, place = placed_picture(drawing, page)
    frames = [
        patch((int(a) - 9, int(b) - 9, int(c) + 9, int(d) + 9)).corners
        for a, b, c, d in map(place.frame, page.pictures)
    ]
    return has_edges(image, frames)


def whole_pages(
    data: bytes, pages: Mapping[int, Page], wanted: OcrSettings, name: str
) -> dict[int, ScannedPage]:
    """Return the pages that must become pictures although their text is known, by number.

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
        read = partial(_with_words, wanted=wanted, name=name, known={})
        return {
            view.number: replace(
                view.place, scan=Scan((), (), view.scan.turn), is_scan=True, seen=view.scan.words
            )
            for view in in_parallel(read, views, len(pages))
        }


def seen_again(
    data: bytes,
    pages: Mapping[int, tuple[Page, ScannedPage, Redaction]],
    sanitized: Result,
    wanted: OcrSettings,
) -> Iterator[tuple[int, list[Box], bool]]:
    """Yield the pages on which masked strings are still visible outside boxes.

    Args:
        data: a file of ``cleaning``.
        pages: pages by number, with what is removed from them.
        sanitized: what is masked.
        wanted: languages.

    Yields:
        The page number, boxes over its pictures, and whether something is visible elsewhere, such
        as letters drawn as outlines, where boxes don't help.

    Raises:
        LeakError: if something masked can still be read.
        InputError: if a page can't be read again.
    """

    def looked_at(row: tuple[int, Image.Image]) -> tuple[int, list[Box], bool]:
        number, image = row
        page, place, what = pages[number]
        boxes = [place.patch(box, margin=1.0) for box in what.boxes]
        letters = PlacedLetters(page, place, what.removed)
        _, everything = covered(
            image, boxes, place.scan, sanitized, wanted.languages, f"page {number}", letters.say
        )
        more = [each.box for each in everything[len(boxes) :]]
        frames = [place.frame(picture) for picture in page.pictures]
        is_elsewhere = place.is_scan or not all(
            any(is_in(box, frame) for frame in frames) for box in more
        )
        return number, [place.box(box) for box in more], is_elsewhere

    alike: dict[bytes, list[int]] = {}
    with closing(pypdfium2.PdfDocument(data)) as document:
        rows = _pictures(document, pages, alike)
        again = {row[0]: row[1:] for row in in_parallel(looked_at, rows, len(pages)) if row[1]}
    for first, *others in alike.values():
        yield from ((number, *again[first]) for number in (first, *others) if first in again)


def _pictures(
    document: Any,
    pages: Mapping[int, tuple[Page, ScannedPage, Redaction]],
    alike: dict[bytes, list[int]],
) -> Iterator[tuple[int, Image.Image]]:
    """Yield pages as drawn; if only outlines were read, only the outlines, and of identical pages only the first."""
    for number, (page, place, _) in pages.items():
        image, key = picture_of(document[number - 1])[0], number.to_bytes(4)
        if place.outlines and not (page.pictures or place.unknown):
            image = outlines_alone(image, page, place)
            key = sha256(image.tobytes()).digest()
        numbers = alike.setdefault(key, [])
        numbers.append(number)
        if numbers[0] == number:
            yield number, image
