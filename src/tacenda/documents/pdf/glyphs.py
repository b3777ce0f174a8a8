"""The glyphs on a PDF's pages with their positions, as drawn by the content (PDF 32000, 9.4.4).

Text of form XObjects, invisible text and text outside of the page are among them: all text that a
program could extract must be read. A glyph of an unknown letter has an empty text: of a font
without a map to Unicode and with meaningless codes or glyph names. The file is one of ``cleaning``.
"""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pdfminer.cmapdb import CMap, IdentityCMap, IdentityCMapByte
from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdffont import PDFFont, PDFSimpleFont, PDFType3Font, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import dict_value, list_value, resolve1, stream_value
from pdfminer.psparser import PSLiteral, literal_name
from pdfminer.utils import Matrix, mult_matrix, translate_matrix

from .outlines import OutlinedLine, Shape, joined, outlined_lines, shapes, strokes

# Its messages quote text, but no text of a document may reach a log.
logging.getLogger("pdfminer").setLevel(logging.CRITICAL + 1)

MOST_GLYPHS = 2_000_000
"""Maximum per page."""
_MOST_FIGURES = 100_000
_LONGEST_LIGATURE = 32
_TRUE_TYPE = ("TrueType", "MMType1")
_SECOND_HYPHEN = 0o255
"""Draws a hyphen in WinAnsiEncoding (PDF 32000, table D.2, note 6), which the parser takes for a space."""


class TooMuchError(Exception):
    """A page draws more than any page meant for readers."""


class GlyphPlace(NamedTuple):
    """The position of a glyph in the content of its page.

    Attributes:
        path: numbers of the ``Do`` operators that lead to its stream; empty for the page's own.
        operator: number of its text-showing operator in that stream.
        element: index in the operator's array.
        start, end: byte positions in that string.
    """

    path: tuple[int, ...]
    operator: int
    element: int
    start: int
    end: int


class Glyph(NamedTuple):
    """A drawn character.

    Attributes:
        text: its letter, several characters for a ligature; empty if unknown.
        x, y: its origin on the baseline, in points.
        dx, dy: vector from its origin to that of the next glyph.
        direction: angle of its baseline in degrees, 0 if read from left to right.
        size: height of its font, in points.
        place: its position in the content.
        gap: number in a ``TJ`` array that moves as far as the glyph does.
        font: number of its font's object; 0 if it has none.
        vertical: whether its line runs down the page.
    """

    text: str
    x: float
    y: float
    dx: float
    dy: float
    direction: float
    size: float
    place: GlyphPlace = GlyphPlace((), 0, 0, 0, 0)
    gap: float = 0.0
    font: int = 0
    vertical: bool = False


class Picture(NamedTuple):
    """A drawn picture.

    Attributes:
        path: numbers of the ``Do`` operators that lead to it, the last of which is its own.
        matrix: maps the unit square that it fills to points.
        inline: whether it is in the content itself; its number then counts inline pictures.
        object: number of its object; 0 if it has none.
    """

    path: tuple[int, ...]
    matrix: Matrix
    inline: bool
    object: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page.

    Attributes:
        glyphs: in drawing order.
        pictures: in drawing order.
        matrix: maps its user space to points from the lower left of the page as shown.
        paths: paths of the form XObjects that were read.
        outlines: lines whose shapes may be letters.
    """

    glyphs: tuple[Glyph, ...]
    pictures: tuple[Picture, ...]
    matrix: Matrix
    paths: frozenset[tuple[int, ...]]
    outlines: tuple[OutlinedLine, ...] = ()


def pages(data: bytes) -> Iterator[Page]:
    """Yield the pages of a PDF.

    Raises:
        TooMuchError: if a page draws too much; also whatever the parser raises for damaged files.
    """
    resources = _FontResources(caching=True)
    for page in PDFPage.create_pages(PDFDocument(PDFParser(io.BytesIO(data)))):
        device = _Device(resources)
        _Interpreter(resources, device).process_page(page)
        yield Page(
            tuple(device.glyphs),
            tuple(device.pictures),
            device.matrix,
            frozenset(device.paths),
            outlined_lines([*device.shapes, *joined(device.strokes)]),
        )


class _FontResources(PDFResourceManager):
    """Fonts without the codes of letters that can't be known."""

    def get_font(self, objid: object, spec: Any) -> PDFFont:
        known = objid in self._cached_fonts
        font = super().get_font(objid, spec)
        if known:
            return font
        vars(font)["object_number"] = objid if isinstance(objid, int) else 0
        if not isinstance(font, PDFSimpleFont) or "ToUnicode" in spec:
            return font
        if font.cid2unicode.get(_SECOND_HYPHEN) == " ":
            font.cid2unicode = {**font.cid2unicode, _SECOND_HYPHEN: "-"}
        encoding = resolve1(spec.get("Encoding"))
        descriptor = dict_value(spec.get("FontDescriptor", {}))
        embedded = any(key in descriptor for key in ("FontFile", "FontFile2", "FontFile3"))
        if encoding is None and embedded and not _is_plain_type_1(spec, descriptor):
            # The codes are those of the font program, even if they look like letters.
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
    """Return the codes of glyphs whose names give no letter."""
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


