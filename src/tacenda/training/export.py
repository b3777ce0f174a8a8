"""The trained recognizer as an ONNX graph with int8 weights.

The usual dynamic quantization scales all activations of a call by the largest of them, so that
what else lies in the batch changes a decision. Here every token's vector has a scale of its
own: the integer products are exact, and a window's result does not depend on its company.

Weights: int8, symmetric, one scale an output channel (word embeddings: one a word).
Activations: uint8 with zero point 128, one scale a token, computed as the graph runs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from .network import Recognizer

_OPSET = 21
_FUSED = "com.microsoft"


class _Graph:
    """Nodes and constants of a graph under construction; values are known by their names."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self._count = 0

    def constant(self, name: str, value: NDArray[np.generic] | np.generic) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, operator: str, inputs: list[str], domain: str = "", **attributes: object) -> str:
        self._count += 1
        output = f"{operator}_{self._count}"
        self.nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def quantize_rows(self, x: str) -> tuple[str, str]:
        """Return ``x`` [tokens, width] as uint8, and its scales [tokens, 1]."""
        largest = self.add(
            "ReduceMax", [self.add("Abs", [x]), self.constant("last_axis", np.array([-1]))]
        )
        # The floor keeps a row of zeros from dividing by zero.
        floored = self.add("Max", [largest, self.constant("floor", np.float32(1e-8))])
        scale = self.add("Mul", [floored, self.constant("step", np.float32(1 / 127))])
        flat = self.add("Reshape", [scale, self.constant("flat", np.array([-1]))])
        zero = self.add(
            "Expand",
            [self.constant("middle", np.array([128], np.uint8)), self.add("Shape", [flat])],
        )
        return self.add("QuantizeLinear", [x, flat, zero], axis=0), scale

    def product(self, quantized: tuple[str, str], name: str, weight: NDArray[np.float32]) -> str:
        """Return the product of quantized rows with ``weight`` [outputs, inputs], as float."""
        rows, scale = quantized
        channel = np.abs(weight).max(axis=1) / 127
        integer = np.round(weight / channel[:, None]).astype(np.int8).T.copy()
        inputs = [
            rows,
            self.constant(f"{name}.weight", integer),
            self.constant("one", np.float32(1.0)),
            self.constant(f"{name}.scale", channel.astype(np.float32)),
            self.constant("middle_scalar", np.uint8(128)),
        ]
        return self.add("Mul", [self.add("MatMulIntegerToFloat", inputs, _FUSED), scale])

    def floats(self, name: str, parameter: object) -> str:
        return self.constant(name, _numpy(parameter))


def _numpy(parameter: object) -> NDArray[np.float32]:
    return parameter.detach().float().numpy()  # type: ignore[attr-defined, no-any-return]


