"""How a weight matrix is stored and multiplied: int8, or 4 bits where size counts.

The usual dynamic quantization scales all activations of a call by the largest of them, so that
what else lies in the batch changes a decision. In both ways here every token's vector has scales
of its own: a window's result does not depend on its company.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .graph import FUSED, Graph


class Products(Protocol):
    """Adds products with quantized weights to a graph."""

    def prepare(self, graph: Graph, x: str) -> tuple[str, ...]:
        """Return what stands for the rows ``x`` [tokens, width] in any number of products."""
        ...

    def product(
        self, graph: Graph, rows: tuple[str, ...], name: str, weight: NDArray[np.float32]
    ) -> str:
        """Return the product of prepared rows with ``weight`` [outputs, inputs], as float."""
        ...


class Int8:
    """Weights int8, symmetric, one scale an output channel.

    Activations: uint8 with zero point 128, one scale a token, computed as the graph runs; the
    integer products are exact.
    """

    def prepare(self, graph: Graph, x: str) -> tuple[str, ...]:
        """Return ``x`` as uint8, and its scales [tokens, 1]."""
        largest = graph.add(
            "ReduceMax", [graph.add("Abs", [x]), graph.constant("last_axis", np.array([-1]))]
        )
        # The floor keeps a row of zeros from dividing by zero.
        floored = graph.add("Max", [largest, graph.constant("floor", np.float32(1e-8))])
        scale = graph.add("Mul", [floored, graph.constant("step", np.float32(1 / 127))])
        flat = graph.add("Reshape", [scale, graph.constant("flat", np.array([-1]))])
        zero = graph.add(
            "Expand",
            [graph.constant("middle", np.array([128], np.uint8)), graph.add("Shape", [flat])],
        )
        return graph.add("QuantizeLinear", [x, flat, zero], axis=0), scale

    def product(
        self, graph: Graph, rows: tuple[str, ...], name: str, weight: NDArray[np.float32]
    ) -> str:
        """Return the product of ``prepare``'s rows with ``weight`` [outputs, inputs]."""
        quantized, scale = rows
        channel = np.abs(weight).max(axis=1) / 127
        integer = np.round(weight / channel[:, None]).astype(np.int8).T.copy()
        inputs = [
            quantized,
            graph.constant(f"{name}.weight", integer),
            graph.constant("one", np.float32(1.0)),
            graph.constant(f"{name}.scale", channel.astype(np.float32)),
            graph.constant("middle_scalar", np.uint8(128)),
        ]
        return graph.add("Mul", [graph.add("MatMulIntegerToFloat", inputs, FUSED), scale])


class Int4:
    """Weights of 4 bits, symmetric, one scale for every ``block`` inputs of an output channel.

    Activations: int8 by the same blocks, by the operator itself (its accuracy level 4).
    """

    def __init__(self, block: int = 32) -> None:
        self.block = block

    def prepare(self, graph: Graph, x: str) -> tuple[str, ...]:
        """Return ``x``: the operator quantizes it by itself."""
        return (x,)

    def product(
        self, graph: Graph, rows: tuple[str, ...], name: str, weight: NDArray[np.float32]
    ) -> str:
        """Return the product of ``prepare``'s rows with ``weight`` [outputs, inputs]."""
        packed, scales = pack(weight, self.block)
        inputs = [
            *rows,
            graph.constant(f"{name}.weight", packed),
            graph.constant(f"{name}.scale", scales),
        ]
        outputs, width = weight.shape
        return graph.add(
            "MatMulNBits",
            inputs,
            FUSED,
            K=width,
            N=outputs,
            bits=4,
            block_size=self.block,
            accuracy_level=4,
        )


def pack(weight: NDArray[np.float32], block: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return 4-bit values, two a byte, [outputs, blocks, block / 2], and scales [outputs * blocks].

    A value v stands for (v - 8) * scale, so the range is -8 to 7; of each block the number that
    is largest in size becomes -8 exactly.

    Raises:
        ValueError: unless ``block`` divides the number of inputs.
    """
    outputs, width = weight.shape
    if width % block:
        raise ValueError(f"{width} inputs are no multiple of the block size {block}.")
    blocks = weight.reshape(outputs, width // block, block)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)
    scale = np.where(largest == 0, 1.0, largest / -8)
    values = np.clip(np.round(blocks / scale) + 8, 0, 15).astype(np.uint8)
    packed = values[..., 0::2] | (values[..., 1::2] << np.uint8(4))
    return packed.astype(np.uint8), scale.astype(np.float32).reshape(-1)


def rounded(weight: NDArray[np.float32], block: int) -> NDArray[np.float32]:
    """Return what ``pack``'s 4 bits stand for [outputs, inputs]: what the graph multiplies with."""
    packed, scales = pack(weight, block)
    values = np.empty((*packed.shape[:2], block), dtype=np.float32)
    values[..., 0::2] = packed & 15
    values[..., 1::2] = packed >> 4
    values -= 8
    return (values * scales.reshape(*packed.shape[:2], 1)).reshape(weight.shape)
