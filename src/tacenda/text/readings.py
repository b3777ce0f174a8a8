r"""Readings of a text: folded, and also with encodings decoded and words joined.

| original | read as |
|---|---|
| ``%C3%A7`` ``%E7`` ``%u015f`` | the characters (UTF-8, else Latin-1) |
| ``&ccedil;`` ``&#231;`` ``&#xe7;`` | the character (HTML) |
| ``=?utf-8?q?=C3=A7?=`` ``=?utf-8?b?w6c=?=`` | the words (RFC 2047) |
| ``=C3=A7``, ``=`` at a line's end | the characters; nothing (quoted-printable, RFC 2045) |
| ``\\u015f`` ``\\u{15f}`` ``U+015F`` ``\\xc3\\xa7`` ``\\303\\247`` ``\\00015f`` ``\\n`` | the characters (JSON, C, CSS) |
| syllables and kana in parts | the character (Unicode, NFC) |
| a hyphen within a word or at a line end, with quotation markers or a page number after it (in HTML, a line end is a blank) | nothing |
| Markdown emphasis, a tag or a control character within a word | nothing |
| ``Y A L M A N`` ``Y.a.l.m.a.n`` | the word |
| Cyrillic and Greek letters that look like Latin ones | the Latin letters |
| ``Ã¶`` (UTF-8 read as Windows-1252), tag characters | the characters |
| ``R2FsaXA=`` ``47616c6970`` ``xn--ylman-xqa`` | their content (``encoded_tokens``) |

Repeated encodings are decoded repeatedly. Everything takes linear time.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from ..document import Span
from .decoding import codec_of_label
from .folding import FoldedText, fold_aligned, substitute
from .word_parts import Joint, detector_joints, joints

# Tokens that are readable only when decoded: base64, hexadecimal, punycode.
#
# | written | says |
# |---|---|
# | ``R2FsaXAgWWFsbWFu``, over lines as in mail, ``-_`` for ``+/`` | the bytes as text (RFC 4648, 2045) |
# | ``47616c6970``, ``47 61 6c``, ``0x47, 0x61`` | the same |
# | ``xn--yalmanolu-bvb`` | a host name's label (RFC 3492) |
#
# In longer tokens that aren't text (a picture, an archive), the runs of text are read.


_LINE = r"[A-Za-z0-9+/]{60,}\r?\n(?:[ \t]{0,8}(?:>[ \t]?){0,4})"
_BASE64 = re.compile(rf"(?:{_LINE})++[A-Za-z0-9+/]*+={{0,2}}|[A-Za-z0-9+/_-]{{8,}}+={{0,2}}")
_PARTING = (re.compile(r"/"), re.compile(r"[/_+-]"))
_BETWEEN_LINES = re.compile(r"[\s>]+")
_PAIR = r"(?:0[xX])?[0-9A-Fa-f]{2}"
# The first digit comes first, so that the engine can skip to positions that start with one.
_HEX = re.compile(
    r"[0-9A-Fa-f](?<![0-9A-Za-z].)(?:(?<=0)[xX][0-9A-Fa-f]{2}|[0-9A-Fa-f])(?:, ?|[ :])?"
    rf"(?:{_PAIR}(?:, ?|[ :])?){{2,}}{_PAIR}(?![0-9A-Za-z])"
)
_HEX_BYTE = re.compile(r"(?:0[xX])?([0-9A-Fa-f]{2})[ :,]*")
_PUNYCODE = re.compile(r"xn--([a-z0-9-]{1,59})", re.IGNORECASE)
_URL_DIGITS = str.maketrans("-_", "+/")
_RUN = re.compile(r"[^\W_][^\x00-\x1f\x7f-\x9f\ufffd]{3,}")
_ASCII = re.compile(rb"[A-Za-z]")
_SHORTEST, _LONG = 8, 48


def encoded_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the positions of tokens with their content, in linear time; they may overlap."""
    for token in _HEX.finditer(text):
        content = _text_of(bytes.fromhex("".join(_HEX_BYTE.findall(token.group()))))
        if content:
            yield (*token.span(), content)
    for token in _PUNYCODE.finditer(text) if "--" in text else ():
        try:
            yield (*token.span(), token[1].encode("ascii").decode("punycode"))
        except UnicodeError:
            continue
    for token in _BASE64.finditer(text):
        string = token.group()
        content = _content(string) if string.isalnum() else _contents(string)
        if content:
            yield (*token.span(), content)


def _contents(string: str) -> str:
    """Return the content of a token, and of its parts, if any."""
    pieces = [string]
    if "\n" in string:
        # A word may follow the last line.
        pieces.append(string.rpartition("\n")[0])
    else:
        # Separators in addresses and between words are also base64 digits.
        pieces += (part for parting in _PARTING for part in parting.split(string))
    return "\n\n".join(filter(None, map(_content, dict.fromkeys(pieces))))


