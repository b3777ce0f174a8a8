"""The strings in a message: its headers, everything around its parts, and the parts according to their formats.

Uses the older policy of ``email``, which leaves headers unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message

from ..formats import FileFormat
from ..registry import SHIPPED, format_by_media_type, format_of_name
from . import Kind, Passage

_MEDIA_TYPES = (
    *(format.media_type for format in SHIPPED.values()),
    "application/octet-stream",
)
_CONSTANT = re.compile(
    r"(?:MIME-Version: 1\.0|Content-Transfer-Encoding: (?:7bit|8bit|base64|quoted-printable)"
    r"|Content-Type: (?:(?:text|multipart|message)/(?:plain|html|markdown|rfc822|[a-z]{5,11})"
    rf"|{'|'.join(map(re.escape, _MEDIA_TYPES))})"
    r"(?:; (?:charset=\"utf-8\"|boundary=\"=_part_\d+\"|format=\"?flowed\"?|delsp=\"?yes\"?))*"
    r"|Content-Disposition: attachment"
    r"|(?:Message-ID|In-Reply-To|References):(?: <message-\d+@redacted\.invalid>)+)"
)
_FOLD = re.compile(r"[\r\n]+[ \t]*")
_NAMES = frozenset(
    "Subject Comments Keywords Organization Date From Sender Reply-To To Cc Bcc Content-Type "
    "Content-Disposition Content-Transfer-Encoding Mime-Version".split()
)
_WORDS = frozenset(("subject", "comments"))
_PRINTABLE = re.compile(rb"[\x20-\x7e]{6,}")


def strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a message."""
    yield from _message(message_from_bytes(data), "the message")


def _message(message: Message, place: str) -> Iterator[Passage]:
    for number, (name, value) in enumerate(message.items(), 1):
        yield from _header(name, str(value), f"header {number} of {place}")
    file_name = message.get_filename()
    if file_name:
        yield Passage(file_name, f"file name of {place}")
    for text in (message.preamble, message.epilogue):
        if text and text.strip():
            yield Passage(text, f"text around the parts of {place}")
    payload = message.get_payload()
    if isinstance(payload, list):
        for number, part in enumerate(payload, 1):
            if isinstance(part, Message):
                yield from _message(part, f"part {number} of {place}")
        return
    content = message.get_payload(decode=True)
    if not isinstance(content, bytes):
        yield Passage(str(payload), place)
        return
    format = _format(message)
    if format is not None:
        for passage in format.file_strings(content):
            yield Passage(passage.text, f"{passage.place} of {place}", passage.kind)
    else:
        for match in _PRINTABLE.finditer(content):
            yield Passage(match[0].decode("ascii"), place, Kind.CODE)


def _header(name: str, value: str, place: str) -> Iterator[Passage]:
    line = f"{name}: {_FOLD.sub(' ', value)}"
    if _CONSTANT.fullmatch(line):
        return
    if name.title() not in _NAMES:
        yield Passage(name, f"name of {place}", Kind.CODE)
    source = line.partition(": ")[2].removeprefix("attachment; ")
    try:
        decoded = str(make_header(decode_header(source)))
    except (ValueError, LookupError):
        decoded = source
    yield Passage(decoded, place, Kind.TEXT if name.lower() in _WORDS else Kind.VALUE)


def _format(message: Message) -> FileFormat | None:
    type_ = message.get_content_type()
    name = message.get_filename()
    if name and type_ not in ("text/plain", "text/html"):
        return format_of_name(name)
    return format_by_media_type(type_)
