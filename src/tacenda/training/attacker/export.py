"""The two encoders as ONNX graphs, and the folder that is shipped.

Embeddings are int8 with one scale a piece; the wide matrices as ``quantization.Int8`` stores them, the
small ones and whitening in full.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto
from tokenizers import Tokenizer
from torch import nn

from ...models.store import digest
from ..graph import Graph, as_array
from ..quantization import Int8
from .network import AFTER, BEFORE, BiEncoder, SideEncoder


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
    products = Int8()

    def wide(name: str, x: str, linear: nn.Linear) -> str:
        rows = products.prepare(graph, x)
        product = products.product(graph, rows, name, as_array(linear.weight))
        return graph.add("Add", [product, graph.floats(f"{name}.bias", linear.bias)])

    x = wide("project", _whitened(graph, "whiten", matrix, side.whiten), side.project)
    hidden = graph.add("Gelu", [wide("up", x, side.up)])
    x = graph.add("Add", [x, wide("down", hidden, side.down)])
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
    found = graph.add("Gather", [graph.constant("pieces.table", integers), "pieces"])
    scales = graph.constant("pieces.scale", scale.astype(np.float32))
    embedded = graph.add(
        "Mul",
        [
            graph.add("Cast", [found], to=TensorProto.FLOAT),
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
    """Return how many of each row are not 0, at least 1, [rows, 1]."""
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
    each: NDArray[np.float32] = np.repeat(kernel, channels // len(kernel), axis=0)[:, None, :]
    x = graph.add(
        "Conv",
        [graph.add("Transpose", [context], perm=[0, 2, 1]), graph.constant("kernel", each)],
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


def write_attacker(model: BiEncoder, tokenizer: Path, folder: Path) -> None:
    """Write both graphs, ``tokenizer.json``, ``config.json`` and ``digests.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export_side(model.document, folder / "document.onnx")
    export_side(model.profile, folder / "profile.onnx")
    pieces = Tokenizer.from_file(str(tokenizer))
    pieces.no_truncation()
    pieces.no_padding()
    pieces.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "kind": "attacker",
        "width": model.document.sizes.output,
        "sharpness": round(float(model.log_sharpness.detach().exp()), 4),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    names = ("document.onnx", "profile.onnx", "tokenizer.json", "config.json")
    digests = {name: digest(folder / name) for name in names}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
