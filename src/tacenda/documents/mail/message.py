"""A message as one document, and the document's sanitized text as a message (RFC 2045 to 2049).

Bodies and attachments are read by their own format's reader. What no reader can read, such as
pictures, is removed, and a note says so, even if nothing else is left. Signatures over parts would
no longer be valid and are removed, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO
from pathlib import PurePosixPath

from ...document import Document
from ...errors import InputError
from ...result import Result
from ...text.decoding import check_encoding, decode_leniently
from ..compression import compression_of
from ..excerpts import excerpt
from ..fields import Fields
from ..formats import FileFormat
from ..names import NameScrubber, filename_leaks
from ..reading import read_bytes
from ..record import Failure, Origin, Region, Slot, SourceDocument, plain
from ..registry import format_by_media_type, format_named, format_of_name, written_format
from ..writing import writer
from .attachments import TEXTS, AttachedFields
from .headers import HeaderLine, ids_of, lines_of

_BODIES = ("text", "html", "markdown")
_ENCODINGS = frozenset(
    ("", "7bit", "8bit", "binary", "quoted-printable", "base64", "x-uuencode", "uuencode")
)
_FAMILIES = frozenset("application audio font image message model text video".split())
_DAMAGE = "InvalidBase64LengthDefect"
_CUT_OFF = "CloseBoundaryNotFoundDefect"
_OF_MESSAGES = frozenset("content-type mime-version received return-path message-id".split())
"""Headers of messages alone, in small letters: a text that happens to have a colon has none of them."""
_LABEL = "Attachment: "
_DEEPEST = 50
_TOKEN = re.compile(r"[\s\"']*([^\s\"';,()]+)")
_UNNAMEABLE = re.compile(r"[\x00-\x1f\x7f/\\\"]")


@dataclass(slots=True)
class _Leaf:
    """A body or an attachment, with the position of its text in the message's text.

    Attributes:
        type: its media type.
        format: the format in which it is written.
        records: its documents.
        starts: where their texts start.
        name: its file name; may be empty.
        name_start: where the name starts.
        is_attachment: whether mail programs show it as a file.
        flow: parameters for lines wrapped by the mail program.
    """

    type: str
    format: str
    records: list[SourceDocument]
    starts: list[int]
    name: str
    name_start: int
    is_attachment: bool
    flow: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Branch:
    """The parts of one message or multipart."""

    subtype: str
    parts: list[_Leaf | _Branch]


def read(
    data: bytes, origin: Origin, place: str, attached: AttachedFields | None
) -> tuple[SourceDocument, list[str]]:
    """Return a message as a document, and the message ids it refers to.

    Args:
        data: the message.
        origin: its file.
        place: its position in the file.
        attached: how to treat the fields in its attachments.

    Raises:
        InputError: if it isn't a message, is truncated or encrypted, or has nothing to read.
    """
    reader = _MessageReader(data, origin, origin.name + place, attached)
    text = "".join(reader.text)
    slots = (Slot(0, len(text), 0, len(text), plain, verbatim=True),)
    document = Document(
        origin.name + place,
        text,
        tuple(dict.fromkeys(reader.names)),
        codes=tuple(dict.fromkeys(reader.codes)),
    )
    notes = tuple(reader.notes())
    record = SourceDocument(
        document, origin, text, slots, tuple(reader.beside), place=place, notes=notes
    )
    return record, reader.ids


def written(
    data: bytes,
    numbers: dict[str, int],
    record: SourceDocument,
    sanitized: Result,
    attached: AttachedFields | None,
) -> bytes:
    """Return the sanitized message.

    Args:
        data: the original message.
        numbers: message numbers by id.
        record: the message as read.
        sanitized: its edited text.
        attached: how to treat the fields in its attachments.

    Raises:
        LeakError: if a part would still contain a masked string.
        InputError: if a part can't be written.
    """
    reader = _MessageReader(data, record.origin, record.document.id, attached)
    if "".join(reader.text) != record.document.text:
        # A program that converts an attachment may fail the second time.
        raise InputError("can't be read twice alike; try again.", record.document.id)
    return _Builder(reader, numbers, sanitized).build()


class _MessageReader:
    """A parsed message: its headers, its parts, and the resulting text."""

    def __init__(
        self, data: bytes, origin: Origin, name: str, attached: AttachedFields | None
    ) -> None:
        self.origin = origin
        self.attached = attached
        self.name = name
        self.end = "\r\n" if b"\r\n" in data[:1000] else "\n"
        self.text: list[str] = []
        self.removed: list[str] = []
        self.beside: list[Region] = []
        self.names: list[str] = []
        self.codes: list[str] = []
        self.is_signed = False
        self.is_cut_off = self.is_undivided = self.is_misnamed = False
        self.foreign_bytes = 0
        self._length = 0
        self._nested: list[str] = []
        self._attachments = 0
        parsed = message_from_bytes(data, policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        self.message = parsed
        try:
            self.lines, self.ids, self.others = lines_of(parsed)
        except (ValueError, LookupError, AttributeError, TypeError):
            raise InputError("has a header that can't be read; check the message.", name) from None
        if not self.lines and _OF_MESSAGES.isdisjoint(map(str.lower, parsed)):
            raise InputError(
                "is not an e-mail: it has neither sender nor recipient, subject or date.", name
            )
        self.line_starts = []
        for line in self.lines:
            start = self._add(line.text, "\n")
            self.line_starts.append(start)
            self.beside.append(Region(start, start + len(line.name), _renamed))
        self._add("", "\n")
        tree = self._part(parsed, 0)
        self.tree = tree or _Leaf("text/plain", "text", [], [], "", 0, False)

    def notes(self) -> Iterator[str]:
        """Yield what the user should know."""
        if self.is_cut_off:
            yield "has no closing boundary: it was read to its end, and may have been cut off there."
        if self.is_undivided:
            yield "has parts, but not the boundaries between them: these were read as one text."
        if self.is_misnamed:
            yield "has text in an encoding that is unknown or wrong; save the message in UTF-8 to keep it."
        if self.foreign_bytes:
            is_one = self.foreign_bytes == 1
            number, was = ("1 byte", "was") if is_one else (f"{self.foreign_bytes} bytes", "were")
            yield f"{number} outside the named encoding {was} read as Windows-1252."
        if self.removed:
            kinds = ", ".join(sorted({kind for kind in self.removed if kind in _FAMILIES}))
            is_one = len(self.removed) == 1
            yield (
                f"{len(self.removed)} {'part was' if is_one else 'parts were'} removed because "
                f"{'it' if is_one else 'they'} could not be read{f' ({kinds})' if kinds else ''}."
            )
        if self.is_signed:
            yield "its signature was removed: it would be of another text."
        if self.others:
            yield f"{self.others} header{'s were' if self.others > 1 else ' was'} left out."
        yield from self._nested

    def _add(self, text: str, end: str) -> int:
        """Add text, and return where it starts."""
        start = self._length
        self.text += (text, end)
        self._length += len(text) + len(end)
        return start

    def _part(self, part: EmailMessage, depth: int) -> _Leaf | _Branch | None:
        """Return a part with its subparts, or None if nothing is left."""
        if depth > _DEEPEST:
            raise InputError(f"has parts nested more than {_DEEPEST} deep.", self.name)
        self.is_cut_off |= _has_defect(part, _CUT_OFF)
        type_ = part.get_content_type()
        if type_ == "multipart/encrypted" or type_.endswith(("/pkcs7-mime", "/x-pkcs7-mime")):
            raise InputError("is encrypted or sealed; save it without encryption.", self.name)
        if not part.is_multipart() or type_ == "message/rfc822":
            if type_.endswith(("-signature", "/x-pkcs7-signature")):
                self.is_signed = True
                return None
            if self.attached is not None and self.attached.is_dropped(_file_name(part)):
                self._attachments += part.get_content_disposition() == "attachment"
                return None
            if type_.startswith("multipart/"):
                self.is_undivided, type_ = True, "text/plain"
            leaf = self._leaf(part, type_)
            if leaf is None:
                self.removed.append(part.get_content_maintype())
            return leaf
        if not type_.startswith("multipart/"):
            self.removed.append(part.get_content_maintype())
            return None
        subtype = part.get_content_subtype()
        is_kept = subtype in ("alternative", "mixed", "related", "digest", "parallel")
        inner = [self._part(child, depth + 1) for child in part.iter_parts()]  # type: ignore[arg-type]
        parts = [item for item in inner if item is not None]
        return _Branch(subtype if is_kept else "mixed", parts) if parts else None

    def _leaf(self, part: EmailMessage, type_: str) -> _Leaf | None:
        """Return a leaf with its documents, or None if it can't be read."""
        name = _file_name(part)
        is_attachment = bool(name) or part.get_content_disposition() == "attachment"
        self._attachments += is_attachment
        format = self._format(type_, name)
        content = None if format is None else self._content(part, type_, format)
        if format is None or content is None:
            return None
        written = written_format(format)
        origin = Origin("", f"attachment{_extension(name)}", format, "utf-8", self.origin.ocr)
        records = []
        for item in read_bytes(content, origin, self._fields(written.name, name)):
            if isinstance(item, Failure) or item.beside.refusal:
                if not is_attachment and isinstance(item, Failure):
                    raise InputError(f"its body {_reason(item.error)}", self.name)
                self._refuse(item, format)
                return None
            records.append(item)
            self.names += item.document.target
            self.codes += item.document.codes
        if written.name != format:
            type_ = written.media_type
            name = name and name.removesuffix(_extension(name)) + written.extensions[0]
        name_start = self._length + len(_LABEL)
        if name:
            stem = name.removesuffix(_extension(name))
            self._add(_LABEL + stem, "\n")
            self.beside.append(Region(name_start - len(_LABEL), name_start + len(stem), _renamed))
        starts = [
            self._add(text, "\n" if text.endswith("\n") else "\n\n") if text else self._length
            for text in (record.document.text for record in records)
        ]
        if written.name == "eml":
            self.beside += (
                replace(region, start=start + region.start, end=start + region.end)
                for record, start in zip(records, starts, strict=True)
                for region in record.regions
            )
        self._nested += (f"attachment: {note}" for item in records for note in item.notes)
        flow = {
            key: value
            for key, value in (
                ("format", str(part.get_param("format", ""))),
                ("delsp", str(part.get_param("delsp", ""))),
            )
            if value.lower() in ("flowed", "yes")
        }
        return _Leaf(type_, written.name, records, starts, name, name_start, is_attachment, flow)

    def _fields(self, format: str, name: str) -> Fields:
        """Return the treatments for the fields of a part."""
        if self.attached is None:
            return TEXTS
        return self.attached.run if format == "eml" else self.attached.of(name)

    def _refuse(self, item: SourceDocument | Failure, format: str) -> None:
        """Raise InputError for a part that a field policy applies to but couldn't be applied.

        Raises:
            InputError: always; names the part's number and the place in it.
        """
        if self.attached is None or not format_named(format).has_fields:
            return
        if isinstance(item, Failure):
            place, reason = str(item.error.document).partition(":")[2], _reason(item.error)
        else:
            place, reason = item.place[1:], item.beside.refusal
        where = f"attachment {self._attachments}" + f":{place}" * bool(place)
        raise InputError(f"{where}: {reason}", self.name)

    def _format(self, type_: str, name: str) -> str | None:
        if compression_of(name):
            return None
        format = None
        if name and type_ not in ("text/plain", "text/html", "message/rfc822"):
            format = format_of_name(name) if _extension(name) else None
        format = format or format_by_media_type(type_)
        if format is None or not format.is_attachable:
            return None
        # A data set's fields can't all be text.
        return None if format.is_data_set and self.attached is None else format.name

    def _content(self, part: EmailMessage, type_: str, format: str) -> bytes | None:
        """Return the content of a part, with bodies in UTF-8, or None if their encoding isn't known.

        Raises:
            InputError: if it can't be decoded.
        """
        if type_ == "message/rfc822":
            if not part.is_multipart():
                raise InputError("has a message in it that can't be read.", self.name)
            inner = part.get_payload(0)
            assert isinstance(inner, EmailMessage)
            if (encoding := _transfer_encoding(part)) in ("base64", "quoted-printable"):
                # RFC 2046, 5.2.1 forbids it, but programs do it.
                inner["content-transfer-encoding"] = encoding
                return bytes(inner.get_payload(decode=True))
            return inner.as_bytes(policy=policy.default)
        encoding = _transfer_encoding(part)
        del part["content-transfer-encoding"]
        part["content-transfer-encoding"] = encoding
        data = part.get_payload(decode=True)
        if encoding not in _ENCODINGS or _has_defect(part, _DAMAGE) or not isinstance(data, bytes):
            raise InputError("has a part that can't be decoded; get the whole file.", self.name)
        if format not in _BODIES or not type_.startswith("text/"):
            return data
        try:
            text, foreign = decode_leniently(data, part.get_content_charset() or "utf-8")
        except UnicodeError:
            self.is_misnamed = True
            return None
        self.foreign_bytes += foreign
        return text.replace("\r\n", "\n").encode()


