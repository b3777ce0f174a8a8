"""Reads the strings in a DICOM file byte by byte (PS3.5, 7.1), in Explicit VR Little Endian, as files are written here."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ..formats import Passage

_HEAD = 132
_LONG = frozenset(
    (b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV")
)
"""Representations whose length has four bytes, after two empty ones."""
_UNDEFINED = 0xFFFFFFFF
_ITEM, _END_OF_ITEM, _END_OF_SEQUENCE = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
_PIXELS = 0x7FE00010
_NUMBERS = frozenset(
    (b"FL", b"FD", b"SL", b"SS", b"UL", b"US", b"AT", b"OD", b"OF", b"OL", b"OV", b"SV", b"UV")
)
_CODECS = {"ISO_IR 192": "utf-8", "GB18030": "gb18030", "GBK": "gbk", "ISO_IR 13": "shift_jis"}
_CODECS |= {f"ISO_IR {number}": f"iso8859-{part}" for number, part in (
    (100, 1), (101, 2), (109, 3), (110, 4), (144, 5), (127, 6), (126, 7), (138, 8), (148, 9), (203, 15), (166, 11)
)}  # fmt: skip
_CHARACTER_SET = 0x00080005


def strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a file: in its header, in every attribute except the pixels, and after them."""
    yield Passage(data[:_HEAD].decode("latin-1"), "the preamble")
    yield from _Walk(data).elements(_HEAD, len(data))


class _Walk:
    """One pass over a file, which keeps track of the character set."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._codecs = ["latin-1"]

    def elements(self, position: int, end: int) -> Iterator[Passage]:
        """Yield the strings of the attributes between two positions."""
        data = self._data
        while position + 8 <= end:
            group, number = struct.unpack_from("<HH", data, position)
            tag = group << 16 | number
            if tag in (_ITEM, _END_OF_ITEM, _END_OF_SEQUENCE):
                position += 8  # An item's attributes follow its header.
                continue
            vr = data[position + 4 : position + 6]
            if vr in _LONG:
                (length,) = struct.unpack_from("<I", data, position + 8)
                start = position + 12
            else:
                (length,) = struct.unpack_from("<H", data, position + 6)
                start = position + 8
            if vr == b"SQ" or length == _UNDEFINED:
                position = start
                continue
            position = min(start + length, end)
            if tag != _PIXELS and vr not in _NUMBERS:
                place = f"attribute ({group:04X},{number:04X})"
                yield from self._texts(data[start:position], place)
            if tag == _CHARACTER_SET:
                terms = data[start:position].decode("latin-1").split("\\")
                self._codecs += [_CODECS.get(term.strip(" \0"), "latin-1") for term in terms]
        yield Passage(data[position:].decode("latin-1"), "bytes behind the last attribute")

    def _texts(self, value: bytes, place: str) -> Iterator[Passage]:
        for codec in dict.fromkeys(self._codecs):
            text = value.decode(codec, "replace").rstrip(" \0")
            yield Passage(text.replace("^", " ").replace("\\", "\n"), place)
