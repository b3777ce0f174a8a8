"""The recognizer's network in OpenVINO: in bf16, which is faster than int8 on processors with AMX.

The weights are those of the int8 graph, read from the same file; only the arithmetic differs. It is
closer to float32 than int8 is: activations have 8 bits of mantissa and no common scale. A token's
vector goes through the same operations in the same order whatever else is in the batch, so batching
doesn't change results here either.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .session import cores

# With this package installed, OpenVINO reports over the network that it was imported, and keeps an
# id of the user in the home folder. Nothing about sanitizing may leave the machine.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]

import openvino  # noqa: E402
from openvino import opset15 as ops  # noqa: E402

_CLOSED = -1e9  # added to the attention for padding
_EPSILON = 1e-12  # epsilon of BERT's layer norms


class OpenVinoSession:
    """A recognizer compiled for bf16, with the interface of an onnxruntime session.

    It may be called from several threads; each call computes on one core.

    Args:
        path: path of the int8 graph.
        heads: number of attention heads per layer.

    Raises:
        KeyError: if the graph doesn't have int8 weights, or has a distance bias.
    """

    def __init__(self, path: Path, heads: int) -> None:
        self._constants = _constants(path)
        self._heads = heads
        self._network: Any = None
        self._lock = threading.Lock()
        self._local = threading.local()
        if "layer0.query.weight" not in self._constants:
            raise KeyError("layer0.query.weight")

    def run(self, _: None, inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[np.float32]]:
        """Return ``types`` and ``masking`` for inputs given by name."""
        # Each thread has its own request.
        request = getattr(self._local, "request", None)
        if request is None:
            request = self._local.request = self._compiled().create_infer_request()
        answer = request.infer([inputs[name] for name in ("ids", "shapes", "mask")])
        return [np.array(answer[place]) for place in range(2)]

    def _compiled(self) -> Any:
        """Return the compiled network; the first call takes a few tenths of a second."""
        with self._lock:
            if self._network is None:
                network = _Network(self._constants, self._heads).build()
                self._network = _core().compile_model(network, "CPU", _settings())
            return self._network


@cache
def _core() -> Any:
    return openvino.Core()


def _settings() -> dict[str, Any]:
    """Return the settings for several callers that use one core each."""
    return {
        "INFERENCE_PRECISION_HINT": "bf16",
        "INFERENCE_NUM_THREADS": cores(),
        "NUM_STREAMS": cores(),
        "ENABLE_CPU_PINNING": False,
    }


def _constants(path: Path) -> dict[str, NDArray[Any]]:
    """Return a graph's constants by name."""
    return {
        node.friendly_name: np.array(node.data)
        for node in _core().read_model(path).get_ops()
        if node.get_type_name() == "Constant"
    }


class _Network:
    """Builds BERT with shapes (``tacenda_lab/train/networks.py``) from named weights."""

    def __init__(self, constants: Mapping[str, NDArray[Any]], heads: int) -> None:
        self._constants = constants
        self._heads = heads

    def build(self) -> Any:
        ids, shapes = (ops.parameter([-1, -1], np.int64, name) for name in ("ids", "shapes"))
        mask = ops.parameter([-1, -1], np.int32, "mask")
        x = self._embedded(ids, shapes)
        real = ops.convert(ops.unsqueeze(mask, _integers(1, 2)), "f32")
        closed = ops.multiply(ops.subtract(_float(1.0), real), _float(_CLOSED))
        for name in self._layers():
            x = self._layer(x, name, closed)
        outputs = [
            ops.softmax(
                ops.add(
                    ops.matmul(x, self._constant(f"{head}.weight"), False, True),
                    self._constant(f"{head}.bias"),
                ),
                -1,
            )
            for head in ("types", "masking")
        ]
        return openvino.Model(outputs, [ids, shapes, mask], "recognizer")

    def _layers(self) -> Iterator[str]:
        """Yield the names of the layers."""
        names = (f"layer{number}" for number in count())
        yield from takewhile(lambda name: f"{name}.query.weight" in self._constants, names)

    def _embedded(self, ids: Any, shapes: Any) -> Any:
        rows = ops.constant(np.int64(0))
        words = ops.multiply(
            ops.convert(ops.gather(self._constant("words"), ids, rows), "f32"),
            ops.gather(self._constant("words.scale"), ids, rows),
        )
        length = ops.gather(ops.shape_of(ids), _integers(1), rows)
        positions = ops.slice(self._constant("positions"), _integers(0), length, _integers(1))
        table = self._constant("shape_table")
        return self._norm(
            ops.add(ops.add(words, positions), ops.gather(table, shapes, rows)), "norm"
        )

    def _layer(self, x: Any, name: str, closed: Any) -> Any:
        biases = np.split(self._constants[f"{name}.qkv.bias"], 3)
        query, key, value = (
            self._by_head(
                ops.add(self._product(x, f"{name}.{part}"), ops.constant(bias)), len(bias)
            )
            for part, bias in zip(("query", "key", "value"), biases, strict=True)
        )
        # The fused operator would transpose the keys in memory first, and give bit-identical
        # results.
        similarity = ops.matmul(query, key, False, True)
        scaled = ops.multiply(similarity, _float((len(biases[0]) / self._heads) ** -0.5))
        attention = ops.softmax(ops.add(scaled, closed), -1)
        context = ops.transpose(ops.matmul(attention, value, False, False), _integers(0, 2, 1, 3))
        context = ops.reshape(context, _integers(0, 0, -1), True)
        x = self._norm(
            ops.add(self._linear(context, f"{name}.attention"), x), f"{name}.attention.norm"
        )
        inner = ops.gelu(self._linear(x, f"{name}.inner"), "erf")
        return self._norm(ops.add(self._linear(inner, f"{name}.outer"), x), f"{name}.outer.norm")

    def _by_head(self, x: Any, width: int) -> Any:
        parts = _integers(0, 0, self._heads, width // self._heads)
        return ops.transpose(ops.reshape(x, parts, True), _integers(0, 2, 1, 3))

    def _linear(self, x: Any, name: str) -> Any:
        return ops.add(self._product(x, name), self._constant(f"{name}.bias"))

    def _product(self, x: Any, name: str) -> Any:
        """Build the product with a matrix stored as int8 [inputs, outputs] with one scale per output."""
        weight = self._constants[f"{name}.weight"] * self._constants[f"{name}.scale"]
        return ops.matmul(x, ops.constant(np.ascontiguousarray(weight.T)), False, True)

    def _norm(self, x: Any, name: str) -> Any:
        normed = ops.mvn(x, _integers(-1), True, _EPSILON, "inside_sqrt")
        scaled = ops.multiply(normed, self._constant(f"{name}.weight"))
        return ops.add(scaled, self._constant(f"{name}.bias"))

    def _constant(self, name: str) -> Any:
        return ops.constant(self._constants[name])


def _integers(*values: int) -> Any:
    return ops.constant(np.array(values, np.int64))


def _float(value: float) -> Any:
    return ops.constant(np.float32(value))
