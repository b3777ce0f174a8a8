"""The glyphs of a PDF's pages with their places, as its content draws them (PDF 32000, 9.4.4).

Text of form XObjects, invisible text and text outside of the page are among them: all text that a
program could extract must be read. A glyph of an unknown letter has an empty text: of a font
without a map to Unicode and with meaningless codes or glyph names.
"""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import MissingExtraError

try:
    from pdfminer.pdfdevice import PDFTextDevice
    from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect
    from pdfminer.pdffont import PDFFont, PDFSimpleFont, PDFType3Font, PDFUnicodeNotDefined
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
    from pdfminer.pdfpage import PDFPage
    from pdfminer.pdfparser import PDFParser
    from pdfminer.pdftypes import PDFStream, dict_value, list_value, resolve1
    from pdfminer.psparser import PSLiteral
    from pdfminer.utils import decode_text
except ImportError as error:
    raise MissingExtraError("reading a PDF", "documents") from error

# Its messages quote the text at fault, and no text of a document may reach a log.
logging.getLogger("pdfminer").setLevel(logging.CRITICAL + 1)

MOST_GLYPHS = 2_000_000
"""Of one page."""
_MOST_FIGURES = 100_000
_LONGEST_LIGATURE = 32
_TRUE_TYPE = ("TrueType", "MMType1")
_SECOND_HYPHEN = 0o255
"""Draws a hyphen in WinAnsiEncoding (PDF 32000, table D.2, note 6), which the parser takes for a space."""
_UTF_8 = b"\xef\xbb\xbf"


PasswordNeededError = PDFPasswordIncorrect


class TooMuchError(Exception):
    """A page draws more than any page written for readers."""


class Glyph(NamedTuple):
    """A drawn character.

    Attributes:
        text: its letter, more than one character for a ligature; empty if unknown.
        x, y: its origin on the baseline, in points.
        dx, dy: from its origin to that of the next glyph.
        direction: angle of its baseline in degrees, 0 where it is read from left to right.
        size: height of its font, in points.
    """

    text: str
    x: float
    y: float
    dx: float
    dy: float
    direction: float
    size: float


@dataclass(frozen=True, slots=True)
class Page:
    """Content of a page.

    Attributes:
        glyphs: in drawing order.
        annotations: texts of its annotations and form fields.
        appearances: glyphs of each annotation with text in its drawing alone.
        pictures: number of pictures.
    """

    glyphs: tuple[Glyph, ...]
    annotations: tuple[str, ...]
    appearances: tuple[tuple[Glyph, ...], ...]
    pictures: int


def pages(data: bytes) -> Iterator[Page]:
    """Yield the pages of a PDF.

    Raises:
        TooMuchError: if a page draws too much; and whatever the parser raises for a damaged file.
    """
    resources = _Resources(caching=True)
    for page in PDFPage.create_pages(PDFDocument(PDFParser(io.BytesIO(data)))):
        device = _Device(resources)
        PDFPageInterpreter(resources, device).process_page(page)
        strings: list[str] = []
        appearances: list[tuple[Glyph, ...]] = []
        for annotation in _annotations(page):
            texts = list(_strings(annotation))
            strings += texts
            appearance = None if texts else _appearance(annotation)
            if appearance is not None:
                look = _Device(resources)
                fonts = dict_value(appearance.get("Resources", {}))
                PDFPageInterpreter(resources, look).render_contents(fonts, [appearance])
                appearances.append(tuple(look.glyphs))
        yield Page(tuple(device.glyphs), tuple(strings), tuple(appearances), device.pictures)


class _Resources(PDFResourceManager):
    """Fonts without the codes of unknowable letters."""

    def get_font(self, objid: object, spec: Any) -> PDFFont:
        font = super().get_font(objid, spec)
        if not isinstance(font, PDFSimpleFont) or "ToUnicode" in spec:
            return font
        if font.cid2unicode.get(_SECOND_HYPHEN) == " ":
            font.cid2unicode = {**font.cid2unicode, _SECOND_HYPHEN: "-"}
        encoding = resolve1(spec.get("Encoding"))
        descriptor = dict_value(spec.get("FontDescriptor", {}))
        embedded = any(key in descriptor for key in ("FontFile", "FontFile2", "FontFile3"))
        if encoding is None and embedded and not _is_plain_type_1(spec, descriptor):
            # The codes are those of the font program, whatever letters they look like.
            font.cid2unicode = {}
        elif isinstance(encoding, dict):
            unknown = _unknown(list_value(encoding.get("Differences", [])))
            mapping = font.cid2unicode.items()
            font.cid2unicode = {code: text for code, text in mapping if code not in unknown}
        return font


