"""The recognizer's recipe on a tiny corpus, from the annotations to a package."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from .building import checkpoint, mpnet_checkpoint

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

# For so little, threads cost more than they bring.
torch.set_num_threads(1)


def corpus(data: Path) -> Path:
    """Write ten judgments, a biography and a sentence, as the data folder has them."""
    for folder in ("tab", "wiki", "pii"):
        (data / folder).mkdir(parents=True)
    judgments = []
    for number in range(10):
        text = f"The applicant, Ms Anna Berg, was born in 19{50 + number} and lives in Oslo."
        year = text.index("19")
        mentions = [
            {"start_offset": 18, "end_offset": 27, "entity_type": "PERSON"}
            | {"identifier_type": "DIRECT", "entity_id": "e1"},
            {"start_offset": year, "end_offset": year + 4, "entity_type": "DATETIME"}
            | {"identifier_type": "QUASI" if number % 2 else "NO_MASK", "entity_id": "e2"},
        ]
        annotations = {"a": {"entity_mentions": mentions}}
        judgments.append({"doc_id": f"d{number}", "text": text, "annotations": annotations})
    span = {"start": 0, "end": 3, "type": "PERSON", "label": "MASK", "text": "Ada"}
    sentence = {"start_position": 0, "end_position": 3, "entity_type": "PERSON"}
    files = {
        "tab/train.json": judgments,
        "tab/train_mentions_only.json": [],
        "wiki/biographies_train.json": [
            {"doc_id": "ada-byron", "text": "Ada was born in 1815.", "spans": [span]}
        ],
        "pii/presidio_synth_dataset_v2.json": [{"full_text": "Bob came.", "spans": [sentence]}],
    }
    for name, content in files.items():
        (data / name).write_text(json.dumps(content), encoding="utf-8")
    return data


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every step two epochs."""
    from tacenda_lab.train import recognizer

    monkeypatch.setattr(recognizer, "FINE_TUNING", replace(recognizer.FINE_TUNING, epochs=2))


def weights(folder: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a trained network."""
    from safetensors.numpy import load_file

    return load_file(folder / "recognizer.safetensors")


@pytest.mark.usefixtures("short")
def test_a_stopped_recipe_goes_on_and_ends_with_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after an epoch of the student, then run again: to the bit what one run gives."""
    from tacenda_lab.train import trainer
    from tacenda_lab.train.recognizer import train_recognizer

    data, encoder = corpus(tmp_path / "data"), checkpoint(tmp_path / "encoder")
    whole = train_recognizer(data, tmp_path / "whole", encoder, None)

    class Stopping(trainer.TrainingCheckpoint):
        def save(self, *arguments: object) -> None:
            super().save(*arguments)
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(trainer, "TrainingCheckpoint", Stopping)
        with pytest.raises(KeyboardInterrupt):
            train_recognizer(data, tmp_path / "stopped", encoder, None)
    assert (tmp_path / "stopped/student.state").exists()
    # Random numbers drawn in between change nothing.
    torch.rand(7)
    again = train_recognizer(data, tmp_path / "stopped", encoder, None)
    one, other = weights(tmp_path / "whole/student"), weights(tmp_path / "stopped/student")
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert (whole / "model.onnx").read_bytes() == (again / "model.onnx").read_bytes()
    assert not list((tmp_path / "stopped").glob("*.state"))


@pytest.mark.usefixtures("short")
def test_every_judgment_is_kept_from_one_fold(tmp_path: Path) -> None:
    """The folds share the judgments out; finished steps are not repeated."""
    from tacenda_lab.train.recognizer import train_recognizer

    data, encoder = corpus(tmp_path / "data"), checkpoint(tmp_path / "encoder")
    train_recognizer(data, tmp_path / "work", encoder, None)
    unseen = [
        json.loads((tmp_path / f"work/fold-{number}/unseen.json").read_text(encoding="utf-8"))
        for number in range(1, 6)
    ]
    assert sorted(name for names in unseen for name in names) == [f"d{n}" for n in range(10)]
    networks = ("silver", "student", "fold-1")
    made = [(tmp_path / "work" / name).stat().st_mtime_ns for name in networks]
    train_recognizer(data, tmp_path / "work", encoder, None)
    assert [(tmp_path / "work" / name).stat().st_mtime_ns for name in networks][1:] == made[1:]


def test_the_encoder_may_be_mpnet(tmp_path: Path) -> None:
    """Its words are brought into BERT's order, and everything else is as it stands in the file."""
    from tacenda_lab.train.networks import Encoder

    bert = Encoder.from_checkpoint(checkpoint(tmp_path / "bert"))
    mpnet = Encoder.from_checkpoint(mpnet_checkpoint(tmp_path / "mpnet"))
    assert torch.equal(bert.word_embedding.weight, mpnet.word_embedding.weight)
    for name, value in bert.layers.state_dict().items():
        assert torch.equal(value, mpnet.layers.state_dict()[name]), name
    assert mpnet.distance_bias is not None


@pytest.mark.usefixtures("short")
def test_a_student_from_mpnet_reads_word_pieces_of_bert(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recipe ends with the tokenizer of MiniLM, whatever it started from."""
    from tacenda_lab.train import recognizer

    bert, mpnet = checkpoint(tmp_path / "bert"), mpnet_checkpoint(tmp_path / "mpnet")
    monkeypatch.setattr(recognizer, "student_encoder", lambda: bert)
    folder = recognizer.train_recognizer(corpus(tmp_path / "data"), tmp_path / "work", mpnet, None)
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    pieces = json.loads((bert / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    assert vocabulary["vocab"] == pieces["vocab"]
