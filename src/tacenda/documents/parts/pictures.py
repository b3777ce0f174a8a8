"""Pictures, painted as people decided, and files that are themselves a picture."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...errors import InputError, MissingExtraError
from ..pictures import blank_picture, strip_picture
from . import WHOLE, BesidePart, PartDecision, PartKind, PartTreatment, PictureBox, key_of

if TYPE_CHECKING:
    from PIL import Image

_MOST_PIXELS = 100_000_000
_QUALITY = 92
_GREY = "#e5e5e5"


def picture_part(content: bytes, place: str) -> BesidePart:
    """Return the part for a PNG or JPEG."""
    kind = "png" if content.startswith(b"\x89PNG") else "jpeg"
    media_type = f"image/{kind}"
    return BesidePart(
        key_of(content), PartKind.PICTURE, place, content=content, media_type=media_type
    )


def changed_file(
    content: bytes, decisions: Mapping[str, PartDecision]
) -> tuple[bytes, list[BesidePart]]:
    """Return a picture file as decided, and its one part."""
    part = picture_part(content, "the file")
    return treated_picture(part, decisions.get(part.key)) or blank_picture(), [part]


def treated_picture(part: BesidePart, decision: PartDecision | None) -> bytes | None:
    """Return a picture as decided; None if it is removed.

    Raises:
        InputError: if it can't be painted.
    """
    if decision is None or not decision.changes:
        return part.content
    if decision.treatment is PartTreatment.REMOVE:
        return None
    painted = painted_as_decided(opened(part.content), decision)
    stream = io.BytesIO()
    if part.media_type == "image/png":
        painted.save(stream, "PNG")
    else:
        painted.save(stream, "JPEG", quality=_QUALITY)
    stripped = strip_picture(stream.getvalue())
    return stream.getvalue() if stripped is None else stripped[0]


def opened(content: bytes) -> Image.Image:
    """Return the pixels of a PNG or JPEG.

    Raises:
        InputError: if it is too large or damaged.
        MissingExtraError: if Pillow isn't installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("painting a picture", "documents") from error
    try:
        image = Image.open(io.BytesIO(content), formats=("PNG", "JPEG"))
        if image.width * image.height > _MOST_PIXELS:
            raise InputError("a picture is too large to be painted; blank or remove it elsewhere.")
        image.load()
    except (OSError, ValueError, SyntaxError) as error:
        message = f"a picture can't be painted ({type(error).__name__}); remove it."
        raise InputError(message) from None
    return image


def painted_as_decided(
    image: Image.Image, decision: PartDecision, *, removed: str = _GREY
) -> Image.Image:
    """Return a picture with its boxes painted black, or all gray if blanked, or in the color for removed ones."""
    if decision.treatment is PartTreatment.KEEP:
        return _painted(image, decision.boxes, "black")
    return _painted(
        image, (WHOLE,), _GREY if decision.treatment is PartTreatment.BLANK else removed
    )


def _painted(image: Image.Image, boxes: Sequence[PictureBox], colour: str) -> Image.Image:
    """Return a picture with boxes over all pixels that they touch."""
    from PIL import ImageDraw

    painted = image.convert("L" if image.mode == "L" else "RGB")
    draw = ImageDraw.Draw(painted)
    for box in boxes:
        left, top = box.left * image.width // 10_000, box.top * image.height // 10_000
        right, bottom = (
            -(-box.right * image.width // 10_000),
            -(-box.bottom * image.height // 10_000),
        )
        draw.rectangle((left, top, right - 1, bottom - 1), fill=colour)
    return painted
