"""Text of a PDF's pages: glyphs with their places, read as lines, columns and paragraphs."""

from __future__ import annotations

import io
import logging
import math
import statistics
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from ...errors import MissingExtraError

# The glyphs of a PDF's pages with their places, as its content draws them (PDF 32000, 9.4.4).
#
# Text of form XObjects, invisible text and text outside of the page are among them: all text that a
# program could extract must be read. A glyph of an unknown letter has an empty text: of a font
# without a map to Unicode and with meaningless codes or glyph names.

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


# Glyphs with places read as text: words, lines, columns and paragraphs.
#
#     glyphs ─ direction ─▶ lines (one baseline) ─ gaps ─▶ segments ─ columns ─▶ rows in reading order
#
# Nothing is taken from the order in which glyphs are drawn, but where they lie on one another.
#
# | in a line | |
# |---|---|
# | a gap of 0.13 of the font's size more than is usual between its letters | a blank |
# | a gap of 1.8 of it | the end of a segment: a tab, or another column |
# | a letter drawn twice (bold), an accent drawn over a letter | one letter |
# | letters upon one another (a shadow, a box with words drawn over a name) | lines of their own |
# | letters of a script that is read from right to left | in the order in which they are read |
#
# Rows whose segments leave a gutter free, with prose on both sides of it, are read column by column;
# the cells of a table are read row by row. Text in another direction follows that of the page.


CELL = "\t"
_SAME_DIRECTION = 2.0  # degrees
_BASELINE = 0.4  # shares of the font's size, as all lengths below
_RAISED = 0.6
_BLANK = 0.13
_CLOSE = 0.2
_SEGMENT = 1.8
_TWICE = 0.12
_UPON = 0.5  # share of a glyph's own width
_GUTTER = 1.0
_PARAGRAPH = 1.6  # times the usual distance of lines
_COLUMN_ROWS = 3
_COLUMN_LETTERS = 20
_MOST_STRANDS = 64
_MOST_GUTTERS = 32
_ACCENTS = {
    "\u00a8": "\u0308",
    "\u00b4": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "\u02c6": "\u0302",
    "~": "\u0303",
    "\u02dc": "\u0303",
    "\u00b8": "\u0327",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02d9": "\u0307",
    "\u00af": "\u0304",
    "\u02db": "\u0328",
}
_MIRRORED = {"(": ")", ")": "(", "[": "]", "]": "["}
UNREADABLE = "\ufffd"
"""What stands for a glyph whose letter can't be known."""


@dataclass(slots=True)
class _Mark:
    """A glyph in the axes of its direction: ``u`` along the baseline, ``v`` up from it."""

    text: str
    u: float
    v: float
    width: float
    size: float
    order: int

    @property
    def end(self) -> float:
        return self.u + self.width


@dataclass(frozen=True, slots=True)
class _Segment:
    """Words of a line without a wide gap, as they are read."""

    text: str
    u: float
    end: float
    v: float
    size: float


def page_text(glyphs: Sequence[Glyph]) -> str:
    """Return the text of a page; ``UNREADABLE`` stands for each glyph without text.

    Raises:
        TooMuchError: if too many letters lie on one another.
    """
    texts = []
    for angle, group in _directions(glyphs):
        lines = _lines(_turned(glyphs, group, angle))
        rows = [row for line in lines for row in _segments(line)]
        texts.append("\n".join(_paragraphs(list(_in_order(rows)))))
    return "\n".join(filter(None, texts))


def _directions(glyphs: Sequence[Glyph]) -> Iterator[tuple[float, list[int]]]:
    """Yield each direction in degrees with the indices of its glyphs, the usual one first."""
    by_degree: dict[int, list[int]] = {}
    for index, glyph in enumerate(glyphs):
        by_degree.setdefault(round(glyph.direction) % 360, []).append(index)
    groups: dict[int, list[int]] = {}
    for degree, indices in sorted(by_degree.items(), key=lambda item: -len(item[1])):
        near = (
            group for group in groups if abs((group - degree + 180) % 360 - 180) <= _SAME_DIRECTION
        )
        groups.setdefault(next(near, degree), []).extend(indices)
    for degree, indices in groups.items():
        turns = [(glyphs[i].direction - degree + 180) % 360 - 180 for i in indices]
        yield degree + statistics.fmean(turns), sorted(indices)


