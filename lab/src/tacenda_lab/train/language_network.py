"""The masked language model as a torch module: neighbours of a hidden word, and attention.

The neighbours of a hidden word are most informative: they go through one hidden layer, as in ``A
Neural Probabilistic Language Model`` (Bengio et al. 2003), but from both sides. Their output then
attends to the rest of the window. A transformer would see more, but learns less in one hour on a
processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import TensorProto
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.encoding import Encoding, TextEncoder

from .examples import masked_places
from .onnx import FUSED, Graph, as_array
from .packages import write_network

REACH = 5
"""Neighbours on each side that are seen in their places."""
HEADS = 6
_WIDTH = 512


class LanguageNetwork(nn.Module):
    """Network from subwords, some masked, to predictions, with one table for input and output.

    Args:
        words: [vocabulary, hidden], the table to start from.
    """

    def __init__(self, words: Tensor) -> None:
        super().__init__()
        vocabulary, hidden_size = words.shape
        self.words = nn.Embedding.from_pretrained(words.clone(), freeze=False)
        self.neighbours = nn.Linear(2 * REACH * hidden_size, _WIDTH)
        self.beside = nn.Linear(_WIDTH, hidden_size)
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.found = nn.Linear(hidden_size, hidden_size)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        nn.init.normal_(self.neighbours.weight, std=4 * self.neighbours.in_features**-0.5)
        nn.init.normal_(self.beside.weight, std=0.05)
        # Each match is a word of the window, initially in the form that was read.
        nn.init.eye_(self.value.weight)
        with torch.no_grad():
            self.found.weight.copy_(0.1 * torch.eye(hidden_size))

    def states(
        self,
        ids: Tensor,
        mask: Tensor,
        positions: Tensor,
        table: Tensor,
        neighbours_only: bool = False,
    ) -> Tensor:
        """Return the hidden states at ``positions``, [n, hidden], for comparison with the words.

        Args:
            ids: int64 [batch, length], rows of ``table``, padded with its first.
            mask: bool [batch, length], True where a subword is real.
            positions: n indices into [batch * length].
            table: [words, hidden], of all words or of those in the input.
            neighbours_only: whether the neighbours are the only context.
        """
        around = functional.embedding(self._around(ids, positions), table).flatten(1)
        x: Tensor = self.beside(functional.gelu(self.neighbours(around)))
        return (
            x
            if neighbours_only
            else x + self._looked_up(functional.embedding(ids, table), mask, positions, x)
        )

    def forward(self, ids: Tensor, mask: Tensor, positions: Tensor) -> Tensor:
        """Return logits [n, vocabulary] at ``positions``; see ``states``."""
        x = self.states(ids, mask, positions, self.words.weight)
        return functional.linear(x, self.words.weight, self.bias)

    def _around(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Return the ids [n, 2 * REACH] on both sides, 0 beyond an edge."""
        length = ids.shape[1]
        padded = functional.pad(ids, (REACH, REACH))
        offsets = [offset for offset in range(2 * REACH + 1) if offset != REACH]
        columns = (positions % length)[:, None] + torch.tensor(offsets, device=ids.device)
        return padded[(positions // length)[:, None], columns]

    def _looked_up(self, embeddings: Tensor, mask: Tensor, positions: Tensor, x: Tensor) -> Tensor:
        batch, length, _ = embeddings.shape
        # Only hidden places ask; the others' questions are 0 and no one hears their answers.
        queries = torch.zeros_like(embeddings).reshape(batch * length, -1)
        queries[positions] = self.query(x).to(queries.dtype)
        query, key, value = (
            part.view(batch, length, HEADS, -1).transpose(1, 2)
            for part in (queries, self.key(embeddings), self.value(embeddings))
        )
        context = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None, :]
        )
        context = context.transpose(1, 2).reshape(batch * length, -1)[positions]
        output: Tensor = self.found(context)
        return output

    def save(self, path: Path) -> None:
        """Write the weights as safetensors."""
        save_file(self.state_dict(), path)

    @classmethod
    def load(cls, path: Path) -> LanguageNetwork:
        """Read a network from a file of ``save``."""
        state = load_file(path)
        model = cls(state["words.weight"])
        model.load_state_dict(state)
        return model


# Cross entropy over a sample of the words, for training on a processor.
#
# All 30,000 words are most of the work for each hidden one. The sum over them is estimated from a
# sample shared by the batch, each word weighed by how likely it was to be in it, so that the estimate
# has no bias (``On Using Very Large Target Vocabulary``, Jean et al. 2015, section 3).


