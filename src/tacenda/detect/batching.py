"""Windows of many documents packed into batches of equal length.

A window is padded to the next multiple of ``STEP`` subwords whatever else is there, and shares
a batch only with windows of that padded length: what the model computes for it is the same
alone and in company.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.encoding import Encoding, TextEncoder
from .windows import Window

STEP = 16
# About what fits a core's own cache; larger batches are slower on a CPU, not faster.
_BATCH_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Placed:
    """A window of the document with number ``document`` in the call."""

    document: int
    window: Window


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Inputs of one call of the model, [rows, length] each, and where each row belongs."""

    placed: tuple[Placed, ...]
    ids: NDArray[np.int64]
    shapes: NDArray[np.int64]
    mask: NDArray[np.int32]


def batches(
    placed: Sequence[Placed], encodings: Sequence[Encoding], encoder: TextEncoder
) -> Iterator[Batch]:
    """Yield batches from the longest windows to the shortest, filled lazily."""
    by_length: dict[int, list[Placed]] = defaultdict(list)
    for item in placed:
        by_length[-(-(len(item.window) + 2) // STEP) * STEP].append(item)
    for length in sorted(by_length, reverse=True):
        items = by_length[length]
        rows = max(1, _BATCH_TOKENS // length)
        for begin in range(0, len(items), rows):
            yield _fill(tuple(items[begin : begin + rows]), length, encodings, encoder)


def _fill(
    placed: tuple[Placed, ...], length: int, encodings: Sequence[Encoding], encoder: TextEncoder
) -> Batch:
    ids = np.full((len(placed), length), encoder.pad_id, dtype=np.int64)
    shapes = np.zeros((len(placed), length), dtype=np.int64)
    mask = np.zeros((len(placed), length), dtype=np.int32)
    for row, item in enumerate(placed):
        n = len(item.window)
        part = slice(item.window.start, item.window.end)
        ids[row, 0] = encoder.cls_id
        ids[row, 1 : n + 1] = encodings[item.document].ids[part]
        ids[row, n + 1] = encoder.sep_id
        shapes[row, 1 : n + 1] = encodings[item.document].shapes[part]
        mask[row, : n + 2] = 1
    return Batch(placed, ids, shapes, mask)
