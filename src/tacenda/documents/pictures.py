"""Strip pictures of everything but their pixels; replace those that may show text.

A PNG or JPEG keeps its pixels and loses the rest: author, camera, place, thumbnail, comments,
whatever follows its end. All other formats (EMF, WMF, SVG, GIF, TIFF …) may hold text as text and
give way to a blank picture. So does a picture whose pixels may show unread text: one with an
edge in it. Colours, shades and gradients have none.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"gAMA", b"sRGB", b"pHYs"))
_JPEG = b"\xff\xd8\xff"
_JPEG_KEPT = frozenset((0xE0, 0xEE))  # JFIF, and Adobe's color transform
_STEPS = (1, 4)  # dots
_EDGE = 6
"""Difference between two pixels at this distance that exceeds gradients and compression, but not low-contrast print."""
_ROWS = 256
_MOST_DOTS = 50_000_000
Polygon = Sequence[tuple[float, float]]


def kept_picture(data: bytes, *, keeps: bool) -> tuple[bytes, str] | None:
    """Return a picture without metadata, and its extension; None if it must be replaced.

    Args:
        data: the file.
        keeps: whether pictures that may show text stay.
    """
    from PIL import Image

    stripped = strip_picture(data)
    if stripped is None or keeps:
        return stripped
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            return None if has_edges(image) else stripped
    except Exception:  # a damaged picture can make its decoder fail in any way
        return None


def has_edges(image: Image.Image, polygons: Iterable[Polygon] = ()) -> bool:
    """Return whether a picture may show text outside what was read in it.

    Args:
        image: in any mode.
        polygons: what was read, in pixels.
    """
    import numpy as np
    from PIL import Image, ImageDraw

    if image.width * image.height > _MOST_DOTS:
        return True
    # Transparent pixels may hide letters, so each band is checked separately.
    mode = {"1": "L", "P": "RGBA", "PA": "RGBA"}.get(image.mode, image.mode)
    dots = np.asarray(image.convert(mode))
    known = Image.new("1", image.size)
    for polygon in polygons:
        ImageDraw.Draw(known).polygon([*polygon], fill=1, outline=1)
    unread = ~np.asarray(known)
    for top in range(0, image.height, _ROWS):
        rows = np.s_[top : top + _ROWS + max(_STEPS)]
        block = dots[rows].reshape(*unread[rows].shape, -1).astype(np.int32)
        for step in _STEPS:
            for one, other in (
                (np.s_[:, step:], np.s_[:, :-step]),
                (np.s_[step:], np.s_[:-step]),
            ):
                edges = np.abs(block[one] - block[other]).max(axis=2) > _EDGE
                if (edges & unread[rows][one]).any():
                    return True
    return False


def covered_notes(number: int, reason: str = "") -> Iterator[str]:
    """Yield what users must know about covered pictures.

    Args:
        number: how many there are.
        reason: why none was read; empty if they were.
    """
    if number:
        count = "1 picture is" if number == 1 else f"{number} pictures are"
        advice = f"; {reason}" if reason else ""
        yield (
            f"{count} covered, since possible text in them was not read{advice}; --pictures keep "
            "leaves them unchanged: check them then."
        )


def strip_picture(data: bytes) -> tuple[bytes, str] | None:
    """Return a PNG or JPEG without metadata, and its extension; None if it is neither."""
    try:
        if data.startswith(_PNG):
            return _strip_png(data), "png"
        if data.startswith(_JPEG):
            return _strip_jpeg(data), "jpeg"
    except (struct.error, IndexError, ValueError):
        return None
    return None


def blank_picture() -> bytes:
    """Return a PNG of one light grey pixel."""
    pixel = zlib.compress(b"\0\xe5")
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return _PNG + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixel) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _strip_png(data: bytes) -> bytes:
    parts = [_PNG]
    position = len(_PNG)
    while True:
        length, kind = struct.unpack_from(">I4s", data, position)
        body = data[position + 8 : position + 8 + length]
        if len(body) != length:
            raise ValueError("cut off")
        if kind in _PNG_KEPT:
            parts.append(_chunk(kind, body))
        if kind == b"IEND":
            return b"".join(parts)
        position += 12 + length


def _strip_jpeg(data: bytes) -> bytes:
    parts = [data[:2]]
    position = 2
    while True:
        if data[position] != 0xFF:
            raise ValueError("no marker")
        marker = data[position + 1]
        if marker == 0xFF:  # padding before a marker
            position += 1
            continue
        if marker == 0xD9:
            return b"".join((*parts, b"\xff\xd9"))
        (length,) = struct.unpack_from(">H", data, position + 2)
        end = position + 2 + length
        if length < 2 or end > len(data):
            raise ValueError("cut off")
        application = 0xE0 <= marker <= 0xEF or marker == 0xFE
        if not application or marker in _JPEG_KEPT:
            segment = _jfif(data[position:end]) if marker == 0xE0 else data[position:end]
            parts.append(segment)
        position = end
        if marker == 0xDA:
            end = _scan_end(data, position)
            parts.append(data[position:end])
            position = end


def _jfif(segment: bytes) -> bytes:
    """Return the JFIF header without its thumbnail; nothing if it is another APP0."""
    if segment[4:9] != b"JFIF\0" or len(segment) < 18:
        return b""
    return b"\xff\xe0\x00\x10" + segment[4:16] + b"\0\0"


def _scan_end(data: bytes, position: int) -> int:
    """Return the end of the compressed pixels from ``position``: the next marker."""
    while True:
        position = data.index(b"\xff", position)
        following = data[position + 1]
        if following != 0 and not 0xD0 <= following <= 0xD7 and following != 0xFF:
            return position
        position += 1 if following == 0xFF else 2