def _is_plain_type_1(spec: Any, descriptor: Any) -> bool:
    """Return whether the parser takes the encoding from the font program itself."""
    subtype = resolve1(spec.get("Subtype"))
    name = subtype.name if isinstance(subtype, PSLiteral) else ""
    return name not in _TRUE_TYPE and "FontFile" in descriptor


def _unknown(differences: Iterable[Any]) -> set[int]:
    """Return the codes of glyphs without a letter by their names."""
    from pdfminer.encodingdb import name2unicode

    unknown: set[int] = set()
    code = 0
    for item in map(resolve1, differences):
        if isinstance(item, int):
            code = item
        elif isinstance(item, PSLiteral):
            try:
                name2unicode(str(item.name))
            except (KeyError, ValueError):
                unknown.add(code)
            code += 1
    return unknown


class _Device(PDFTextDevice):
    """Collector of glyphs, and counter of pictures."""

    def __init__(self, resources: PDFResourceManager) -> None:
        super().__init__(resources)
        self.glyphs: list[Glyph] = []
        self.pictures = 0
        self._figures = 0

    def begin_figure(self, name: str, bbox: Any, matrix: Any) -> None:
        self._figures += 1
        if self._figures > _MOST_FIGURES:
            raise TooMuchError

    def render_image(self, name: str, stream: Any) -> None:
        self.pictures += 1

    def render_char(
        self,
        matrix: Any,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: Any,
        graphicstate: Any,
    ) -> float:
        if len(self.glyphs) >= MOST_GLYPHS:
            raise TooMuchError
        try:
            text = font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            text = ""
        if len(text) > _LONGEST_LIGATURE:
            text = ""
        advance = float(font.char_width(cid) * fontsize * scaling)
        a, b, c, d, x, y = map(float, matrix)
        if font.is_vertical():
            dx, dy, direction = c * advance, d * advance, math.degrees(math.atan2(-d, -c))
        else:
            forward = math.copysign(1.0, fontsize * scaling)
            dx, dy = a * advance, b * advance
            direction = math.degrees(math.atan2(forward * b, forward * a))
        x, y = x + c * rise, y + d * rise
        size = abs(fontsize) * math.hypot(c, d)
        if isinstance(font, PDFType3Font) and font.get_height() > 0:
            size *= font.get_height()
        if not all(map(math.isfinite, (x, y, dx, dy, size))):
            raise ValueError
        self.glyphs.append(Glyph(text, x, y, dx, dy, direction, size))
        return advance


def _annotations(page: PDFPage) -> Iterator[dict[Any, Any]]:
    for reference in list_value(page.annots) if page.annots is not None else ():
        annotation = resolve1(reference)
        if isinstance(annotation, dict):
            yield annotation


def _strings(annotation: dict[Any, Any]) -> Iterator[str]:
    """Yield the texts of an annotation or a form field; a field may have one from its parent."""
    keys = ("Contents", "V", "TU") if _is_field(annotation) else ("Contents",)
    for key in keys:
        value = resolve1(annotation.get(key))
        if value is None and key != "Contents":
            parent = resolve1(annotation.get("Parent"))
            value = resolve1(parent.get(key)) if isinstance(parent, dict) else None
        for item in value if isinstance(value, list) else [value]:
            text = resolve1(item)
            if isinstance(text, bytes) and (string := _string(text)).strip():
                yield string


def _appearance(annotation: dict[Any, Any]) -> PDFStream | None:
    """Return the drawing of an annotation, if it looks the same in all of its states."""
    looks = resolve1(annotation.get("AP"))
    look = resolve1(looks.get("N")) if isinstance(looks, dict) else None
    return look if isinstance(look, PDFStream) else None


def _is_field(annotation: dict[Any, Any]) -> bool:
    subtype = resolve1(annotation.get("Subtype"))
    return isinstance(subtype, PSLiteral) and subtype.name == "Widget"


def _string(data: bytes) -> str:
    if data.startswith(_UTF_8):
        return data[len(_UTF_8) :].decode("utf-8", "replace")
    return decode_text(data)
