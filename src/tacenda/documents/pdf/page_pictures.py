"""Pages of a PDF that become pictures, with the words they show underneath.

Nothing that such a page drew (pictures, outlines of letters, a layer of invisible text) is left in
the file. The words are those that OCR read in it, without the masked ones; they are invisible, so
that the page can still be searched and read aloud. A black-and-white page stays black and white.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name
from PIL import Image

from ...result import Result
from ..ocr.covering import Patch, beside, covered, masked, patch, patches, require_covered
from ..ocr.tesseract import OcrSettings, Word, in_parallel
from .fonts import invisible
from .glyphs import Page
from .redaction import Redaction
from .scanned_page import Edits, ScannedPage, picture_of

_QUALITY = 90
_TOLERANCE = 72
_COLOURFUL = 24
_ROWS_PER_STRIP = 278
_PHOTOMETRIC, _STRIP_OFFSETS, _STRIP_SIZES = 262, 273, 279
_LETTER = 0.5
"""Width of a letter of the invisible font, in its heights."""


@dataclass(frozen=True, slots=True)
class PicturedPage:
    """A page that becomes a picture.

    Attributes:
        place: what was read on it.
        page: its content.
        what: goes from it.
        edits: edits of the words that were read, if these are its text.
    """

    place: ScannedPage
    page: Page
    what: Redaction
    edits: Edits


class _PaintedPage(NamedTuple):
    """A page as drawn.

    Attributes:
        number: page number, from 1.
        size: in points.
        image: the page, in gray if it has no colors.
        is_bilevel: whether it is black and white.
        page: the page.
    """

    number: int
    size: tuple[float, float]
    image: Image.Image
    is_bilevel: bool
    page: PicturedPage


class PagePicture(NamedTuple):
    """The picture of a page, and its words.

    Attributes:
        number: page number, from 1.
        size: in points.
        image: the picture, not unpacked: its dots would take megabytes a page until all are done.
        stream: the same picture, compressed.
        words: the words that it shows, with their positions.
    """

    number: int
    size: tuple[float, float]
    image: Image.Image
    stream: bytes
    words: tuple[Word, ...]


def page_pictures(
    data: bytes, pages: Mapping[int, PicturedPage], sanitized: Result, wanted: OcrSettings
) -> list[PagePicture]:
    """Return the pictures of pages, with boxes over what is masked.

    Args:
        data: a file from ``cleaning``.
        pages: pages by number.
        sanitized: what is masked.
        wanted: languages, and whether unread regions stay.

    Raises:
        LeakError: if something masked can still be read.
        InputError: if a page can't be read again.
    """
    with pikepdf.open(io.BytesIO(data)) as pdf, closing(pypdfium2.PdfDocument(data)) as document:
        sheets = (_sheet(document[n - 1], pdf, n, page) for n, page in pages.items())
        paint = partial(_painted, sanitized=sanitized, wanted=wanted)
        return list(in_parallel(paint, sheets, len(pages)))


def _sheet(drawing: Any, pdf: pikepdf.Pdf, number: int, page: PicturedPage) -> _PaintedPage:
    image, _ = picture_of(drawing)
    colours = np.asarray(image, dtype=np.int16)
    if (colours.max(axis=2) - colours.min(axis=2)).max() < _COLOURFUL:
        image = image.convert("L")
    sources = [pdf.get_object(each.object, 0) for each in page.page.pictures if each.object]
    is_bilevel = image.mode == "L" and bool(sources) and all(map(_is_bilevel, sources))
    if is_bilevel:
        image = _black_and_white(image)
    return _PaintedPage(number, drawing.get_size(), image, is_bilevel, page)


def _is_bilevel(picture: Any) -> bool:
    return bool(picture.get("/ImageMask")) or picture.get("/BitsPerComponent") == 1


def _black_and_white(image: Image.Image) -> Image.Image:
    return image.point(lambda value: 255 * (value > 127))


def _painted(sheet: _PaintedPage, sanitized: Result, wanted: OcrSettings) -> PagePicture:
    place, what = sheet.page.place, sheet.page.what
    content = [place.patch(box, margin=1.0) for box in what.boxes]
    for label, indices in sheet.page.edits:
        content += patches(place.scan.words, indices, label)
    if not wanted.keeps_unread:
        content += map(patch, place.scan.unread)
    name = f"page {sheet.number}"
    image, everything = covered(sheet.image, content, place.scan, sanitized, wanted.languages, name)
    if sheet.is_bilevel:
        image = _black_and_white(image)
    stream = _packed(image, is_bilevel=sheet.is_bilevel)
    again, packed = (Image.open(io.BytesIO(stream)) for _ in range(2))
    tolerance = 0 if sheet.is_bilevel else _TOLERANCE
    require_covered(image, again, everything, tolerance, name, sanitized.document.id)
    words = tuple(_shown(place.seen, everything, image.size, sanitized))
    return PagePicture(sheet.number, sheet.size, packed, stream, words)


def _packed(image: Image.Image, *, is_bilevel: bool) -> bytes:
    output = io.BytesIO()
    if is_bilevel:
        strip = {_ROWS_PER_STRIP: image.height}
        image.convert("1").save(output, "TIFF", compression="group4", tiffinfo=strip)
    else:
        image.save(output, "JPEG", quality=_QUALITY, subsampling=0)
    return output.getvalue()


def _shown(
    words: Sequence[Word], content: Sequence[Patch], size: tuple[int, int], sanitized: Result
) -> Iterator[Word]:
    """Yield the words that a page shows outside its boxes and on them, in reading order."""
    left = beside(words, content, size)
    secret = set(masked(left, sanitized))
    labels = [Word(each.label, each.box, 100.0, (0, 0)) for each in content if each.label]
    for index, word in enumerate(left):
        if index in secret:
            continue
        for label in [each for each in labels if _precedes(each, word)]:
            labels.remove(label)
            yield label
        yield word
    yield from labels


def _precedes(label: Word, word: Word) -> bool:
    """Return whether a label precedes a word on its line, or is on a line above it."""
    middle = (label.box[1] + label.box[3]) / 2
    is_in_line = word.box[1] <= middle <= word.box[3]
    return word.box[0] >= label.box[2] - 1 if is_in_line else word.box[1] > middle


def with_pictures(data: bytes, pictures: Iterable[PagePicture]) -> bytes:
    """Return a file in which these pages are pictures."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for picture in pictures:
            _replace(pdf, picture)
        saved = io.BytesIO()
        pdf.save(saved, deterministic_id=True, compress_streams=True)
    return saved.getvalue()