class _Interpreter(PDFPageInterpreter):
    """An interpreter that numbers the operators in each stream."""

    device: _Device

    def __init__(self, resources: PDFResourceManager, device: _Device) -> None:
        super().__init__(resources, device)
        # For the form being drawn, whose interpreter is created by the enclosing one.
        self._path = device.path
        self._shown = self._done = self._inline = 0
        self._clips = False

    def do_TJ(self, seq: Any) -> None:
        self.device.operator = self._path, self._shown
        self._shown += 1
        super().do_TJ(seq)

    def do_Do(self, xobjid: Any) -> None:
        self.device.path = (*self._path, self._done)
        self._done += 1
        if self._is_form(xobjid):
            self.device.paths.add(self.device.path)
        super().do_Do(xobjid)
        self.device.path = self._path
        self.device.set_ctm(self.ctm)

    def _is_form(self, xobjid: Any) -> bool:
        try:
            stream = stream_value(self.xobjmap[literal_name(xobjid)])
        except KeyError:
            return False
        subtype = stream.get("Subtype")
        return isinstance(subtype, PSLiteral) and subtype.name == "Form" and "BBox" in stream

    def do_F(self) -> None:
        self.do_f()

    def do_W(self) -> None:
        self._clips = True

    do_W_a = do_W

    def do_n(self) -> None:
        # A picture or shading may be visible through a clipping path.
        if self._clips and self.curpath:
            self.device.paint_path(self.graphicstate, False, True, False, self.curpath)
        self._clips = False
        super().do_n()

    def do_EI(self, obj: Any) -> None:
        path = (*self._path, self._inline)
        self._inline += 1
        self.device.pictures.append(Picture(path, self.ctm, True))


