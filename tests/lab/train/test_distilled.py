"""A recognizer of fewer layers answers as the one that it was distilled from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tacenda.errors import InputError

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

TEXT = "The applicant, Ms Anna Berg, was born in 1950 and lives in Oslo."


def tiny(seed: int):
    """Return a network of five thin layers with the shipped vocabulary."""
    from tacenda_lab.train.networks import Architecture, Encoder, Recognizer

    sizes = Architecture(30522, 16, 5, 2, 32, 320, 1e-12)
    network = Recognizer.begun(lambda: Encoder(sizes), seed).eval()
    with torch.no_grad():  # Drawn weights say almost nothing; these do.
        for parameter in network.parameters():
            if parameter.dim() > 1:
                parameter.mul_(4.0)
    return network


@pytest.fixture
def teacher(tmp_path: Path):
    """Write a recognizer with two experts over the same embeddings."""
    from tacenda.models.calibration import Calibration
    from tacenda.models.networks import Router
    from tacenda.models.store import find, read_model
    from tacenda_lab.train.experts import share_embeddings, write_experts
    from tacenda_lab.train.onnx import dequantize, write_package

    tokenizer = find().path("tokenizer.json")
    alone, both = tmp_path / "alone", tmp_path / "teacher"
    write_package(tiny(1), tokenizer, Calibration(), 0.2, alone)
    everyday, formal = tiny(2), dequantize(alone / "model.onnx")
    for name in ("word_embedding", "position_embedding", "shape_embedding", "embedding_norm"):
        getattr(everyday.encoder, name).load_state_dict(getattr(formal.encoder, name).state_dict())
    share_embeddings(everyday)
    router = Router({"applicant": 9.0}, -1.0)
    write_experts(read_model(alone), everyday, Calibration(), router, both)
    return read_model(both)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Write a data folder with a few judgments, articles and recipes."""
    import gzip

    from .test_everyday import write
    from .test_recipe import corpus

    folder = corpus(tmp_path / "data")
    (folder / "tab/dev.json").write_text("[]", encoding="utf-8")
    (folder / "background").mkdir()
    for name in ("echr_judgments", "wiki553_article_bodies"):
        with gzip.open(folder / f"background/{name}.json.gz", "wt", encoding="utf-8") as file:
            json.dump({"ada-byron": "Ada was born in 1815."}, file)
    common = {"text": "Boil the rice for 46 minutes.", "domain": "test", "source": "own"}
    recipes = [common | {"id": f"i{number}"} for number in range(20)]
    write(folder / "everyday", "innocent/recipes.jsonl.gz", recipes)
    return folder


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch):
    """Make epochs small, and return a schedule of several."""
    from tacenda_lab.train import everyday
    from tacenda_lab.train.distilled import SCHEDULE

    monkeypatch.setattr(everyday, "GENERATED", 4)
    monkeypatch.setattr(everyday, "SPLICED", 2)
    return replace(SCHEDULE, epochs=6, encoder_rate=3e-3, head_rate=3e-3, case_noise=0.0)


def divergence(model, of) -> float:
    """Return the mean divergence of both experts' probabilities on a text from another model's, in nats."""
    total = 0.0
    encoding = model.encoder.encode(TEXT)
    ids, shapes = (np.asarray(part, np.int64)[None] for part in (encoding.ids, encoding.shapes))
    mask = np.ones(ids.shape, np.int32)
    for is_everyday in (False, True):
        answers = (item.run(ids, shapes, mask, is_everyday=is_everyday) for item in (of, model))
        for p, q in zip(*answers, strict=True):
            total += float((p * np.log((p + 1e-9) / (q + 1e-9))).sum(-1).mean())
    return total / 4


def test_the_layers_that_a_student_begins_with_are_spread_evenly() -> None:
    """The lowest and the highest are among them."""
    from tacenda_lab.train.distilled import layer_numbers

    assert layer_numbers(6, 4) == [0, 2, 3, 5]
    assert layer_numbers(6, 3) == [0, 2, 5]
    assert layer_numbers(12, 2) == [0, 11]


