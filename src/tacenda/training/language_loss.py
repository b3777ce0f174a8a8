"""Cross entropy over a sample of the words: what makes training on a processor feasible.

All 30,000 words are most of the work for each hidden one. The sum over them is estimated from a
sample shared by the batch, each word weighed by how likely it was to be in it, so that the estimate
has no bias (``On Using Very Large Target Vocabulary``, Jean et al. 2015, section 3).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def sampled_cross_entropy(
    states: Tensor, table: Tensor, bias: Tensor, targets: Tensor, drawn: Tensor, chances: Tensor
) -> Tensor:
    """Return the mean of −log p of ``targets``.

    Args:
        states: [n, hidden], compared with the words.
        table: [words, hidden].
        bias: [words].
        targets: n rows of the table.
        drawn: rows that were drawn, with replacement.
        chances: [words], with what probability a draw takes a word.
    """
    sample = torch.unique(drawn)
    included = -torch.expm1(len(drawn) * torch.log1p(-chances[sample]))
    others = functional.linear(states, functional.embedding(sample, table), bias[sample])
    others = others - torch.log(included)
    # A row's own word is always in the sum, once and with its full weight.
    others = others.masked_fill(sample[None, :] == targets[:, None], float("-inf"))
    own = (states * functional.embedding(targets, table)).sum(1, keepdim=True)
    own = own + bias[targets][:, None]
    return functional.cross_entropy(torch.cat([own, others], dim=1), torch.zeros_like(targets))
