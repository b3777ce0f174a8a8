"""Converts a message's headers to text, and text to headers (RFC 5322, 2047)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from email.header import Header
from email.headerregistry import AddressHeader
from email.message import EmailMessage

from ...text.readings import ENCODED_WORD, decoded_words

TEXTS = frozenset("subject comments keywords organization date".split())
ADDRESSES = frozenset("from sender reply-to to cc bcc".split())
IDS = ("message-id", "in-reply-to", "references")
STRUCTURE = frozenset(
    "mime-version content-type content-transfer-encoding content-disposition".split()
)
"""Headers that are always rewritten."""

_ID = re.compile(r"<[^<>\s]+>")
_MOST = 10_000
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+(?:@[A-Za-z0-9.-]+)?")
_ENCODED_WORDS = re.compile(rf"{ENCODED_WORD}(?:\s+{ENCODED_WORD})+")
BREAKS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")
NOWHERE = "redacted.invalid"
"""Domain of removed addresses (RFC 2606)."""

Piece = tuple[str, str]
"""``text``, ``name`` or ``address``, and the string; ``gap`` for what stands between those."""


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A header that contains text.

    Attributes:
        name: name of the header as written.
        pieces: its pieces of text, in order.
    """

    name: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The text as displayed."""
        return f"{self.name}: " + "".join(value for _, value in self.pieces)

    def written(self, values: Callable[[int, int], str]) -> str:
        """Return the header with some strings replaced.

        Args:
            values: the new string for each ``[start, end)`` of ``text``.
        """
        position = len(self.name) + 2
        parts: list[str] = []
        for kind, value in self.pieces:
            new = values(position, position + len(value)) if kind != "gap" else value
            position += len(value)
            if kind == "text":
                parts.append(encoded(new, self.name))
            elif kind == "name":
                parts.append(_phrase(new))
            elif kind == "address":
                parts.append(new if new == value and _is_plain(value) else _address(new))
            else:
                parts.append(new.replace(", ", ",\n "))  # RFC 5322, 2.1.1: limit the line length
        return "".join(parts)


def lines_of(message: EmailMessage) -> tuple[list[HeaderLine], list[str], int]:
    """Return the headers with text, the ids of messages, and the number of other headers.

    Raises:
        ValueError: if there are too many.
    """
    lines: list[HeaderLine] = []
    ids: list[str] = []
    n_others = 0
    items = list(message.raw_items())
    if len(items) > _MOST:
        raise ValueError
    for key, source in items:
        value = message.policy.header_fetch_parse(key, _ENCODED_WORDS.sub(_joined, source))
        name = key.lower()
        if name in ADDRESSES:
            lines.append(HeaderLine(key.title(), _addresses(value)))
        elif name in TEXTS:
            lines.append(HeaderLine(key.title(), (("text", BREAKS.sub(" ", str(value))),)))
        elif name in IDS:
            ids += _ID.findall(str(value))
        elif name not in STRUCTURE:
            n_others += 1
    return lines, ids, n_others


def _joined(words: re.Match[str]) -> str:
    """Join encoded words: the spaces between them don't count (RFC 2047, 6.2), but they do in a name."""
    content = decoded_words(words[0]).encode("utf-8", "surrogatepass")
    return f"=?utf-8?b?{b64encode(content).decode()}?="


def ids_of(message: EmailMessage, name: str, numbers: dict[str, int]) -> str:
    """Return a header of ids with their messages' numbers, or an empty string if it has none."""
    ids = (id for value in message.get_all(name, ()) for id in _ID.findall(str(value)))
    return " ".join(f"<message-{numbers[id]}@{NOWHERE}>" for id in ids if id in numbers)


def _addresses(value: object) -> tuple[Piece, ...]:
    plain: tuple[Piece, ...] = (("text", BREAKS.sub(" ", str(value))),)
    if not isinstance(value, AddressHeader) or value.defects:  # type: ignore[attr-defined]
        return plain
    pieces: list[Piece] = []
    for group in value.groups:
        if pieces:
            pieces.append(("gap", ", "))
        if group.display_name is not None:
            pieces += (("name", BREAKS.sub(" ", group.display_name)), ("gap", ": "))
        for index, address in enumerate(group.addresses):
            if index:
                pieces.append(("gap", ", "))
            spec = BREAKS.sub(" ", address.addr_spec)
            if address.display_name:
                name = BREAKS.sub(" ", address.display_name)
                pieces += (("name", name), ("gap", " <"), ("address", spec), ("gap", ">"))
            else:
                pieces.append(("address", spec))
        if group.display_name is not None:
            pieces.append(("gap", ";"))
    return tuple(pieces) or plain


def encoded(text: str, name: str) -> str:
    """Return text encoded for the header with a name."""
    text = BREAKS.sub(" ", text)
    is_plain = text.isascii() and "=?" not in text
    return Header(text, "us-ascii" if is_plain else "utf-8", header_name=name).encode()


def _phrase(text: str) -> str:
    text = BREAKS.sub(" ", text)
    if not text.isascii() or "=?" in text:
        return Header(text, "utf-8").encode()
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _is_plain(text: str) -> bool:
    return text.isascii() and re.search(r"[<>,;:\s]", text) is None


def _address(text: str) -> str:
    """Format an address's replacement as an address."""
    if "@" in text and _ADDRESS.fullmatch(text):
        return text
    label = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "somebody"
    return f"{label}@{NOWHERE}"
