"""Decode bytes strictly with one codec; errors give the place and the remedy.

UTF-8 is assumed unless the user names another codec. NUL bytes are ordinary characters. A file
whose first bytes show that it isn't text (a PDF, a ZIP, undeclared UTF-16) is refused, since it
might decode without error and pass with nothing masked.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import BinaryIO

from ..errors import NAME_ENCODING, NAME_FORMAT, InputError, Remedy

_MAGIC = (
    (b"%PDF-", "a PDF", NAME_FORMAT),
    (b"PK\x03\x04", "a ZIP archive or an office document", NAME_FORMAT),
    (b"\xd0\xcf\x11\xe0", "an old office document", "save it as .docx first"),
    (b"{\\rtf", "an RTF document", NAME_FORMAT),
    (b"\x89PNG", "a PNG image", "recognize its text first"),
    (b"\xff\xd8\xff", "a JPEG image", "recognize its text first"),
    (b"GIF8", "a GIF image", "recognize its text first"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"BZh", "a bzip2 archive", "unpack it first"),
    (b"\xfd7zXZ", "an xz archive", "unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it first"),
    (b"PAR1", "a Parquet table", "export it as CSV or JSONL first"),
    (b"SQLite format 3", "an SQLite database", "export it as CSV or JSONL first"),
    (b"\x7fELF", "a program", "give a text"),
)
BYTE_ORDER_MARK = "\ufeff"
_NO_TEXT = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape"})
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 4096
LARGEST_LINE = 20_000_000
"""Bytes of a line, and of a row of several."""
_PIECE = 1 << 20
_BETWEEN_DELIMITERS = re.compile(rb'[^",;\t|\r\n]+')
_REPEATED = re.compile(rb"([,;\t|])\1+")
_DECORATION = re.compile(r"^x-|^(?:windows|cp|ibm)-(?=\d)|-[ei]$|(?<=utf8)mb[34]$")
_SUPERSETS = {
    "ascii": "utf-8", "euc_kr": "cp949", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "tis-620": "cp874",
    "windows-31j": "cp932",
}  # fmt: skip
SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a pair of UTF-16, which is not a character."""


def check_encoding(encoding: str) -> str:
    """Return Python's name of a text codec.

    Raises:
        InputError: if there is no such codec, or it doesn't decode bytes to text.
    """
    try:
        "a".encode(encoding)  # refuses bytes-to-bytes codecs such as base64
        name = codecs.lookup(encoding).name
        if name in _NO_TEXT:
            raise LookupError(name)
        return name
    except (LookupError, ValueError) as error:
        raise InputError(
            f"unknown encoding {encoding!r}; choose one that Python supports, such as utf-8, "
            "utf-16, cp1252 or latin-1."
        ) from error


def check_is_text(head: bytes, encoding: str, name: str) -> None:
    """Raise an InputError if the first bytes aren't text in ``encoding``.

    Raises:
        InputError: if they aren't; names the likely format and the remedy.
    """
    for magic, description, remedy in _MAGIC:
        if head.startswith(magic):
            advice = remedy if isinstance(remedy, Remedy) else Remedy(remedy, remedy)
            raise InputError(f"looks like {description}, not like text", name, advice)
    if not encoding.startswith("utf-8"):
        return
    if head.startswith(_UTF_16):
        raise InputError(
            "byte offset 0: begins with the mark of UTF-16, not UTF-8", name, _read_as("utf-16")
        )
    head = head[:_HEAD]
    for parity, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = head[parity::2]
        if len(half) > 1 and half.count(0) * 10 > len(half) * 8 and any(head[1 - parity :: 2]):
            raise InputError(
                f"byte offset {parity}: every other byte is NUL, as in UTF-16",
                name,
                _read_as(codec),
            )


def _read_as(codec: str) -> Remedy:
    return NAME_ENCODING._replace(command=f"read it with --encoding {codec}")


def decode(data: bytes, encoding: str, name: str, base: int = 0) -> str:
    """Return ``data`` decoded strictly; it starts at byte ``base`` of the file ``name``.

    A UTF-8 byte order mark is kept as the first character, so that it can be written back.

    Raises:
        InputError: if it can't be decoded; names the byte offset in the file and the option to set.
    """
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte offset {base + error.start}: not valid {encoding}", name, NAME_ENCODING
        ) from None
    except UnicodeError:
        raise InputError(f"byte offset {base}: not valid {encoding}", name, NAME_ENCODING) from None
    # Codecs such as utf-7 let surrogates through.
    check_surrogates(text, name)
    return text


