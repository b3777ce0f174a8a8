"""A redacted PDF as another program sees it: pypdfium2 draws it, and takes its text.

Under a box is nothing but the box and its words, and the other part of a masked word gets a box too; beside the boxes
the page looks as it did.
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
_MARGIN = 2.5  # dots: letters and edges are drawn with soft borders
_DIFFERENT = 40
_AROUND = 6.0  # points
_DARK = 40
_MAX_CHANGED_SHARE = 2e-4
_INNER = 0.3  # share of a box's height, as the next
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
    """Check a file that is about to be written.

    Args:
        original: the file that came.
        output: the redacted one.
        pages: of the original.
        redactions: one a page.
        comments: of each page, where it had what is not in the output.
        repainted: numbers of pages that became pictures, which were compared when they were made.
        sanitized: the document.

    Returns:
        By number of page, boxes for the parts of divided words that are beside the boxes of their other parts, or masked alone.

    Raises:
        LeakError: if something is left under a box.
        PageError: if pages would look otherwise beside their boxes.
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
    """Return whether a page looks the same in two files, beside the boxes that it gets.

    Args:
        original: the file that came.
        other: the one of ``cleaning``.
        number: of the page, from 1.
        page: its content.
        what: goes from it.
        comments: where it had what is not in the output.
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
    """Return whether something is seen or read under boxes beside their words."""
    old, new, raster = views
    margin = _MARGIN / raster.scale
    # A box over a thin letter (``l``) has nothing but soft borders.
    wide = (box for box in boxes if min(box.width, box.height) > 2 * margin)
    inner = raster.mask([box.corners(-margin) for box in wide])
    words = raster.mask([box.corners() for box in boxes if box.label])
    is_seen = old.shape == new.shape and np.any(new[inner & ~words] > _DARK)
    return bool(is_seen) or _has_other_text(after, page, boxes)


def _views(before: Any, after: Any, page: Page) -> _Views:
    """Return the dots of a page in two files, and where they are on it."""
    width, height = after.get_size()
    scale = min(_DOTS, (_MOST_DOTS / max(1.0, width * height)) ** 0.5)
    old, new = _drawn(before, scale), _drawn(after, scale)
    left, top = corner(after, page.matrix)
    return old, new, _Raster(new.shape[1], new.shape[0], scale, left, top)


def _is_same(views: _Views, page: Page, what: Redaction, comments: Sequence[Rectangle]) -> bool:
    old, new, boxes = views
    if old.shape != new.shape:
        return False
    covers = [box.corners(_MARGIN / boxes.scale) for box in what.boxes]
    # A drawing of a program's own has a border, and may be as large as it likes.
    covers += [Box.around(each, page.matrix).corners(_AROUND) for each in comments]
    outer = boxes.mask(covers)
    difference = np.abs(_soft(old) - _soft(new)).max(axis=2) > _DIFFERENT
    return bool(np.count_nonzero(difference & ~outer) <= _MAX_CHANGED_SHARE * difference.size)


def _drawn(page: Any, scale: float) -> Any:
    image = page.render(scale=scale).to_pil().convert("RGB")
    return np.asarray(image)


def _soft(dots: Any) -> Any:
    """Return each dot as the mean of its surroundings, for letters may be smoothed in other ways."""
    return np.asarray(Image.fromarray(dots).filter(ImageFilter.BoxBlur(1)), dtype=np.int16)


def corner(page: Any, matrix: Matrix) -> tuple[float, float]:
    """Return the upper left corner of what is shown, in points of the whole page."""
    left, bottom, right, top = page.get_cropbox()
    media = page.get_mediabox()
    visible = max(left, media[0]), max(bottom, media[1]), min(right, media[2]), min(top, media[3])
    left, _, _, top = apply_matrix_rect(matrix, visible)
    return left, top


class _Raster:
    """Dots of a drawn page."""

    def __init__(self, width: int, height: int, scale: float, left: float, top: float) -> None:
        self._size = width, height
        self.scale = scale
        self._left, self._top = left, top

    def mask(self, polygons: Sequence[Sequence[tuple[float, float]]]) -> Any:
        """Return which dots are within polygons, as ``(height, width)`` booleans."""
        image = Image.new("1", self._size)
        draw = ImageDraw.Draw(image)
        for polygon in polygons:
            draw.polygon(
                [((x - self._left) * self.scale, (self._top - y) * self.scale) for x, y in polygon],
                fill=1,
            )
        return np.asarray(image)


def _has_other_text(page: Any, drawn: Page, boxes: Sequence[Box]) -> bool:
    """Return whether there is text in an upright box that is not of its words."""
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
    """Return the letters with their middle in a box; others, of the lines beside it, reach into it."""
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
    """Return the upright box around a character, in points of the page as it is shown."""
    return Box.around(text.get_charbox(index), matrix)


def _other_parts(text: Any, drawn: Page, boxes: Sequence[Box], sanitized: Result) -> list[Box]:
    """Return boxes for masked words where a hyphen ends a line.

    These are parts of a word whose other part has a box, and a word that is itself one part of a compound.
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
            rest = [each for each in letters if not any(b.holds(*each.middle) for b in boxes)]
            parts += rest if not is_across or len(rest) < len(letters) else ()
    return parts


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))
