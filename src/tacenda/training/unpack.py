"""A shipped recognizer as a network that can be trained on: the way back from ``export.py``.

What quantization rounded off is gone. In its place comes noise of the same size: exported as it
is, the network is the same graph again, but a change that training makes, smaller than the step
from one int8 value to the next, moves as many weights over that step as it is large. Without the
noise all small changes would be rounded away together.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from ..errors import ModelError
from .encoder import Architecture, Encoder
from .network import Recognizer


def unpack(path: Path) -> Recognizer:
    """Return the network whose int8 graph is at ``path``.

    Raises:
        ModelError: if the graph is none that ``export`` wrote with int8 weights.
    """
    graph = onnx.load(str(path)).graph
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    try:
        model = Recognizer(Encoder(_architecture(graph, constants)))
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
    graph: onnx.GraphProto, constants: dict[str, NDArray[np.generic]]
) -> Architecture:
    if "distances" in constants:
        raise KeyError("a graph without distance bias")
    layers = sum(name.endswith(".qkv.bias") for name in constants)
    attention = next(node for node in graph.node if node.op_type == "MultiHeadAttention")
    norm = next(node for node in graph.node if node.op_type == "LayerNormalization")
    vocabulary, hidden = constants["words"].shape
    return Architecture(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=next(a.i for a in attention.attribute if a.name == "num_heads"),
        intermediate_size=len(constants["layer0.inner.bias"]),
        max_position_embeddings=len(constants["positions"]),
        layer_norm_eps=next(a.f for a in norm.attribute if a.name == "epsilon"),
    )


def _between_steps(values: NDArray[np.generic], random: np.random.Generator) -> NDArray[np.float32]:
    """Return int8 values with noise that rounding removes; the largest keep the scale."""
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
