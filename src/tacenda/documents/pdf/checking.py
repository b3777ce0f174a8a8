"""A redacted PDF as seen by another program: pypdfium2 draws it and extracts its text.

Under a box there must be only the box and its words, the other part of a masked divided word also
gets a box, and outside boxes the page must look as before.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from itertools import accumulate
from typing import Any

import numpy as np
import pypdfium2
from pdfminer.utils import Matrix, apply_matrix_pt, apply_matrix_rect
from PIL import Image, ImageDraw, ImageFilter

from ...errors import AS_NEW_PDF, InputError, LeakError
from ...result import Result
from ..inspection import meant_occurrences
from ..inspection.pdf import JOINT, divided_words
from .cleaning import Rectangle
from .glyphs import Page
from .redaction import Box, PageError, Redaction, centre, inverse

_DOTS = 100 / 72
"""Dots a point, 100 an inch."""
_MOST_DOTS = 4_000_000
_MARGIN = 2.5  # pixels: letters and edges are drawn with soft borders
_DIFFERENT = 40
_AROUND = 6.0  # points
_DARK = 40
_MAX_CHANGED_SHARE = 2e-4
_INNER = 0.3  # share of a box's height, like the next one
_SIDE = 0.3
_MIDDLE = 0.3  # sizes of a letter, up to which two programs place its middle differently
_APART = "\n\n"

_Views = tuple[Any, Any, "_Raster"]
"""Dots of a page in two files, and where they are on it."""


def check(
    original: bytes,
    output: bytes,
    pages: Sequence[Page],
    redactions: Sequence[Redaction],
    comments: Sequence[Sequence[Rectangle]],
    repainted: Collection[int],
    sanitized: Result,
) -> dict[int, list[Box]]:
    """Check a file before it is written.

    Args:
        original: the original file.
        output: the redacted file.
        pages: the original's pages.
        redactions: one per page.
        comments: for each page, where it had things that aren't in the output.
        repainted: numbers of pages that became pictures, which were compared when they were
            created.
        sanitized: the document.

    Returns:
        By page number, boxes for divided words, or for their parts that are outside the boxes of the
        other parts or are masked alone.

    Raises:
        LeakError: if something is left under a box.
        PageError: if pages would look different outside their boxes.
        InputError: if a page can't be drawn.
    """
    name = sanitized.document.id
    pages_changed: list[int] = []
    more: dict[int, list[Box]] = {}
    try:
        with (
            closing(pypdfium2.PdfDocument(original)) as before,
            closing(pypdfium2.PdfDocument(output)) as after,
        ):
            before.init_forms()
            after.init_forms()
            rows = zip(before, after, pages, redactions, comments, strict=True)
            for number, (old, new, page, what, left) in enumerate(rows, 1):
                if number in repainted:
                    continue
                if parts := _other_parts(old.get_textpage(), page, what.boxes, sanitized):
                    more[number] = parts
                    continue
                views = _views(old, new, page)
                if _has_more_under(views, new, page, what.boxes):
                    raise LeakError([f"under a box of page {number}"], name)
                if not _is_same(views, page, what, left):
                    pages_changed.append(number)
    except pypdfium2.PdfiumError:
        raise InputError(
            "could not be drawn to compare it with the output", name, AS_NEW_PDF
        ) from None
    if pages_changed:
        raise PageError(
            pages_changed, f"page {pages_changed[0]} would change outside its black boxes"
        )
    return more


def looks_alike(
    original: bytes,
    other: bytes,
    number: int,
    page: Page,
    what: Redaction,
    comments: Sequence[Rectangle],
) -> bool:
    """Return whether a page looks the same in two files, outside the boxes that it gets.

    Args:
        original: the original file.
        other: the file from ``cleaning``.
        number: page number, from 1.
        page: the page's content.
        what: what is removed from it.
        comments: where it had things that aren't in the output.
    """
    with (
        closing(pypdfium2.PdfDocument(original)) as before,
        closing(pypdfium2.PdfDocument(other)) as after,
        suppress(pypdfium2.PdfiumError),
    ):
        before.init_forms()
        views = _views(before[number - 1], after[number - 1], page)
        return _is_same(views, page, what, comments)
    return False


def _has_more_under(views: _Views, after: Any, page: Page, boxes: Sequence[Box]) -> bool:
    """Return whether anything other than their words is seen or read under boxes."""
    old, new, raster = views
    margin = _MARGIN / raster.scale
    # A box over a thin letter (``l``) has nothing but soft borders.
    wide = (box for box in boxes if min(box.width, box.height) > 2 * margin)
    inner = raster.mask([box.corners(-margin) for box in wide])
    words = raster.mask([box.corners() for box in boxes if box.label])
    is_seen = old.shape == new.shape and np.any(new[inner & ~words] > _DARK)
    return bool(is_seen) or _has_other_text(after, page, boxes)


def _views(before: Any, after: Any, page: Page) -> _Views:
    """Return the pixels of a page in two files, and where they are on it."""
    width, height = after.get_size()
    scale = min(_DOTS, (_MOST_DOTS / max(1.0, width * height)) ** 0.5)
    drawn = (each.render(scale=scale).to_pil().convert("RGB") for each in (before, after))
    old, new = map(np.asarray, drawn)
    left, top = corner(after, page.matrix)
    return old, new, _Raster(new.shape[1], new.shape[0], scale, left, top)


def _is_same(views: _Views, page: Page, what: Redaction, comments: Sequence[Rectangle]) -> bool:
    old, new, boxes = views
    if old.shape != new.shape:
        return False
    covers = [box.corners(_MARGIN / boxes.scale) for box in what.boxes]
    # A program's own drawing has a border, and may have any size.
    covers += [Box.around(each, page.matrix).corners(_AROUND) for each in comments]
    outer = boxes.mask(covers)
    difference = np.abs(_soft(old) - _soft(new)).max(axis=2) > _DIFFERENT
    return bool(np.count_nonzero(difference & ~outer) <= _MAX_CHANGED_SHARE * difference.size)


def _soft(dots: Any) -> Any:
    """Return each pixel as the mean of its surroundings, since letters may be smoothed in different ways."""
    return np.asarray(Image.fromarray(dots).filter(ImageFilter.BoxBlur(1)), dtype=np.int16)


def corner(page: Any, matrix: Matrix) -> tuple[float, float]:
    """Return the upper left corner of the visible area, in points of the whole page."""
    left, bottom, right, top = page.get_cropbox()
    media = page.get_mediabox()
    visible = max(left, media[0]), max(bottom, media[1]), min(right, media[2]), min(top, media[3])
    left, _, _, top = apply_matrix_rect(matrix, visible)
    return left, top


class _Raster:
    """The pixels of a drawn page."""

    def __init__(self, width: int, height: int, scale: float, left: float, top: float) -> None:
        self._size = width, height
        self.scale = scale
        self._left, self._top = left, top

    def mask(self, polygons: Sequence[Sequence[tuple[float, float]]]) -> Any:
        """Return which pixels are inside polygons, as ``(height, width)`` booleans."""
        image = Image.new("1", self._size)
        draw = ImageDraw.Draw(image)
        for polygon in polygons:
            draw.polygon(
                [((x - self._left) * self.scale, (self._top - y) * self.scale) for x, y in polygon],
                fill=1,
            )
        return np.asarray(image)


def _has_other_text(page: Any, drawn: Page, boxes: Sequence[Box]) -> bool:
    """Return whether an upright box contains text other than its words."""
    if not boxes:
        return False
    text = page.get_textpage()
    back = inverse(drawn.matrix)
    for box in boxes:
        if round(box.angle) % 90:
            continue
        corners = [
            apply_matrix_pt(back, box.at(u * box.width, v * box.height))
            for u, v in ((0.02, _INNER), (0.98, 1 - _INNER))
        ]
        (left, right), (low, high) = map(sorted, zip(*corners, strict=True))
        inside = text.get_text_bounded(left, low, right, high)
        words = _letters("".join(peer.label for peer in boxes if peer.overlaps(box)))
        if _letters(inside) - words and _letters(_centred(text, box, drawn)) - words:
            return True
    return False


def _centred(text: Any, box: Box, drawn: Page) -> str:
    """Return the letters whose middle is in a box; others, of neighboring lines, only extend into it."""
    outside = [each for each in drawn.glyphs if not box.holds(*centre(each))]
    letters: list[str] = []
    for index in range(text.count_chars()):
        x, y = _box(text, index, drawn.matrix).middle
        letter = text.get_text_range(index, 1)
        if box.holds(x, y, _SIDE * box.height) and not any(
            (not glyph.text or letter in glyph.text)
            and math.dist(centre(glyph), (x, y)) < _MIDDLE * glyph.size
            for glyph in outside
        ):
            letters.append(letter)
    return "".join(letters)


def _box(text: Any, index: int, matrix: Matrix) -> Box:
    """Return the upright box around a character, in points of the page as shown."""
    return Box.around(text.get_charbox(index), matrix)


def _other_parts(text: Any, drawn: Page, boxes: Sequence[Box], sanitized: Result) -> list[Box]:
    """Return boxes for masked words where a hyphen ends a line.

    These are words that another order of reading puts together, the rest of a word whose other part
    has a box, and a word that is itself one part of a compound.
    """
    words = list(divided_words(text))
    if not words:
        return []
    parts: list[Box] = []
    starts = [0, *accumulate(len(word.text) + len(_APART) for word in words)]
    content = _APART.join(word.text for word in words)
    for hit in meant_occurrences(content, sanitized):
        place = bisect_right(starts, hit.core.start) - 1
        word = words[place]
        joint = word.text.index(JOINT)
        ends = (edge - starts[place] for edge in (hit.core.start, hit.core.end))
        first, last = (max(min(end, joint), end - len(JOINT)) for end in ends)
        is_across = first < joint < last
        if is_across or word.is_next:
            letters = [_box(text, index, drawn.matrix) for index in word.indices[first:last]]
            parts += [each for each in letters if not any(b.holds(*each.middle) for b in boxes)]
    return parts


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))
