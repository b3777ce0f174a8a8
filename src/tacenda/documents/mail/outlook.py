"""Outlook messages (``.msg``), compound files of properties ([MS-OXMSG], [MS-OXCMSG]), read as email; extra ``documents``.

People, subject, dates, ids, bodies and attachments become an RFC 5322 message, which is read like
any other. Everything else is left out: other properties, categories, transport headers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from io import BytesIO

from ...errors import InputError, MissingExtraError
from ...text.decoding import decode_leniently
from .headers import BREAKS, encoded
from .rich_text import unpacked_rtf

try:
    from olefile import OleFileIO, isOleFile
except ImportError as error:
    raise MissingExtraError("reading a .msg file", "documents") from error

_DEEPEST = 20
_PEOPLE = ((1, "To", 0x0E04), (2, "Cc", 0x0E03), (3, "Bcc", 0x0E02))
"""Kind of a recipient, its header, and the property with the names of all of that kind."""
_IDS = (("Message-ID", 0x1035), ("In-Reply-To", 0x1042), ("References", 0x1039))
_DATES = (0x0039, 0x0E06)  # sent, delivered
_SENDERS = ((0x0042, 0x5D02, 0x0065), (0x0C1A, 0x5D01, 0x0C1F))
"""Name and addresses of the one in whose name it was sent, and of the one who sent it."""
_SUBJECT, _BODY, _HTML, _RTF, _CLASS = 0x0037, 0x1000, 0x1013, 0x1009, 0x001A
_RECIPIENT, _NAME, _SMTP_ADDRESS, _ADDRESS = 0x0C15, 0x3001, 0x39FE, 0x3003
_METHOD, _DATA, _MIME_TYPE = 0x3705, 0x3701, 0x370E
_FILE_NAMES = (0x3707, 0x3704, 0x3001)
_INTERNET_CODE_PAGE, _CODE_PAGE = 0x3FDE, 0x3FFD
_INTEGER, _TIME = 0x0003, 0x0040
_MESSAGES = ("IPM.NOTE", "IPM.POST", "IPM.SCHEDULE", "REPORT")
"""First words of the classes of messages."""
_OBJECT = "__substg1.0_3701000D"
_EMBEDDED = 5
_CODECS = {65001: "utf-8", 20127: "us-ascii", 1200: "utf-16-le", 20866: "koi8-r", 21866: "koi8-u"}
_CODECS |= {28590 + part: f"iso-8859-{part}" for part in (*range(1, 12), *range(13, 17))}
_CODECS |= {50220: "iso-2022-jp", 51932: "euc-jp", 51949: "euc-kr", 54936: "gb18030"}
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def as_mail(data: bytes, name: str) -> bytes:
    """Return an Outlook message as an RFC 5322 message.

    Args:
        data: the file.
        name: name of the document, for errors.

    Raises:
        InputError: if it isn't an Outlook message, is damaged, or is nested too deeply.
    """
    if not isOleFile(data=data):
        raise InputError("is not a message of Outlook; check the file.", name)
    try:
        with OleFileIO(BytesIO(data)) as file:
            return _message(_Folder(file, (), 32, "cp1252"), name)
    except (OSError, KeyError, IndexError, ValueError, LookupError, struct.error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"is damaged, or not a message of Outlook ({type(error).__name__}); open it in Outlook and "
            "re-save it.",
            name,
        ) from None


@dataclass(frozen=True, slots=True)
class _Folder:
    """A storage with properties: a message, a recipient, or an attachment.

    Attributes:
        file: the compound file.
        path: names of the storages above it.
        head: number of bytes before the first fixed-length property.
        codec: codec of 8-bit strings.
    """

    file: OleFileIO
    path: tuple[str, ...]
    head: int
    codec: str

    def stream(self, name: str) -> bytes | None:
        """Return the bytes of a stream, or None if there is none."""
        path = [*self.path, name]
        if not self.file.exists(path):
            return None
        content: bytes = self.file.openstream(path).read()
        return content

    def fixed(self, property: int, type: int) -> int | None:
        """Return a number or a time, or None if there is none."""
        content = self.stream("__properties_version1.0") or b""
        for start in range(self.head, len(content) - 15, 16):
            kind, _, value = struct.unpack_from("<IIQ", content, start)
            if kind == property << 16 | type:
                number: int = value if type == _TIME else value & 0xFFFFFFFF
                return number
        return None

    def binary(self, property: int) -> bytes | None:
        """Return bytes, or None if there are none."""
        return self.stream(f"__substg1.0_{property:04X}0102")

    def text(self, *properties: int, codec: str = "") -> str:
        """Return the first string found among some properties, or an empty string if there is none."""
        for property in properties:
            if content := self.stream(f"__substg1.0_{property:04X}001F"):
                return content.decode("utf-16-le", "replace").rstrip("\0")
            if content := self.stream(f"__substg1.0_{property:04X}001E"):
                return decode_leniently(content, codec or self.codec)[0].rstrip("\0")
        return ""

    def within(self, prefix: str) -> Iterator[_Folder]:
        """Yield the nested storages whose names start with a prefix, in order."""
        depth = len(self.path)
        names = {
            path[depth]
            for path in self.file.listdir(streams=True, storages=True)
            if tuple(path[:depth]) == self.path
            and "".join(path[depth : depth + 1]).startswith(prefix)
        }
        for name in sorted(names):
            yield replace(self, path=(*self.path, name), head=8)


def _codec(code_page: int | None) -> str:
    """Return the codec for a Windows code page, or an empty string if there is none."""
    return _CODECS.get(code_page, f"cp{code_page}") if code_page else ""


def _message(folder: _Folder, name: str, depth: int = 0) -> bytes:
    """Return a message with its attached messages.

    Raises:
        InputError: if it is another kind of Outlook item, or is nested too deeply.
    """
    if depth > _DEEPEST:
        raise InputError(f"has messages nested more than {_DEEPEST} deep.", name)
    kind = folder.text(_CLASS).upper()
    if kind and not kind.startswith(_MESSAGES):
        raise InputError(
            "is a contact, an appointment or another item of Outlook, not a message; save it as text there.",
            name,
        )
    folder = replace(folder, codec=_codec(folder.fixed(_CODE_PAGE, _INTEGER)) or folder.codec)
    attachments = list(folder.within("__attach_version1.0_"))
    signed = (each for each in attachments if each.text(_MIME_TYPE).lower() == "multipart/signed")
    content = next((each.binary(_DATA) for each in signed), None)
    if content is None:
        message = EmailMessage(policy.SMTP)
        _write_bodies(message, folder)
        for attachment in attachments:
            _attach(message, attachment, name, depth)
        content = message.as_bytes()
    head = "".join(f"{key}: {value}\r\n" for key, value in _headers(folder))
    return head.encode("ascii") + content


def _headers(folder: _Folder) -> Iterator[tuple[str, str]]:
    """Yield header names and values, encoded for headers."""
    senders = [_person(folder, name, *addresses) for name, *addresses in _SENDERS]
    author = next(filter(None, senders), "")
    if author:
        yield "From", author
    if senders[1] and senders[1] != author:
        yield "Sender", senders[1]
    recipients = [
        (item.fixed(_RECIPIENT, _INTEGER) or 1, _person(item, _NAME, _SMTP_ADDRESS, _ADDRESS))
        for item in folder.within("__recip_version1.0_")
    ]
    for kind, key, names in _PEOPLE:
        people = [person for number, person in recipients if number & 0xF == kind and person]
        people = people or [
            encoded(each.strip(), key) for each in folder.text(names).split(";") if each.strip()
        ]
        if people:
            yield key, ", ".join(people)
    yield "Subject", encoded(folder.text(_SUBJECT), "Subject")
    times = (folder.fixed(property, _TIME) for property in _DATES)
    if time := next(filter(None, times), None):
        yield "Date", format_datetime(_EPOCH + timedelta(microseconds=time // 10))
    for key, property in _IDS:
        if ids := folder.text(property):
            yield key, encoded(ids, key)


def _person(folder: _Folder, name: int, *addresses: int) -> str:
    """Return a person for a header, by name and address; for an Exchange-internal address, only the name."""
    spelled = " ".join(BREAKS.sub(" ", folder.text(name)).split())
    address = next(filter(_is_address, (folder.text(each) for each in addresses)), "")
    if not address:
        return encoded(spelled, "To")
    return formataddr((spelled if spelled != address else "", address))


def _is_address(text: str) -> bool:
    return "@" in text and text.isascii() and text.isprintable() and not set(text) & set(' <>,;"')


def _write_bodies(message: EmailMessage, folder: _Folder) -> None:
    """Write a message's text and HTML, or its rich text if it has neither."""
    codec = _codec(folder.fixed(_INTERNET_CODE_PAGE, _INTEGER)) or folder.codec
    text, page = folder.text(_BODY, codec=codec), folder.text(_HTML, codec=codec)
    if binary := folder.binary(_HTML):
        page = decode_leniently(binary, codec)[0].rstrip("\0")
    rich = b"" if text.strip() or page else unpacked_rtf(folder.binary(_RTF) or b"")
    if rich:
        message.set_content(rich, "application", "rtf")
        return
    message.set_content(_lines(text))
    if page and text.strip():
        message.add_alternative(_lines(page), "html")
    elif page:
        message.set_content(_lines(page), "html")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _attach(message: EmailMessage, folder: _Folder, name: str, depth: int) -> None:
    """Attach a file or message; linked files and objects become an empty part, which the reader reports."""
    if folder.fixed(_METHOD, _INTEGER) == _EMBEDDED:
        inner = replace(folder, path=(*folder.path, _OBJECT), head=24)
        content = _message(inner, name, depth + 1)
        message.add_attachment(message_from_bytes(content, policy=policy.default))
        return
    title = BREAKS.sub(" ", folder.text(*_FILE_NAMES))
    main, _, kind = _media_type(folder.text(_MIME_TYPE))
    message.add_attachment(folder.binary(_DATA) or b"", main, kind, filename=title or None)


def _media_type(text: str) -> Sequence[str]:
    """Return both parts of a media type; messages and multiparts become plain bytes."""
    main, slash, kind = text.lower().partition("/")
    is_known = main in ("application", "audio", "image", "text", "video") and kind.isascii()
    return (main, slash, kind) if is_known and kind else ("application", "/", "octet-stream")