class _Builder:
    """Builds the sanitized message."""

    def __init__(self, reader: _MessageReader, numbers: dict[str, int], sanitized: Result) -> None:
        self._reader = reader
        self._numbers = numbers
        self._sanitized = sanitized
        self._attachments = 0

    def build(self) -> bytes:
        """Return the message."""
        reader = self._reader
        head: list[str] = []
        for line, start in zip(reader.lines, reader.line_starts, strict=True):
            head.append(f"{line.name}: {self._header(line, start)}")
        for name in ("Message-ID", "In-Reply-To", "References"):
            value = ids_of(reader.message, name, self._numbers)
            if value:
                head.append(f"{name}: {value}")
        body = self._built(reader.tree)
        content = body.as_bytes(policy=policy.default.clone(max_line_length=76))
        text = "".join(f"{line}\n" for line in head).encode("ascii") + content
        return re.sub(rb"\r\n|\n|\r", reader.end.encode(), text)

    def _header(self, line: HeaderLine, start: int) -> str:
        return line.written(lambda first, last: self._slice(start + first, start + last))

    def _slice(self, start: int, end: int) -> str:
        text = self._sanitized.document.text[start:end]
        return excerpt(self._sanitized, Document("", text), start).text

    def _built(self, item: _Leaf | _Branch) -> EmailMessage:
        if isinstance(item, _Leaf):
            return self._leaf(item)
        message = EmailMessage(policy.default)
        message["MIME-Version"] = "1.0"
        message["Content-Type"] = f"multipart/{item.subtype}"
        message.set_payload([])
        for part in item.parts:
            inner = self._built(part)
            del inner["MIME-Version"]
            message.attach(inner)
        # The default would be random: the same message should give the same output.
        content = b"".join(part.as_bytes() for part in message.iter_parts())
        number = 0
        while (boundary := f"=_part_{number}").encode() in content:
            number += 1
        message.set_boundary(boundary)
        return message

    def _leaf(self, leaf: _Leaf) -> EmailMessage:
        stream = BytesIO()
        sink = writer("same", stream)
        for record, start in zip(leaf.records, leaf.starts, strict=True):
            sink.write(record, excerpt(self._sanitized, record.document, start))
        sink.close()
        data = stream.getvalue()
        message = EmailMessage(policy.default)
        if leaf.type == "message/rfc822":
            inner = message_from_bytes(data, policy=policy.default)
            message["Content-Type"] = "message/rfc822"
            message.set_payload([inner])
        elif leaf.format in _BODIES and leaf.type in ("text/plain", "text/html", "text/markdown"):
            subtype = leaf.type.partition("/")[2]
            message.set_content(data.decode(), subtype=subtype, charset="utf-8")
            for key, value in leaf.flow.items():
                message.set_param(key, value)
        else:
            main, _, subtype = _written_type(leaf.type).partition("/")
            message.set_content(data, main, subtype)
        if leaf.is_attachment:
            self._attachments += 1
            message["Content-Disposition"] = "attachment"
            if leaf.name:
                message.set_param("filename", self._name(leaf), "Content-Disposition")
        if "MIME-Version" not in message:
            message["MIME-Version"] = "1.0"
        return message

    def _name(self, leaf: _Leaf) -> str:
        ending = _extension(leaf.name)
        stem = leaf.name.removesuffix(ending)
        name = _UNNAMEABLE.sub("_", self._slice(leaf.name_start, leaf.name_start + len(stem)))
        if not name or filename_leaks(name, (self._sanitized,)):
            name = f"attachment-{self._attachments}"
        return name + ending


