"""The embeddings that training starts from: rare pieces long, common ones short, none alike.

Half of an embedding says what a piece means (all-MiniLM-L6-v2, its first principal components), half
is random and says which it is: *1908* and *1909* mean nearly the same and must not be mistaken. With
lengths by inverse document frequency an untrained encoder is a rough search engine.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor

from .examples import Examples

_MEANING = 0.5
"""Length of the half that means something, of the other half's."""
_SHORTEST, _LONGEST = 0.03, 0.8


def start_table(
    checkpoint: Path, examples: Examples, pieces: NDArray[np.int64], width: int
) -> Tensor:
    """Return embeddings of all word pieces of a BERT checkpoint, [pieces, width].

    Args:
        checkpoint: folder with ``model.safetensors``.
        examples: texts and profiles, to count in.
        pieces: of the examples' words, [words, most pieces].
        width: even.
    """
    source = {
        k.removeprefix("bert."): v for k, v in load_file(checkpoint / "model.safetensors").items()
    }
    words = source["embeddings.word_embeddings.weight"].float()
    words = words - words.mean(0)
    torch.manual_seed(1)
    _, _, axes = torch.pca_lowrank(words, q=width // 2, niter=4)
    meaning = words @ axes
    identity = torch.randn(len(words), width // 2, generator=torch.Generator().manual_seed(9))
    halves = (meaning / _lengths(meaning) * _MEANING, identity / _lengths(identity))
    lengths = _inverse_frequency(examples, pieces, len(words))[:, None] * math.sqrt(width)
    table = torch.cat(halves, dim=1) * lengths
    # Nothing, and a mask, say nothing before they are trained.
    table[[0, int(pieces[1, 0])]] = 0
    return table


def _lengths(x: Tensor) -> Tensor:
    return x.norm(dim=1, keepdim=True).clamp(min=1e-6)


def _inverse_frequency(examples: Examples, pieces: NDArray[np.int64], n_pieces: int) -> Tensor:
    """Return log(n / texts with the piece) as a share of log n, [pieces]."""
    counts = np.zeros(len(pieces))
    texts = [text.places for text in (*examples.learned, *examples.chosen_on)]
    for places in (*texts, *examples.profiles):
        counts[np.unique(places)] += 1
    of_pieces = np.zeros(n_pieces)
    np.add.at(of_pieces, pieces, np.repeat(counts[:, None], pieces.shape[1], axis=1))
    n = len(texts) + len(examples.profiles)
    share = np.log(n / np.maximum(of_pieces, 1)) / math.log(n)
    return torch.from_numpy(np.clip(share, _SHORTEST, _LONGEST)).float()