def _content(string: str) -> str:
    return _content_of_word(string) if len(string) <= _LONG else _said(string)


@lru_cache(maxsize=16_384)
def _content_of_word(string: str) -> str:
    # Most are words that occur repeatedly.
    return _said(string)


def _said(string: str) -> str:
    body = string.rstrip("=").translate(_URL_DIGITS)
    if len(body) < _SHORTEST:
        return ""
    if "\n" in body:
        body = _BETWEEN_LINES.sub("", body)
    if len(body) % 4 == 1:
        body = body[:-1]
    try:
        data = binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except binascii.Error:
        return ""
    return _text_of(data)


def _text_of(data: bytes) -> str:
    """Return the text in bytes; empty if there is none."""
    try:
        text = data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1") if len(_ASCII.findall(data)) * 2 > len(data) else ""
    if text and text.translate(_SPACES).isprintable():
        return text
    if len(data) < _LONG:
        return ""
    runs = _RUN.findall(data.replace(b"\0", b"").decode("utf-8", "replace"))
    return "\n\n".join(runs)


_SPACES = {ord(space): " " for space in "\t\r\n\f\0"}


_ROUNDS = 8
ENCODED_WORD = r"=\?[\w.*:-]{1,40}\?[bBqQ]\?[^?\s]{0,4000}\?="
"""Pattern of an encoded word in a header (RFC 2047)."""
# UTF-8 bytes as shown by a program that reads them as Windows-1252 (or Latin-1).
_WINDOWS = {
    character: byte
    for byte in range(0x80, 0xC0)
    for character in {chr(byte), bytes([byte]).decode("cp1252", "replace")} - {"\ufffd"}
}
_TRAIL = f"[{''.join(map(re.escape, _WINDOWS))}]"
_ENCODED = re.compile(
    rf"(?P<words>{ENCODED_WORD}(?:\s{{1,8}}{ENCODED_WORD})*)"
    r"|(?P<percent>(?:%[0-9A-Fa-f]{2})+)"
    r"|(?P<printable>(?:=[0-9A-F]{2}(?:=\r?\n(?==[0-9A-F]{2}))?)+|(?:=[0-9a-f]{2})+)"
    r"|(?P<hex>(?:\\x[0-9A-Fa-f]{2})+)"
    r"|(?P<octal>(?:\\[0-3][0-7]{2}){2,})"
    r"|(?P<soft>=[ \t]{0,8}\r?\n)"
    r"|(?P<units>(?:(?:\\u|%u)[0-9A-Fa-f]{4})+)"
    r"|\\[ux]\{(?P<braced>[0-9A-Fa-f]{1,6})\}|(?:\\U|U\+)(?P<long>[0-9A-Fa-f]{4,8})(?: (?=U\+))?"
    r"|(?P<style>\\(?:[0-9A-Fa-f]{6}[ \t\f]?|[0-9A-Fa-f]{1,5}(?:\r\n|[ \t\n\f])))"
    rf"|(?P<misread>[\xc2-\xdf]{_TRAIL}|[\xe0-\xef]{_TRAIL}{{2}}|[\xf0-\xf4]{_TRAIL}{{3}})"
    r"|(?P<tags>[\U000e0020-\U000e007e]+)"
    r"|(?P<blank>\\[nrt])"
    r"|(?P<composed>[\u1100-\u115e][\u1161-\u11a7][\u11a8-\u11ff]?|[\u3041-\u30fe][\u3099\u309a])"
    r"|(?P<reference>&(?:#0*+\d{1,7}|#[xX]0*+[0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?)"
)
_BASES = {"percent": 16, "printable": 16, "hex": 16, "octal": 8}
_BYTE = re.compile(r"\\([0-7]{3})|(?:[%=]|\\x)([0-9A-Fa-f]{2})")
_SOME_ENCODED = re.compile(
    r"[%&\\=\u1100-\u11ff\u3099\u309a\U000e0020-\U000e007e]|U\+" + rf"|[\xc2-\xf4]{_TRAIL}"
)
_WORD_PARTS = re.compile(r"=\?([\w.-]+)[^?]*\?([bBqQ])\?([^?\s]*)\?=")
_UNIT = re.compile(r"[0-9A-Fa-f]{4}")
_LATEST = 0x10FFFF
_TAGS = 0xE0000