def _has_defect(part: EmailMessage, name: str) -> bool:
    return any(type(defect).__name__ == name for defect in part.defects)


def _transfer_encoding(part: EmailMessage) -> str:
    """Return the transfer encoding of a part, or ``8bit`` if a charset or a misspelled bit width is given instead."""
    match = _TOKEN.match(str(part.get("content-transfer-encoding", "")).lower())
    name = match[1] if match else ""
    if name in _ENCODINGS:
        return name
    try:
        check_encoding(name)
    except InputError:
        return "8bit" if name in ("7-bit", "8-bit", "none") else name
    return "8bit"


def _written_type(media_type: str) -> str:
    """Return a media type if it is a known one, since others could identify a person."""
    format = format_by_media_type(media_type)
    return FileFormat.media_type if format is None else format.media_type


def _extension(name: str) -> str:
    """Return a file's extension if it is a known one, since others could identify a person."""
    return PurePosixPath(name).suffix if format_of_name(name) else ""


def _file_name(part: EmailMessage) -> str:
    return _UNNAMEABLE.sub("_", part.get_filename() or "").strip()


def _renamed(_value: str, _forms: NameScrubber) -> str:
    """Return nothing: headers have their own names, and files whose name may identify someone get a neutral one."""
    return ""


def _reason(error: InputError) -> str:
    return str(error).removeprefix(f"{error.document}: ")
