"""Windows of texts as tensors in which words are hidden, and what was there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..models.encoding import Encoding, TextEncoder
from .masking import masked_places

# The ids of a window and the words that they belong to.
Part = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Batch:
    """What the network reads, ``ids``, ``mask`` and ``wanted``, and the ids it must find."""

    ids: Tensor
    mask: Tensor
    wanted: Tensor
    targets: Tensor


def window(encoding: Encoding, size: int, random: np.random.Generator) -> Part:
    """Return ``size`` neighbouring subwords of a text, all if it has fewer."""
    start = int(random.integers(0, max(1, len(encoding) - size + 1)))
    return encoding.ids[start : start + size], encoding.words[start : start + size]


def hide(
    parts: Sequence[Part],
    encoder: TextEncoder,
    share: float,
    random: np.random.Generator,
    device: torch.device,
) -> Batch:
    """Return windows in which about a share of the subwords, in whole words, is masked."""
    length = 2 + max(len(ids) for ids, _ in parts)
    ids = np.full((len(parts), length), encoder.pad_id, dtype=np.int64)
    mask = np.zeros((len(parts), length), dtype=bool)
    hidden = np.zeros((len(parts), length), dtype=bool)
    for row, (pieces, words) in enumerate(parts):
        n = len(pieces)
        ids[row, 0], ids[row, n + 1] = encoder.cls_id, encoder.sep_id
        ids[row, 1 : n + 1] = pieces
        mask[row, : n + 2] = True
        hidden[row, 1 : n + 1] = masked_places(words, share, random)
    targets = ids[hidden]
    ids[hidden] = encoder.mask_id
    (wanted,) = np.nonzero(hidden.reshape(-1))
    return Batch(*(torch.from_numpy(part).to(device) for part in (ids, mask, wanted, targets)))
