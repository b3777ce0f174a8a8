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
    from tacenda.training.network import Architecture, Recognizer

    torch.manual_seed(3)
    model = Recognizer(Architecture(50, 32, 2, 4, 64, 40, 1e-12))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.1)
    return model.eval()


def test_int8_graph_agrees_with_the_network(tmp_path: Path) -> None:
    """Probabilities of the exported graph differ from the network's by quantization only."""
    from tacenda.training.export import export

    model = small_model()
    export(model, tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"))
    random = np.random.default_rng(0)
    ids = random.integers(0, 50, (3, 20))
    shapes = random.integers(0, 9, (3, 20))
    mask = np.ones((3, 20), dtype=np.int32)
    mask[1, 12:] = 0
    types, masking = session.run(None, {"ids": ids, "shapes": shapes, "mask": mask})
    with torch.inference_mode():
        logits = model(torch.from_numpy(ids), torch.from_numpy(shapes), torch.from_numpy(mask > 0))
    for got, wanted in zip((types, masking), logits, strict=True):
        difference = np.abs(got - wanted.softmax(-1).numpy())[mask > 0]
        assert difference.max() < 0.05
        assert difference.mean() < 0.005
