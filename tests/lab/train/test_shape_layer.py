"""An encoder whose lower layers see no shapes can be frozen below them, at 4 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")


def network() -> object:
    """Return a network of three layers, of which the last one sees shapes."""
    from tacenda_lab.train.networks import Architecture, Encoder, Recognizer

    torch.manual_seed(5)
    model = Recognizer(Encoder(Architecture(50, 64, 3, 4, 64, 40, 1e-12, 8, shape_layer=2)))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.1)
    torch.nn.init.normal_(model.encoder.shape_embedding.weight)
    return model.eval()


def inputs() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, shapes and mask of two windows."""
    ids = torch.randint(0, 50, (2, 12), generator=torch.Generator().manual_seed(1))
    return ids, ids % 9, torch.ones((2, 12), dtype=torch.bool)


def test_nothing_below_the_shapes_learns() -> None:
    """A gradient reaches the layers that see shapes, and none below."""
    model = network()
    model.encoder.freeze_below_shapes()
    types, _ = model(*inputs())
    types.sum().backward()
    learns = [any(p.grad is not None for p in layer.parameters()) for layer in model.encoder.layers]
    assert learns == [False, False, True]
    assert model.encoder.word_embedding.weight.grad is None
    assert model.encoder.shape_embedding.weight.grad is not None


def test_rounded_matrices_lose_nothing_when_they_are_packed(tmp_path: Path) -> None:
    """What ``round_below_shapes`` leaves is what the graph multiplies with, shapes and all."""
    from tacenda_lab.train.base_recipe import BLOCK, round_below_shapes
    from tacenda_lab.train.onnx import Int4, Int8, dequantized_values, export

    model = network()
    round_below_shapes(model.encoder)
    weight = model.encoder.layers[0].output.weight.detach().numpy()
    np.testing.assert_allclose(dequantized_values(weight, BLOCK), weight, atol=1e-6)
    export(model, tmp_path / "model.onnx", Int8(), below=Int4(BLOCK))
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"))
    ids, shapes, mask = inputs()
    found = session.run(
        None, {"ids": ids.numpy(), "shapes": shapes.numpy(), "mask": mask.int().numpy()}
    )
    with torch.inference_mode():
        wanted = model(ids, shapes, mask)
        blind = model(ids, torch.zeros_like(shapes), mask)
    for got, logits, others in zip(found, wanted, blind, strict=True):
        assert np.abs(got - logits.softmax(-1).numpy()).max() < 0.05
        assert np.abs(got - others.softmax(-1).numpy()).max() > 0.05


def test_a_batch_by_subwords_is_never_larger_than_asked() -> None:
    """Windows of one batch, padded to the longest, have at most that many subwords."""
    from tacenda_lab.train.loop import Schedule, _sliced

    class Window(list[int]):
        pass

    windows = [Window(range(length)) for length in (3, 5, 5, 9, 20, 40)]
    batches = list(_sliced(windows, Schedule(batch_tokens=30)))
    assert sorted(map(len, (w for batch in batches for w in batch))) == [3, 5, 5, 9, 20, 40]
    assert all(
        len(batch) == 1 or len(batch) * (2 + max(map(len, batch))) <= 30 for batch in batches
    )