# Letters that look like Latin ones (Unicode's confusables.txt, as far as names use them). Folding
# lowercases capitals that look different, so capitals come first.
_CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТХУҺԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTXYHQWABEZHIKMNOPTYX")
_SMALL = str.maketrans("аеорсхуіјѕһԁԛԝьгкмнтвӏονικρτυχαγηωβ", "aeopcxyijshdqwbrkmhtblovikptuxaynwb")
_SOME_LOOKALIKES = re.compile(f"[{''.join(map(chr, _CAPITALS | _SMALL))}]")
_WIDE, _CONTEXT = (
    48,
    400,
)  # Code points around a joint to read with it, for a form and for detectors.
_TWO_CODES = len("=C3=A7")
_TO_SPACE = 208  # More code points, up to a space.
# Separators between words, or between parts of a word.
_BETWEEN = " \t\r\n*~`_<>|/,.·-\u00ac\u00ad\u2010\u2011\u2012\u2013"


@dataclass(frozen=True, slots=True)
class TextReading:
    """A text, or its decoded form, with the form to search in.

    Attributes:
        text: the text with encodings decoded.
        searched: the same text folded, with words joined if ``joined``.
        latin: whether lookalikes were replaced with Latin letters.
        joined: whether the parts of words were joined.
    """

    text: str = field(repr=False)
    searched: str = field(repr=False)
    latin: bool
    joined: bool
    _folding: tuple[FoldedText, ...] = field(repr=False)
    _decoding: tuple[FoldedText, ...] = field(repr=False)

    def place(self, start: int, end: int) -> Span:
        """Return the code points of ``text`` for a range of ``searched``."""
        place = _back(Span(start, end), self._folding)
        # Characters dropped after a letter belong to it.
        core = place.of(self.text).rstrip(_BETWEEN)
        return Span(place.start, place.start + len(core)) if core else place

    def original(self, place: Span) -> Span:
        """Return the code points of the original for a range of ``text``."""
        return _back(place, self._decoding)


def readings(text: str) -> Iterator[TextReading]:
    """Yield the folded text; then, if they differ, the text decoded, joined and in Latin letters.

    The content of tokens (``encoded_tokens``) is read separately, since most words are base64 for
    something.
    """
    yield from _readings(text, (), _ROUNDS)


def plain_reading(text: str) -> TextReading | None:
    """Return the text as a reader understands it, with encodings decoded and words joined.

    Only what is near such places is returned, for detectors to read in addition to the text itself.
    None if there are no such places.
    """
    places = [
        block
        for code in _ENCODED.finditer(text)
        for block in _blocks(code)
        # "pid=e9" and "total =" at a line end look like quoted-printable by chance; a UTF-8
        # character doesn't.
        if code.lastgroup not in ("printable", "soft") or block[1] - block[0] >= _TWO_CODES
    ]
    places += detector_joints(text)
    if not places:
        return None
    excerpt = substitute(text, _far_from(places, text, _CONTEXT))
    steps = (excerpt, *_decoded(excerpt.text))
    text_read = substitute(steps[-1].text, detector_joints(steps[-1].text))
    return TextReading(text_read.text, text_read.text, False, True, (), (*steps, text_read))


def _readings(text: str, decoding: tuple[FoldedText, ...], rounds: int) -> Iterator[TextReading]:
    folded = fold_aligned(text)
    yield TextReading(text, folded.text, False, False, (folded,), decoding)
    steps = tuple(_decoded(text))
    full_decoding = (*decoding, *steps)
    plain = steps[-1].text if steps else text
    if steps:
        folded = fold_aligned(plain)
        yield TextReading(plain, folded.text, False, False, (folded,), full_decoding)
        yield from _joined(text, decoding)
    yield from _joined(plain, full_decoding)
    if rounds:
        yield from _tokens(plain, full_decoding, rounds)
        if steps and rounds == _ROUNDS:
            # A token may look escaped by chance (``?q=54``).
            yield from _tokens(text, decoding, rounds)


def _tokens(text: str, decoding: tuple[FoldedText, ...], rounds: int) -> Iterator[TextReading]:
    tokens = list(encoded_tokens(text))
    if tokens:
        expansion = substitute(text, (*tokens, *_outside(tokens, text)))
        yield from _readings(expansion.text, (*decoding, expansion), rounds - 1)


def _joined(text: str, decoding: tuple[FoldedText, ...]) -> Iterator[TextReading]:
    gaps = list(joints(text))
    if gaps:
        contraction = substitute(text, (*gaps, *_far_from(gaps, text)))
        folded = fold_aligned(contraction.text)
        yield TextReading(text, folded.text, False, True, (contraction, folded), decoding)
    if _has_lookalikes(text):
        contraction = substitute(text, gaps)
        folded = fold_aligned(contraction.text.translate(_CAPITALS))
        yield TextReading(text, latin(folded.text), True, True, (contraction, folded), decoding)


