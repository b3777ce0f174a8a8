"""Filled shapes that may be letters drawn as outlines: small ones of several kinds, side by side on a line.

Rectangles, triangles and repeated shapes (rules, bars, markers of a chart, rounded cells) make no line by themselves,
nor do shapes at any height, such as those of a map.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from pdfminer.utils import Matrix, Rect, apply_matrix_rect

_LOWEST, _HIGHEST = 2.0, 72.0  # heights in points
_WIDEST = 2.5  # width of a letter, in its heights
_MIN_LINES = 5  # straight ones of a shape without curves: a rectangle has at most four
_MIN_SHAPES, _MIN_KINDS, _FEW_SHAPES = 4, 3, 2
# From these on, shapes on a line are letters whether they are read or not: icons in a row are fewer.
_CERTAIN_SHAPES, _CERTAIN_KINDS = 7, 5
_ON_LINE = 0.6  # share of the shapes that end on the line; a g ends below, an accent above
_OVERSHOOT = 0.06  # distance from the line, in heights of the highest shape
_SIMILAR = 2.5  # ratio of the heights of neighbors on a line
_GAP = 1.5  # maximum distance of neighbors, in heights of the first
_BAND = 2_000  # shapes that are put on lines at a time


class Shape(NamedTuple):
    """A part of a filled path.

    Attributes:
        box: in points.
        kind: its operators; empty if it is too simple to be a letter beside others that are not.
    """

    box: Rect
    kind: str


class OutlinedLine(NamedTuple):
    """Shapes side by side that may be letters.

    Attributes:
        box: around them, in points.
        is_certain: whether so many different shapes on a line can only be letters.
    """

    box: Rect
    is_certain: bool


def shapes(path: Sequence[tuple[Any, ...]], matrix: Matrix) -> Iterator[Shape]:
    """Yield the shapes of a path that are as large as letters, without the holes in them.

    Args:
        path: operators with their coordinates.
        matrix: of these to points.
    """
    starts = [n for n, segment in enumerate(path) if segment[0] == "m"]
    outer: Rect = (0, 0, 0, 0)
    for start, end in pairwise([*starts, len(path)]):
        part = path[start:end]
        across = [x for segment in part for x in segment[1::2]]
        up = [y for segment in part for y in segment[2::2]]
        box = apply_matrix_rect(matrix, (min(across), min(up), max(across), max(up)))
        is_hole = box[0] >= outer[0] and box[1] >= outer[1] and box[2] <= outer[2]
        if not all(map(math.isfinite, box)) or (is_hole and box[3] <= outer[3]):
            continue
        width, height = box[2] - box[0], box[3] - box[1]
        # Letters cut out of a ground are no holes of a letter.
        outer = (0, 0, 0, 0)
        if _LOWEST <= height <= _HIGHEST and width <= _WIDEST * height:
            outer = box
            kind = "".join(segment[0] for segment in part)
            is_simple = not kind.strip("mlh") and kind.count("l") < _MIN_LINES
            yield Shape(box, "" if is_simple else kind)


def outlined_lines(content: Sequence[Shape]) -> tuple[OutlinedLine, ...]:
    """Return the lines of a page whose shapes may be letters, and those upwards or downwards that can only be some."""
    if sum(bool(shape.kind) for shape in content) < _MIN_SHAPES:
        return ()
    across = [*_lines(content)]
    if any(line.is_certain for line in across):
        # A short line of the same text may have a name in it.
        across = [*_lines(content, _FEW_SHAPES)]
    downwards = _lines([Shape((b, a, d, c), kind) for (a, b, c, d), kind in content])
    upwards = _lines([Shape((b, -c, d, -a), kind) for (a, b, c, d), kind in content])
    down = (OutlinedLine((b, a, d, c), True) for (a, b, c, d), it in downwards if it)
    up = (OutlinedLine((-d, a, -b, c), True) for (a, b, c, d), it in upwards if it)
    return *across, *down, *up


def _lines(content: Sequence[Shape], least: int = _MIN_SHAPES) -> Iterator[OutlinedLine]:
    """Yield the rows of at least some shapes that are various, and stand on a line."""
    by_height = sorted(content, key=lambda shape: shape.box[1] + shape.box[3])
    bands = (by_height[start : start + _BAND] for start in range(0, len(by_height), _BAND))
    for row in (row for band in bands for row in _rows(band)):
        varied = [shape.box for shape in row if shape.kind]
        kinds = {shape.kind for shape in row if shape.kind}
        if len(varied) < least or len(kinds) < min(least, _MIN_KINDS):
            continue
        base = median(box[1] for box in varied)
        slack = _OVERSHOOT * max(box[3] - box[1] for box in varied)
        if sum(abs(box[1] - base) <= slack for box in varied) >= _ON_LINE * len(varied):
            left, bottom, right, top = zip(*(shape.box for shape in row), strict=True)
            box = min(left), min(bottom), max(right), max(top)
            is_certain = len(varied) >= _CERTAIN_SHAPES and len(kinds) >= _CERTAIN_KINDS
            yield OutlinedLine(box, is_certain)


def _rows(content: Iterable[Shape]) -> Iterator[list[Shape]]:
    """Yield shapes side by side."""
    waiting: list[list[Shape]] = []
    for shape in sorted(content):
        yield from (row for row in waiting if not _reaches(row[-1].box, shape.box))
        waiting = [row for row in waiting if _reaches(row[-1].box, shape.box)]
        row = next((row for row in waiting if _is_beside(row[-1].box, shape.box)), None)
        if row is None:
            waiting.append([shape])
        else:
            row.append(shape)
    yield from waiting


def _reaches(last: Rect, box: Rect) -> bool:
    """Return whether a shape may continue a row."""
    return box[0] - last[2] <= _GAP * (last[3] - last[1])


def _is_beside(last: Rect, box: Rect) -> bool:
    """Return whether two shapes are similarly high, and stand at one height."""
    low, high = sorted((box[3] - box[1], last[3] - last[1]))
    common = min(last[3], box[3]) - max(last[1], box[1])
    return high <= _SIMILAR * low and 2 * common >= low
