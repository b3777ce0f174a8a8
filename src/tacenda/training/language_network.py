"""The masked language model as a torch module: the words around a hidden one, and one look at the rest.

What stands next to a hidden word says most of it: the neighbours go through one hidden layer, as in
``A Neural Probabilistic Language Model`` (Bengio et al. 2003), but from both sides. What they expect is
then looked for in the rest of the window, by attention over its words. A transformer would see more, and
learns less in the hour of a processor that this one is made for.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

REACH = 5
"""Neighbours on each side that are seen in their places."""
HEADS = 6
_WIDTH = 512


class LanguageModel(nn.Module):
    """Subwords, some of them masked, to what could stand there; one table for what is read and said.

    Args:
        words: [vocabulary, hidden], the table to start from.
    """

    def __init__(self, words: Tensor) -> None:
        super().__init__()
        vocabulary, hidden = words.shape
        self.words = nn.Embedding.from_pretrained(words.clone(), freeze=False)
        self.neighbours = nn.Linear(2 * REACH * hidden, _WIDTH)
        self.beside = nn.Linear(_WIDTH, hidden)
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.found = nn.Linear(hidden, hidden)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        nn.init.normal_(self.neighbours.weight, std=4 * self.neighbours.in_features**-0.5)
        nn.init.normal_(self.beside.weight, std=0.05)
        # What is found is a word of the window: to begin with, it is said as it was read.
        nn.init.eye_(self.value.weight)
        with torch.no_grad():
            self.found.weight.copy_(0.1 * torch.eye(hidden))

    def states(
        self, ids: Tensor, mask: Tensor, wanted: Tensor, table: Tensor, alone: bool = False
    ) -> Tensor:
        """Return what is compared with the words, [n, hidden], at ``wanted``.

        Args:
            ids: int64 [batch, length], rows of ``table``, padded with its first.
            mask: bool [batch, length], True where a subword is real.
            wanted: n indices into [batch * length].
            table: [words, hidden], of all words or of those that are read.
            alone: whether the neighbours are all that is looked at.
        """
        around = functional.embedding(self._around(ids, wanted), table).flatten(1)
        x: Tensor = self.beside(functional.gelu(self.neighbours(around)))
        return (
            x if alone else x + self._looked_up(functional.embedding(ids, table), mask, wanted, x)
        )

    def forward(self, ids: Tensor, mask: Tensor, wanted: Tensor) -> Tensor:
        """Return logits [n, vocabulary] at ``wanted``; see ``states``."""
        x = self.states(ids, mask, wanted, self.words.weight)
        return functional.linear(x, self.words.weight, self.bias)

    def _around(self, ids: Tensor, wanted: Tensor) -> Tensor:
        """Return the ids [n, 2 * REACH] on both sides, 0 beyond an edge."""
        length = ids.shape[1]
        padded = functional.pad(ids, (REACH, REACH))
        offsets = [offset for offset in range(2 * REACH + 1) if offset != REACH]
        columns = (wanted % length)[:, None] + torch.tensor(offsets, device=ids.device)
        return padded[(wanted // length)[:, None], columns]

    def _looked_up(self, read: Tensor, mask: Tensor, wanted: Tensor, x: Tensor) -> Tensor:
        batch, length, _ = read.shape
        # Only hidden places ask; the others' questions are 0 and nobody hears their answers.
        asked = torch.zeros_like(read).reshape(batch * length, -1)
        asked[wanted] = self.query(x).to(asked.dtype)
        query, key, value = (
            part.view(batch, length, HEADS, -1).transpose(1, 2)
            for part in (asked, self.key(read), self.value(read))
        )
        context = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None, :]
        )
        context = context.transpose(1, 2).reshape(batch * length, -1)[wanted]
        found: Tensor = self.found(context)
        return found

    def save(self, path: Path) -> None:
        """Write the weights as safetensors."""
        save_file(self.state_dict(), path)

    @classmethod
    def load(cls, path: Path) -> LanguageModel:
        """Read what ``save`` wrote."""
        state = load_file(path)
        model = cls(state["words.weight"])
        model.load_state_dict(state)
        return model
