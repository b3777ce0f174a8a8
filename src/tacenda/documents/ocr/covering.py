"""Paint over pixels of a picture, and read the picture once more before it is released."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...errors import LeakError
from ...result import Result
from .scans import Scan, lines_of, seen
from .tesseract import Rectangle, Word, around

_MARGIN = 0.15  # of a word's height
_LABEL = 0.72  # of a box's height
_SMALLEST = 8  # dots
_ROUNDS = 4

Point = tuple[float, float]


class Patch(NamedTuple):
    """Areas to paint black.

    Attributes:
        corners: corners of a polygon, in pixels.
        label: words in white, if they fit; only in an upright rectangle.
    """

    corners: tuple[Point, ...]
    label: str = ""

    @property
    def box(self) -> Rectangle:
        """The bounding rectangle."""
        across, down = zip(*self.corners, strict=True)
        return int(min(across)), int(min(down)), int(max(across)) + 1, int(max(down)) + 1


def patch(box: Rectangle, label: str = "") -> Patch:
    """Return a rectangle to paint."""
    left, top, right, bottom = box
    return Patch(((left, top), (right, top), (right, bottom), (left, bottom)), label)


def patches(content: Sequence[Word], indices: Iterable[int], label: str = "") -> Iterator[Patch]:
    """Yield rectangles that cover words; consecutive words on a line share one.

    Args:
        content: all words.
        indices: indexes of the words to cover.
        label: the label for the widest rectangle.
    """
    boxes: list[Rectangle] = []
    last = -2
    for index in sorted(set(indices)):
        left, top, right, bottom = content[index].box
        margin = max(2, round(_MARGIN * min(bottom - top, right - left)))
        box = (left - margin, top - margin, right + margin, bottom + margin)
        if index == last + 1 and content[index].line == content[last].line:
            box = around(boxes.pop(), box)
        boxes.append(box)
        last = index
    widest = max(boxes, key=lambda box: box[2] - box[0] + box[3] - box[1], default=None)
    for box in boxes:
        yield patch(box, label if box == widest else "")


def painted(image: Image.Image, content: Sequence[Patch], turn: int) -> Image.Image:
    """Return a copy of a picture with patches.

    Args:
        image: black and white, gray, or color.
        content: what to paint.
        turn: quarter turns to the left that make its words upright.
    """
    copy = image.copy()
    draw = ImageDraw.Draw(copy)
    for each in content:
        draw.polygon(each.corners, fill=0 if len(copy.getbands()) == 1 else (0,) * 3, outline=0)
    for each in content:
        if each.label:
            _write(copy, each, turn)
    return copy


def _write(image: Image.Image, content: Patch, turn: int) -> None:
    label = content.label.strip().strip("[]")
    left, top, right, bottom = content.box
    width, height = (right - left, bottom - top) if turn % 2 == 0 else (bottom - top, right - left)
    size = _LABEL * height
    font: Any = ImageFont.load_default(size)
    length = font.getlength(label) if label.isprintable() and label.isascii() else 0
    if not length:
        return
    size = min(size, size * 0.94 * width / length)
    if size < _SMALLEST:
        return
    tile = Image.new("L", (width, height), 0)
    font = ImageFont.load_default(size)
    ImageDraw.Draw(tile).text((width / 2, height / 2), label, fill=255, font=font, anchor="mm")
    if turn:
        tile = tile.rotate(-90 * turn, expand=True)
    image.paste(tile.convert(image.mode), (left, top))


def covered(
    image: Image.Image,
    content: Sequence[Patch],
    scan: Scan,
    sanitized: Result,
    languages: str,
    place: str,
    is_known: Callable[[Word], bool] = lambda _: False,
) -> tuple[Image.Image, tuple[Patch, ...]]:
    """Return a picture with patches, adding more where masked strings could still be read.

    Args:
        image: the picture.
        content: what to paint.
        scan: what was read in it.
        sanitized: what is masked.
        languages: names of languages.
        place: where the picture is in its document, such as ``page 3``.
        is_known: whether a word is part of the text, which is verified separately.

    Raises:
        LeakError: if a masked string can still be read.
        InputError: if it can't be read again.
    """
    from ..inspection import entities_in

    name = sanitized.document.id
    everything = list(content)
    for _ in range(_ROUNDS):
        output = painted(image, everything, scan.turn)
        again = beside(seen(output, scan.turn, languages, name), everything, image.size)
        unmasked = list(masked(again, sanitized, is_known))
        if not unmasked:
            return output, tuple(everything)
        everything += patches(again, unmasked)
    text = " ".join(again[index].text for index in unmasked)
    raise LeakError([f"text of {place}"], name, entities_in([text], sanitized))


def masked(
    content: Sequence[Word], sanitized: Result, is_known: Callable[[Word], bool] = lambda _: False
) -> Iterator[int]:
    """Yield the indexes of words that contain masked strings, unless all words of a string are known."""
    from ..inspection import occurrences

    text, origins = lines_of(content)
    for start, end in occurrences(text, sanitized):
        indices = list(dict.fromkeys(index for each in origins[start:end] for index in each))
        if not all(is_known(content[index]) for index in indices):
            yield from indices


def beside(
    content: Sequence[Word], content_covered: Sequence[Patch], size: tuple[int, int]
) -> list[Word]:
    """Return the words that aren't on patches."""
    dots = mask_of(content_covered, size)
    return [
        word
        for word in content
        if (area := dots[word.box[1] : word.box[3], word.box[0] : word.box[2]]).size
        and area.mean() < 0.5
    ]


def mask_of(content: Iterable[Patch], size: tuple[int, int]) -> Any:
    """Return which pixels of a picture are under patches, as [height, width]."""
    mask = Image.new("1", size)
    draw = ImageDraw.Draw(mask)
    for each in content:
        draw.polygon(each.corners, fill=1, outline=1)
    return np.asarray(mask)


def require_covered(
    expected: Image.Image,
    output: Image.Image,
    content: Sequence[Patch],
    tolerance: int,
    place: str,
    name: str,
) -> None:
    """Check that the output has the painted pixels under the patches.

    Args:
        expected: the painted picture.
        output: the written picture, read again.
        content: the patches.
        tolerance: how much a value may differ.
        place: where the picture is.
        name: name of the document.

    Raises:
        LeakError: if it doesn't; names the place.
    """
    one, other = (np.asarray(each.convert("RGB"), dtype=np.int16) for each in (expected, output))
    for each in content:
        left, top, right, bottom = (max(0, edge) for edge in each.box)
        area = np.s_[top:bottom, left:right]
        if one.shape != other.shape or (
            one[area].size and np.abs(one[area] - other[area]).max() > tolerance
        ):
            raise LeakError([f"under a box of {place}"], name)
