"""Shapes that may be letters drawn as outlines: small ones of several kinds, side by side on a line.

Filled, stroked and clipping paths are shapes; strokes drawn one after another that touch are one shape, as in the letters
of plotters. Rectangles, triangles and repeated shapes (rules, bars, markers of a chart, rounded cells) make no line by
themselves, nor do shapes at any height, such as those of a map.

Lines go across the page, upwards or downwards, where OCR reads them; those at another angle, or along a curve, are
letters if there are many on one base, and are not read.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from pdfminer.utils import Matrix, Rect, apply_matrix_pt

_LOWEST, _HIGHEST = 2.0, 72.0  # heights in points
_WIDEST = 2.5  # width of a letter, in its heights
_MIN_LINES = 5  # straight ones of a shape without curves: a rectangle has at most four
_MIN_STROKES = 3  # straight ones of a letter without curves
_MIN_SHAPES, _MIN_KINDS, _FEW_SHAPES = 4, 3, 2
# From these on, shapes on a line are letters whether they are read or not: icons in a row are fewer.
_CERTAIN_SHAPES, _CERTAIN_KINDS = 7, 5
_ON_LINE = 0.6  # share of the shapes that end on the line; a g ends below, an accent above
_OVERSHOOT = 0.06  # distance from the line, in heights of the highest shape
_SIMILAR = 2.5  # ratio of the heights of neighbors on a line
_GAP = 1.5  # maximum distance of neighbors, in heights of the first
_GAP_IN_WORD = 0.5  # the same, in a row of few shapes
_MOST_ALONE = 100  # shapes of a page, up to which two of them are tried as letters; more are those of a chart or map
_BAND = 2_000  # shapes that are put on lines at a time
_REACH = 1.8  # maximum distance of the middles of neighbors on a curve, in sizes of the larger
_MOST_PEERS = 40  # shapes that are compared with one
_BEND = math.cos(math.radians(60))  # the sharpest one of a line through three neighbors
_ROUGHLY = 0.2  # distance from a first guess at the line, in the same heights
_MOST_OFF_CURVE = 2
_KERNING = 0.2  # overlap of letters, in the same heights
_WINDOW = 9  # neighbors on a curve that are judged together
_TIGHT = (
    12  # radius of a curve, in sizes of the largest shape, below which a line along it is unrolled
)
_LEVEL = 3.0  # degrees, up to which a line is across the page
_PLACES = 3  # parts of a side, which tell the kinds of shapes made of strokes


class Shape(NamedTuple):
    """A part of a path.

    Attributes:
        box: in points.
        kind: its operators; empty if it is too simple to be a letter beside others that are not.
        points: its corners, in points.
    """

    box: Rect
    kind: str
    points: tuple[tuple[float, float], ...] = ()


class OutlinedLine(NamedTuple):
    """Shapes side by side that may be letters.

    Attributes:
        box: around them, in points.
        is_certain: whether so many different shapes on a line can only be letters.
        is_readable: whether OCR reads in its direction.
    """

    box: Rect
    is_certain: bool
    is_readable: bool = True


def shapes(path: Sequence[tuple[Any, ...]], matrix: Matrix) -> Iterator[Shape]:
    """Yield the shapes of a path that are as large as letters, without the holes in them.

    Args:
        path: operators with their coordinates.
        matrix: of these to points.
    """
    last: Shape | None = None
    for part in _parts(path):
        shape = _shape(part, matrix)
        if shape is None or (last is not None and _contains(last.box, shape.box)):
            continue
        is_simple = not shape.kind.strip("mlh") and shape.kind.count("l") < _MIN_LINES
        if last is not None and (is_simple or not _contains(shape.box, last.box)):
            yield last
        # Letters cut out of a ground are no holes of a letter.
        shape = shape._replace(kind="") if is_simple else shape
        last = shape if _is_small(shape.box) else None
    if last is not None:
        yield last


def strokes(path: Sequence[tuple[Any, ...]], matrix: Matrix) -> Iterator[Shape]:
    """Yield the parts of a stroked path; see ``joined``."""
    yield from filter(None, (_shape(part, matrix) for part in _parts(path)))


def joined(content: Iterable[Shape]) -> Iterator[Shape]:
    """Yield the shapes that are made of strokes, in the order in which they are drawn, and as large as letters."""
    last: Shape | None = None
    for shape in (*content, None):
        if last is not None and shape is not None and _touch(last.box, shape.box):
            a, b = last.box, shape.box
            box = min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])
            # What has grown beyond a letter is no less so with more points.
            points = last.points + shape.points if _is_small(box) else ()
            last = Shape(box, (last.kind + shape.kind)[:1000], points)
            continue
        if last is not None and _is_small(last.box):
            yield last._replace(kind=_kind_of_strokes(last))
        last = shape


def _kind_of_strokes(shape: Shape) -> str:
    """Return the operators of a shape with the places of its corners; empty if it is too simple."""
    left, bottom, right, top = shape.box
    wide, high = max(right - left, 0.01), max(top - bottom, 0.01)
    is_upright = all(
        min(abs(a - c) / wide, abs(b - d) / high) < _OVERSHOOT
        for (a, b), (c, d) in pairwise(shape.points)
    )
    n_lines = shape.kind.count("l")
    if not shape.kind.strip("mlh") and (is_upright or n_lines < _MIN_STROKES):
        return ""
    places = (
        f"{round(_PLACES * (x - left) / wide)}{round(_PLACES * (y - bottom) / high)}"
        for x, y in shape.points
    )
    return shape.kind + "".join(places)


def _parts(path: Sequence[tuple[Any, ...]]) -> Iterator[Sequence[tuple[Any, ...]]]:
    starts = [n for n, segment in enumerate(path) if segment[0] == "m"]
    yield from (path[start:end] for start, end in pairwise([*starts, len(path)]))


def _shape(part: Sequence[tuple[Any, ...]], matrix: Matrix) -> Shape | None:
    """Return a part of a path as a shape with its operators; None if a number of it is infinite."""
    points = tuple(
        apply_matrix_pt(matrix, (numbers[n], numbers[n + 1]))
        for _, *numbers in part
        for n in range(0, len(numbers) - 1, 2)
    )
    across, up = zip(*points, strict=True)
    box = min(across), min(up), max(across), max(up)
    kind = "".join(segment[0] for segment in part)
    return Shape(box, kind, points) if all(map(math.isfinite, box)) else None


def _is_small(box: Rect) -> bool:
    """Return whether something is as large as a letter, upright or on its side."""
    width, height = box[2] - box[0], box[3] - box[1]
    return _LOWEST <= height <= _HIGHEST and width <= _WIDEST * height


def _contains(outer: Rect, box: Rect) -> bool:
    return box[0] >= outer[0] and box[1] >= outer[1] and box[2] <= outer[2] and box[3] <= outer[3]


def _touch(one: Rect, other: Rect) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def outlined_lines(content: Sequence[Shape]) -> tuple[OutlinedLine, ...]:
    """Return the lines of a page whose shapes may be letters, and those in other directions that can only be some."""
    n_varied = sum(bool(shape.kind) for shape in content)
    if n_varied < _FEW_SHAPES:
        return ()
    across = [*_lines(content)]
    if any(line.is_certain for line in across):
        # A short line of the same text may have a name in it.
        across = [*_lines(content, _FEW_SHAPES)]
    elif n_varied <= _MOST_ALONE:
        across += (
            line
            for line in _lines(content, _FEW_SHAPES, _GAP_IN_WORD)
            if not any(_touch(line.box, other.box) for other in across)
        )
    downwards = _lines([Shape((b, a, d, c), kind) for (a, b, c, d), kind, _ in content])
    upwards = _lines([Shape((b, -c, d, -a), kind) for (a, b, c, d), kind, _ in content])
    down = [OutlinedLine((b, a, d, c), True) for (a, b, c, d), it, _ in downwards if it]
    up = [OutlinedLine((-d, a, -b, c), True) for (a, b, c, d), it, _ in upwards if it]
    lines = [line for line in (*across, *down, *up) if line.is_certain]
    others = (
        shape
        for shape in content
        if shape.kind and not any(_touch(shape.box, line.box) for line in lines)
    )
    bent = (OutlinedLine(shape.box, True, is_readable=False) for shape in _on_curves([*others]))
    return *across, *down, *up, *bent


def _lines(
    content: Sequence[Shape], least: int = _MIN_SHAPES, gap: float = _GAP
) -> Iterator[OutlinedLine]:
    """Yield the rows of at least some shapes that are various, and stand on a line."""
    by_height = sorted(content, key=lambda shape: shape.box[1] + shape.box[3])
    bands = (by_height[start : start + _BAND] for start in range(0, len(by_height), _BAND))
    for row in (row for band in bands for row in _rows(band, gap)):
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


def _rows(content: Iterable[Shape], gap: float) -> Iterator[list[Shape]]:
    """Yield shapes side by side."""
    waiting: list[list[Shape]] = []
    for shape in sorted(content):
        yield from (row for row in waiting if not _reaches(row[-1].box, shape.box, gap))
        waiting = [row for row in waiting if _reaches(row[-1].box, shape.box, gap)]
        row = next((row for row in waiting if _is_beside(row[-1].box, shape.box)), None)
        if row is None:
            waiting.append([shape])
        else:
            row.append(shape)
    yield from waiting


def _reaches(last: Rect, box: Rect, gap: float) -> bool:
    """Return whether a shape may continue a row."""
    return box[0] - last[2] <= gap * (last[3] - last[1])


def _is_beside(last: Rect, box: Rect) -> bool:
    """Return whether two shapes are similarly high, and stand at one height."""
    low, high = sorted((box[3] - box[1], last[3] - last[1]))
    common = min(last[3], box[3]) - max(last[1], box[1])
    return high <= _SIMILAR * low and 2 * common >= low


# Lines in any direction: each shape with its nearest neighbor and the nearest on the other side of it.


def _on_curves(content: Sequence[Shape]) -> Iterator[Shape]:
    """Yield the shapes that stand on slopes and curves as only letters do."""
    for chain in _chains(content):
        chosen: set[int] = set()
        size = min(len(chain), _WINDOW)
        for start in range(len(chain) - size + 1):
            window = [content[index] for index in chain[start : start + size]]
            if _is_writing(window):
                # With its neighbors: a wide letter at the end may lie off the curve.
                chosen.update(chain[max(0, start - 1) : start + size + 1])
        yield from (content[index] for index in chain if index in chosen)


def _chains(content: Sequence[Shape]) -> Iterator[list[int]]:
    """Yield the indices of shapes that are each other's neighbors, in their order."""
    beside = _neighbors(content)
    links = [
        [other for other in some if index in beside[other]] for index, some in enumerate(beside)
    ]
    free = set(range(len(content)))
    # From the ends of open lines; what is left are rings.
    for first in sorted(free, key=lambda index: len(links[index])):
        chain = []
        index: int | None = first
        while index is not None and index in free:
            free.remove(index)
            chain.append(index)
            index = next((other for other in links[index] if other in free), None)
        if len(chain) >= _CERTAIN_SHAPES:
            yield chain


