"""The pictures in a PDF, which are painted in their streams."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import MissingExtraError
from . import BesidePart, PartDecision, PartKind, PartTreatment, key_of
from .pictures import painted_as_decided, picture_part

try:
    import pikepdf
    from PIL import Image
except ImportError as error:
    raise MissingExtraError("reading a PDF", "documents") from error

_MOST_NESTED = 8
_OF_THE_CODING = ("/Decode", "/DecodeParms", "/ImageMask", "/Mask", "/Intent")


def changed_pdf(
    content: bytes, decisions: Mapping[str, PartDecision]
) -> tuple[bytes, list[BesidePart]]:
    """Return a PDF with its pictures as decided, and these pictures."""
    parts: list[BesidePart] = []
    with pikepdf.open(io.BytesIO(content)) as pdf:
        ids: set[Any] = set()
        for number, page in enumerate(pdf.pages, start=1):
            for image in _images(page.obj.get("/Resources"), 0):
                if image.objgen in ids:
                    continue
                ids.add(image.objgen)
                part, drawn = _part(image, number)
                parts.append(part)
                decision = decisions.get(part.key)
                if decision is not None and decision.changes:
                    _write(image, painted_as_decided(drawn, decision, removed="white"))
        if not decisions:
            return content, parts
        output = io.BytesIO()
        pdf.save(output, deterministic_id=True)
    return output.getvalue(), parts


def _part(image: Any, page: int) -> tuple[BesidePart, Image.Image]:
    """Return the part for a picture, and its pixels."""
    try:
        picture = pikepdf.PdfImage(image).as_pil_image()
    except (pikepdf.PdfError, ValueError, NotImplementedError, OSError):
        # It can't be shown, so nobody can decide to keep it.
        part = BesidePart(
            key_of(b"image", image.read_raw_bytes()),
            PartKind.PICTURE,
            f"page {page}, in a form that can't be shown",
            treatments=(PartTreatment.REMOVE,),
        )
        return part, Image.new("L", (1, 1), 229)
    stream = io.BytesIO()
    picture.convert("L" if picture.mode in ("1", "L") else "RGB").save(stream, "PNG")
    return picture_part(stream.getvalue(), f"page {page}"), picture


def _write(image: Any, painted: Image.Image) -> None:
    image.write(painted.convert("RGB").tobytes())
    image.Width, image.Height = painted.width, painted.height
    image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceRGB, 8
    for name in _OF_THE_CODING:
        if name in image:
            del image[name]


def _images(resources: Any, depth: int) -> Iterator[Any]:
    """Yield the images in a page and in the forms that it draws, in order."""
    if resources is None or depth > _MOST_NESTED:
        return
    for _, item in sorted(dict(resources.get("/XObject", {})).items()):
        if item.get("/Subtype") == "/Image":
            yield item
        elif item.get("/Subtype") == "/Form":
            yield from _images(item.get("/Resources"), depth + 1)
