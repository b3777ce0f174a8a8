"""The recognizer in OpenVINO: the same answers in any company, near those of onnxruntime."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tacenda.models.networks import RecognizerModel
from tacenda.models.session import ENGINE_VARIABLE

pytest.importorskip("openvino", reason="needs the extra 'openvino'")

JUDGMENT = (Path(__file__).parents[2] / "examples/judgment.txt").read_text(encoding="utf-8")
Inputs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]


@pytest.fixture(scope="module")
def models() -> tuple[RecognizerModel, RecognizerModel]:
    """The shipped recognizer in onnxruntime and in OpenVINO."""
    with pytest.MonkeyPatch.context() as patch:
        loaded = []
        for engine in ("onnxruntime", "openvino"):
            patch.setenv(ENGINE_VARIABLE, engine)
            loaded.append(RecognizerModel.load())
    assert [model.engine for model in loaded] == ["onnxruntime", "openvino"]
    return loaded[0], loaded[1]


def _rows(model: RecognizerModel, length: int, rows: int, seed: int) -> Inputs:
    """Return windows of a judgment."""
    encoding = model.encoder.encode(JUDGMENT)
    random = np.random.default_rng(seed)
    starts = random.integers(0, len(encoding.ids) - length, rows)
    ids = np.stack([encoding.ids[start : start + length] for start in starts])
    shapes = np.stack([encoding.shapes[start : start + length] for start in starts])
    return ids.astype(np.int64), shapes.astype(np.int64), np.ones((rows, length), np.int32)


@pytest.mark.parametrize("length", [7, 48, 129, 256])
@pytest.mark.parametrize("engine", [0, 1], ids=["onnxruntime", "openvino"])
def test_company_changes_nothing(
    models: tuple[RecognizerModel, RecognizerModel], engine: int, length: int
) -> None:
    """A window gets the same probabilities alone and in batches of all sizes, to the last bit."""
    model = models[engine]
    rows = _rows(model, length, 9, seed=length)
    alone = [model.run(*(each[place : place + 1] for each in rows)) for place in range(9)]
    for begin, end in ((0, 9), (2, 5), (4, 6), (1, 9)):
        together = model.run(*(each[begin:end] for each in rows))
        for output in range(2):
            for place in range(begin, end):
                assert (together[output][place - begin] == alone[place][output][0]).all()


def test_the_engines_agree(models: tuple[RecognizerModel, RecognizerModel]) -> None:
    """Probabilities differ by some hundredths, seldom by a tenth."""
    reference, model = models
    rows = _rows(model, 128, 6, seed=1)
    expected = reference.run(*rows)
    given = model.run(*rows)
    for mine, theirs in zip(given, expected, strict=True):
        assert mine.shape == theirs.shape
        assert np.abs(mine - theirs).max() < 0.105


def test_padding_is_refused_where_it_is_not_masked(
    models: tuple[RecognizerModel, RecognizerModel],
) -> None:
    """Onnxruntime would read a window that is shorter than its row with what isn't there."""
    ids, shapes, mask = _rows(models[0], 16, 2, seed=2)
    mask[1, 12:] = 0
    with pytest.raises(ValueError, match="without padding"):
        models[0].run(ids, shapes, mask)


def test_padding_changes_nothing(models: tuple[RecognizerModel, RecognizerModel]) -> None:
    """OpenVINO gives a window of 12 subwords about what it gives it in a row of 16."""
    ids, shapes, mask = _rows(models[1], 16, 2, seed=2)
    mask[1, 12:] = 0
    padded = models[1].run(ids, shapes, mask)
    bare = models[1].run(*(each[1:, :12] for each in (ids, shapes, mask)))
    for one, other in zip(padded, bare, strict=True):
        assert np.abs(one[1, :12] - other[0]).max() < 0.05


def test_callers_from_several_threads(models: tuple[RecognizerModel, RecognizerModel]) -> None:
    """Each caller gets the answer to its own question."""
    _, model = models
    questions = [_rows(model, 32, 3, seed=seed) for seed in range(24)]
    expected = [model.run(*question)[0] for question in questions]
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda question: model.run(*question)[0], questions))
    assert all((mine == theirs).all() for mine, theirs in zip(given, expected, strict=True))
