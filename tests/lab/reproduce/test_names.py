"""With the papers' models on disk by their names, a table of each paper is one command; tiny random ones stand for them."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="needs the extra 'train'")
pytest.importorskip("pandas", reason="TAPAS needs pandas")

from huggingface_hub import constants

from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda.models.session import ENGINE_VARIABLE
from tacenda_lab.reproduce import toy
from tests.lab.reproduce.test_reproduce import run, table
from tests.lab.train import tiny
from tests.models.test_cache import keep

ENTITIES = ("O", "B-MISC", "I-MISC", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC")


def write_silver(data: Path) -> None:
    """Write a corpus of silver labels: the types of the made-up judgments, without a masking decision."""
    records = []
    for number, record in enumerate(json.loads((data / "echr_train.json").read_text("utf-8")) * 3):
        mentions = record["annotations"]["annotator1"]["entity_mentions"]
        spans = [
            [each["start_offset"], each["end_offset"], each["entity_type"]] for each in mentions
        ]
        item = {"doc_id": f"s{number}", "corpus": "judgments", "text": record["text"]}
        records.append(item | {"mentions": spans})
    (data / "silver.json").write_text(json.dumps(records), encoding="utf-8")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return released files, and a cache of the papers' models as people have them."""
    folder = tmp_path_factory.mktemp("papers")
    data, cache = folder / "data", folder / "cache"
    toy.write(data)
    write_silver(data)
    labels = dict(enumerate(ENTITIES))
    made = {
        "FacebookAI/roberta-base": tiny.encoder(folder / "r", "roberta", "AutoModelForMaskedLM"),
        "allenai/longformer-base-4096": toy.long_encoder(data, folder / "l"),
        "bert-large-cased": toy.masked_language_model(data, folder / "b"),
        "dslim/bert-base-NER": tiny.encoder(
            folder / "n",
            head="AutoModelForTokenClassification",
            id2label=labels,
            label2id={label: number for number, label in labels.items()},
        ),
    }
    for name, model in made.items():
        shutil.copytree(model, keep(cache, name), dirs_exist_ok=True)
    toy.table_encoder(data, cache / "google" / "tapas-base")
    return data, cache


@pytest.mark.parametrize(
    ("paper", "only", "options", "trained"),
    [
        (
            "tab",
            "Table 8",
            "--encoder longformer-base-4096 --language-model google-bert/bert-large-cased",
            {"longformer"},
        ),
        (
            "explicit-measures",
            "Table 3, zero-shot",
            "--encoder roberta-base --lm google-bert/bert-large-cased --context entire",
            {"roberta"},
        ),
        ("explicit-measures", "Table 3", "--encoder roberta-base", {"roberta"}),
        ("replacement", "Table 2", "", set()),
        (
            "deidentification",
            "Table 1",
            "--text-encoder roberta-base --profile-encoder google/tapas-base --ner dslim/bert-base-NER "
            "--documents 2 --epochs 2",
            {"roberta", "tapas"},
        ),
        (
            "indicators",
            "Section 6.2",
            "--encoder roberta-base --lm bert-large-cased",
            {"roberta"},
        ),
    ],
)
def test_a_table_is_one_command(
    paper: str,
    only: str,
    options: str,
    trained: set[str],
    models: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each name is found without a network, and what learns is made of it; replacement needs no model."""
    data, cache = models
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    out = tmp_path / "out"
    code, output = run(
        paper, "--data", str(data), "--out", str(out), "--only", only, *options.split()
    )
    assert code == 0, output
    (made,) = out.glob("*.json")
    assert any(cell is not None for row in table(out, made.stem).values() for cell in row)
    configs = [json.loads(path.read_text("utf-8")) for path in out.glob("work/**/config.json")]
    families = {config["model_type"] for config in configs if "model_type" in config}
    assert families == trained