def _turned(glyphs: Sequence[Glyph], indices: Iterable[int], angle: float) -> Iterator[_Mark]:
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for index in indices:
        glyph = glyphs[index]
        u, v = glyph.x * cosine + glyph.y * sine, glyph.y * cosine - glyph.x * sine
        width = max(0.0, glyph.dx * cosine + glyph.dy * sine)
        yield _Mark(_letters(glyph.text), u, v, width, glyph.size or 1.0, index)


@lru_cache(maxsize=1024)
def _letters(text: str) -> str:
    """Return the letters of a glyph, ligatures and presentation forms taken apart."""
    if not text or any(unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs") for c in text.strip()):
        return UNREADABLE
    if any("\ufb00" <= c <= "\ufdff" or "\ufe70" <= c <= "\ufefc" for c in text):
        return unicodedata.normalize("NFKC", text)
    return text


def _lines(marks: Iterable[_Mark]) -> list[list[_Mark]]:
    """Return the marks by baseline, from the top."""
    lines: list[list[_Mark]] = []
    height = 0.0  # mean of the line's baselines
    for mark in sorted(marks, key=lambda mark: (-mark.v, mark.u, mark.order)):
        if lines:
            line = lines[-1]
            size = min(mark.size, line[-1].size)
            if abs(height - mark.v) <= _BASELINE * size:
                height += (mark.v - height) / (len(line) + 1)
                line.append(mark)
                continue
        lines.append([mark])
        height = mark.v
    return list(_with_raised(lines))


def _with_raised(lines: Sequence[list[_Mark]]) -> Iterator[list[_Mark]]:
    """Yield the lines, raised and lowered letters joined to their line."""
    merged = [False] * len(lines)
    for index, line in enumerate(lines):
        size = max(mark.size for mark in line)
        for neighbour in (index - 1, index + 1):
            if not 0 <= neighbour < len(lines) or merged[neighbour] or merged[index]:
                continue
            host = lines[neighbour]
            large = max(mark.size for mark in host)
            if size < large and abs(line[0].v - host[0].v) <= _RAISED * large:
                host_ends = [(mark.u, mark.end) for mark in host if not mark.text.isspace()]
                if all(
                    any(u - large <= mark.u <= end + large for u, end in host_ends)
                    for mark in (line[0], line[-1])
                ):
                    host += line
                    merged[index] = True
    yield from (line for index, line in enumerate(lines) if not merged[index])


def _segments(line: list[_Mark]) -> Iterator[list[_Segment]]:
    """Yield the rows of a line: one, but for letters that lie on one another."""
    for strand in _strands(_once(sorted(line, key=lambda mark: (mark.u, mark.order)))):
        usual = _usual_gap(strand)
        row: list[_Segment] = []
        run: list[_Mark] = []
        for mark in strand:
            if mark.text.isspace():
                if run:
                    run.append(mark)
                continue
            last = next((item for item in reversed(run) if not item.text.isspace()), None)
            if last and mark.u - last.end > _SEGMENT * max(mark.size, last.size) + usual:
                row.append(_segment(run, usual))
                run = []
            run.append(mark)
        if any(not mark.text.isspace() for mark in run):
            row.append(_segment(run, usual))
        if row:
            yield row


def _once(marks: list[_Mark]) -> list[_Mark]:
    """Return the marks without those drawn a second time, and accents with their letters."""
    result: list[_Mark] = []
    for mark in marks:
        twin = any(
            peer.text == mark.text
            and abs(peer.u - mark.u) <= _TWICE * mark.size
            and abs(peer.v - mark.v) <= _TWICE * mark.size
            for peer in result[-4:]
        )
        if not twin or mark.width == 0 or mark.text == UNREADABLE:
            result.append(mark)
    for index, mark in enumerate(result):
        combining = _ACCENTS.get(mark.text)
        if combining is None:
            continue
        for peer in result[index + 1 : index + 2] + result[max(0, index - 1) : index]:
            overlap = min(mark.end, peer.end) - max(mark.u, peer.u)
            if peer.text.isalpha() and overlap > _UPON * mark.width:
                peer.text = unicodedata.normalize("NFC", peer.text + combining)
                mark.text = ""
                break
    return [mark for mark in result if mark.text]


def _strands(marks: list[_Mark]) -> list[list[_Mark]]:
    """Return the marks of a line as sequences without overlap."""
    strands: list[list[_Mark]] = []
    for mark in marks:
        if len(strands) == 1 and not _lies_on(mark, strands[0][-1]):
            strands[0].append(mark)
            continue
        free = [strand for strand in strands if not _lies_on(mark, strand[-1])]
        follows = [strand for strand in free if strand[-1].order + 1 == mark.order]
        if follows or free:
            max(follows or free, key=lambda strand: strand[-1].end).append(mark)
        else:
            if len(strands) == _MOST_STRANDS:
                raise TooMuchError
            strands.append([mark])
    return strands


def _lies_on(mark: _Mark, last: _Mark) -> bool:
    if last.text.isspace():  # which the next letter may be moved onto
        return mark.u < last.u - _TWICE * mark.size
    return mark.u < last.end - _UPON * min(last.width, mark.width or mark.size)


def _usual_gap(marks: Sequence[_Mark]) -> float:
    """Return the gap between the letters of a line: 0, unless they are spaced out or drawn in."""
    gaps = [
        following.u - mark.end
        for mark, following in pairwise(marks)
        if not mark.text.isspace() and not following.text.isspace()
    ]
    if len(gaps) < 3:
        return 0.0
    gap = statistics.median(gaps)
    size = statistics.median(mark.size for mark in marks)
    return gap if -_CLOSE * size <= gap <= size else 0.0


def _segment(run: Sequence[_Mark], usual: float) -> _Segment:
    visible = [mark for mark in run if not mark.text.isspace()]
    words = _words(run, usual)
    if len(words) >= 5 and sum(len(word) == 1 for word in words) >= 0.8 * len(words):
        words = _words(visible, max(usual, _typical(visible) * 1.3))
    text = " ".join(_logical(words))
    size = max(mark.size for mark in visible)
    return _Segment(text, visible[0].u, max(m.end for m in visible), visible[0].v, size)


def _typical(marks: Sequence[_Mark]) -> float:
    return max(0.0, statistics.median(after.u - mark.end for mark, after in pairwise(marks)))


def _words(run: Sequence[_Mark], usual: float) -> list[list[str]]:
    """Return the words of a run as their glyphs' texts, from left to right."""
    words: list[list[str]] = []
    last: _Mark | None = None
    is_boundary = True
    for mark in run:
        if mark.text.isspace():
            is_boundary = True
            continue
        if last is not None:
            is_boundary |= mark.u - last.end > usual + _BLANK * max(mark.size, last.size)
        if is_boundary or last is None:
            words.append([])
        words[-1].append(mark.text)
        last, is_boundary = mark, False
    return words


def _logical(words: list[list[str]]) -> list[str]:
    """Return words in reading order; right to left where most letters are."""
    kinds = [_is_right_to_left(word) for word in words]
    if not any(kinds):
        return ["".join(word) for word in words]
    texts = [
        "".join(_turned_word(word)) if kind else "".join(word)
        for word, kind in zip(words, kinds, strict=True)
    ]
    letters = [sum(c.isalpha() for c in text) for text in texts]
    right = sum(count for count, kind in zip(letters, kinds, strict=True) if kind)
    base = right * 2 >= sum(letters)
    # Words that go against the line keep their own order, those without a letter go along.
    turned = [kind if count else base for count, kind in zip(letters, kinds, strict=True)]
    ordered = list(zip(texts, turned, strict=True))
    if base:
        ordered.reverse()
    result: list[str] = []
    run: list[str] = []
    for text, kind in ordered:
        if kind != base:
            run.insert(0, text)
            continue
        result += [*run, text]
        run = []
    return result + run


def _is_right_to_left(word: Iterable[str]) -> bool:
    return any(unicodedata.bidirectional(c) in ("R", "AL") for text in word for c in text)


def _turned_word(word: Sequence[str]) -> Iterator[str]:
    """Yield the glyphs of a word from right to left, but for the numbers in it."""
    for is_number, run in groupby(reversed(word), str.isdecimal):
        glyphs = list(run)
        yield from reversed(glyphs) if is_number else (_MIRRORED.get(sign, sign) for sign in glyphs)


def _in_order(rows: list[list[_Segment]]) -> Iterator[list[_Segment]]:
    """Yield rows in reading order, those of columns one column after the other."""
    start = min((segment.u for row in rows for segment in row), default=0.0)
    end = max((segment.end for row in rows for segment in row), default=0.0)
    free = [_free(row, start, end) for row in rows]
    first = 0
    while first < len(rows):
        last, gutters = _zone(free, first)
        columns = _columns(rows[first:last], gutters)
        if columns is None:
            yield from rows[first:last]
        else:
            for column in columns:
                yield from _in_order(column)
        first = last


def _zone(
    free: Sequence[Sequence[tuple[float, float]]], first: int
) -> tuple[int, list[tuple[float, float]]]:
    """Return the end of the run of rows from ``first`` with common gutters, and these."""
    gutters = list(free[first])
    last = first + 1
    while last < len(free) and gutters:
        common = [
            (max(a, c), min(b, d))
            for a, b in gutters
            for c, d in free[last]
            if max(a, c) < min(b, d)
        ]
        if not common:
            break
        gutters = common
        last += 1
    return last, gutters


def _free(row: Sequence[_Segment], start: float, end: float) -> list[tuple[float, float]]:
    """Return the free stretches of ``[left, right]`` in a row, wide enough for gutters."""
    edges = [start, *(edge for segment in row for edge in (segment.u, segment.end)), end]
    minimum = _GUTTER * max(segment.size for segment in row)
    free = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= minimum]
    return sorted(nlargest(_MOST_GUTTERS, free, key=lambda gutter: gutter[1] - gutter[0]))