def sampled_cross_entropy(
    states: Tensor, table: Tensor, bias: Tensor, targets: Tensor, negatives: Tensor, chances: Tensor
) -> Tensor:
    """Return the mean of −log p of ``targets``.

    Args:
        states: [n, hidden], compared with the words.
        table: [words, hidden].
        bias: [words].
        targets: n rows of the table.
        negatives: rows drawn with replacement.
        chances: [words], probability of each word in a draw.
    """
    sample = torch.unique(negatives)
    included = -torch.expm1(len(negatives) * torch.log1p(-chances[sample]))
    sample_logits = functional.linear(states, functional.embedding(sample, table), bias[sample])
    sample_logits = sample_logits - torch.log(included)
    # A row's own word is always in the sum, once and with its full weight.
    sample_logits = sample_logits.masked_fill(sample[None, :] == targets[:, None], float("-inf"))
    target_logits = (states * functional.embedding(targets, table)).sum(1, keepdim=True)
    target_logits = target_logits + bias[targets][:, None]
    return functional.cross_entropy(
        torch.cat([target_logits, sample_logits], dim=1), torch.zeros_like(targets)
    )


# Windows of texts as tensors, with hidden words and their targets.


# The ids of a window and the words that they belong to.
Part = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """Inputs of the network, ``ids``, ``mask`` and ``wanted``, and the masked ids."""

    ids: Tensor
    mask: Tensor
    wanted: Tensor
    targets: Tensor


def window(encoding: Encoding, size: int, random: np.random.Generator) -> Part:
    """Return ``size`` neighbouring subwords of a text, all if it has fewer."""
    start = int(random.integers(0, max(1, len(encoding) - size + 1)))
    return encoding.ids[start : start + size], encoding.words[start : start + size]


def mask_windows(
    parts: Sequence[Part],
    encoder: TextEncoder,
    share: float,
    random: np.random.Generator,
    device: torch.device,
) -> MaskedBatch:
    """Return windows with about a share of the subwords masked, in whole words."""
    length = 2 + max(len(ids) for ids, _ in parts)
    ids = np.full((len(parts), length), encoder.pad_id, dtype=np.int64)
    mask = np.zeros((len(parts), length), dtype=bool)
    target_mask = np.zeros((len(parts), length), dtype=bool)
    for row, (pieces, words) in enumerate(parts):
        n = len(pieces)
        ids[row, 0], ids[row, n + 1] = encoder.cls_id, encoder.sep_id
        ids[row, 1 : n + 1] = pieces
        mask[row, : n + 2] = True
        target_mask[row, 1 : n + 1] = masked_places(words, share, random)
    targets = ids[target_mask]
    ids[target_mask] = encoder.mask_id
    (positions,) = np.nonzero(target_mask.reshape(-1))
    return MaskedBatch(
        *(torch.from_numpy(part).to(device) for part in (ids, mask, positions, targets))
    )


# Adam for a table of words of which each batch touches a few thousand, and for the other weights.
#
# Updating the whole table takes longer than all the rest of a step, so that a word is updated in the
# batches that it is in, as ``SparseAdam`` does.


_BETAS = (0.9, 0.98)
_LARGEST = 1.0


