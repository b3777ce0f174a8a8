"""Ink that no word explains: handwriting, stamps, signatures, drawings, photographs, dirt.

A pixel is ink if it differs from the median of its surroundings by more than the page's noise.
Straight lines in forms and tables don't count. Ink outside words is grouped into regions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

from .tesseract import Rectangle, around

_REDUCED = 3  # times; to about 100 dots an inch, which takes most of the noise
_CELL = 4  # reduced dots, a millimetre
_AROUND = 9  # cells, of the median
_LEAST_CONTRAST, _MOST_CONTRAST = 24.0, 80.0
_NOISE = 3.0
_RULE = 40  # reduced dots: no stroke of a letter is as long
_INK = 2  # reduced dots of a cell
_SMALLEST = 8  # cells
_SHORTEST = 3  # cells
_AROUND_WORD = 0.25  # of its height


def unexplained(image: Image.Image, words: Iterable[Rectangle]) -> list[Rectangle]:
    """Return the regions with ink outside words.

    Args:
        image: gray, about 300 dots per inch.
        words: boxes of what was read.
    """
    grey = image.reduce(_REDUCED)
    dots = np.asarray(grey, dtype=np.int16)
    height, width = dots.shape
    # Single pixels, since the mean of a cell with a letter in it is neither paper nor ink.
    sample = grey.resize((-(-width // _CELL), -(-height // _CELL)), Image.Resampling.NEAREST)
    small = sample.filter(ImageFilter.MedianFilter(_AROUND))
    around = np.asarray(small.resize((width, height), Image.Resampling.BILINEAR), dtype=np.int16)
    difference = np.abs(dots - around)
    noise = float(np.median(difference)) * _NOISE / 0.67
    ink = difference > min(max(_LEAST_CONTRAST, noise), _MOST_CONTRAST)
    ink &= ~(_runs(_thick(ink), _RULE) | _runs(_thick(ink.T), _RULE).T)
    for left, top, right, bottom in words:
        margin = round(_AROUND_WORD * min(bottom - top, right - left)) + _REDUCED
        rows = slice(max(0, (top - margin) // _REDUCED), -(-(bottom + margin) // _REDUCED))
        columns = slice(max(0, (left - margin) // _REDUCED), -(-(right + margin) // _REDUCED))
        ink[rows, columns] = False
    cells = _cells(ink) >= _INK
    step = _REDUCED * _CELL
    return [
        (
            max(0, left - 1) * step,
            max(0, top - 1) * step,
            min(image.width, (right + 1) * step),
            min(image.height, (bottom + 1) * step),
        )
        for left, top, right, bottom in _merged(list(_regions(cells)))
    ]


def _thick(ink: Any) -> Any:
    """Return rows of ink one pixel thicker on both sides, so that steps don't split a sloping line."""
    thick = ink.copy()
    thick[1:] |= ink[:-1]
    thick[:-1] |= ink[1:]
    return thick


def _runs(ink: Any, length: int) -> Any:
    """Return the pixels in runs of ink of a given length."""
    height, width = ink.shape
    if width < length:
        return np.zeros_like(ink)
    sums = np.concatenate((np.zeros((height, 1), np.int32), ink.cumsum(axis=1)), axis=1)
    full = sums[:, length:] - sums[:, :-length] == length
    edges = np.zeros((height, width + 1), np.int32)
    edges[:, : width - length + 1] += full
    edges[:, length:] -= full
    return edges.cumsum(axis=1)[:, :width] > 0


def _cells(ink: Any) -> Any:
    """Return the number of inked pixels in each cell."""
    height, width = (-(-side // _CELL) * _CELL for side in ink.shape)
    padded = np.zeros((height, width), np.int32)
    padded[: ink.shape[0], : ink.shape[1]] = ink
    return padded.reshape(height // _CELL, _CELL, width // _CELL, _CELL).sum(axis=(1, 3))


def _regions(cells: Any) -> Iterator[Rectangle]:
    """Yield the rectangles around cells that are at most one cell apart."""
    remaining = set(map(tuple, np.argwhere(cells).tolist()))
    while remaining:
        pending = [remaining.pop()]
        members = []
        while pending:
            row, column = pending.pop()
            members.append((row, column))
            for other in [
                (row + down, column + along) for down in range(-2, 3) for along in range(-2, 3)
            ]:
                if other in remaining:
                    remaining.remove(other)
                    pending.append(other)
        rows, columns = zip(*members, strict=True)
        region = (min(columns), min(rows), max(columns) + 1, max(rows) + 1)
        longest = max(region[2] - region[0], region[3] - region[1])
        if len(members) >= _SMALLEST and longest >= _SHORTEST:
            yield region


def _merged(regions: list[Rectangle]) -> list[Rectangle]:
    """Return rectangles without overlaps, replacing overlapping ones with their bounding rectangle."""
    merged: list[Rectangle] = []
    for region in regions:
        current = region
        while True:
            other = next((each for each in merged if _overlap(each, current)), None)
            if other is None:
                break
            merged.remove(other)
            current = around(current, other)
        merged.append(current)
    return sorted(merged, key=lambda region: (region[1], region[0]))


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