def _columns(
    rows: Sequence[Sequence[_Segment]], gutters: Iterable[tuple[float, float]]
) -> list[list[list[_Segment]]] | None:
    """Return the rows as two columns, if there is prose on both sides of a gutter."""
    for start, end in sorted(gutters, key=lambda gutter: gutter[0] - gutter[1]):
        middle = (start + end) / 2
        sides = [
            [part for row in rows if (part := [s for s in row if (s.u >= middle) == second])]
            for second in (False, True)
        ]
        if all(
            len(side) >= _COLUMN_ROWS
            and statistics.median(len(s.text) for row in side for s in row) >= _COLUMN_LETTERS
            for side in sides
        ):
            return sides
    return None


def _paragraphs(rows: Sequence[Sequence[_Segment]]) -> Iterator[str]:
    """Yield the lines, with an empty one where the distance of two is larger than usual."""
    gaps = [above[0].v - below[0].v for above, below in pairwise(rows)]
    usual = statistics.median([gap for gap in gaps if gap > 0] or [0.0])
    for index, row in enumerate(rows):
        if index:
            size = max(row[0].size, rows[index - 1][0].size)
            if gaps[index - 1] > _PARAGRAPH * max(min(usual, 2 * size), size):
                yield ""
        yield CELL.join(segment.text for segment in row)
