"""The multilingual encoder read from its package and cut, and the examples that it is fitted to."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tacenda.errors import InputError
from tacenda.models.encoding import TextEncoder
from tacenda_lab.train import multilingual, multilingual_encoder
from tacenda_lab.train.examples import example
from tacenda_lab.train.multilingual import Source
from tacenda_lab.train.networks import Encoder, FeatureDropout
from tacenda_lab.train.variation import Variation

_WIDTH, _INNER, _POSITIONS, _LAYERS = 32, 64, 320, 2
_PIECES = (
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "▁",
    "▁An",
    "na",
    "▁n",
    "a",
    "ß",
    "▁An",
    "q",
    "ICH",
    "ich",
    "▁ich",
)


def packed_file(path: Path) -> dict[str, np.ndarray]:
    """Write a network of two layers as the package has them, and return its weights by the package's names."""
    random = np.random.default_rng(3)
    weights, directory, data = {}, [], b""
    matrices = {"emb.word": (len(_PIECES), _WIDTH)}
    vectors = {
        "emb.pos": _POSITIONS * _WIDTH,
        "emb.type": _WIDTH,
        "emb.ln.w": _WIDTH,
        "emb.ln.b": _WIDTH,
    }
    for layer in (f"l{number}" for number in range(_LAYERS)):
        matrices |= {f"{layer}.{name}.w": (_WIDTH, _WIDTH) for name in ("q", "k", "v", "ao")}
        matrices |= {f"{layer}.fi.w": (_INNER, _WIDTH), f"{layer}.fo.w": (_WIDTH, _INNER)}
        vectors |= {
            f"{layer}.{name}.b": _WIDTH for name in ("q", "k", "v", "ao", "fo", "aln", "oln")
        }
        vectors |= {f"{layer}.fi.b": _INNER, f"{layer}.aln.w": _WIDTH, f"{layer}.oln.w": _WIDTH}
    for name, shape in matrices.items():
        count = shape[0] * shape[1] // 32
        quarters = random.integers(0, 16, (count, 32), dtype=np.uint8)
        scales = random.uniform(0.01, 0.1, count).astype(np.float16)
        blocks = b"".join(
            scale.tobytes() + (row[:16] | row[16:] << 4).tobytes()
            for scale, row in zip(scales, quarters, strict=True)
        )
        values = (quarters.astype(np.float32) - 8) * scales.astype(np.float32)[:, None]
        weights[name] = values.reshape(shape)
        directory.append((name, 1, len(data), len(blocks)))
        data += blocks
    for name, count in vectors.items():
        weights[name] = random.normal(size=count).astype(np.float32)
        directory.append((name, 0, len(data), 4 * count))
        data += weights[name].tobytes()
    texts = [piece.encode() for piece in _PIECES]
    borders = np.cumsum([0, *map(len, texts)]).astype("<u4")
    head = b"E5Q4\1\0\0\0" + struct.pack(
        "<7i", _WIDTH, _LAYERS, 4, _INNER, len(_PIECES), _POSITIONS, 1
    )
    head += struct.pack("<fi", 1e-12, 32) + struct.pack("<5i", len(_PIECES), 0, 2, 1, 3)
    head += struct.pack("<Q", int(borders[-1])) + borders.tobytes()
    head += (-np.arange(len(_PIECES), dtype="<f4")).tobytes() + b"".join(texts)
    head += struct.pack("<iI", 0, 0) + struct.pack("<i", len(directory))
    size = len(head) + sum(2 + len(name) + 21 for name, *_ in directory)
    for name, kind, offset, length in directory:
        head += struct.pack("<H", len(name)) + name.encode() + bytes([kind])
        head += struct.pack("<IQQ", 0, size + offset, length)
    path.write_bytes(head + data)
    return weights


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint cut to some of the pieces."""
    folder = tmp_path_factory.mktemp("encoder")
    packed_file(folder / "packed.bin")
    packed = multilingual_encoder.read_packed(folder / "packed.bin")
    chosen = [*packed.special, 4, 5, 6, 8, 13, 14]
    multilingual_encoder.write_cut(packed, chosen, folder / "cut")
    return folder / "cut"


def test_weights_are_those_of_the_file(tmp_path: Path) -> None:
    """Blocks of four bits and floats come back under BERT's names; another file is refused."""
    written = packed_file(tmp_path / "packed.bin")
    packed = multilingual_encoder.read_packed(tmp_path / "packed.bin")
    assert packed.architecture.num_hidden_layers == _LAYERS
    np.testing.assert_array_equal(
        packed.weights["embeddings.word_embeddings.weight"], written["emb.word"]
    )
    np.testing.assert_array_equal(
        packed.weights["encoder.layer.0.output.dense.weight"], written["l0.fo.w"]
    )
    np.testing.assert_array_equal(
        packed.weights["encoder.layer.0.output.LayerNorm.bias"], written["l0.oln.b"]
    )
    (tmp_path / "other.bin").write_bytes(b"no weights here" * 9)
    with pytest.raises(InputError, match="blocks of four bits"):
        multilingual_encoder.read_packed(tmp_path / "other.bin")


def test_what_is_cut_is_read_by_the_pieces_that_stay(checkpoint: Path) -> None:
    """Ids are those of the smaller vocabulary, and the network takes them."""
    found = TextEncoder.from_file(checkpoint / "tokenizer.json").encode("Anna ich")
    vocabulary = [
        piece
        for piece, _ in json.loads((checkpoint / "tokenizer.json").read_text("utf-8"))["model"][
            "vocab"
        ]
    ]
    assert [vocabulary[id] for id in found.ids] == ["▁An", "na", "▁ich"]
    network = Encoder.from_bert(checkpoint)
    assert network.word_embedding.num_embeddings == len(vocabulary) == 10


