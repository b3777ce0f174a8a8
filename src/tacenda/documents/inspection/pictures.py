"""The strings in a picture outside its pixels: PNG chunks, JPEG segments, TIFF tags."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

from PIL import Image

from ..formats import Passage

_PIXELS = (b"IDAT", b"IHDR", b"PLTE", b"IEND")


def strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a file."""
    if data.startswith(b"\x89PNG"):
        yield from _chunks(data)
    elif data.startswith(b"\xff\xd8"):
        yield from _segments(data)
    else:
        yield from _tags(data)


def _chunks(data: bytes) -> Iterator[Passage]:
    position = 8
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        if kind not in _PIXELS:
            body = data[position + 8 : position + 8 + length]
            yield Passage(body.decode("latin-1"), f"chunk {kind.decode('latin-1')}")
        position += 12 + length
        if kind == b"IEND":
            break
    yield Passage(data[position:].decode("latin-1"), "bytes after the end")


def _segments(data: bytes) -> Iterator[Passage]:
    position = 2
    while position + 4 <= len(data) and data[position] == 0xFF and data[position + 1] != 0xDA:
        marker, length = struct.unpack_from(">BH", data, position + 1)
        if marker == 0xFE or 0xE0 <= marker <= 0xEF:
            body = data[position + 4 : position + 2 + length]
            yield Passage(body.decode("latin-1"), f"segment {marker:02X}")
        position += 2 + length
    yield Passage(data[data.rfind(b"\xff\xd9") + 2 :].decode("latin-1"), "bytes after the end")


def _tags(data: bytes) -> Iterator[Passage]:
    with Image.open(io.BytesIO(data), formats=("TIFF",)) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            for tag, value in image.getexif().items():
                if isinstance(value, str | bytes):
                    string = value.decode("latin-1") if isinstance(value, bytes) else value
                    yield Passage(string, f"tag {tag} of picture {number + 1}")
