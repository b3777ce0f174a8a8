"""Paint over pictures in a PDF where a box covers them, since what a box covers must not be underneath it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Name
from PIL import Image, ImageDraw

from ..pictures import has_edges

Point = tuple[float, float]
_QUALITY = 92
_SPACES = {
    "1": Name.DeviceGray,
    "L": Name.DeviceGray,
    "RGB": Name.DeviceRGB,
    "CMYK": Name.DeviceCMYK,
}


_FILTERS = {
    "/AHx": "/ASCIIHexDecode",
    "/A85": "/ASCII85Decode",
    "/LZW": "/LZWDecode",
    "/Fl": "/FlateDecode",
    "/RL": "/RunLengthDecode",
    "/CCF": "/CCITTFaxDecode",
    "/DCT": "/DCTDecode",
}


class PictureError(Exception):
    """A picture that can't be painted over."""


def may_show_text(picture: Any, polygons: Sequence[Sequence[Point]] = ()) -> bool:
    """Return whether a picture may show text outside polygons in its unit square.

    Args:
        picture: an image XObject.
        polygons: polygons over what was read in it.
    """
    mask, decode = picture.get("/Mask"), picture.get("/Decode", ())
    # A color or value that isn't drawn as stored may separate letters from their background.
    if isinstance(mask, pikepdf.Array) or not {0, 1}.issuperset(map(float, decode)):
        return True
    try:
        image = pikepdf.PdfImage(picture).as_pil_image()
    except Exception:  # a damaged picture can make its decoder fail in any way
        return True
    dots = [[(x * image.width, (1 - y) * image.height) for x, y in each] for each in polygons]
    masks = [picture[key] for key in ("/SMask", "/Mask") if key in picture]
    return has_edges(image, dots) or any(may_show_text(each, polygons) for each in masks)


def filters(stream: Any) -> list[str]:
    """Return the names of a stream's filters, in order and without abbreviations."""
    value = stream.get("/Filter")
    names = [] if value is None else value if isinstance(value, pikepdf.Array) else [value]
    return [_FILTERS.get(str(name), str(name)) for name in names]


def painted(pdf: pikepdf.Pdf, picture: Any, polygons: Sequence[Sequence[Point]]) -> Any:
    """Return a copy of a picture that is a single color inside polygons.

    Args:
        pdf: receives the copy.
        picture: an image XObject.
        polygons: polygons in its unit square, whose origin is at the lower left.

    Raises:
        PictureError: if its pixels can't be read.
    """
    try:
        if picture.get("/ImageMask"):
            return _stencil(pdf, picture, polygons)
        image = pikepdf.PdfImage(picture).as_pil_image()
    except Exception:  # a damaged picture can make its decoder fail in any way
        raise PictureError from None
    if image.mode not in _SPACES:
        image = image.convert("RGB")
    _fill(image, polygons, (0, 0, 0, 255) if image.mode == "CMYK" else 0)
    copy = _stream(pdf, image, picture)
    for mask in ("/SMask", "/Mask"):
        if isinstance(picture.get(mask), pikepdf.Stream):
            copy[mask] = painted(pdf, picture[mask], polygons)
        elif mask in picture:
            copy[mask] = picture[mask]
    return copy


def _fill(image: Image.Image, polygons: Sequence[Sequence[Point]], color: Any) -> None:
    draw = ImageDraw.Draw(image)
    for polygon in polygons:
        corners = [(x * image.width, (1 - y) * image.height) for x, y in polygon]
        draw.polygon(corners, fill=color, outline=color)


def _stream(pdf: pikepdf.Pdf, image: Image.Image, picture: Any) -> Any:
    if image.mode in ("L", "RGB") and "/DCTDecode" in filters(picture):
        output = io.BytesIO()
        image.save(output, "JPEG", quality=_QUALITY, subsampling=0)
        copy = pdf.make_stream(output.getvalue(), Filter=Name.DCTDecode)
    else:
        copy = pdf.make_stream(image.tobytes())
    copy.Type, copy.Subtype = Name.XObject, Name.Image
    copy.Width, copy.Height = image.size
    copy.BitsPerComponent = 1 if image.mode == "1" else 8
    copy.ColorSpace = _SPACES[image.mode]
    if picture.get("/Interpolate"):
        copy.Interpolate = True
    return copy


def _stencil(pdf: pikepdf.Pdf, picture: Any, polygons: Sequence[Sequence[Point]]) -> Any:
    """Return a stencil mask without paint inside polygons."""
    size = int(picture.Width), int(picture.Height)
    image = Image.frombytes("1", size, picture.read_bytes())
    _fill(image, polygons, 1)
    copy = pdf.make_stream(image.tobytes())
    for key in ("/Type", "/Subtype", "/Width", "/Height", "/Decode", "/Interpolate"):
        if key in picture:
            copy[key] = picture[key]
    copy.ImageMask, copy.BitsPerComponent = True, 1
    return copy