class _Device(PDFTextDevice):
    """Collects glyphs and pictures."""

    def __init__(self, resources: PDFResourceManager) -> None:
        super().__init__(resources)
        self.glyphs: list[Glyph] = []
        self.pictures: list[Picture] = []
        self.paths: set[tuple[int, ...]] = set()
        self.shapes: list[Shape] = []
        self.strokes: list[Shape] = []
        self.path: tuple[int, ...] = ()
        self.operator: tuple[tuple[int, ...], int] = (), 0
        self.matrix: Matrix = (1, 0, 0, 1, 0, 0)
        self._figures = 0

    def begin_page(self, page: PDFPage, ctm: Matrix) -> None:
        self.matrix = ctm

    def begin_figure(self, name: str, bbox: Any, matrix: Any) -> None:
        self._figures += 1
        if self._figures > _MOST_FIGURES:
            raise TooMuchError

    def render_image(self, name: str, stream: Any) -> None:
        assert self.ctm is not None
        self.pictures.append(Picture(self.path, self.ctm, False, stream.objid or 0))

    def paint_path(
        self, graphicstate: Any, stroke: bool, fill: bool, evenodd: bool, path: Any
    ) -> None:
        """Collect the shapes of a path."""
        assert self.ctm is not None
        if fill:
            self.shapes += shapes(path, self.ctm)
        elif stroke:
            self.strokes += strokes(path, self.ctm)

    def render_string(self, textstate: Any, seq: Any, ncs: Any, graphicstate: Any) -> None:
        """Collect the glyphs of a text-showing operator."""
        path, number = self.operator
        font: PDFFont = textstate.font
        assert self.ctm is not None
        matrix = mult_matrix(textstate.matrix, self.ctm)
        size = float(textstate.fontsize)
        vertical = font.is_vertical()
        # Movement along a vertical line isn't scaled.
        scaling = 1.0 if vertical else textstate.scaling * 0.01
        position = list(textstate.linematrix)
        axis = 1 if vertical else 0
        for element, item in enumerate(seq):
            if isinstance(item, (int, float)):
                position[axis] -= item * 0.001 * size * scaling
                continue
            if not isinstance(item, bytes):
                continue
            for cid, start, end in _codes(font, item):
                spacing = textstate.charspace
                if item[start:end] == b" " and not font.is_multibyte():
                    spacing += textstate.wordspace
                width = font.char_width(cid)
                place = GlyphPlace(path, number, element, start, end)
                gap = -1000 * (width + spacing / size) if size else 0.0
                origin = translate_matrix(matrix, (position[0], position[1]))
                self._add(origin, font, textstate, cid, width * size * scaling, place, gap)
                position[axis] += (width * size + spacing) * scaling
        textstate.linematrix = position[0], position[1]

    def _add(
        self,
        matrix: Matrix,
        font: PDFFont,
        textstate: Any,
        cid: int,
        advance: float,
        place: GlyphPlace,
        gap: float,
    ) -> None:
        if len(self.glyphs) >= MOST_GLYPHS:
            raise TooMuchError
        try:
            text = font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            text = ""
        if len(text) > _LONGEST_LIGATURE:
            text = ""
        a, b, c, d, x, y = map(float, matrix)
        vertical = font.is_vertical()
        if vertical:
            dx, dy, direction = c * advance, d * advance, math.degrees(math.atan2(-d, -c))
        else:
            forward = math.copysign(1.0, textstate.fontsize * textstate.scaling)
            dx, dy = a * advance, b * advance
            direction = math.degrees(math.atan2(forward * b, forward * a))
        x, y = x + c * textstate.rise, y + d * textstate.rise
        size = abs(textstate.fontsize) * math.hypot(c, d)
        if isinstance(font, PDFType3Font) and font.get_height() > 0:
            size *= font.get_height()
        if not all(map(math.isfinite, (x, y, dx, dy, size, gap))):
            raise ValueError
        number = getattr(font, "object_number", 0)
        self.glyphs.append(Glyph(text, x, y, dx, dy, direction, size, place, gap, number, vertical))


def _codes(font: PDFFont, string: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the codes in a string, each with the start and end of its bytes.

    Raises:
        ValueError: if the bytes of a code can't be determined.
    """
    cmap = getattr(font, "cmap", None)
    if not font.is_multibyte() or isinstance(cmap, IdentityCMapByte):
        codes = cmap.decode(string) if cmap and font.is_multibyte() else string
        yield from ((code, n, n + 1) for n, code in enumerate(codes))
    elif isinstance(cmap, IdentityCMap):
        yield from ((code, 2 * n, 2 * n + 2) for n, code in enumerate(cmap.decode(string)))
    elif isinstance(cmap, CMap):
        start, node = 0, cmap.code2cid
        for end, byte in enumerate(string, 1):
            inner = node.get(byte)
            if isinstance(inner, dict):
                node = inner
                continue
            if isinstance(inner, int):
                yield inner, start, end
            start, node = end, cmap.code2cid
    else:
        raise ValueError
