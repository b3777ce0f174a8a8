"""Overlapping windows over long token sequences, packed into batches of equal length.

A token near the edge of a window has only half of its context, so each token is read from the
window in which it is farthest from an edge.

A window is always padded to the next multiple of the model's step, or to its maximum length, and
shares a batch only with windows of the same padded length, so that the rest of the batch doesn't
affect its result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..models.encoding import Encoding, SpecialPieces
from ..models.networks import RecognizerModel


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens ``[start, end)`` of a document; only ``[keep_start, keep_end)`` are used."""

    start: int
    end: int
    keep_start: int
    keep_end: int

    def __len__(self) -> int:
        return self.end - self.start


def windows(n: int, size: int, overlap: int) -> list[Window]:
    """Return windows of at most ``size`` over ``n`` tokens, overlapping by at least ``overlap``.

    The kept parts partition ``[0, n)``: the border between two neighbors is in the middle of their
    overlap.

    Raises:
        ValueError: if ``overlap`` isn't in ``[0, size)``.
    """
    if not 0 <= overlap < size:
        raise ValueError(
            f"Overlap {overlap!r} must be at least 0 and below the window size {size!r}."
        )
    if n <= 0:
        return []
    count = 1 if n <= size else -(-(n - overlap) // (size - overlap))
    # Windows of equal length cost less than full windows plus a remainder, and have the same
    # context.
    length = -(-(n + (count - 1) * overlap) // count)
    starts = [min(i * (length - overlap), n - length) for i in range(count)]
    borders = [0]
    for first, second in pairwise(starts):
        borders.append((first + length + second) // 2)
    borders.append(n)
    return [
        Window(start, start + length, keep_start, keep_end)
        for start, keep_start, keep_end in zip(starts, borders[:-1], borders[1:], strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Placed:
    """A window of the document with index ``document`` in the call."""

    document: int
    window: Window


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The inputs for one call of the model, each [rows, length], and where each row belongs."""

    placed: tuple[Placed, ...]
    ids: NDArray[np.int64]
    shapes: NDArray[np.int64]
    mask: NDArray[np.int32]


def batches(
    windows: Sequence[Placed],
    encodings: Sequence[Encoding],
    encoder: SpecialPieces,
    tokens: int = RecognizerModel.batch_tokens,
    parts: int = 1,
    step: int = RecognizerModel.step,
    longest: int | None = None,
) -> Iterator[Batch]:
    """Yield batches from the longest windows to the shortest, filled lazily.

    Args:
        windows: the windows, in document order.
        encodings: the documents' encodings.
        encoder: the model's encoder.
        tokens: maximum number of tokens in a batch, unless one window has more.
        parts: minimum number of batches for the windows of one length, so that every core has some.
        step: windows are padded to a multiple of this many subwords.
        longest: maximum length to pad to, including special tokens; None for no limit.
    """
    groups: dict[int, list[Placed]] = defaultdict(list)
    for item in windows:
        padded = -(-(len(item.window) + 2) // step) * step
        groups[min(padded, longest or padded)].append(item)
    for length in sorted(groups, reverse=True):
        items = groups[length]
        rows = max(1, min(tokens // length, -(-len(items) // parts)))
        for begin in range(0, len(items), rows):
            yield _fill(tuple(items[begin : begin + rows]), length, encodings, encoder)


def _fill(
    windows: tuple[Placed, ...], length: int, encodings: Sequence[Encoding], encoder: SpecialPieces
) -> Batch:
    ids = np.full((len(windows), length), encoder.pad_id, dtype=np.int64)
    shapes = np.zeros((len(windows), length), dtype=np.int64)
    mask = np.zeros((len(windows), length), dtype=np.int32)
    for row, item in enumerate(windows):
        n = len(item.window)
        part = slice(item.window.start, item.window.end)
        ids[row, 0] = encoder.cls_id
        ids[row, 1 : n + 1] = encodings[item.document].ids[part]
        ids[row, n + 1] = encoder.sep_id
        shapes[row, 1 : n + 1] = encodings[item.document].shapes[part]
        mask[row, : n + 2] = 1
    return Batch(windows, ids, shapes, mask)