def read_text(stream: BinaryIO, encoding: str, name: str) -> str:
    """Read a whole file as text.

    Raises:
        InputError: if it isn't text, or isn't in ``encoding``.
    """
    data = stream.read()
    check_is_text(data[:_HEAD], encoding, name)
    return decode(data, encoding, name)


def read_lines(
    stream: BinaryIO, encoding: str, name: str
) -> Iterator[tuple[int, str, InputError | None]]:
    """Yield the lines of a file including line ends: number from 1, text, error or None.

    Only one line is kept in memory. A line that can't be decoded is yielded with its error and with
    replacement characters, so that other lines can still be read; for a line longer than
    ``LARGEST_LINE``, only quotes and delimiters are yielded.

    Raises:
        InputError: if the file isn't text at all.
    """
    if "\n".encode(encoding) != b"\n":  # utf-16 and the like: a line end isn't one byte
        text = read_text(stream, encoding, name)
        for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", text), 1):
            yield number, line, None
        return
    offset = number = 0
    while data := stream.readline(LARGEST_LINE + 1):
        number += 1
        size = len(data)
        if number == 1:
            check_is_text(data[:_HEAD], encoding, name)
        if size > LARGEST_LINE:
            data, size = _outline(data, stream)
            reason = f"the line has {size:,} bytes, at most {LARGEST_LINE:,} are read; split it."
            yield number, data.decode("ascii"), InputError(reason, name)
        else:
            try:
                yield number, decode(data, encoding, name, offset), None
            except InputError as error:
                yield number, data.decode(encoding, "replace"), error
        offset += size


def _outline(data: bytes, stream: BinaryIO) -> tuple[bytes, int]:
    """Return the quotes and delimiters of a line, with one letter for what is between them, and the line's size."""
    parts: list[bytes] = []
    size = 0
    while data:
        size += len(data)
        parts.append(_REPEATED.sub(rb"\1", _BETWEEN_DELIMITERS.sub(b"x", data)))
        data = b"" if data.endswith(b"\n") else stream.readline(_PIECE)
    return b"".join(parts), size


def check_surrogates(text: str, name: str) -> None:
    r"""Raise an InputError for a lone surrogate: half a character, which JSON allows (``"\ud800"``).

    Raises:
        InputError: if there is one; names the document and the code point.
    """
    match = SURROGATE.search(text)
    if match:
        raise InputError(
            f"code point {match.start()}: a lone surrogate, which is half a character and can't "
            "be written as text; repair it where the text was made.",
            name,
        )


def has_surrogate(value: object) -> bool:
    """Return whether a string in a JSON value, or a key, contains a lone surrogate."""
    unchecked = [value]
    while unchecked:
        item = unchecked.pop()
        if isinstance(item, dict):
            unchecked += (*item.keys(), *item.values())
        elif isinstance(item, (list, tuple)):
            unchecked += item
        elif isinstance(item, str) and SURROGATE.search(item):
            return True
    return False


def writable(text: str) -> str:
    """Return ``text`` with U+FFFD in place of lone surrogates, which no encoding can write."""
    return SURROGATE.sub("\ufffd", text)


def codec_of_label(label: str) -> str:
    """Return the codec for a charset label in mail or on the web; UTF-8 if it is unknown.

    For example, programs that write GB2312 have long meant the larger GB18030
    (encoding.spec.whatwg.org, 4.2).
    """
    label = label.strip("\"' ").lower()
    name = _DECORATION.sub("", label)
    for variant in (_SUPERSETS.get(label, label), name, f"cp{name}"):
        try:
            codec = check_encoding(variant)
        except InputError:
            continue
        return _SUPERSETS.get(codec, codec)
    return "utf-8"


def decode_leniently(data: bytes, label: str) -> tuple[str, int]:
    """Return data decoded the way mail programs do, with invalid bytes read as Windows-1252, and the number of such bytes.

    Raises:
        UnicodeError: if it can't be decoded at all, or is clearly in another encoding.
    """
    foreign = 0

    def read(error: UnicodeError) -> tuple[str, int]:
        nonlocal foreign
        if not isinstance(error, UnicodeDecodeError):
            raise error
        content = error.object[error.start : error.end]
        foreign += len(content)
        try:
            return content.decode("cp1252"), error.end
        except UnicodeDecodeError:
            return content.decode("latin-1"), error.end

    codecs.register_error("tacenda.lenient", read)
    text = data.decode(codec_of_label(label), "tacenda.lenient")
    text.encode()  # raises if a codec such as UTF-7 yields lone surrogates
    if foreign and (4 * foreign > len(data) or "\0" in text):
        raise UnicodeError
    return text, foreign
