"""The text layer of a PDF, read page by page with its annotations and form fields, and written anew.

Pages are parted by a form feed. A word divided at the end of a line is put together
again, so a divided name is found. A page without text is a picture of one and is reported; a
file without any text is an error. So is a page of unknown letters:
unreadable text can't be sanitized.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import BinaryIO

from ...document import Document
from ...errors import InputError, MissingExtraError
from ...isolation.limits import limits
from ...result import Result
from ...text.decoding import writable
from ..completeness import is_whole, require_whole
from ..output import Numbering, Output
from ..record import Origin, SourceDocument
from . import layout as content
from .layout import UNREADABLE, page_text

PAGE_BREAK = "\f"
LARGEST_FILE = 200_000_000
MOST_CHARACTERS = 50_000_000
_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])(\S+)[ ]?")
_SHOWN_PAGES = 10
_WORD = re.compile(r"\S+")
_EDGES = re.compile(rf"^[^\w{UNREADABLE}]+|[^\w{UNREADABLE}]+$")
_FEW_WORDS = 20


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a PDF.

    Raises:
        InputError: if it is no PDF, protected, damaged, too large, or without text.
    """
    name = origin.name
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the document.", name)
    if b"%PDF-" not in data[:1024]:
        raise InputError("is no PDF: it does not begin with %PDF-; check the file.", name)
    pages = _guarded(data, name)
    empty = [number for number, page in enumerate(pages, 1) if not page[0].strip()]
    if len(empty) == len(pages):
        raise InputError(
            "has no text layer, as a scan has none; recognise its text first (OCR), then sanitize "
            "the result.",
            name,
        )
    text = PAGE_BREAK.join(_whole_words(writable(text)) for text, _ in pages)
    yield SourceDocument(
        Document(name, text),
        origin,
        text,
        (),
        container=_Container(),
        notes=tuple(_notes(empty, sum(pictures for _, pictures in pages))),
    )


class _Container:
    """A PDF is written anew, from its text alone."""

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the new PDF.

        Raises:
            InputError: if text is missing in it.
        """
        data = render(sanitized.text, record.origin.name)
        require_whole(record, sanitized, written_text(data, record.origin.name))
        return data


def written_text(data: bytes, name: str) -> str:
    """Return the text of the pages of a PDF of ours, without the numbers below them."""
    pages = _guarded(data, name)
    return PAGE_BREAK.join(text.rpartition("\n")[0] for text, _ in pages)


def _guarded(data: bytes, name: str) -> list[tuple[str, int]]:
    """Return text and number of pictures of each page."""
    pages: list[tuple[str, int]] = []
    length = 0
    try:
        for number, page in enumerate(content.pages(data), 1):
            limits().check_parts(number, "pages", name)
            texts = [page_text(glyphs) for glyphs in (page.glyphs, *page.appearances)]
            for text in texts:
                _require_readable(text, number, name)
            text = "\n".join((*texts, *page.annotations)).replace(PAGE_BREAK, "\n").strip("\n")
            pages.append((text, page.pictures))
            length += len(text)
            if length > MOST_CHARACTERS:
                raise InputError(
                    f"has more than {MOST_CHARACTERS:,} characters; split the document.", name
                )
    except (InputError, MissingExtraError):
        raise
    except content.PasswordNeededError:
        raise InputError("is protected by a password; save it without one.", name) from None
    except content.TooMuchError:
        raise InputError(f"page {len(pages) + 1} draws too much to be read.", name) from None
    except Exception as error:  # a damaged file makes the parser fail in any way there is
        raise InputError(
            f"is a damaged PDF ({type(error).__name__}); print it to a new PDF first.", name
        ) from None
    if not pages:
        raise InputError("is a damaged PDF without a page; print it to a new PDF first.", name)
    return pages


def _require_readable(text: str, number: int, name: str) -> None:
    """Raise InputError for a page of unknown letters or words.

    A symbol alone, such as the mark of a list item, may be unknown.
    """
    words = [_EDGES.sub("", word) for word in _WORD.findall(text)]
    symbols = sum(word == UNREADABLE for word in words)
    unknown = any(UNREADABLE in word and word != UNREADABLE for word in words)
    if unknown or 5 * symbols > len(words) + 10:
        raise InputError(
            f"page {number} has letters that can't be known, since their font has no map to Unicode; "
            "recognise its text first (OCR), then sanitize the result.",
            name,
        )
    letters = [word for word in words if word.isalpha() and not _is_spaceless(word)]
    if len(letters) >= _FEW_WORDS and 2 * sum(len(word) == 1 for word in letters) > len(letters):
        raise InputError(
            f"page {number} has letters so placed that they make no words; recognise its text first "
            "(OCR), then sanitize the result.",
            name,
        )


def _is_spaceless(word: str) -> bool:
    """Return whether a word is of a script with a sign as a possible word."""
    return word >= "\u0e00"


def _whole_words(text: str) -> str:
    r"""Return text without divided words: ``Yal-\nman went`` becomes ``Yalman\nwent``."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _DIVIDED.sub(lambda match: _joined(match), lines)


