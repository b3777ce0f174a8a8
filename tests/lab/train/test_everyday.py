"""Everyday text is believed in what its source annotates, and nowhere else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

INNOCENT = "Boil the rice for 46 minutes and stir."
NAMES = "Anna Berg of Oslo paid 40 pounds on 3 May 2021."


def write(folder: Path, name: str, records: list[dict[str, object]]) -> None:
    """Write documents as a source has them."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record) + "\n" for record in records)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory):
    """Return an innocent document with a doubtful stretch, one of names, and a complete one."""
    from tacenda.models.encoding import TextEncoder
    from tacenda.models.store import find
    from tacenda_lab.train.everyday import EverydayText
    from tacenda_lab.train.onnx import dequantize

    folder = tmp_path_factory.mktemp("everyday")
    common = {"domain": "test", "source": "own"}
    innocent = common | {"id": "i1", "text": INNOCENT, "ignore": [[18, 28, "DATETIME"]]}
    named = common | {"id": "n1", "text": NAMES}
    marked = [[0, 9, "PERSON", None]]
    write(folder, "innocent/recipes.jsonl.gz", [innocent])
    write(folder, "labelled/gum_news.jsonl.gz", [named | {"spans": marked}])
    complete = [[0, 9, "PERSON", "DIRECT"], [13, 17, "LOC", "QUASI"]]
    write(folder, "labelled/synthetic_forms.jsonl.gz", [named | {"id": "c1", "spans": complete}])
    shipped = find()
    encoder = TextEncoder.from_file(shipped.folder / "tokenizer.json")
    return EverydayText.read(folder, encoder, dequantize(shipped.folder / "model.onnx"))


def by_name(text) -> dict[str, object]:
    """Return the examples by the names of their documents."""
    return {item.doc_id: item for group in text.sources for item in group}


def at(example, start: int, end: int) -> np.ndarray:
    """Return which subwords lie in a stretch of the text."""
    return (example.encoding.starts < end) & (example.encoding.ends > start)


def test_innocent_text_says_nothing_of_types_and_leaves_out_what_is_doubtful(text) -> None:
    """All of it is to be kept; "46 minutes" was doubted by the source."""
    example = by_name(text)["i1"]
    assert not example.type_known.any()
    assert (example.masks[:, 0] == 1).all()
    doubtful = at(example, 18, 28)
    assert not example.weight[doubtful].any()
    assert example.weight[~doubtful].all()


def test_a_source_of_names_is_not_believed_about_dates_and_amounts(text) -> None:
    """Its names are learned, and what looks like an amount to the recognizer is left out."""
    example = by_name(text)["n1"]
    name = at(example, 0, 9)
    assert example.types[name, 0].max() == 0
    assert example.weight[name].all()
    assert not example.weight[at(example, 23, 32)].any()
    # The source decides nothing: what is to be masked is the recognizer's own answer.
    assert (example.masks[name, 1:].sum(axis=1) > 0.5).all()


def test_a_complete_source_is_believed_in_all(text) -> None:
    """Even where the recognizer sees an amount and a date."""
    example = by_name(text)["c1"]
    assert example.weight.all()
    assert example.type_known.all()
    assert (example.masks[at(example, 23, 32), 0] == 1).all()


def test_documents_kept_back_are_the_same_in_every_run(text) -> None:
    """By their names alone; no document is both seen and kept back."""
    from tacenda_lab.train.everyday import is_held_out

    seen, held_out = by_name(text.seen()), by_name(text.held_out())
    assert not seen.keys() & held_out.keys()
    assert seen.keys() | held_out.keys() == by_name(text).keys()
    assert sum(is_held_out(f"document-{n}") for n in range(1000)) == pytest.approx(100, abs=30)


def test_a_passage_put_into_innocent_text_keeps_its_marks(text) -> None:
    """Each mark stands on what it stood on; around it nothing is masked and no type is known."""
    from tacenda.models.encoding import TextEncoder
    from tacenda.models.store import find
    from tacenda_lab.train.everyday import spliced

    encoder = TextEncoder.from_file(find().folder / "tokenizer.json")
    innocents = [by_name(text)["i1"]]
    examples = spliced(0, innocents, encoder, None, count=12)
    assert any((example.masks[:, 1:] > 0).any() for example in examples)
    for example in examples:
        outside = example.type_known == 0
        assert outside.any()
        assert (example.masks[outside, 0] == 1).all()


def test_the_recipe_learns_that_innocent_text_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phrase that the shipped recognizer would mask is kept after a few documents with it."""
    from tacenda.detect.neural import NeuralDetector
    from tacenda.document import Document
    from tacenda.models.calibration import Calibration
    from tacenda.models.networks import RecognizerModel
    from tacenda.models.store import find
    from tacenda_lab.train import everyday
    from tacenda_lab.train.onnx import dequantize, write_package

    from .test_recipe import corpus

    data = corpus(tmp_path / "data")
    phrase = "Simmer the Zorblax curry on 3 May."
    records = [
        {"id": f"i{n}", "text": phrase, "domain": "test", "source": "own"} for n in range(200)
    ]
    write(data / "everyday", "innocent/recipes.jsonl.gz", records)
    monkeypatch.setattr(everyday, "GENERATED", 2)
    monkeypatch.setattr(everyday, "SPLICED", 2)
    folder = everyday.train_everyday(data, tmp_path / "work", find())

    def highest(model: RecognizerModel) -> float:
        (mentions,) = NeuralDetector(model.without_calibration(), 1).detect([Document("d", phrase)])
        return max((mention.p_mask for mention in mentions), default=0.0)

    alone = RecognizerModel.load(tmp_path / "work" / "alone")
    formal = tmp_path / "formal"
    write_package(
        dequantize(find().folder / "model.onnx"),
        find().folder / "tokenizer.json",
        Calibration(),
        0.2,
        formal,
    )
    assert highest(alone) < highest(RecognizerModel.load(formal)) / 2
    both = RecognizerModel.load(folder)
    assert both.is_everyday(phrase)
    assert highest(both) == highest(alone)


def test_probabilities_are_drawn_towards_one_half() -> None:
    """In order, and none of a mention without any confidence."""
    from tacenda.models.calibration import Calibration, Curve
    from tacenda_lab.train.everyday import softened

    calibration = Calibration({"LOC": Curve((0.0, 0.2, 0.5, 1.0), (0.0, 0.05, 0.5, 1.0))})
    soft = softened(calibration, temperature=2.0).masking["LOC"]
    assert soft.y[0] == 0.0
    assert 0.05 < soft(0.2) < soft(0.5) == 0.5
    assert 0.5 < soft(1.0) < 1.0


def test_a_folder_without_everyday_text_is_refused(tmp_path: Path) -> None:
    """Before anything is trained."""
    from tacenda.errors import InputError
    from tacenda.models.store import find
    from tacenda_lab.train.everyday import train_everyday

    with pytest.raises(InputError, match="everyday/innocent"):
        train_everyday(tmp_path, tmp_path / "work", find())
