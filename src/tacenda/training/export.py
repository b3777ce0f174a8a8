"""The trained recognizer as an ONNX graph with quantized weights.

Word embeddings are int8 with one scale a word; what becomes of the other matrices is said in
``quantization.py``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from onnx import TensorProto
from torch import nn

from .encoder import Architecture, Encoder, Layer, distance_buckets
from .graph import FUSED, Graph, as_array
from .network import Recognizer
from .quantization import Int8, Products


def export(
    model: Recognizer,
    path: Path,
    products: Products | None = None,
    below: Products | None = None,
) -> None:
    """Write ``model`` to ``path``.

    Inputs: ``ids`` and ``shapes`` int64 [batch, length], ``mask`` int32 [batch, length], 1 where
    a token is real. Outputs: ``types`` float32 [batch, length, 17] and ``masking`` float32
    [batch, length, 3], both probabilities.

    Args:
        model: the network, in evaluation mode.
        path: the file to write.
        products: how the matrices are stored; int8 if None.
        below: how those of the layers below the shapes are; as the others if None.
    """
    graph = Graph()
    x = hidden_states(graph, model.encoder, products or Int8(), "shapes", below)
    outputs = {"types": model.type_head, "masking": model.mask_head}
    for name, head in outputs.items():
        logits = graph.add(
            "Gemm",
            [
                x,
                graph.floats(f"{name}.weight", head.weight),
                graph.floats(f"{name}.bias", head.bias),
            ],
            transB=1,
        )
        shape = _batched(graph, name, head.out_features)
        softmax = graph.add("Softmax", [graph.add("Reshape", [logits, shape])], axis=-1)
        graph.output(softmax, name)
    each = ("batch", "length")
    graph.write(
        path,
        "recognizer",
        {"ids": each, "shapes": each, "mask": each},
        {name: (*each, head.out_features) for name, head in outputs.items()},
    )


def hidden_states(
    graph: Graph,
    encoder: Encoder,
    products: Products,
    shapes: str = "",
    below: Products | None = None,
) -> str:
    """Write ``encoder`` and return its hidden states [tokens, hidden].

    Args:
        graph: has the inputs ``ids`` and ``mask``.
        encoder: what to write.
        products: how its matrices are stored.
        shapes: input with the words' shapes; "" for an encoder that sees none.
        below: how the matrices of the layers below the shapes are stored, if differently.
    """
    seen = encoder.architecture.shape_layer
    x = _embedded(graph, encoder, "" if seen else shapes)
    bias = _distance_bias(graph, encoder)
    lower = _Layers(graph, encoder.architecture, below or products, bias)
    upper = _Layers(graph, encoder.architecture, products, bias)
    for index, layer in enumerate(encoder.layers):
        if shapes and index and index == seen:
            rows = graph.add(
                "Reshape", [_shape_vectors(graph, encoder, shapes), graph.named("rows")]
            )
            x = graph.add("Add", [x, rows])
        x = (lower if index < seen else upper).layer(x, f"layer{index}", layer)
    return x


def _shape_vectors(graph: Graph, model: Encoder, shapes: str) -> str:
    """Return the embeddings of the shapes [batch, length, hidden]."""
    table = graph.floats("shape_table", model.shape_embedding.weight)
    return graph.add("Gather", [table, shapes])


def _embedded(graph: Graph, model: Encoder, shapes: str) -> str:
    """Return the normed sum of word, position and shape embeddings [tokens, hidden]."""
    words = as_array(model.word_embedding.weight)
    word_scale = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-8) / 127
    integer_words = np.round(words / word_scale).astype(np.int8)
    gathered = graph.add("Gather", [graph.constant("words", integer_words), "ids"])
    scales = graph.add(
        "Gather", [graph.constant("words.scale", word_scale.astype(np.float32)), "ids"]
    )
    embedded = graph.add("Mul", [graph.add("Cast", [gathered], to=TensorProto.FLOAT), scales])
    positions = graph.add(
        "Slice",
        [
            graph.floats("positions", model.position_embedding.weight),
            graph.constant("zero", np.array([0])),
            _length(graph),
        ],
    )
    summed = graph.add("Add", [embedded, positions])
    if shapes:
        summed = graph.add("Add", [summed, _shape_vectors(graph, model, shapes)])
    normed = layer_norm(graph, "norm", summed, model.embedding_norm)
    rows = graph.constant("rows", np.array([-1, model.architecture.hidden_size]))
    return graph.add("Reshape", [normed, rows])


def _length(graph: Graph) -> str:
    return graph.add("Shape", ["ids"], start=1, end=2)


def _batched(graph: Graph, name: str, width: int) -> str:
    """Return the shape [batch, length, width]."""
    size = graph.constant(f"{name}.size", np.array([width]))
    return graph.add("Concat", [graph.add("Shape", ["ids"]), size], axis=0)


def _distance_bias(graph: Graph, model: Encoder) -> str:
    """Return MPNet's bias [1, heads, length, length], or "" for a model without."""
    if model.distance_bias is None:
        return ""
    longest = model.architecture.max_position_embeddings
    bucket = distance_buckets(longest, model.distance_bias.num_embeddings)
    # The bias depends on the distance alone: what stands for -(longest - 1) … longest - 1.
    by_distance = torch.cat([bucket[0].flip(0), bucket[1:, 0]])
    table = as_array(model.distance_bias.weight[by_distance].T)
    length = graph.add("Squeeze", [_length(graph)])
    zero, one = graph.constant("start", np.int64(0)), graph.constant("stride", np.int64(1))
    position = graph.add("Range", [zero, length, one])
    column = graph.add("Unsqueeze", [position, graph.constant("second_axis", np.array([1]))])
    distance = graph.add("Sub", [column, position])
    index = graph.add("Add", [distance, graph.constant("longest", np.int64(longest - 1))])
    bias = graph.add("Gather", [graph.constant("distances", table), index], axis=1)
    return graph.add("Unsqueeze", [bias, graph.constant("zero", np.array([0]))])


