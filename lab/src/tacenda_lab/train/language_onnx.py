"""The trained language model as an ONNX graph with int8 weights.

The words are stored once, in a common table of input and output. Each hidden place attends to its
own window, so its output is the same alone and in a batch.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import TensorProto
from torch import nn

from .language_network import HEADS, REACH, LanguageNetwork
from .onnx import FUSED, Graph, Int8, as_array
from .packages import write_network


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
        self._products = Int8()
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
        inner = self._linear("neighbours", around, self._model.neighbours)
        x = self._linear("beside", graph.add("Gelu", [inner]), self._model.beside)
        x = graph.add("Add", [x, self._looked_up(x)])
        rows, scale = self._products.prepare(graph, x)
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
            part = graph.add("Reshape", [self._linear(name, inputs, linear), windows])
            parts.append(graph.add("Gather", [part, self._row]))
        one = graph.constant("second_axis", np.array([1]))
        query = graph.add("Unsqueeze", [self._linear("query", x, model.query), one])
        mask = graph.add("Gather", ["mask", self._row])
        context = graph.add("MultiHeadAttention", [query, *parts, "", mask], FUSED, num_heads=HEADS)
        return self._linear("found", graph.add("Reshape", [context, rows]), model.found)

    def _linear(self, name: str, x: str, linear: nn.Linear) -> str:
        graph = self._graph
        rows = self._products.prepare(graph, x)
        product = self._products.product(graph, rows, name, as_array(linear.weight))
        return graph.add("Add", [product, graph.floats(f"{name}.bias", linear.bias)])


def write_language_package(
    model: LanguageNetwork, tokenizer: Path, window: int, folder: Path
) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``config.json`` and ``digests.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export_language_model(model, folder / "model.onnx")
    config = {"kind": "language", "window": window}
    write_network(folder, tokenizer, config, ("model.onnx",))