def _replace(pdf: pikepdf.Pdf, picture: PagePicture) -> None:
    """Replace a page with a picture on top of its words."""
    width, height = picture.size
    page = pdf.pages[picture.number - 1].obj
    for key in list(page.keys()):
        if key not in ("/Type", "/Parent"):
            del page[key]
    page.MediaBox = Array([0, 0, width, height])
    page.Resources = Dictionary(XObject=Dictionary(X0=_stream(pdf, picture)))
    content = b""
    letters = sorted({" ", *(letter for word in picture.words for letter in word.text)})
    if picture.words:
        codes = {letter: number.to_bytes(2) for number, letter in enumerate(letters, 1)}
        font = invisible(pdf, {code: letter for letter, code in codes.items()})
        page.Resources.Font = Dictionary(F0=pdf.make_indirect(font))
        content = b"\n".join(_layer(picture, codes))
    content += b"q %f 0 0 %f 0 0 cm /X0 Do Q" % (width, height)
    page.Contents = pdf.make_stream(content)


def _layer(picture: PagePicture, codes: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield the instructions for invisible text, with each word as wide as in the picture."""
    scale = picture.size[0] / picture.image.width
    yield b"BT 3 Tr"
    for word in picture.words:
        left, _, right, bottom = word.box
        height = max(1, word.box[3] - word.box[1])
        stretch = 100 * (right - left) / (_LETTER * height * len(word.text))
        place = left * scale, picture.size[1] - bottom * scale
        # Some programs separate words only by blanks.
        string = b"".join(codes[letter] for letter in f"{word.text} ").hex().encode()
        yield b"/F0 %f Tf %f Tz 1 0 0 1 %f %f Tm <%b> Tj" % (
            height * scale,
            stretch,
            *place,
            string,
        )
    yield b"ET\n"


def _stream(pdf: pikepdf.Pdf, picture: PagePicture) -> Any:
    """Return a picture as an object in a file."""
    image = picture.image
    if image.format == "TIFF":
        tags: Any = getattr(image, "tag_v2", None)
        start, size = tags[_STRIP_OFFSETS][0], tags[_STRIP_SIZES][0]
        stream = pdf.make_stream(picture.stream[start : start + size], Filter=Name.CCITTFaxDecode)
        stream.DecodeParms = Dictionary(
            K=-1, Columns=image.width, Rows=image.height, BlackIs1=tags[_PHOTOMETRIC] == 1
        )
    else:
        stream = pdf.make_stream(picture.stream, Filter=Name.DCTDecode)
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    stream.Width, stream.Height = image.size
    stream.BitsPerComponent = 1 if image.mode == "1" else 8
    stream.ColorSpace = Name.DeviceRGB if image.mode == "RGB" else Name.DeviceGray
    return stream