def export(model: Recognizer, path: Path) -> None:
    """Write ``model`` to ``path``.

    Inputs: ``ids`` and ``shapes`` int64 [batch, length], ``mask`` int32 [batch, length], 1 where
    a token is real. Outputs: ``types`` float32 [batch, length, 17] and ``masking`` float32
    [batch, length, 3], both probabilities.
    """
    architecture = model.architecture
    graph = _Graph()
    hidden = architecture.hidden_size
    words = _numpy(model.word_embedding.weight)
    word_scale = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-8) / 127
    integer_words = np.round(words / word_scale).astype(np.int8)
    gathered = graph.add("Gather", [graph.constant("words", integer_words), "ids"])
    scales = graph.add(
        "Gather", [graph.constant("words.scale", word_scale.astype(np.float32)), "ids"]
    )
    embedded = graph.add("Mul", [graph.add("Cast", [gathered], to=TensorProto.FLOAT), scales])
    length = graph.add("Shape", ["ids"], start=1, end=2)
    positions = graph.add(
        "Slice",
        [
            graph.floats("positions", model.position_embedding.weight),
            graph.constant("zero", np.array([0])),
            length,
        ],
    )
    shaped = graph.add(
        "Gather", [graph.floats("shape_table", model.shape_embedding.weight), "shapes"]
    )
    summed = graph.add("Add", [graph.add("Add", [embedded, positions]), shaped])
    norm = model.embedding_norm
    x3 = graph.add(
        "LayerNormalization",
        [summed, graph.floats("norm.weight", norm.weight), graph.floats("norm.bias", norm.bias)],
        axis=-1,
        epsilon=architecture.layer_norm_eps,
    )
    batched = graph.add(
        "Concat",
        [graph.add("Shape", ["ids"]), graph.constant("hidden", np.array([hidden]))],
        axis=0,
    )
    rows = graph.constant("rows", np.array([-1, hidden]))
    wide = graph.constant("wide", np.array([-1, architecture.intermediate_size]))
    x = graph.add("Reshape", [x3, rows])
    for index, layer in enumerate(model.layers):
        name = f"layer{index}"
        quantized = graph.quantize_rows(x)
        weights = np.split(_numpy(layer.query_key_value.weight), 3)
        parts = [
            graph.add("Reshape", [graph.product(quantized, f"{name}.{part}", weight), batched])
            for part, weight in zip(("query", "key", "value"), weights, strict=True)
        ]
        bias = graph.floats(f"{name}.qkv.bias", layer.query_key_value.bias)
        context = graph.add(
            "MultiHeadAttention",
            [*parts, bias, "mask"],
            _FUSED,
            num_heads=architecture.num_attention_heads,
        )
        context = graph.add("Reshape", [context, rows])
        attended = graph.product(
            graph.quantize_rows(context), f"{name}.attention", _numpy(layer.attention_output.weight)
        )
        x = _add_and_norm(
            graph, f"{name}.attention", attended, x, layer.attention_output, layer.attention_norm
        )
        inner = graph.product(
            graph.quantize_rows(x), f"{name}.inner", _numpy(layer.intermediate.weight)
        )
        inner = graph.add(
            "BiasGelu", [inner, graph.floats(f"{name}.inner.bias", layer.intermediate.bias)], _FUSED
        )
        inner = graph.add("Reshape", [inner, wide])
        outer = graph.product(
            graph.quantize_rows(inner), f"{name}.outer", _numpy(layer.output.weight)
        )
        x = _add_and_norm(graph, f"{name}.outer", outer, x, layer.output, layer.output_norm)
    for head, output in ((model.type_head, "types"), (model.mask_head, "masking")):
        logits = graph.add(
            "Gemm",
            [
                x,
                graph.floats(f"{output}.weight", head.weight),
                graph.floats(f"{output}.bias", head.bias),
            ],
            transB=1,
        )
        shape = graph.add(
            "Concat",
            [
                graph.add("Shape", ["ids"]),
                graph.constant(f"{output}.size", np.array([head.out_features])),
            ],
            axis=0,
        )
        softmax = graph.add("Softmax", [graph.add("Reshape", [logits, shape])], axis=-1)
        graph.nodes.append(helper.make_node("Identity", [softmax], [output]))
    _write(graph, path)


def _add_and_norm(
    graph: _Graph, name: str, x: str, skip: str, linear: nn.Linear, norm: nn.LayerNorm
) -> str:
    # The fused SkipLayerNormalization takes three times as long on a CPU (onnxruntime 1.31).
    biased = graph.add("Add", [x, graph.floats(f"{name}.bias", linear.bias)])
    inputs = [
        graph.add("Add", [biased, skip]),
        graph.floats(f"{name}.norm.weight", norm.weight),
        graph.floats(f"{name}.norm.bias", norm.bias),
    ]
    return graph.add("LayerNormalization", inputs, axis=-1, epsilon=norm.eps)


def _write(graph: _Graph, path: Path) -> None:
    def value(name: str, type: int, *extra: int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, type, ["batch", "length", *extra])

    integer, short, real = TensorProto.INT64, TensorProto.INT32, TensorProto.FLOAT
    proto = helper.make_graph(
        graph.nodes,
        "recognizer",
        [value("ids", integer), value("shapes", integer), value("mask", short)],
        [value("types", real, 17), value("masking", real, 3)],
        list(graph.constants.values()),
    )
    model = helper.make_model(
        proto, opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    )
    # The oldest file version with these operators, so that older runtimes read it too.
    model.ir_version = 10
    onnx.save(model, str(path))