class LanguageOptimizer:
    """Two optimizers with common steps.

    Args:
        words: the table.
        parameters: all other weights.
        rate: learning rate.
        decay: weight decay of all other weights.
    """

    def __init__(
        self, words: nn.Parameter, parameters: list[nn.Parameter], rate: float, decay: float
    ) -> None:
        self._words = words
        self._others = parameters
        self.dense = torch.optim.AdamW(
            parameters, lr=rate, betas=_BETAS, weight_decay=decay, fused=True
        )
        self.rows = torch.optim.SparseAdam([words], lr=rate, betas=_BETAS)
        self._used = torch.empty(0, dtype=torch.long)
        self._table = torch.empty(0)

    def table(self, used: Tensor) -> Tensor:
        """Return a copy [k, hidden] of the rows of a batch's words, to be updated by ``step``.

        Args:
            used: [k], the words.
        """
        self._used, self._table = used, self._words.detach()[used].requires_grad_()
        return self._table

    def zero_grad(self) -> None:
        """Drop the gradients."""
        self.dense.zero_grad(set_to_none=True)
        self._words.grad = None

    def step(self) -> None:
        """Update the weights by the gradients; together their norm is cut to 1."""
        used, table = self._used, self._table
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

    def state_dict(self) -> dict[str, Any]:
        """Return the state of both."""
        return {"dense": self.dense.state_dict(), "rows": self.rows.state_dict()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take the state of both."""
        self.dense.load_state_dict(state_dict["dense"])
        self.rows.load_state_dict(state_dict["rows"])


# The trained language model as an ONNX graph with int8 weights.
#
# The words are stored once, in a common table of input and output. Each hidden place attends to its
# own window, so its output is the same alone and in a batch.


def export_language_model(model: LanguageNetwork, path: Path) -> None:
    """Write ``model`` to ``path``.

    Inputs: ``ids`` int64 and ``mask`` int32 [batch, length]; ``wanted`` int64 [n], indices into
    [batch * length]. Output: ``logits`` float32 [n, vocabulary].
    """
    graph = Graph()
    _LanguageGraphWriter(graph, model).write()
    graph.write(
        path,
        "language",
        {"ids": ("batch", "length"), "mask": ("batch", "length"), "wanted": ("n",)},
        {"logits": ("n", model.words.num_embeddings)},
    )


class _LanguageGraphWriter:
    """Writes the network, in the order of its ``forward``."""

    def __init__(self, graph: Graph, model: LanguageNetwork) -> None:
        self._graph = graph
        self._model = model
        words = as_array(model.words.weight)
        scale = np.maximum(np.abs(words).max(axis=1), 1e-8) / 127
        integers = np.round(words / scale[:, None]).astype(np.int8)
        self._hidden = words.shape[1]
        self._words = graph.constant("words", integers)
        self._scale = graph.constant("words.scale", scale.astype(np.float32))
        self._length = graph.add("Shape", ["ids"], start=1, end=2)
        self._row = graph.add("Div", ["wanted", self._length])

    def write(self) -> None:
        graph = self._graph
        around = graph.add(
            "Reshape",
            [
                self._read(self._around()),
                graph.constant("around.rows", np.array([-1, 2 * REACH * self._hidden])),
            ],
        )
        inner = graph.int8_linear("neighbours", around, self._model.neighbours)
        x = graph.int8_linear("beside", graph.add("Gelu", [inner]), self._model.beside)
        x = graph.add("Add", [x, self._looked_up(x)])
        rows, scale = graph.int8_rows(x)
        inputs = [
            rows,
            # Turned when the graph is loaded.
            graph.add("Transpose", [self._words], perm=[1, 0]),
            graph.constant("one", np.float32(1.0)),
            self._scale,
            graph.constant("middle_scalar", np.uint8(128)),
        ]
        product = graph.add("Mul", [graph.add("MatMulIntegerToFloat", inputs, FUSED), scale])
        bias = graph.floats("said.bias", self._model.bias)
        graph.output(graph.add("Add", [product, bias]), "logits")

    def _read(self, ids: str) -> str:
        """Return the embeddings [..., hidden] of ids [...]."""
        graph = self._graph
        integers = graph.add(
            "Cast", [graph.add("Gather", [self._words, ids])], to=TensorProto.FLOAT
        )
        scale = graph.add("Gather", [self._scale, ids])
        return graph.add("Mul", [integers, self._last(scale)])

    def _last(self, x: str) -> str:
        """Return ``x`` with one more axis at the end."""
        return self._graph.add("Unsqueeze", [x, self._graph.constant("last", np.array([-1]))])

    def _around(self) -> str:
        """Return the ids [n, 2 * REACH] on both sides of ``wanted``, 0 beyond an edge."""
        graph = self._graph
        # A row of the padded ids is longer by the neighbours beyond its edges.
        reach = graph.constant("reach", np.array([REACH]))
        stride = graph.add("Add", [self._length, graph.add("Add", [reach, reach])])
        column = graph.add("Mod", ["wanted", self._length])
        first = graph.add("Add", [graph.add("Mul", [self._row, stride]), column])
        offsets = [offset for offset in range(2 * REACH + 1) if offset != REACH]
        places = graph.add(
            "Add", [self._last(first), graph.constant("offsets", np.array([offsets]))]
        )
        edges = graph.constant("edges", np.array([0, REACH, 0, REACH]))
        padded = graph.add("Pad", ["ids", edges], mode="constant")
        flat = graph.add("Reshape", [padded, graph.constant("flat", np.array([-1]))])
        return graph.add("Gather", [flat, places])

    def _looked_up(self, x: str) -> str:
        """Return the attention of ``x`` [n, hidden] to its windows, [n, hidden]."""
        graph, model = self._graph, self._model
        rows = graph.constant("rows", np.array([-1, self._hidden]))
        size = graph.constant("size", np.array([self._hidden]))
        windows = graph.add("Concat", [graph.add("Shape", ["ids"]), size], axis=0)
        inputs = graph.add("Reshape", [self._read("ids"), rows])
        parts = []
        for name, linear in (("key", model.key), ("value", model.value)):
            part = graph.add("Reshape", [graph.int8_linear(name, inputs, linear), windows])
            parts.append(graph.add("Gather", [part, self._row]))
        one = graph.constant("second_axis", np.array([1]))
        query = graph.add("Unsqueeze", [graph.int8_linear("query", x, model.query), one])
        mask = graph.add("Gather", ["mask", self._row])
        context = graph.add("MultiHeadAttention", [query, *parts, "", mask], FUSED, num_heads=HEADS)
        return graph.int8_linear("found", graph.add("Reshape", [context, rows]), model.found)


def write_language_package(
    model: LanguageNetwork, tokenizer: Path, window: int, folder: Path
) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``config.json`` and ``digests.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export_language_model(model, folder / "model.onnx")
    config = {"kind": "language", "window": window}
    write_network(folder, tokenizer, config, ("model.onnx",))
