"""An independent reader: every string of a file in every decoding, and whether a name is in it.

It shares nothing with what wrote the file but the libraries that open archives and pages.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import json
import quopri
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.policy import default
from urllib.parse import unquote

import zstandard

from .people import Person

_FOLDED = str.maketrans(
    {
        "ð": "d",
        "þ": "th",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ı": "i",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ħ": "h",
    }
)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_ENCODED_WORD = re.compile(r"=\?[^?\s]+\?[bqBQ]\?[^?\s]*\?=")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_TAG = re.compile(r"<[^<>]*>")
_LONG = 5


def letters(text: str) -> str:
    """Letters and digits of a text, folded, with nothing between them."""
    if text.isascii():
        return _NO_LETTER.sub("", text.lower())
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(each for each in folded.translate(_FOLDED) if each.isalnum())


def readings(text: str) -> Iterator[str]:
    """The text, and what it says once it is decoded in each of the usual ways."""
    yield text
    yield html.unescape(text)
    yield unquote(text)
    yield unquote(html.unescape(text), encoding="latin-1")
    yield _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    yield _TAG.sub("", text)
    if "=" in text:
        yield quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    yield from (_word(match[0]) for match in _ENCODED_WORD.finditer(text))
    for match in _BASE64.finditer(text):
        try:
            yield base64.b64decode(match[0] + "=" * (-len(match[0]) % 4), b"-_").decode()
        except (binascii.Error, UnicodeDecodeError, ValueError):
            continue


def _word(encoded: str) -> str:
    try:
        return "".join(
            part if isinstance(part, str) else part.decode(codec or "ascii", "replace")
            for part, codec in decode_header(encoded)
        )
    except (LookupError, ValueError, HeaderParseError):
        return ""


def strings(content: bytes, name: str) -> Iterator[str]:
    """Every string of a file: its text, or those of all parts and objects in it."""
    if name.endswith(".gz"):
        content, name = gzip.decompress(content), name[:-3]
    if name.endswith(".zst"):
        content, name = zstandard.ZstdDecompressor().decompressobj().decompress(content), name[:-4]
    if name.endswith((".docx", ".pptx", ".xlsx", ".odt", ".ods")):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for part in archive.namelist():
                yield part
                yield archive.read(part).decode("utf-8", "replace")
    elif name.endswith(".pdf"):
        yield from _of_pdf(content)
    elif name.endswith(".parquet"):
        yield from _of_parquet(content)
    elif name.endswith((".eml", ".mbox")):
        yield from _of_message(content)
    elif name.endswith(".rtf"):
        yield from _of_rtf(content.decode("latin-1"))
    elif name.endswith(".json"):
        yield content.decode()
        yield str(json.loads(content))
    else:
        yield content.decode("utf-8", "replace")


def _of_parquet(content: bytes) -> Iterator[str]:
    import pyarrow.parquet as pq

    yield content.decode("latin-1")
    table = pq.read_table(io.BytesIO(content))
    yield str(table.schema)
    for row in table.to_pylist():
        yield from map(str, row.values())


def _of_message(content: bytes) -> Iterator[str]:
    yield content.decode("utf-8", "replace")
    if content.startswith(b"From "):
        content = content.partition(b"\n")[2]
    message = message_from_bytes(content, policy=default)
    yield from (f"{key}: {value}" for key, value in message.items())
    for part in message.walk():
        yield str(part.get_filename() or "")
        if part.get_content_maintype() == "text":
            yield str(part.get_content())


def _of_rtf(content: str) -> Iterator[str]:
    yield content
    units = re.sub(r"\\u(-?\d+)\??", lambda match: chr(int(match[1]) % 65536), content)
    units = re.sub(
        r"\\'([0-9a-f]{2})",
        lambda match: bytes.fromhex(match[1]).decode("cp1252", "replace"),
        units,
    )
    text = units.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    yield re.sub(r"\\([\\{}])", r"\1", re.sub(r"\\[a-z]+-?\d* ?", "", text))


def _of_pdf(content: bytes) -> Iterator[str]:
    from pypdf import PdfReader

    yield content.decode("latin-1")
    reader = PdfReader(io.BytesIO(content))
    for page in reader.pages:
        yield page.extract_text()
    for key, value in (reader.metadata or {}).items():
        yield f"{key} {value}"
    for number in range(1, len(reader.xref_objStm) + sum(map(len, reader.xref.values())) + 1):
        try:
            thing = reader.get_object(number)
        except Exception:  # A number that is free names nothing; whatever is there is read.
            continue
        yield str(thing)
        if hasattr(thing, "get_data"):
            yield thing.get_data().decode("latin-1")


def survives(person: Person, content: bytes, name: str) -> str:
    """Say which secret of a person is in a file; empty if none is.

    The full name in any order and spelling, the surname if it has five letters, a contact or an
    account number.
    """
    given, surname = letters(person.given), letters(person.surname)
    secrets = {
        "name": given + surname,
        "name reversed": surname + given,
        "email": letters(person.email),
        "phone": letters(person.phone)[2:],
        "iban": letters(person.iban),
    }
    if len(surname) >= _LONG:
        secrets["surname"] = surname
    for text in strings(content, name):
        for reading in readings(text):
            haystack = letters(reading)
            for kind, secret in secrets.items():
                if secret in haystack:
                    return kind
    return ""
