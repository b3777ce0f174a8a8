"""One side of the bi-encoder: a text to a matrix of roles and contents, to a vector.

    context(t)  = relu(Σ over d from -14 to 6 of kernel(d) ⊙ C e(t + d))    the words around
    role(t)     = sigmoid(R context(t))                                      the role of the word
    M           = Σ over t of role(t) ⊗ V e(t) / √n                          [roles, contents]
    f           = normalised(A M + B gelu(D A M)),  M and f whitened

It is far smaller than the paper's encoders, to be trained on a processor; like them it reads a word
in its context: *1908* after *born* differs from *1908* after *elected*. The sum of outer products
binds fillers to roles (Smolensky, 1990).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import TensorProto
from torch import Tensor, nn
from torch.nn import functional

from .onnx import Graph, as_array
from .packages import write_network

BEFORE, AFTER = 14, 6
"""Words before and after one that are seen from it."""
_GROUP = 8
"""Channels of the context that share a kernel."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths of an encoder."""

    pieces: int
    embedding: int = 256
    context: int = 64
    roles: int = 32
    contents: int = 128
    hidden: int = 1024
    output: int = 384


class SideEncoder(nn.Module):
    """Texts, as places of words, to vectors; for the documents, or for the profiles."""

    def __init__(self, sizes: Sizes, table: Tensor) -> None:
        """Start from embeddings of word pieces, [pieces, embedding], row 0 for nothing.

        The random projections are the same for both sides, so even untrained, a document is near a
        profile with the same words.
        """
        super().__init__()
        self.sizes = sizes
        random = torch.Generator().manual_seed(5)
        matrix = sizes.roles * sizes.contents

        def normal(*shape: int, std: float) -> Tensor:
            return torch.randn(*shape, generator=random) * std

        self.table = nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0)
        self.value = nn.Linear(sizes.embedding, sizes.contents, bias=False)
        nn.init.orthogonal_(self.value.weight, generator=random)
        self.context = nn.Linear(sizes.embedding, sizes.context)
        self.kernel = nn.Parameter(_windows(sizes.context // _GROUP))
        self.role = nn.Linear(sizes.context, sizes.roles)
        self.whiten = nn.BatchNorm1d(matrix, affine=False)
        self.dropout = nn.Dropout(0.1)
        self.project = nn.Linear(matrix, sizes.output)
        self.up = nn.Linear(sizes.output, sizes.hidden)
        self.down = nn.Linear(sizes.hidden, sizes.output)
        self.settle = nn.BatchNorm1d(sizes.output, affine=False)
        with torch.no_grad():
            self.context.weight.copy_(
                normal(sizes.context, sizes.embedding, std=3 / math.sqrt(sizes.embedding))
            )
            self.role.weight.copy_(normal(sizes.roles, sizes.context, std=0.3))
            self.project.weight.copy_(normal(sizes.output, matrix, std=1 / math.sqrt(matrix)))
        nn.init.zeros_(self.down.weight)
        nn.init.zeros_(self.down.bias)

    def forward(self, pieces: Tensor, places: Tensor) -> Tensor:
        """Return vectors of length 1, [texts, output].

        Args:
            pieces: int64 [words, most pieces] of the distinct words, filled up with 0; the first
                word has none.
            places: int64 [texts, longest], each text as indices of words, filled up with 0.
        """
        real = (pieces > 0).sum(1, keepdim=True)
        words = self.table(pieces).sum(1) / real.clamp(min=1)
        there = (real > 0).to(words.dtype)
        contents = functional.embedding(places, self.value(words))
        roles = self._roles(self.context(words) * there, places)
        matrix = torch.bmm(roles.transpose(1, 2), contents).flatten(1)
        matrix = matrix / (places > 0).sum(1, keepdim=True).clamp(min=1).sqrt()
        x = self.project(self.dropout(self.whiten(matrix)))
        x = x + self.down(functional.gelu(self.up(x)))
        return functional.normalize(self.settle(x), dim=-1)

    def _roles(self, context: Tensor, places: Tensor) -> Tensor:
        """Return the roles of each place, [texts, longest, roles].

        The convolution is written as products with banded matrices, six times as fast on a processor.
        """
        texts, longest = places.shape
        groups = len(self.kernel)
        distance = torch.arange(longest)[None, :] - torch.arange(longest)[:, None]
        near = (distance >= -BEFORE) & (distance <= AFTER)
        band = self.kernel[:, (distance + BEFORE).clamp(0, BEFORE + AFTER)] * near
        x = functional.embedding(places.t(), context).view(longest, texts, groups, _GROUP)
        x = x.permute(2, 0, 1, 3).reshape(groups, longest, texts * _GROUP)
        x = torch.bmm(band, x).view(groups, longest, texts, _GROUP)
        x = x.permute(2, 1, 0, 3).reshape(texts, longest, -1)
        return torch.sigmoid(self.role(functional.relu(x)))


class BiEncoderNetwork(nn.Module):
    """Both sides, and how sharply a cosine speaks."""

    def __init__(self, sizes: Sizes, table: Tensor, sharpness: float = 14.0) -> None:
        super().__init__()
        self.document = SideEncoder(sizes, table.clone())
        self.profile = SideEncoder(sizes, table.clone())
        self.log_sharpness = nn.Parameter(torch.tensor(math.log(sharpness)))

    def logits(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Return log-odds up to a constant a row, [left, right], of vectors of length 1."""
        return rows @ columns.T * self.log_sharpness.exp()


def _windows(groups: int) -> Tensor:
    """Return kernels to start from, [groups, BEFORE + AFTER + 1].

    Half of them see one neighbour each, the others windows of several widths, some ending at the
    word itself.
    """
    offsets = torch.arange(-BEFORE, AFTER + 1).float()
    kernels = torch.zeros(groups, len(offsets))
    for row, kernel in enumerate(kernels):
        if row < groups // 2:
            kernel[BEFORE + (-1, -2, 1, -3, 2, -4, -5, 3)[row % 8]] = 1.0
        else:
            fading = torch.exp(-offsets.abs() / (2 + 2 * (row - groups // 2)))
            kernel += fading / 3 * (1.0 if row % 2 == 0 else (offsets <= 0))
    return kernels


# The two encoders as ONNX graphs, and the folder that is shipped.
#
# Embeddings are int8 with one scale a piece; the wide matrices by ``Graph.int8_linear``, the
# small ones and whitening in full.


def export_side(side: SideEncoder, path: Path) -> None:
    """Write one encoder, in evaluation mode.

    Inputs: ``pieces`` int64 [words, most pieces] and ``places`` int64 [texts, longest], both filled up
    with 0. Output: ``vector`` float32 [texts, output]. What each is: ``SideEncoder.forward``.
    """
    graph = Graph()
    words, there = _words(graph, side)
    contents = graph.add("Gather", [_linear(graph, "value", words, side.value), "places"])
    context = graph.add("Mul", [_linear(graph, "context", words, side.context), there])
    roles = _roles(graph, side, graph.add("Gather", [context, "places"]))
    matrix = graph.add("MatMul", [graph.add("Transpose", [roles], perm=[0, 2, 1]), contents])
    width = side.sizes.roles * side.sizes.contents
    matrix = graph.add("Reshape", [matrix, graph.constant("matrix.rows", np.array([-1, width]))])
    matrix = graph.add("Div", [matrix, graph.add("Sqrt", [_count(graph, "places")])])
    x = graph.int8_linear("project", _whitened(graph, "whiten", matrix, side.whiten), side.project)
    activation = graph.add("Gelu", [graph.int8_linear("up", x, side.up)])
    x = graph.add("Add", [x, graph.int8_linear("down", activation, side.down)])
    x = _whitened(graph, "settle", x, side.settle)
    graph.output(graph.add("LpNormalization", [x], axis=-1, p=2), "vector")
    graph.write(
        path,
        "side",
        {"pieces": ("words", "most"), "places": ("texts", "longest")},
        {"vector": ("texts", side.sizes.output)},
    )


def _words(graph: Graph, side: SideEncoder) -> tuple[str, str]:
    """Return the means of pieces [words, embedding], and 1 where a word has any [words, 1]."""
    table = as_array(side.table.weight)
    scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-8) / 127
    integers = np.round(table / scale).astype(np.int8)
    rows = graph.add("Gather", [graph.constant("pieces.table", integers), "pieces"])
    scales = graph.constant("pieces.scale", scale.astype(np.float32))
    embedded = graph.add(
        "Mul",
        [
            graph.add("Cast", [rows], to=TensorProto.FLOAT),
            graph.add("Gather", [scales, "pieces"]),
        ],
    )
    axis = graph.constant("second_axis", np.array([1]))
    total = graph.add("ReduceSum", [embedded, axis], keepdims=0)
    first = graph.add("Gather", ["pieces", graph.constant("first_place", np.array([0]))], axis=1)
    there = graph.add(
        "Cast", [graph.add("Cast", [first], to=TensorProto.BOOL)], to=TensorProto.FLOAT
    )
    return graph.add("Div", [total, _count(graph, "pieces")]), there


def _count(graph: Graph, ids: str) -> str:
    """Return the number of non-zero elements of each row, at least 1, [rows, 1]."""
    real = graph.add("Cast", [graph.add("Cast", [ids], to=TensorProto.BOOL)], to=TensorProto.FLOAT)
    total = graph.add("ReduceSum", [real, graph.constant("second_axis", np.array([1]))], keepdims=1)
    return graph.add("Max", [total, graph.constant("at_least_one", np.float32(1))])


def _linear(graph: Graph, name: str, x: str, linear: nn.Linear) -> str:
    inputs = [x, graph.constant(f"{name}.weight", as_array(linear.weight))]
    if linear.bias is not None:
        inputs.append(graph.floats(f"{name}.bias", linear.bias))
    return graph.add("Gemm", inputs, transB=1)


def _roles(graph: Graph, side: SideEncoder, context: str) -> str:
    """Return the roles of each place [texts, longest, roles]."""
    channels = side.sizes.context
    kernel = as_array(side.kernel)
    kernels: NDArray[np.float32] = np.repeat(kernel, channels // len(kernel), axis=0)[:, None, :]
    x = graph.add(
        "Conv",
        [graph.add("Transpose", [context], perm=[0, 2, 1]), graph.constant("kernel", kernels)],
        group=channels,
        pads=[BEFORE, AFTER],
    )
    x = graph.add("Transpose", [graph.add("Relu", [x])], perm=[0, 2, 1])
    weight = graph.constant("role.weight", as_array(side.role.weight).T.copy())
    x = graph.add(
        "Add", [graph.add("MatMul", [x, weight]), graph.floats("role.bias", side.role.bias)]
    )
    return graph.add("Sigmoid", [x])


def _whitened(graph: Graph, name: str, x: str, norm: nn.BatchNorm1d) -> str:
    mean, variance = as_array(norm.running_mean), as_array(norm.running_var)
    deviation = np.sqrt(variance + norm.eps).astype(np.float32)
    centred = graph.add("Sub", [x, graph.constant(f"{name}.mean", mean)])
    return graph.add("Div", [centred, graph.constant(f"{name}.deviation", deviation)])


def write_attacker(model: BiEncoderNetwork, tokenizer: Path, folder: Path) -> None:
    """Write both graphs, ``tokenizer.json``, ``config.json`` and ``digests.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export_side(model.document, folder / "document.onnx")
    export_side(model.profile, folder / "profile.onnx")
    config = {
        "kind": "attacker",
        "width": model.document.sizes.output,
        "sharpness": round(float(model.log_sharpness.detach().exp()), 4),
    }
    write_network(folder, tokenizer, config, ("document.onnx", "profile.onnx"))