def latin(folded: str) -> str:
    """Return a folded text with Latin letters in place of lookalikes."""
    return folded.translate(_SMALL) if _has_lookalikes(folded) else folded


def _has_lookalikes(text: str) -> bool:
    return not text.isascii() and _SOME_LOOKALIKES.search(text) is not None


def _back(span: Span, steps: tuple[FoldedText, ...]) -> Span:
    for step in reversed(steps):
        span = step.original(span.start, span.end)
    return span


def _decoded(text: str) -> Iterator[FoldedText]:
    for _ in range(_ROUNDS):
        if not _SOME_ENCODED.search(text):
            return
        blocks = [block for code in _ENCODED.finditer(text) for block in _blocks(code)]
        if not blocks:
            return
        step = substitute(text, blocks)
        yield step
        text = step.text


def _blocks(code: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Yield one block per decoded character of the code, or one for all."""
    kind, (start, end), string = code.lastgroup, code.span(), code.group()
    if kind in _BASES:
        yield from _bytes(start, string, _BASES[kind])
    elif kind == "words":
        yield start, end, decoded_words(string)
    elif kind == "units":
        yield from _units(start, string)
    elif kind in ("soft", "blank"):
        yield start, end, "" if kind == "soft" else " "
    elif kind == "composed":
        yield start, end, unicodedata.normalize("NFC", string)
    elif kind == "misread":
        data = bytes(_WINDOWS.get(character, ord(character)) for character in string)
        with suppress(UnicodeDecodeError):
            yield start, end, data.decode()
    elif kind == "tags":
        yield start, end, "".join(chr(ord(character) - _TAGS) for character in string)
    elif kind == "reference":
        character = html.unescape(string)
        if character != string:
            yield start, end, character
    else:
        number = int(re.sub(r"[\\uUx+{}\s]", "", string), 16)
        if number <= _LATEST:
            yield start, end, chr(number)


def _bytes(start: int, string: str, base: int) -> Iterator[tuple[int, int, str]]:
    codes = list(_BYTE.finditer(string))
    data = bytes(int(code[1] or code[2], base) for code in codes)
    try:
        characters = data.decode()
    except UnicodeDecodeError:
        characters = data.decode("latin-1")
        sizes = [1] * len(characters)
    else:
        sizes = [len(character.encode()) for character in characters]
    first = 0
    for character, size in zip(characters, sizes, strict=True):
        yield start + codes[first].start(), start + codes[first + size - 1].end(), character
        first += size


def _units(start: int, string: str) -> Iterator[tuple[int, int, str]]:
    data = b"".join(int(unit, 16).to_bytes(2, "little") for unit in _UNIT.findall(string))
    for character in data.decode("utf-16-le", "replace"):
        size = 12 if character > "\uffff" else 6
        yield start, start + size, character
        start += size


def decoded_words(string: str) -> str:
    """Return the text of encoded words; the bytes of one character may be in two words."""
    pieces: list[tuple[str, bytes]] = []
    for charset, encoding, body in _WORD_PARTS.findall(string):
        try:
            if encoding in "bB":
                data = base64.b64decode(body + "=" * (-len(body) % 4))
            else:
                data = quopri.decodestring(body.encode(), header=True)
        except (binascii.Error, ValueError):
            data = body.encode()
        if pieces and pieces[-1][0] == charset:
            pieces[-1] = charset, pieces[-1][1] + data
        else:
            pieces.append((charset, data))
    return "".join(_decode(data, charset) for charset, data in pieces)


def _decode(data: bytes, charset: str) -> str:
    try:
        return data.decode(codec_of_label(charset))
    except ValueError:
        return data.decode("latin-1")


def _outside(tokens: list[tuple[int, int, str]], text: str) -> Iterator[tuple[int, int, str]]:
    """Yield blocks for the text outside all tokens."""
    cursor = 0
    for start, end, _ in sorted(tokens):
        if start > cursor:
            yield cursor, start, "\n\n"
        cursor = max(cursor, end)
    if cursor < len(text):
        yield cursor, len(text), "\n\n"


def _far_from(places: Iterable[Joint], text: str, width: int = _WIDE) -> Iterator[Joint]:
    """Yield blocks for the text far from all places, so that only the rest is read twice."""
    cursor = 0
    for start, end, _ in sorted(places):
        floor = max(0, start - width - _TO_SPACE)
        before = max(text.rfind(" ", floor, max(0, start - width)), floor)
        if before > cursor:
            yield cursor, before, "\n\n"
        ceiling = end + width + _TO_SPACE
        after = text.find(" ", end + width, ceiling)
        cursor = max(cursor, ceiling if after < 0 else after)
    if cursor < len(text):
        yield cursor, len(text), "\n\n"
