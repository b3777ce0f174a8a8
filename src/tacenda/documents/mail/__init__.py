"""E-mail: messages (``.eml``) and mailboxes (``.mbox``), read with Python's ``email``.

A message is one document: its headers with people, its subject, its bodies and its attachments are one
text, so that the name in *From*, in the signature and in the address are one person's. It is built
from what was read: other headers, boundaries, signatures and what stands between parts are gone.

| module | topic |
|---|---|
| ``headers`` | headers as text, and text as headers |
| ``message`` | a message as one document, and back |
| ``attachments`` | field policies for what is attached |

If a message in a mailbox can't be read, only that message fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import BinaryIO

from ...errors import InputError
from ...isolation.workers import isolated
from ...result import Result
from ..completeness import require_whole
from ..containers import LARGEST_FILE
from ..fields import Fields
from ..formats import Passage
from ..record import Failure, Origin, SourceDocument
from . import message
from .attachments import AttachedFields

_FROM_LINE = b"From "
_DATED_LINE = re.compile(
    rb"From \S+ +(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z][a-z] [ \d]\d \d\d:\d\d(:\d\d)? .*\d{4}\s*$"
)
"""A line before a message with the time of its delivery (RFC 4155), which begins one even behind a message cut off."""
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_TO_QUOTE = re.compile(rb"^(>*From )", re.MULTILINE)
_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:|[ \t]")
"""Begin of a line of headers (RFC 5322, 2.2 and 4.5)."""
_SENDER = b"From - Thu Jan  1 00:00:00 1970"
"""Line before each message of a mailbox, which would name sender and time."""


@dataclass(frozen=True, slots=True)
class _Original:
    """The bytes of a message, and what its run knows about it.

    Attributes:
        data: the message.
        numbers: ids of messages, with their numbers in the file.
        attached: treatments of fields in its attachments; None if none are given.
    """

    data: bytes = field(repr=False)
    numbers: tuple[tuple[str, int], ...] = field(repr=False)
    attached: AttachedFields | None = field(default=None, repr=False)

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the sanitized message."""
        return message.written(self.data, dict(self.numbers), record, sanitized, self.attached)

    def settled(self, fields: Fields) -> _Original:
        """Return a copy for the writer; see ``AttachedFields``."""
        if self.attached is None:
            return self
        return replace(self, attached=self.attached.settled(fields))


def read_message(
    stream: BinaryIO, origin: Origin, attached: AttachedFields | None = None
) -> Iterator[SourceDocument]:
    """Yield the one document of a message.

    Args:
        stream: the message.
        origin: its name.
        attached: treatments of fields in its attachments.

    Raises:
        InputError: if it isn't a message, is truncated or encrypted, or has no readable text.
    """
    yield _record(stream.read(), origin, {}, "", attached)


def written_message(source: SourceDocument, result: Result) -> bytes:
    """Return the sanitized message.

    Raises:
        LeakError: if an attachment would still contain a masked string.
        InputError: if a part can't be written.
    """
    from ..inspection.mail import strings

    assert source.container is not None
    data = source.container.write(source, result)
    require_whole(source, result, "\n".join(item.text for item in strings(data)))
    return data


def read_mailbox(
    stream: BinaryIO, origin: Origin, fields: Fields
) -> Iterator[SourceDocument | Failure]:
    """Yield the messages in a mailbox, each read in its own worker call.

    Args:
        stream: the mailbox.
        origin: its name.
        fields: treatments of fields in attachments.

    Raises:
        InputError: if it doesn't start like a mailbox.
    """
    numbers: dict[str, int] = {}
    for number, data in enumerate(_messages(stream, origin.name), 1):
        place = f":{number}"
        name = origin.name + place
        try:
            if len(data) > LARGEST_FILE:
                raise InputError(f"has more than {LARGEST_FILE:,} bytes.", name)
            if _ends_in_headers(data):
                raise InputError("is cut off within its headers; get the whole file.", name)
            attached = AttachedFields.carried(fields)
            record = isolated(
                _record, (data, origin, {}, place, attached), subject=name, size=len(data)
            )
        except InputError as error:
            yield Failure(InputError(_without(str(error), name), name))
            continue
        assert isinstance(record.container, _Original)
        ids = [id for id, _ in record.container.numbers]
        numbered = tuple((id, numbers.setdefault(id, len(numbers) + 1)) for id in ids)
        container = _Original(data, numbered, record.container.attached)
        yield replace(record, container=container.settled(fields))


def written_in_mailbox(source: SourceDocument, result: Result) -> bytes:
    """Return the sanitized message in mailbox form.

    Raises:
        LeakError: if an attachment would still contain a masked string.
        InputError: if a part can't be written.
    """
    container = source.container
    assert isinstance(container, _Original)
    data = isolated(
        _written,
        (container, replace(source, container=None), result),
        subject=source.document.id,
        size=len(container.data) + len(result.text),
    )
    end = b"\r\n" if b"\r\n" in data[:1000] else b"\n"
    return _SENDER + end + _TO_QUOTE.sub(rb">\1", data).rstrip(b"\r\n") + end + end


def strings_in_mailbox(data: bytes) -> list[Passage]:
    """Return the strings in a message, as for an ``.eml``, and the line before it."""
    return isolated(_strings, (data,), subject="the sanitized message", size=len(data))


def _record(
    data: bytes,
    origin: Origin,
    numbers: dict[str, int],
    place: str,
    attached: AttachedFields | None,
) -> SourceDocument:
    record, ids = message.read(data, origin, place, attached)
    for id in ids:
        numbers.setdefault(id, len(numbers) + 1)
    return replace(record, container=_Original(data, tuple(numbers.items()), attached))


def _written(container: _Original, record: SourceDocument, sanitized: Result) -> bytes:
    return container.write(record, sanitized)


def _strings(data: bytes) -> list[Passage]:
    from ..inspection.mail import strings

    line, _, rest = data.partition(b"\n")
    passages = list(strings(_QUOTED.sub(rb"\1", rest)))
    if line.rstrip(b"\r") != _SENDER:
        passages.append(Passage(line.decode("latin-1"), "the line before the message"))
    return passages


def _messages(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the messages in a mailbox, unquoted."""
    lines: list[bytes] = []
    size = 0
    is_first = after_blank = True
    for line in stream:
        if line.startswith(_FROM_LINE) and (after_blank or _DATED_LINE.match(line)):
            if not is_first:
                yield _unquoted(lines)
            is_first, lines, size = False, [], 0
        elif is_first:
            # Some programs store a single message with a mailbox's extension.
            if _HEADER.match(line) and line.strip():
                is_first, lines = False, [line]
            elif line.strip():
                raise InputError(
                    'is not a mailbox: it begins neither with a line "From " nor with a header; check the file.',
                    name,
                )
        else:
            size += len(line)
            if size <= LARGEST_FILE + 1:
                lines.append(line)
        after_blank = not line.strip()
    if not is_first:
        yield _unquoted(lines)


def _unquoted(lines: list[bytes]) -> bytes:
    return _QUOTED.sub(rb"\1", b"".join(lines))


def _ends_in_headers(data: bytes) -> bool:
    """Return whether a message in a mailbox ends inside its headers.

    Headers are followed by an empty line even if there is no body (RFC 4155). The body starts at a
    complete line that isn't a header.
    """
    for line in BytesIO(data):
        if not line.strip() and line.strip(b" \t"):
            return False
        if not _HEADER.match(line):
            return not line.endswith(b"\n")
    return True


def _without(message: str, name: str) -> str:
    return message.removeprefix(f"{name}: ")