def _neighbors(content: Sequence[Shape]) -> list[tuple[int, ...]]:
    """Return of each shape the nearest one of its size, and the nearest on the other side."""
    sizes = [max(box[2] - box[0], box[3] - box[1]) for box, _, _ in content]
    middles = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box, _, _ in content]
    grid: dict[tuple[int, int], list[int]] = defaultdict(list)
    cell = _REACH * max(sizes, default=1.0)
    for index, (x, y) in enumerate(middles):
        grid[int(x // cell), int(y // cell)].append(index)
    beside: list[tuple[int, ...]] = []
    for index, (x, y) in enumerate(middles):
        a, b = int(x // cell), int(y // cell)
        cells = (grid.get((a + i, b + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
        peers = [
            (math.hypot(middles[n][0] - x, middles[n][1] - y), n)
            for some in cells
            for n in some[:_MOST_PEERS]
            if n != index
        ]
        near = sorted(
            (distance, n)
            for distance, n in peers
            if 0 < distance <= _REACH * max(sizes[index], sizes[n])
            and max(sizes[index], sizes[n]) <= _SIMILAR * min(sizes[index], sizes[n])
        )
        beside.append(_both_sides((x, y), [(n, middles[n]) for _, n in near]))
    return beside


def _both_sides(
    middle: tuple[float, float], near: Sequence[tuple[int, tuple[float, float]]]
) -> tuple[int, ...]:
    """Return the first of some neighbors, and the first on the other side."""
    if not near:
        return ()
    x, y = middle
    first, (a, b) = near[0]
    for other, (c, d) in near[1:]:
        one, two = (a - x, b - y), (c - x, d - y)
        if one[0] * two[0] + one[1] * two[1] <= -_BEND * math.hypot(*one) * math.hypot(*two):
            return first, other
    return (first,)


def _is_writing(row: Sequence[Shape]) -> bool:
    """Return whether shapes in a row are various, and most stand on a line or an even curve, on one side of it."""
    if len({shape.kind for shape in row}) < _CERTAIN_KINDS:
        return False
    return any(_are_on_curve(strip) for strip in _strips(row))


def _strips(row: Sequence[Shape]) -> Iterator[list[Any]]:
    """Yield the points of each shape along a row and across it, [points, 2]; unrolled, too, if the row is round."""
    points = [np.array(shape.points) for shape in row]
    middles = np.array([np.mean((shape.box[:2], shape.box[2:]), axis=0) for shape in row])
    along = middles[-1] - middles[0]
    if length := float(np.hypot(*along)):
        (c, s) = along / length
        yield [part @ np.array([[c, -s], [s, c]]) for part in points]
    # The circle by least squares (Kåsa, "A circle fitting procedure and its error analysis", 1976).
    columns = np.column_stack((2 * middles, np.ones(len(row))))
    x, y, power = np.linalg.lstsq(columns, (middles**2).sum(axis=1), rcond=None)[0]
    radius = math.sqrt(max(power + x * x + y * y, 0.0))
    if 0 < radius < _TIGHT * max(float(np.ptp(part, axis=0).max()) for part in points):
        turns = np.unwrap(np.arctan2(middles[:, 1] - y, middles[:, 0] - x))
        sense = 1 if turns[-1] > turns[0] else -1
        strip = []
        for part, turn in zip(points, turns, strict=True):
            a, b = part[:, 0] - x, part[:, 1] - y
            # From the middle, so that no shape is parted where angles begin anew.
            angles = np.arctan2(
                b * math.cos(turn) - a * math.sin(turn), a * math.cos(turn) + b * math.sin(turn)
            )
            strip.append(np.column_stack((sense * radius * (turn + angles), np.hypot(a, b))))
        yield strip


def _are_on_curve(strip: Sequence[Any]) -> bool:
    """Return whether shapes stand one behind another, and most on a line or an even curve."""
    across = np.array([(part[:, 0].min() + part[:, 0].max()) / 2 for part in strip])
    high = max(float(np.ptp(part[:, 1])) for part in strip)
    gaps = [after[:, 0].min() - before[:, 0].max() for before, after in pairwise(strip)]
    if (np.diff(across) <= 0).any() or min(gaps) < -_KERNING * high or max(gaps) > high:
        return False
    for side in (np.min, np.max):
        slopes = np.zeros(len(strip))
        for slack in (_ROUGHLY * high, _OVERSHOOT * high):
            parts = zip(strip, slopes, across, strict=True)
            base = np.array([side(y[:, 1] - slope * (y[:, 0] - x)) for y, slope, x in parts])
            share, slopes = _best_curve(across, base, slack)
        if share >= len(strip) - (_MOST_OFF_CURVE if len(strip) == _WINDOW else 1):
            return True
    return False


def _best_curve(across: Any, base: Any, slack: float) -> tuple[int, Any]:
    """Return the number of points on that parabola through three of them on which most are, and its slopes there."""
    indices = [
        t for t in combinations(range(len(across)), 3) if t[1] > t[0] + 1 and t[2] > t[1] + 1
    ]
    i, j, k = np.array(indices).T
    a, b, c = across[i], across[j], across[k]
    one = (base[j] - base[i]) / (b - a)
    two = ((base[k] - base[j]) / (c - b) - one) / (c - a)
    x = across[:, None]
    curves = base[i] + (x - a) * (one + two * (x - b))
    shares = (np.abs(curves - base[:, None]) <= slack).sum(axis=0)
    best = int(shares.argmax())
    slopes = one[best] + two[best] * (2 * across - a[best] - b[best])
    return int(shares[best]), slopes