class _Layers:
    """Writes transformer layers, each from and to rows [tokens, hidden]."""

    def __init__(
        self, graph: Graph, architecture: Architecture, products: Products, bias: str
    ) -> None:
        self._graph = graph
        self._products = products
        self._bias = bias
        self._heads = architecture.num_attention_heads
        hidden = architecture.hidden_size
        self._rows = graph.constant("rows", np.array([-1, hidden]))
        self._wide = graph.constant("wide", np.array([-1, architecture.intermediate_size]))
        self._batched = _batched(graph, "hidden", hidden)

    def layer(self, x: str, name: str, layer: Layer) -> str:
        graph, products = self._graph, self._products
        context = self._attention(x, name, layer)
        attended = products.product(
            graph,
            products.prepare(graph, context),
            f"{name}.attention",
            as_array(layer.attention_output.weight),
        )
        x = self._add_and_norm(
            f"{name}.attention", attended, x, layer.attention_output, layer.attention_norm
        )
        inner = products.product(
            graph, products.prepare(graph, x), f"{name}.inner", as_array(layer.intermediate.weight)
        )
        bias = graph.floats(f"{name}.inner.bias", layer.intermediate.bias)
        inner = graph.add("BiasGelu", [inner, bias], FUSED)
        inner = graph.add("Reshape", [inner, self._wide])
        outer = products.product(
            graph, products.prepare(graph, inner), f"{name}.outer", as_array(layer.output.weight)
        )
        return self._add_and_norm(f"{name}.outer", outer, x, layer.output, layer.output_norm)

    def _attention(self, x: str, name: str, layer: Layer) -> str:
        graph = self._graph
        rows = self._products.prepare(graph, x)
        weights = np.split(as_array(layer.query_key_value.weight), 3)
        parts = [
            graph.add(
                "Reshape",
                [
                    self._products.product(graph, rows, f"{name}.{part}", weight),
                    self._batched,
                ],
            )
            for part, weight in zip(("query", "key", "value"), weights, strict=True)
        ]
        bias = graph.floats(f"{name}.qkv.bias", layer.query_key_value.bias)
        inputs = [*parts, bias, "mask", *([self._bias] if self._bias else [])]
        context = graph.add("MultiHeadAttention", inputs, FUSED, num_heads=self._heads)
        return graph.add("Reshape", [context, self._rows])

    def _add_and_norm(
        self, name: str, x: str, skip: str, linear: nn.Linear, norm: nn.LayerNorm
    ) -> str:
        # The fused SkipLayerNormalization takes three times as long on a CPU (onnxruntime 1.31).
        biased = self._graph.add("Add", [x, self._graph.floats(f"{name}.bias", linear.bias)])
        return layer_norm(self._graph, f"{name}.norm", self._graph.add("Add", [biased, skip]), norm)


def layer_norm(graph: Graph, name: str, x: str, layer: nn.LayerNorm) -> str:
    """Return ``x`` normed by ``layer``."""
    inputs = [
        x,
        graph.floats(f"{name}.weight", layer.weight),
        graph.floats(f"{name}.bias", layer.bias),
    ]
    return graph.add("LayerNormalization", inputs, axis=-1, epsilon=layer.eps)
