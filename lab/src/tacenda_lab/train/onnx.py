"""An ONNX graph under construction, and the file it is written to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from tacenda.errors import ModelError
from tacenda.models.calibration import BIO_LABELS, Calibration
from tacenda.models.language_profiles import ENGLISH

from .networks import Architecture, Encoder, Layer, Recognizer
from .packages import CONFIG_FILE, TOKENIZER_FILE, write_network

_OPSET = 21
# onnxruntime's own operators: fused ones, and products of quantized matrices.
FUSED = "com.microsoft"


class Graph:
    """Nodes and constants; values are known by their names."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: NDArray[np.generic] | np.generic) -> str:
        """Add a constant, once, and return its name."""
        self._constants.setdefault(name, numpy_helper.from_array(np.asarray(value), name))
        return name

    def floats(self, name: str, parameter: object) -> str:
        """Add a torch parameter as a constant and return its name."""
        return self.constant(name, as_array(parameter))

    def add(self, operator: str, inputs: list[str], domain: str = "", **attributes: object) -> str:
        """Add a node of one output and return the output's name."""
        output = f"{operator}_{len(self._nodes)}"
        self._nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def int8_rows(self, x: str) -> tuple[str, str]:
        """Return the rows ``x`` [tokens, width] as uint8 with zero point 128, and their scales [tokens, 1].

        The usual dynamic quantization scales all activations of a call by the largest of them, so that the rest of
        the batch changes a decision. Here every token has a scale of its own, and the integer products are exact.
        """
        largest = self.add(
            "ReduceMax", [self.add("Abs", [x]), self.constant("last_axis", np.array([-1]))]
        )
        # The floor keeps a row of zeros from dividing by zero.
        floored = self.add("Max", [largest, self.constant("floor", np.float32(1e-8))])
        scale = self.add("Mul", [floored, self.constant("step", np.float32(1 / 127))])
        flat = self.add("Reshape", [scale, self.constant("flat", np.array([-1]))])
        middle = self.constant("middle", np.array([128], np.uint8))
        zero = self.add("Expand", [middle, self.add("Shape", [flat])])
        return self.add("QuantizeLinear", [x, flat, zero], axis=0), scale

    def int8_product(self, rows: tuple[str, str], name: str, weight: NDArray[np.float32]) -> str:
        """Return the product of rows with ``weight`` [outputs, inputs], stored as int8 with a scale per output."""
        quantized, scale = rows
        channel = np.abs(weight).max(axis=1) / 127
        integer = np.round(weight / channel[:, None]).astype(np.int8).T.copy()
        inputs = [
            quantized,
            self.constant(f"{name}.weight", integer),
            self.constant("one", np.float32(1.0)),
            self.constant(f"{name}.scale", channel.astype(np.float32)),
            self.constant("middle_scalar", np.uint8(128)),
        ]
        return self.add("Mul", [self.add("MatMulIntegerToFloat", inputs, FUSED), scale])

    def int8_linear(self, name: str, x: str, linear: nn.Linear) -> str:
        """Return what a linear layer makes of the rows ``x``."""
        product = self.int8_product(self.int8_rows(x), name, as_array(linear.weight))
        return self.add("Add", [product, self.floats(f"{name}.bias", linear.bias)])

    def output(self, value: str, name: str) -> None:
        """Give a value the name of an output of the graph."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))

    def write(
        self,
        path: Path,
        name: str,
        inputs: Mapping[str, Sequence[str | int]],
        outputs: Mapping[str, Sequence[str | int]],
    ) -> None:
        """Write the graph.

        Args:
            path: the file.
            name: of the graph.
            inputs: shapes by name; ``mask`` is int32, the others int64.
            outputs: shapes by name; float32.
        """
        types = {"mask": TensorProto.INT32}
        proto = helper.make_graph(
            self._nodes,
            name,
            [
                helper.make_tensor_value_info(tensor, types.get(tensor, TensorProto.INT64), shape)
                for tensor, shape in inputs.items()
            ],
            [
                helper.make_tensor_value_info(tensor, TensorProto.FLOAT, shape)
                for tensor, shape in outputs.items()
            ],
            list(self._constants.values()),
        )
        model = helper.make_model(
            proto, opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(FUSED, 1)]
        )
        # The oldest file version with these operators, so that older runtimes read it too.
        model.ir_version = 10
        onnx.save(model, str(path))


def as_array(parameter: object) -> NDArray[np.float32]:
    """Return a torch parameter as float32."""
    return parameter.detach().float().numpy()  # type: ignore[attr-defined, no-any-return]


# The trained recognizer as an ONNX graph with quantized weights: word embeddings are int8 with one scale per word.


def export(model: Recognizer, path: Path) -> None:
    """Write ``model``, in evaluation mode, to ``path``.

    Inputs: ``ids`` and ``shapes`` int64 [batch, length], without padding: with a mask of it onnxruntime takes twice as long
    for attention. Outputs: ``types`` float32 [batch, length, 17] and ``masking`` float32 [batch, length, 3], both
    probabilities.
    """
    graph = Graph()
    x = _embedded(graph, model.encoder)
    layers = _Layers(graph, model.encoder.architecture)
    for number, layer in enumerate(model.encoder.layers):
        x = layers.layer(x, f"layer{number}", layer)
    axes = ("batch", "length")
    outputs = {"types": model.type_head, "masking": model.mask_head}
    for name, head in outputs.items():
        weight = graph.floats(f"{name}.weight", head.weight)
        bias = graph.floats(f"{name}.bias", head.bias)
        logits = graph.add("Gemm", [x, weight, bias], transB=1)
        shape = _batched(graph, name, head.out_features)
        softmax = graph.add("Softmax", [graph.add("Reshape", [logits, shape])], axis=-1)
        graph.output(softmax, name)
    graph.write(
        path,
        "recognizer",
        {"ids": axes, "shapes": axes},
        {name: (*axes, head.out_features) for name, head in outputs.items()},
    )


def _embedded(graph: Graph, model: Encoder) -> str:
    """Return the normed sum of word, position and shape embeddings [tokens, hidden]."""
    words = as_array(model.word_embedding.weight)
    word_scale = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-8) / 127
    integer_words = np.round(words / word_scale).astype(np.int8)
    gathered = graph.add("Gather", [graph.constant("words", integer_words), "ids"])
    scales = graph.add(
        "Gather", [graph.constant("words.scale", word_scale.astype(np.float32)), "ids"]
    )
    embedded = graph.add("Mul", [graph.add("Cast", [gathered], to=TensorProto.FLOAT), scales])
    table = graph.floats("positions", model.position_embedding.weight)
    length = graph.add("Shape", ["ids"], start=1, end=2)
    positions = graph.add("Slice", [table, graph.constant("zero", np.array([0])), length])
    summed = graph.add("Add", [embedded, positions])
    table = graph.floats("shape_table", model.shape_embedding.weight)
    summed = graph.add("Add", [summed, graph.add("Gather", [table, "shapes"])])
    normed = layer_norm(graph, "norm", summed, model.embedding_norm)
    rows = graph.constant("rows", np.array([-1, model.architecture.hidden_size]))
    return graph.add("Reshape", [normed, rows])


def _batched(graph: Graph, name: str, width: int) -> str:
    """Return the shape [batch, length, width]."""
    size = graph.constant(f"{name}.size", np.array([width]))
    return graph.add("Concat", [graph.add("Shape", ["ids"]), size], axis=0)


class _Layers:
    """Writes transformer layers, each from and to rows [tokens, hidden]."""

    def __init__(self, graph: Graph, architecture: Architecture) -> None:
        self._graph = graph
        self._heads = architecture.num_attention_heads
        hidden_size = architecture.hidden_size
        self._rows = graph.constant("rows", np.array([-1, hidden_size]))
        self._wide = graph.constant("wide", np.array([-1, architecture.intermediate_size]))
        self._batched = _batched(graph, "hidden", hidden_size)

    def layer(self, x: str, name: str, layer: Layer) -> str:
        graph = self._graph
        context = self._attention(x, name, layer)
        x = self._add_and_norm(
            f"{name}.attention", context, x, layer.attention_output, layer.attention_norm
        )
        weight = as_array(layer.intermediate.weight)
        inner = graph.int8_product(graph.int8_rows(x), f"{name}.inner", weight)
        bias = graph.floats(f"{name}.inner.bias", layer.intermediate.bias)
        inner = graph.add("BiasGelu", [inner, bias], FUSED)
        inner = graph.add("Reshape", [inner, self._wide])
        return self._add_and_norm(f"{name}.outer", inner, x, layer.output, layer.output_norm)

    def _attention(self, x: str, name: str, layer: Layer) -> str:
        graph = self._graph
        rows = graph.int8_rows(x)
        weights = np.split(as_array(layer.query_key_value.weight), 3)
        parts = []
        for part, weight in zip(("query", "key", "value"), weights, strict=True):
            product = graph.int8_product(rows, f"{name}.{part}", weight)
            parts.append(graph.add("Reshape", [product, self._batched]))
        bias = graph.floats(f"{name}.qkv.bias", layer.query_key_value.bias)
        context = graph.add("MultiHeadAttention", [*parts, bias], FUSED, num_heads=self._heads)
        return graph.add("Reshape", [context, self._rows])

    def _add_and_norm(
        self, name: str, x: str, skip: str, linear: nn.Linear, norm: nn.LayerNorm
    ) -> str:
        # The fused SkipLayerNormalization takes three times as long on a CPU (onnxruntime 1.31).
        biased = self._graph.int8_linear(name, x, linear)
        return layer_norm(self._graph, f"{name}.norm", self._graph.add("Add", [biased, skip]), norm)


def layer_norm(graph: Graph, name: str, x: str, layer: nn.LayerNorm) -> str:
    """Return ``x`` normed by ``layer``."""
    inputs = [
        x,
        graph.floats(f"{name}.weight", layer.weight),
        graph.floats(f"{name}.bias", layer.bias),
    ]
    return graph.add("LayerNormalization", inputs, axis=-1, epsilon=layer.eps)


# A trained recognizer written as the folder that ``models/networks.py`` reads.


WINDOW = 254
# A fifth less work than with 48, and no worse.
OVERLAP = 32


def write_package(
    model: Recognizer,
    tokenizer: Path,
    calibration: Calibration,
    threshold: float,
    folder: Path,
    window: int = WINDOW,
    languages: Iterable[str] = (ENGLISH,),
) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``config.json`` and ``digests.json``.

    Args:
        model: the network.
        tokenizer: of its encoder.
        calibration: from its confidence to probabilities.
        threshold: the default masking threshold.
        folder: where to.
        window: how many subwords it reads at a time.
        languages: ISO 639-1 codes of those that it reads.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export(model, folder / "model.onnx")
    config = {
        "labels": BIO_LABELS,
        "window": window,
        "overlap": OVERLAP,
        "languages": sorted(languages),
        "threshold": threshold,
        "calibration": asdict(calibration),
        "network": {"heads": model.encoder.architecture.num_attention_heads},
    }
    write_network(folder, tokenizer, config, ("model.onnx",))


def set_calibration(folder: Path, calibration: Calibration) -> None:
    """Give a written package other curves; the graph stays."""
    config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    config["calibration"] = asdict(calibration)
    write_network(folder, folder / TOKENIZER_FILE, config, ("model.onnx",))


# A shipped recognizer as a network that can be trained on: the way back from ``export.py``.
#
# Quantization loses precision, so noise of the same size is added: exported as it
# is, the network is the same graph again, but a change that training makes, smaller than the step
# from one int8 value to the next, moves as many weights over that step as it is large. Without the
# noise all small changes would be rounded away together.


def dequantize(path: Path) -> Recognizer:
    """Return the network of the int8 graph at ``path``.

    Args:
        path: of the graph.

    Raises:
        ModelError: if the graph is not an output of ``export`` with int8 weights.
    """
    graph = onnx.load(str(path)).graph
    nodes = list(graph.node)
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    try:
        model = Recognizer(Encoder(_architecture(nodes, constants)))
        with torch.no_grad():
            _fill(model, constants)
    except (KeyError, StopIteration) as error:
        raise ModelError(
            f"{path.name}: no int8 recognizer of this version ({error} is missing); train from a "
            "model that `tacenda models list` shows as int8."
        ) from None
    model.eval()
    return model


def _architecture(
    nodes: Sequence[onnx.NodeProto], constants: dict[str, NDArray[np.generic]]
) -> Architecture:
    layers = sum(name.endswith(".qkv.bias") for name in constants)
    attention = next(node for node in nodes if node.op_type == "MultiHeadAttention")
    norm = next(node for node in nodes if node.op_type == "LayerNormalization")
    vocabulary, hidden_size = constants["words"].shape
    return Architecture(
        vocab_size=vocabulary,
        hidden_size=hidden_size,
        num_hidden_layers=layers,
        num_attention_heads=next(a.i for a in attention.attribute if a.name == "num_heads"),
        intermediate_size=len(constants["layer0.inner.bias"]),
        max_position_embeddings=len(constants["positions"]),
        layer_norm_eps=next(a.f for a in norm.attribute if a.name == "epsilon"),
        shapes=len(constants["shape_table"]),
    )


def _between_steps(values: NDArray[np.generic], random: np.random.Generator) -> NDArray[np.float32]:
    """Return int8 values with noise below the rounding step; the largest keep the scale."""
    noise = random.uniform(-0.499, 0.499, values.shape)
    noise[np.abs(values.astype(np.int16)) == 127] = 0.0
    return (values + noise).astype(np.float32)  # type: ignore[operator, no-any-return]


def _fill(model: Recognizer, constants: dict[str, NDArray[np.generic]]) -> None:
    random = np.random.default_rng(0)

    def set(parameter: nn.Parameter, value: NDArray[np.generic]) -> None:
        parameter.copy_(torch.from_numpy(value.astype(np.float32)))

    def matrix(name: str) -> NDArray[np.generic]:
        values = _between_steps(constants[f"{name}.weight"], random)
        return (values * constants[f"{name}.scale"]).T  # type: ignore[operator, no-any-return]

    def copy(module: nn.Linear | nn.LayerNorm, name: str) -> None:
        set(module.weight, constants[f"{name}.weight"])
        set(module.bias, constants[f"{name}.bias"])

    encoder = model.encoder
    words = _between_steps(constants["words"], random)
    set(encoder.word_embedding.weight, words * constants["words.scale"])  # type: ignore[operator]
    set(encoder.position_embedding.weight, constants["positions"])
    set(encoder.shape_embedding.weight, constants["shape_table"])
    copy(encoder.embedding_norm, "norm")
    for index, layer in enumerate(encoder.layers):
        name = f"layer{index}"
        parts = [matrix(f"{name}.{part}") for part in ("query", "key", "value")]
        set(layer.query_key_value.weight, np.concatenate(parts))
        set(layer.query_key_value.bias, constants[f"{name}.qkv.bias"])
        for linear, part in (
            (layer.attention_output, "attention"),
            (layer.intermediate, "inner"),
            (layer.output, "outer"),
        ):
            set(linear.weight, matrix(f"{name}.{part}"))
            set(linear.bias, constants[f"{name}.{part}.bias"])
        copy(layer.attention_norm, f"{name}.attention.norm")
        copy(layer.output_norm, f"{name}.outer.norm")
    copy(model.type_head, "types")
    copy(model.mask_head, "masking")