def _joined(match: re.Match[str]) -> str:
    # A capital after the hyphen makes it a double name, which keeps it.
    hyphen = "-" if match[1][0].isupper() else ""
    return f"{hyphen}{match[1]}\n"


def _notes(empty: list[int], pictures: int) -> Iterator[str]:
    if empty:
        numbers = ", ".join(map(str, empty[:_SHOWN_PAGES]))
        more = " …" if len(empty) > _SHOWN_PAGES else ""
        yield f"page {numbers}{more}: without text; what such a page shows is not in the output."
    if pictures:
        yield f"{pictures} pictures are not in the output, which is made of the text alone."


# A text as a new PDF: A4, one embedded typeface, the same bytes every time.


try:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas
except ImportError as error:
    raise MissingExtraError("writing a PDF", "documents") from error

_FONT = "tacenda-DejaVuSans"
_SIZE = 10.0  # points, as all lengths here
_LEADING = 14.5
_MARGIN = 62.0
_SMALL = 8.0
_GREY = 0.35
_TAB = "    "
_UNKNOWN = "\N{WHITE SQUARE}"
_BULLETS = str.maketrans({"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓"})
_WORDS = re.compile(r"\S+\s*|\s+")


class PdfWriter:
    """``--to pdf``: the sanitized texts, each beginning on a page of its own."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._numbering = Numbering()
        self._texts: list[str] = []

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Take one text; the file is written when it is closed.

        Raises:
            InputError: if a letter of the text is not in the typeface.
        """
        _printable(sanitized.text, self._numbering.public_id(record, sanitized))
        self._texts.append(sanitized.text)

    def close(self) -> None:
        """Write the file.

        Raises:
            InputError: if it does not hold all of the texts.
        """
        text = "\f".join(self._texts)
        data = render(text, "")
        if not is_whole(_printable(text, ""), written_text(data, "")):
            raise InputError("a PDF of these texts would not hold all of them; choose --to text.")
        self._output.emit_bytes(data)


def render(text: str, name: str) -> bytes:
    """Return a PDF of a text.

    Args:
        text: its lines are kept, long ones are wrapped; a form feed begins a page.
        name: of the document, for errors; it is not written.

    Raises:
        InputError: if a letter of the text is not in the typeface.
    """
    body = _printable(text, name)
    stream = io.BytesIO()
    # invariant: no time and no random id goes into the file.
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
    """Yield the lines of a page, wrapped between words, and within an overlong word."""
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
    """Return text in characters of the typeface.

    A missing letter or digit is an error, since the text would be incomplete; a missing
    symbol becomes a square, a control character a space.
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
                "in a PDF, whose typeface has Latin, Greek, Cyrillic, Armenian and Georgian; choose "
                "--to text or --to html.",
                name,
            )
        if category in ("Cf", "Mn", "Me"):
            replaced[character] = ""
        else:
            replaced[character] = " " if category[0] in "CZ" and category != "Co" else _UNKNOWN
    return composed.translate(str.maketrans(replaced)) if replaced else composed


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    """Return the code points of the typeface, registered at the first call."""
    data = (resources.files(__package__) / "fonts" / "DejaVuSans-subset.ttf").read_bytes()
    font = TTFont(_FONT, io.BytesIO(data))
    pdfmetrics.registerFont(font)
    return frozenset(font.face.charToGlyph)
