r"""Rich text (.rtf, specification 1.9), rebuilt from its text and the formatting below.

Text includes body, headers, footers, notes, comments, text boxes, field results, link addresses,
and the document's title, subject, keywords and comment. The output has fonts, colors, paragraphs,
sections, tables and character formatting. Removed are style sheets and list numbering (formatting
and bullets stay), bookmarks, pictures and embedded objects (both reported), authors, times, changes
(accepted), hidden editing marks, and every other destination and control word; unknown words
outside ignorable destinations are text. Libraries such as striprtf return text without its positions,
so that nothing can be written back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import BinaryIO

from ..document import Document
from ..errors import InputError
from ..result import Result
from ..shipped import shipped_table
from .completeness import require_whole
from .docx import edited_strings, picture_notes
from .names import NameScrubber
from .record import Extraction, Origin, Slot, SourceDocument, plain, source_edits
from .typefaces import is_shipped

_DEEPEST = 500
_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'(?P<byte>[0-9A-Fa-f]{2})"
    r"|\\(?P<symbol>[^A-Za-z])|(?P<brace>[{}])|(?P<end>[\r\n\x00]+)|(?P<plain>[^\\{}\r\n\x00]+)",
    re.DOTALL,
)
_TABLE = shipped_table("rtf")
BREAKS: dict[str, str] = _TABLE["breaks"]
"""Control words that separate text, and how readers see them."""
_CHARACTERS: dict[str, str] = _TABLE["characters"]
_TEXTS = frozenset(_TABLE["texts"].split())
"""Destinations of text outside the body."""
_BOXES = ("shptxt", "dptxbxtext", "ud", "result")
"""Destinations of text inside destinations that are left out."""
_LEFT_OUT = frozenset(_TABLE["left_out"].split())
_KEPT = frozenset(_TABLE["kept"].split())
WORDS = _KEPT | _TEXTS | BREAKS.keys() | frozenset(_TABLE["others"].split())
"""The only control words that are written."""
_CHARSETS: dict[int, str] = {int(number): codec for number, codec in _TABLE["charsets"].items()}
_CODE_PAGES: dict[int, str] = {int(number): codec for number, codec in _TABLE["code_pages"].items()}
"""Codecs whose names differ from those of their code pages."""
_FIELD = re.compile(r"\s*(PAGE|NUMPAGES)\s*(?:\\\*\s*\w+\s*)*")
_LINK = re.compile(r'\s*HYPERLINK\s+(?:\\[a-z]\s*)*"([^"]*)"')
_FONT = re.compile(r"[A-Za-z0-9 -]{1,40}")
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|tel|sms):", re.IGNORECASE)

Piece = tuple[str, str]
"""The kind (``raw`` if it is written unchanged, ``text``, ``address`` or ``font``) and the string."""


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a file.

    Raises:
        InputError: if it isn't an .rtf, is truncated, or uses an unknown code page.
    """
    yield _read(stream.read(), origin)


def _read(data: bytes, origin: Origin) -> SourceDocument:
    if not data.startswith(b"{\\rtf"):
        raise InputError(
            "is not a valid .rtf file: it does not begin with {\\rtf; check the file.", origin.name
        )
    reader = _RtfReader(data.decode("latin-1"), origin.name)
    reader.read()
    text, source, slots = reader.extracted()
    notes = tuple(picture_notes(0, 0, reader.removed))
    container = _RtfContainer(tuple(reader.pieces))
    return SourceDocument(
        Document(origin.name, text), origin, source, slots, container=container, notes=notes
    )


