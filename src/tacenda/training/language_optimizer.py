"""Adam for a table of words of which each batch touches a few thousand, and for the other weights.

Updating the whole table takes longer than all the rest of a step, so that a word is updated in the
batches that it is in, as ``SparseAdam`` does.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

_BETAS = (0.9, 0.98)
_LARGEST = 1.0


class LanguageOptimizer:
    """Two optimizers that step as one.

    Args:
        words: the table.
        others: all other weights.
        rate: learning rate.
        decay: weight decay of the others.
    """

    def __init__(
        self, words: nn.Parameter, others: list[nn.Parameter], rate: float, decay: float
    ) -> None:
        self._words = words
        self._others = others
        self.dense = torch.optim.AdamW(
            others, lr=rate, betas=_BETAS, weight_decay=decay, fused=True
        )
        self.rows = torch.optim.SparseAdam([words], lr=rate, betas=_BETAS)

    def step(self, used: Tensor, table: Tensor) -> None:
        """Update the weights by the gradients; together their norm is cut to 1.

        Args:
            used: [k], the words that the batch touched.
            table: [k, hidden], a copy of their rows, with its gradient.
        """
        gradients = [p.grad for p in self._others if p.grad is not None]
        assert table.grad is not None
        norm = torch.nn.utils.get_total_norm([*gradients, table.grad])
        shrink = (_LARGEST / (norm + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(shrink)
        self._words.grad = torch.sparse_coo_tensor(
            used[None],
            table.grad * shrink,
            self._words.shape,
            check_invariants=True,
            is_coalesced=True,
        )
        self.rows.param_groups[0]["lr"] = self.dense.param_groups[0]["lr"]
        self.dense.step()
        self.rows.step()
        self.dense.zero_grad(set_to_none=True)
        self._words.grad = None

    def state_dict(self) -> dict[str, Any]:
        """Return the state of both."""
        return {"dense": self.dense.state_dict(), "rows": self.rows.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take the state of both."""
        self.dense.load_state_dict(state["dense"])
        self.rows.load_state_dict(state["rows"])