def test_pieces_that_stay_are_the_frequent_ones() -> None:
    """Special pieces and plain characters come first, then what texts have most of."""
    vocabulary = [(piece, 0.0) for piece in _PIECES]
    chosen = multilingual_encoder.chosen_pieces(vocabulary, (1, 3, 0, 2), {13: 5, 5: 9, 12: 1}, 47)
    assert chosen[:4] == [1, 3, 0, 2]
    assert {"a", "q", "▁n", "ß"} <= {_PIECES[id] for id in chosen}
    assert chosen[-3:] == [5, 13, 12]


def test_an_epoch_has_the_share_of_each_source(checkpoint: Path) -> None:
    """Over the epochs every document of a source is drawn, some with a snippet; its weight is that of the source."""
    encoder = TextEncoder.from_file(checkpoint / "tokenizer.json")
    items = tuple(example(str(number), "Anna", [[]], encoder, "names") for number in range(6))
    source = Source("names", items, share=0.5, weight=0.25)
    variation = Variation(encoder, items)
    drawn = [multilingual.epoch([source], number, variation) for number in range(2)]
    assert all(3 <= len(part) <= 6 for part in drawn)
    assert {item.doc_id for part in drawn for item in part} == set("012345")
    assert all((item.weight == 0.25).all() for part in drawn for item in part)


def test_names_alone_teach_nothing_of_what_is_not_marked(checkpoint: Path, tmp_path: Path) -> None:
    """Where a source marks names only, what it leaves unmarked is left out of the loss."""
    import gzip

    record = {"id": "1", "domain": "names", "text": "Anna ich", "spans": [[0, 4, "PERSON", None]]}
    path = tmp_path / "names.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    encoder = TextEncoder.from_file(checkpoint / "tokenizer.json")
    (item,) = multilingual.read_everyday([path], encoder, is_complete=False)
    assert item.type_known.tolist() == [1, 1, 0]
    assert item.mask_known.tolist() == [0, 0, 0]
    (item,) = multilingual.read_everyday([path], encoder, is_complete=True, is_innocent=True)
    assert item.type_known.tolist() == [0, 0, 0]


def small_corpus(data: Path) -> Path:
    """Write ten judgments and a biography, as the data folder has them."""
    for folder in ("tab", "wiki"):
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
    files = {
        "tab/train.json": judgments,
        "tab/train_mentions_only.json": [],
        "wiki/biographies_train.json": [
            {"doc_id": "ada-byron", "text": "Ada was born in 1815.", "spans": [span]}
        ],
    }
    for name, content in files.items():
        (data / name).write_text(json.dumps(content), encoding="utf-8")
    return data


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From annotations to a package; what was stopped gives what one run gives."""
    import torch

    from tacenda.models.networks import RecognizerModel
    from tacenda_lab.train import trainer

    torch.set_num_threads(1)
    packed_file(tmp_path / "packed.bin")
    packed = multilingual_encoder.read_packed(tmp_path / "packed.bin")
    others = [id for id in range(len(_PIECES)) if id not in packed.special]
    multilingual_encoder.write_cut(packed, [*packed.special, *others], tmp_path / "encoder")
    data = small_corpus(tmp_path / "data")
    own = tmp_path / "corpus/written"
    for split in ("train", "dev"):
        (own / split).mkdir(parents=True)
        text = "### en letter pos\n⟦P1:Anna Berg⟧ lives in ⟦l2:Oslo⟧.\n"
        (own / split / "en-a.txt").write_text(text, encoding="utf-8")
    schedule = replace(multilingual.SCHEDULE, epochs=2)

    monkeypatch.setattr(multilingual, "_NAMES_ALONE", 12)

    def run(work: Path, start: Path | None = None) -> Path:
        arguments = data, tmp_path / work, tmp_path / "encoder", schedule, own.parent
        return multilingual.train_multilingual(*arguments, layers=1, start=start, newer="^en-a")

    class Stopping(trainer.TrainingCheckpoint):
        def save(self, *arguments: object) -> None:
            super().save(*arguments)
            raise KeyboardInterrupt

    whole = run(Path("whole"))
    with monkeypatch.context() as patch:
        patch.setattr(trainer, "TrainingCheckpoint", Stopping)
        with pytest.raises(KeyboardInterrupt):
            run(Path("stopped"))
    again = run(Path("stopped"))
    assert (whole / "model.onnx").read_bytes() == (again / "model.onnx").read_bytes()
    model = RecognizerModel.load(whole)
    assert {"en", "pl"} <= model.languages
    further = run(Path("further"), start=whole)
    assert (whole / "model.onnx").read_bytes() != (further / "model.onnx").read_bytes()
    assert not (tmp_path / "further/trained").exists()


def test_the_mean_of_two_networks_has_the_mean_of_their_weights() -> None:
    """Weight by weight; both stay as long as the caller has them."""
    first, second = (torch.nn.Linear(3, 2) for _ in range(2))
    expected = (first.weight + second.weight) / 2
    mean = multilingual.averaged(first, second)  # type: ignore[arg-type]
    assert torch.equal(mean.weight, expected)


def test_dropout_leaves_out_whole_features_of_a_text() -> None:
    """A feature is gone or as much larger in all subwords of a text; what is read with keeps all."""
    dropout = FeatureDropout()
    dropout.share = 0.25
    states = torch.ones(64, 5, 16)
    dropped = dropout(states)
    assert torch.equal(dropped, dropped[:, :1].expand_as(dropped))
    assert dropped.unique().tolist() == pytest.approx([0.0, 4 / 3])
    assert 0.15 < float((dropped == 0).float().mean()) < 0.35
    assert torch.equal(dropout.eval()(states), states)
