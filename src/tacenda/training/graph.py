"""An ONNX graph under construction, and the file it is written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

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

    def output(self, value: str, name: str) -> None:
        """Give a value the name of an output of the graph."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))

    def named(self, name: str) -> str:
        """Return the name of a constant that is there already.

        Raises:
            KeyError: if it is not.
        """
        return str(self._constants[name].name)

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
                helper.make_tensor_value_info(each, types.get(each, TensorProto.INT64), shape)
                for each, shape in inputs.items()
            ],
            [
                helper.make_tensor_value_info(each, TensorProto.FLOAT, shape)
                for each, shape in outputs.items()
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