@dataclass(frozen=True, slots=True)
class _RtfContainer:
    """The pieces of a document, ready to receive other strings."""

    pieces: tuple[Piece, ...] = field(repr=False)

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the file with edits applied, and masked names struck out elsewhere.

        Raises:
            InputError: if it lacks text.
        """
        forms = NameScrubber.of(sanitized)
        values = [value for kind, value in self.pieces if kind in ("text", "address")]
        edited = iter(edited_strings(values, source_edits(record, sanitized)))
        parts = []
        for kind, value in self.pieces:
            if kind == "text":
                parts.append(_written(next(edited)))
            elif kind == "address":
                parts.append(_written(forms.redact(next(edited)).replace('"', "'")))
            elif kind == "font":
                is_kept = is_shipped(value) or not forms.occurs_in(value)
                parts.append(_written(value if is_kept else "Arial"))
            else:
                parts.append(value)
        data = "".join(parts).encode("ascii")
        require_whole(record, sanitized, _read(data, record.origin).document.text)
        return data


def _written(text: str) -> str:
    """Write text in ASCII, with other characters as numbers."""
    parts = []
    for character in text:
        code = ord(character)
        if character in "\\{}":
            parts.append(f"\\{character}")
        elif character in "\n\t":
            parts.append("\\line " if character == "\n" else "\\tab ")
        elif 32 <= code < 127:
            parts.append(character)
        elif code > 159:
            units = character.encode("utf-16-le", "replace")
            for index in range(0, len(units), 2):
                unit = int.from_bytes(units[index : index + 2], "little")
                parts.append(f"\\u{unit - 65536 if unit > 32767 else unit}?")
    return "".join(parts)


@dataclass(slots=True)
class _Group:
    """The state of a group.

    Attributes:
        destination: where its text goes; empty for the surrounding text, ``skip`` for nowhere.
        codec: codec of its bytes.
        fallback: number of characters to skip after a character given by number.
        is_deleted: whether its text is marked as deleted in tracked changes.
        is_new: whether it is still empty.
        is_ignorable: whether it starts with an asterisk.
        is_written: whether its braces are in the output.
        is_head: whether its destination starts with it.
        line: number of the line that its text belongs to.
        field: number of the piece that opens the enclosing field.
    """

    destination: str = ""
    codec: str = "cp1252"
    fallback: int = 1
    is_deleted: bool = False
    is_new: bool = True
    is_ignorable: bool = False
    is_written: bool = True
    is_head: bool = False
    line: int = 0
    field: int = -1


class _RtfReader:
    """Reads a file token by token."""

    def __init__(self, source: str, name: str) -> None:
        self._source = source
        self._name = name
        self.pieces: list[Piece] = []
        self.removed = 0
        self._lines: list[list[int | str]] = [[]]
        self._bytes = bytearray()
        self._to_skip = 0
        self._high = ""
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._code_page = "cp1252"
        self._collected = ""

    def read(self) -> None:
        """Read all tokens.

        Raises:
            InputError: if the file is truncated, or a code page is unknown.
        """
        stack: list[_Group] = []
        group = _Group()
        position, end = 0, len(self._source)
        is_done = False
        while position < end and not is_done:
            match = _TOKEN.match(self._source, position)
            if match is None:
                break
            position = match.end()
            if match["byte"] is None:
                self._flush(group)
            if match["brace"] == "{":
                if len(stack) > _DEEPEST:
                    raise InputError("has groups nested too deeply.", self._name)
                stack.append(group)
                group = replace(group, is_new=True, is_ignorable=False, is_head=False)
                if group.is_written:
                    self._raw("{", group)
            elif match["brace"] == "}":
                if not stack:
                    break
                self._close(group)
                group = stack.pop()
                is_done = not stack
            elif match["word"]:
                number = int(match["number"]) if match["number"] else None
                if match["word"] == "bin":
                    position += max(0, number or 0)
                self._word(match["word"], number, group)
            elif match["byte"]:
                group.is_new = False
                if self._to_skip:
                    self._to_skip -= 1
                else:
                    self._bytes.append(int(match["byte"], 16))
            elif match["symbol"]:
                self._symbol(match["symbol"], group)
            elif match["plain"]:
                group.is_new = False
                self._plain(match["plain"], group)
        if not is_done:
            raise InputError("is damaged or cut off; re-save it.", self._name)

    def extracted(self) -> tuple[str, str, tuple[Slot, ...]]:
        """Return text, source and slots; the source consists of all pieces of text in order."""
        places = [n for n, (kind, _) in enumerate(self.pieces) if kind in ("text", "address")]
        values = [self.pieces[place][1] for place in places]
        offsets = dict(zip(places, accumulate(map(len, values), initial=0), strict=False))
        extraction = Extraction("".join(values))
        for line in self._lines:
            for item in line:
                if isinstance(item, str):
                    extraction.gap(item)
                else:
                    start = offsets[item]
                    extraction.verbatim(start, start + len(self.pieces[item][1]), plain)
            extraction.part()
        return extraction.text, extraction.source, tuple(extraction.slots)

    def _close(self, group: _Group) -> None:
        if group.destination == "fldinst" and group.is_head:
            self._field(group)
        if group.destination == "font" and group.is_head:
            name = self._collected.strip().rstrip(";")
            self._collected = ""
            if _FONT.fullmatch(name):
                self.pieces.append(("font", name))
            self._raw(";", group)
        if group.is_head:
            self._part(group)
        if group.is_written:
            self._raw("}", group)

    def _part(self, group: _Group) -> None:
        """Turn a text box into a paragraph of the body."""
        if group.destination in _BOXES and group.destination != "ud":
            self._line(group).append("\n")
            self._raw("\\par ", group)

    def _field(self, group: _Group) -> None:
        """Write what is kept of a field's instruction."""
        code, self._collected = self._collected, ""
        number, link = _FIELD.fullmatch(code), _LINK.match(code)
        if number is not None:
            self.pieces.append(("raw", "{\\*\\fldinst " + number[1] + "}"))
        elif link is not None and _ADDRESS.match(link[1]):
            self.pieces.append(("raw", '{\\*\\fldinst HYPERLINK "'))
            self._lines.append([len(self.pieces)])
            self.pieces += (("address", link[1]), ("raw", '"}'))
        elif group.field >= 0:
            # The result is text like any other.
            self.pieces[group.field] = ("raw", "")

    def _word(self, word: str, number: int | None, group: _Group) -> None:
        is_first, group.is_new = group.is_new, False
        if word == "u":
            self._unicode(number or 0, group)
            return
        self._to_skip = 0
        if word == "uc":
            group.fallback = max(0, number or 0)
        elif word == "ansicpg":
            self._code_page = group.codec = self._codec(number or 1252)
        elif word in ("mac", "pc", "pca"):
            self._code_page = group.codec = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[
                word
            ]
        elif group.destination == "skip":
            if word in _BOXES:
                group.destination, group.is_written, group.is_head = word, True, True
                self._raw("{", group)
                self._part(group)
        elif is_first and self._destination(word, group):
            return
        elif group.destination == "font":
            self._font_word(word, number, group)
        elif group.destination in ("fldinst", "colortbl", "fonttbl"):
            if group.destination == "colortbl" and word in ("red", "green", "blue"):
                self._raw(f"\\{word}{(number or 0) % 256}", group)
            elif group.destination == "fonttbl" and word == "f":
                # Without their own groups.
                group.destination, group.is_head = "font", True
                self._font_word(word, number, group)
        elif word in _CHARACTERS:
            self._text(_CHARACTERS[word], group)
        elif word in BREAKS:
            self._line(group).append(BREAKS[word])
            self._raw(f"\\{word} ", group)
        elif word == "deleted":
            group.is_deleted = number != 0
        else:
            self._format(word, number, group)

    def _format(self, word: str, number: int | None, group: _Group) -> None:
        if word == "f" and number is not None:
            group.codec = self._fonts.get(number, self._code_page)
        elif word == "plain":
            group.codec, group.is_deleted = self._code_page, False
        if word in _KEPT and not group.is_deleted and abs(number or 0) < 100_000:
            self._raw(f"\\{word}{'' if number is None else number} ", group)

    def _destination(self, word: str, group: _Group) -> bool:
        """Handle the word that starts a group; return whether it is a destination."""
        if word == "rtf":
            self._raw("\\rtf1\\uc1 ", group)
        elif word in ("fonttbl", "colortbl"):
            group.destination = word
            self._raw(f"\\{word} ", group)
        elif word == "fldinst":
            # The kept part is written once it is known.
            self._unopen(group, "fldinst")
            group.is_head = True
            self._collected = ""
        elif word == "field":
            group.field = len(self.pieces) if group.is_written else -1
            self._raw("\\field ", group)
        elif word == "fldrslt":
            is_kept = group.field >= 0 and self.pieces[group.field][1]
            self._raw("\\fldrslt " if is_kept else "", group)
        elif word == "info":
            self._raw("\\info ", group)
        elif word in ("listtext", "pntext"):
            pass
        elif word == "f" and group.destination == "fonttbl":
            return False
        elif word in _TEXTS:
            group.destination = word
            self._lines.append([])
            group.line = len(self._lines) - 1
            star = "\\*" if word == "annotation" else ""
            self._raw(f"{star}\\{word} ", group)
        elif word in _LEFT_OUT or group.is_ignorable:
            self.removed += word in ("pict", "object", "shppict")
            self._unopen(group, "skip")
        else:
            return False
        return True

    def _unopen(self, group: _Group, destination: str) -> None:
        """Leave out the brace of a group; inside a group that isn't written it has none."""
        if group.is_written:
            self.pieces.pop()
        group.destination, group.is_written = destination, False

    def _font_word(self, word: str, number: int | None, group: _Group) -> None:
        if word == "f" and number is not None:
            self._font = number
            self._raw(f"\\f{number % 100_000} ", group)
        elif word == "fcharset" and number is not None:
            self._fonts[self._font] = _CHARSETS.get(number, self._code_page)
        elif word in ("fnil", "froman", "fswiss", "fmodern", "fscript", "fdecor", "ftech", "fbidi"):
            self._raw(f"\\{word} ", group)

    def _symbol(self, symbol: str, group: _Group) -> None:
        if symbol == "*" and group.is_new:
            group.is_ignorable = True
            return
        group.is_new = False
        if symbol in "\\{}":
            self._plain(symbol, group)
        elif symbol in "\r\n":
            self._word("par", None, group)
        elif symbol == "\t":
            self._word("tab", None, group)
        elif symbol in "~_":
            self._text("\u00a0" if symbol == "~" else "\u2011", group)

    def _plain(self, text: str, group: _Group) -> None:
        skipped = min(self._to_skip, len(text))
        self._to_skip -= skipped
        text = text[skipped:]
        if not text:
            return
        if not text.isascii():
            text = self._decoded(text.encode("latin-1", "replace"), group)
        self._text(text, group)

    def _unicode(self, number: int, group: _Group) -> None:
        code = number % 65_536
        self._to_skip = group.fallback
        if 0xD800 <= code < 0xDC00:
            self._high = chr(code)
            return
        text = chr(code)
        if 0xDC00 <= code < 0xE000:
            pair = (self._high + text).encode("utf-16-le", "surrogatepass")
            text = pair.decode("utf-16-le", "replace")
        self._high = ""
        self._text(text, group)

    def _flush(self, group: _Group) -> None:
        """Handle the bytes given by number before a token."""
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            self._text(self._decoded(data, group), group)

    def _decoded(self, data: bytes, group: _Group) -> str:
        try:
            return data.decode(group.codec)
        except UnicodeDecodeError:
            # Bytes that aren't characters are shown as Latin 1 in the most common code page.
            if group.codec != "cp1252":
                raise InputError(
                    f"has bytes that are not text in {group.codec!r}; re-save it.", self._name
                ) from None
            return data.decode("latin-1")

    def _text(self, text: str, group: _Group) -> None:
        if group.destination in ("font", "fldinst"):
            self._collected += text
        elif group.destination == "colortbl":
            self._raw(";" * text.count(";"), group)
        elif group.destination == "fonttbl":
            return
        elif group.destination != "skip" and not group.is_deleted and text:
            line = self._line(group)
            last = line[-1] if line else ""
            if isinstance(last, int) and last == len(self.pieces) - 1:
                self.pieces[last] = ("text", self.pieces[last][1] + text)
                return
            line.append(len(self.pieces))
            self.pieces.append(("text", text))

    def _line(self, group: _Group) -> list[int | str]:
        return self._lines[group.line]

    def _raw(self, value: str, group: _Group) -> None:
        if group.is_written and group.destination != "skip":
            self.pieces.append(("raw", value))

    def _codec(self, code_page: int) -> str:
        name: str = _CODE_PAGES.get(code_page, f"cp{code_page}")
        try:
            "a".encode(name)
        except LookupError:
            raise InputError(
                f"uses the unknown code page {code_page}; re-save it.", self._name
            ) from None
        return name