def test_a_student_has_fewer_layers_and_answers_more_like_its_teacher_than_it_did(
    teacher, data: Path, tmp_path: Path, short
) -> None:
    """Both experts; the router is the teacher's."""
    from tacenda.models.networks import RecognizerModel
    from tacenda_lab.train.distilled import train_distilled
    from tacenda_lab.train.onnx import dequantize

    begun = train_distilled(
        data, tmp_path / "begun", teacher, 3, replace(short, encoder_rate=0.0, head_rate=0.0)
    )
    folder = train_distilled(data, tmp_path / "work", teacher, 3, short, share=1.0)
    assert len(dequantize(folder / "model.onnx").encoder.layers) == 3
    before, after, whole = (RecognizerModel.load(path) for path in (begun, folder, teacher.folder))
    assert divergence(after, whole) < 0.5 * divergence(before, whole)
    assert after.is_everyday("Boil the rice.")
    assert not after.is_everyday("the applicant")


def test_the_layer_that_experts_have_in_common_is_written_once(
    teacher, data: Path, tmp_path: Path, short
) -> None:
    """Each expert read back has it, and its own layers above."""
    import onnx

    from tacenda_lab.train.distilled import train_distilled
    from tacenda_lab.train.onnx import dequantize

    folder = train_distilled(data, tmp_path / "work", teacher, 3, replace(short, epochs=1))
    path = folder / "model.onnx"
    names = [item.name for item in onnx.load(str(path)).graph.initializer]
    assert "layer0.query.weight" in names
    assert "layer1.query.weight" not in names
    formal, everyday = (
        dequantize(path, expert).encoder.layers for expert in ("formal", "everyday")
    )
    assert torch.equal(formal[0].output.weight, everyday[0].output.weight)
    assert not torch.equal(formal[1].output.weight, everyday[1].output.weight)


def test_a_run_that_is_done_is_not_repeated(teacher, data: Path, tmp_path: Path, short) -> None:
    """The students of a folder are taken as they are, and no text is read."""
    from tacenda_lab.train.distilled import train_distilled

    schedule = replace(short, epochs=1)
    folder = train_distilled(data, tmp_path / "work", teacher, 2, schedule)
    written = (folder / "model.onnx").read_bytes()
    (data / "tab" / "train.json").unlink()
    again = train_distilled(data, tmp_path / "work", teacher, 2, schedule)
    assert (again / "model.onnx").read_bytes() == written


@pytest.mark.parametrize("layers", [1, 5, 9])
def test_more_layers_than_the_teacher_has_or_one_are_refused(
    teacher, data: Path, tmp_path: Path, layers: int
) -> None:
    """With the numbers that can be had."""
    from tacenda_lab.train.distilled import train_distilled

    with pytest.raises(InputError, match=f"--layers {layers}: .* has 5 layers"):
        train_distilled(data, tmp_path / "work", teacher, layers)


def test_a_folder_without_everyday_text_is_refused_before_anything_is_trained(
    teacher, tmp_path: Path
) -> None:
    """A recognizer with two experts needs both kinds of text."""
    from tacenda_lab.train.distilled import train_distilled

    with pytest.raises(InputError, match="everyday/innocent"):
        train_distilled(tmp_path, tmp_path / "work", teacher, 3)


def test_openvino_reads_the_layer_that_experts_have_in_common(
    teacher, data: Path, tmp_path: Path, short, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers are those of onnxruntime, but for the rounding."""
    pytest.importorskip("openvino", reason="needs the extra 'openvino'")
    from tacenda.models.networks import RecognizerModel
    from tacenda.models.session import ENGINE_VARIABLE
    from tacenda_lab.train.distilled import train_distilled

    folder = train_distilled(data, tmp_path / "work", teacher, 3, replace(short, epochs=1))
    models = []
    for engine in ("onnxruntime", "openvino"):
        monkeypatch.setenv(ENGINE_VARIABLE, engine)
        models.append(RecognizerModel.load(folder))
    assert [model.engine for model in models] == ["onnxruntime", "openvino"]
    assert divergence(*models) < 0.1 * divergence(models[1], RecognizerModel(teacher))
