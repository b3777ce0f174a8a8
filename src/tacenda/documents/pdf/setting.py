"""Typeset a text as a new PDF: A4, one embedded typeface, the same bytes every time."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources

from ...errors import AS_TEXT, InputError, MissingExtraError
from ...result import Result
from ..completeness import is_whole
from ..output import Numbering, Output
from ..record import SourceDocument
from .text import written_text

try:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas
except ImportError as error:
    raise MissingExtraError("writing a PDF", "documents") from error

_FONT = "tacenda-DejaVuSans"
_SIZE = 10.0  # points, like all lengths here
_LEADING = 14.5
_MARGIN = 62.0
_SMALL = 8.0
_GREY = 0.35
_TAB = "    "
_UNKNOWN = "\N{WHITE SQUARE}"
_BULLETS = str.maketrans({"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓"})
_WORDS = re.compile(r"\S+\s*|\s+")


class PdfWriter:
    """``--to pdf``: the sanitized texts, each starting on a new page."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._numbering = Numbering()
        self._texts: list[str] = []

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Add one text; the file is written when it is closed.

        Raises:
            InputError: if the typeface lacks a letter in the text.
        """
        _printable(sanitized.text, self._numbering.public_id(record, sanitized))
        self._texts.append(sanitized.text)

    def close(self) -> None:
        """Write the file.

        Raises:
            InputError: if it doesn't contain all texts.
        """
        text = "\f".join(self._texts)
        data = render(text, "")
        if not is_whole(_printable(text, ""), written_text(data)):
            raise InputError("a PDF could not contain all of these texts", remedy=AS_TEXT)
        self._output.emit_bytes(data)


def render(text: str, name: str) -> bytes:
    """Return a PDF of a text.

    Args:
        text: lines are kept and long ones wrapped; a form feed starts a new page.
        name: name of the document, for error messages; it isn't written.

    Raises:
        InputError: if the typeface lacks a letter in the text.
    """
    body = _printable(text, name)
    stream = io.BytesIO()
    # invariant: the file gets no time and no random id.
    canvas = Canvas(stream, pagesize=A4, invariant=1, pageCompression=1)
    canvas.setTitle("Sanitized document")
    canvas.setAuthor("")
    canvas.setCreator("tacenda")
    width, height = A4
    _glyphs()
    number = 0
    for page in body.split("\f"):
        lines = list(_lines(page.rstrip("\n"), width - 2 * _MARGIN)) or [""]
        capacity = int((height - 2 * _MARGIN) / _LEADING)
        for first in range(0, len(lines), capacity):
            number += 1
            canvas.setFont(_FONT, _SIZE)
            position = height - _MARGIN - _SIZE
            for line in lines[first : first + capacity]:
                canvas.drawString(_MARGIN, position, line)
                position -= _LEADING
            canvas.setFont(_FONT, _SMALL)
            canvas.setFillGray(_GREY)
            canvas.drawCentredString(width / 2, _MARGIN / 2, str(number))
            canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _lines(text: str, width: float) -> Iterator[str]:
    """Yield the lines of a page, wrapped between words, or inside overlong words."""
    for paragraph in text.split("\n"):
        line, used = "", 0.0
        for match in _WORDS.finditer(paragraph):
            for piece in _pieces(match[0], width):
                visible = pdfmetrics.stringWidth(piece.rstrip(), _FONT, _SIZE)
                if line and used + visible > width:
                    yield line.rstrip()
                    line, used = "", 0.0
                line += piece
                used += pdfmetrics.stringWidth(piece, _FONT, _SIZE)
        yield line.rstrip()


def _pieces(word: str, width: float) -> Iterator[str]:
    """Yield a word, in pieces if it is wider than a line."""
    if pdfmetrics.stringWidth(word, _FONT, _SIZE) <= width:
        yield word
        return
    piece, used = "", 0.0
    for character in word:
        advance = pdfmetrics.stringWidth(character, _FONT, _SIZE)
        if piece and used + advance > width:
            yield piece
            piece, used = "", 0.0
        piece += character
        used += advance
    yield piece


def _printable(text: str, name: str) -> str:
    """Return text that uses only the typeface's characters.

    A missing letter or digit is an error, since the text would be incomplete; a missing symbol
    becomes a square, and a control character a space.
    """
    glyphs = _glyphs()
    composed = unicodedata.normalize("NFC", text.translate(_BULLETS))
    composed = composed.replace("\r\n", "\n").replace("\r", "\n").replace("\t", _TAB)
    replaced: dict[str, str | int | None] = {}
    for character in dict.fromkeys(composed):
        if character in "\n\f" or ord(character) in glyphs:
            continue
        category = unicodedata.category(character)
        if category[0] in "LN":
            raise InputError(
                f"U+{ord(character):04X} ({unicodedata.name(character, 'a letter')}) can't be written "
                "in a PDF, whose typeface has Latin, Greek, Cyrillic, Armenian and Georgian",
                name,
                AS_TEXT,
            )
        if category in ("Cf", "Mn", "Me"):
            replaced[character] = ""
        else:
            replaced[character] = " " if category[0] in "CZ" and category != "Co" else _UNKNOWN
    return composed.translate(str.maketrans(replaced)) if replaced else composed


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    """Return the typeface's code points, registering it on the first call."""
    data = (resources.files(__package__) / "fonts" / "DejaVuSans-subset.ttf").read_bytes()
    font = TTFont(_FONT, io.BytesIO(data))
    pdfmetrics.registerFont(font)
    return frozenset(font.face.charToGlyph)
