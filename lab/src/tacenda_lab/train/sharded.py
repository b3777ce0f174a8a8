"""Softmax over all vectors of a file, a shard at a time: the matrix of texts × vectors is never there.

    loss = log Σ exp(x · g) − (1 − α) · x · right − α · mean(x · g),  its gradient Σ softmax · g − (1 − α) · right − α · mean(g)

Both come of one pass: highest score, sum and weighted sum of vectors are corrected whenever a shard has a higher score
(Milakov and Gimelshein, *Online normalizer calculation for softmax*, 2018). The vectors are fixed; the gradient is
that of x.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

SHARD_BYTES: Final = 2**26
"""Most memory of a shard with its scores."""
_FREE_SHARE: Final = 0.4
"""Share of a GPU's free memory that the vectors may take to stay on it."""


class VectorFile:
    """Vectors in a file of 16-bit numbers, mapped into memory: 728,000 of 3,072 take 4.5 GB of disk.

    Args:
        path: of the file; it is remade.
        count: number of vectors.
        width: numbers a vector.
        device: where they are multiplied; a GPU keeps them if it has the room.
        shard_bytes: most memory of a shard with its scores.
    """

    def __init__(
        self,
        path: Path,
        count: int,
        width: int,
        device: torch.device | None = None,
        shard_bytes: int = SHARD_BYTES,
    ) -> None:
        self.count, self.width = count, width
        self._device = device or torch.device("cpu")
        self._shard_bytes = shard_bytes
        self._rows: NDArray[np.float16] = np.memmap(
            path, dtype=np.float16, mode="w+", shape=(count, width)
        )
        self._resident: Tensor | None = None

    def write(self, first: int, vectors: Tensor) -> None:
        """Write vectors from a number on.

        Raises:
            OverflowError: a number is none, or too large for 16 bits.
        """
        rows = vectors.detach().half().cpu().numpy()
        if not np.isfinite(rows).all():
            raise OverflowError("the encoder returned non-finite numbers")
        self._rows[first : first + len(rows)] = rows
        self._resident = None

    def rows(self, numbers: Tensor) -> Tensor:
        """Return vectors by their numbers, float32 [numbers, width]."""
        if self._resident is not None:
            return self._resident[numbers.to(self._device)].float()
        return torch.from_numpy(self._rows[numbers.numpy()]).to(self._device).float()

    def shards(self, texts: int) -> Iterator[tuple[int, Tensor]]:
        """Yield the vectors in parts, float32 [some, width], each with the number of its first.

        Args:
            texts: rows that each part is multiplied with.
        """
        self._settle()
        # A number is there in 16 and in 32 bits; scores twice, as they are and as exponentials.
        size = max(1, self._shard_bytes // (6 * self.width + 8 * texts))
        for first in range(0, self.count, size):
            if self._resident is not None:
                yield first, self._resident[first : first + size].float()
            else:
                part = torch.from_numpy(self._rows[first : first + size].copy())
                yield first, part.to(self._device).float()

    def _settle(self) -> None:
        """Keep all vectors on a GPU with the room for them."""
        if self._resident is None and self._device.type == "cuda":
            free, _ = torch.cuda.mem_get_info(self._device)
            if self._rows.nbytes < _FREE_SHARE * free:
                self._resident = torch.from_numpy(self._rows).to(self._device)


class _SoftmaxLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, vectors: VectorFile, right: Tensor, smoothing: float
    ) -> Tensor:
        with torch.autocast(x.device.type, enabled=False):
            loss, gradient = _loss(x.float(), vectors, right, smoothing)
        ctx.save_for_backward(gradient.to(x.dtype))
        return loss

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * gradients[0], None, None, None


def softmax_loss(x: Tensor, vectors: VectorFile, right: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross entropy of the right vectors among all, with label smoothing.

    Args:
        x: float [texts, width], with a gradient.
        vectors: all of the other side.
        right: number of each text's vector, int64 [texts].
        smoothing: α, the share of the target that is spread over all.
    """
    loss: Tensor = _SoftmaxLoss.apply(x, vectors, right, smoothing)
    return loss


def _loss(x: Tensor, vectors: VectorFile, right: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
    """Return the mean loss and its gradient by x."""
    highest = torch.full((len(x),), -torch.inf, device=x.device)
    sums = torch.zeros_like(highest)
    pulled = torch.zeros_like(x)
    total = torch.zeros(x.shape[1], device=x.device)
    for _, shard in vectors.shards(len(x)):
        scores = x @ shard.T
        higher = torch.maximum(highest, scores.amax(1))
        correction = torch.exp(highest - higher)
        weights = scores.sub_(higher[:, None]).exp_()
        sums = sums * correction + weights.sum(1)
        pulled = pulled * correction[:, None] + weights @ shard
        total += shard.sum(0)
        highest = higher
    targets = (1 - smoothing) * vectors.rows(right) + smoothing * total / vectors.count
    losses = highest + sums.log() - (x * targets).sum(1)
    return losses.mean(), (pulled / sums[:, None] - targets) / len(x)


def ranks(x: Tensor, vectors: VectorFile, right: Tensor) -> Tensor:
    """Return the rank of each text's vector among all, from 1, int64 [texts]; the middle one among ties."""
    own = (x * vectors.rows(right)).sum(1)
    tolerance = own.abs() * 1e-6
    above = torch.zeros(len(x), dtype=torch.long, device=x.device)
    level = torch.zeros_like(above)
    for _, shard in vectors.shards(len(x)):
        scores = x @ shard.T
        above += (scores > (own + tolerance)[:, None]).sum(1)
        level += ((scores - own[:, None]).abs() <= tolerance[:, None]).sum(1)
    return 1 + above + (level - 1).clamp(min=0) // 2


def nearest(x: Tensor, vectors: VectorFile, count: int) -> Tensor:
    """Return the numbers of the vectors with the highest scores, int64 [texts, count], the best first."""
    scores = x.new_empty(len(x), 0)
    numbers = torch.empty(len(x), 0, dtype=torch.long, device=x.device)
    for first, shard in vectors.shards(len(x)):
        own = torch.arange(first, first + len(shard), device=x.device).expand(len(x), -1)
        scores = torch.cat([scores, x @ shard.T], dim=1)
        numbers = torch.cat([numbers, own], dim=1)
        scores, order = scores.topk(min(count, scores.shape[1]), dim=1)
        numbers = numbers.gather(1, order)
    return numbers
