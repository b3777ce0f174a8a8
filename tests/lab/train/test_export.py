"""The ONNX graph says what the torch module says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")


def small_model() -> object:
    """Return a network of two layers with weights large enough to matter."""
    from tacenda_lab.train.networks import Architecture, Encoder, Recognizer

    torch.manual_seed(3)
    model = Recognizer(Encoder(Architecture(50, 32, 2, 4, 64, 40, 1e-12)))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.1)
    return model.eval()


def batch() -> tuple[np.ndarray, np.ndarray]:
    """Return ids and shapes of three windows."""
    random = np.random.default_rng(0)
    return random.integers(0, 50, (3, 20)), random.integers(0, 9, (3, 20))


def run(path: Path, *rows: np.ndarray) -> list[np.ndarray]:
    """Return what the graph at ``path`` says."""
    session = onnxruntime.InferenceSession(str(path))
    return session.run(None, dict(zip(("ids", "shapes"), rows, strict=True)))


def test_graph_agrees_with_the_network(tmp_path: Path) -> None:
    """Probabilities of the exported graph differ from the network's by quantization only."""
    from tacenda_lab.train.onnx import export

    model = small_model()
    export(model, tmp_path / "model.onnx")
    ids, shapes = batch()
    found = run(tmp_path / "model.onnx", ids, shapes)
    with torch.inference_mode():
        mask = torch.ones(ids.shape, dtype=torch.bool)
        logits = model(torch.from_numpy(ids), torch.from_numpy(shapes), mask)
    for got, wanted in zip(found, logits, strict=True):
        difference = np.abs(got - wanted.softmax(-1).numpy())
        assert difference.max() < 0.05
        assert difference.mean() < 0.005


def test_company_changes_nothing(tmp_path: Path) -> None:
    """A window's probabilities are the same, to the bit, alone and in a batch."""
    from tacenda_lab.train.onnx import export

    export(small_model(), tmp_path / "model.onnx")
    rows = batch()
    together = run(tmp_path / "model.onnx", *rows)
    for index in range(3):
        alone = run(tmp_path / "model.onnx", *(part[index : index + 1] for part in rows))
        for one, all in zip(alone, together, strict=True):
            assert np.array_equal(one[0], all[index])


def test_an_exported_network_comes_back(tmp_path: Path) -> None:
    """Unpacked and exported again, a graph says exactly the same."""
    from tacenda_lab.train.onnx import dequantize, export

    export(small_model(), tmp_path / "model.onnx")
    export(dequantize(tmp_path / "model.onnx"), tmp_path / "again.onnx")
    for one, other in zip(
        run(tmp_path / "model.onnx", *batch()), run(tmp_path / "again.onnx", *batch()), strict=True
    ):
        assert np.allclose(one, other, atol=1e-5)


def test_what_can_not_be_unpacked_is_said(tmp_path: Path) -> None:
    """A graph without the constants of a recognizer is refused, not read wrongly."""
    from tacenda.errors import ModelError
    from tacenda_lab.train.onnx import Graph, dequantize

    graph = Graph()
    graph.output("ids", "types")
    graph.write(tmp_path / "model.onnx", "other", {"ids": ("n",)}, {"types": ("n",)})
    with pytest.raises(ModelError, match="int8"):
        dequantize(tmp_path / "model.onnx")
