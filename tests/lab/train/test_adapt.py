"""A recognizer goes on learning from documents of one's own."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.errors import InputError
from tacenda.models.store import find
from tacenda.pipeline import load

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")
pytest.importorskip("sklearn", reason="needs the extra 'train'")

TEXTS = [f"The clerk of room {n} saw the brass lamp on the stairs." for n in range(10)]


def gold(path: Path) -> Path:
    """Write ten documents in which one thing is a direct identifier."""
    documents = []
    for number, text in enumerate(TEXTS):
        start = text.index("brass lamp")
        mention = {
            "entity_type": "PERSON",
            "entity_mention_id": "m",
            "entity_id": "e",
            "start_offset": start,
            "end_offset": start + len("brass lamp"),
            "span_text": "brass lamp",
            "identifier_type": "DIRECT",
            "confidential_status": "NOT_CONFIDENTIAL",
        }
        documents.append(
            {
                "doc_id": f"d{number}",
                "text": text,
                "dataset_type": "train",
                "annotations": {"a": {"entity_mentions": [mention]}},
            }
        )
    path.write_text(json.dumps(documents))
    return path


def test_the_adapted_model_says_what_the_documents_say(tmp_path: Path) -> None:
    """After training, the name is likelier a direct identifier; the model loads like a shipped one."""
    from tacenda.models.encoding import TextEncoder
    from tacenda.models.networks import RecognizerModel
    from tacenda_lab.train.examples import read_tab
    from tacenda_lab.train.recognizer import (
        SCHEDULE,
        adapt,
        calibration_pairs,
        split,
        write_adapted_card,
    )

    source = find()
    encoder = TextEncoder.from_file(source.folder / "tokenizer.json")
    seen, held_out = split(read_tab(gold(tmp_path / "gold.json"), encoder), 0.2)
    assert (len(seen), len(held_out)) == (8, 2)
    adapt(source, seen, held_out, tmp_path / "mine", replace(SCHEDULE, epochs=5), own_share=0.0)
    write_adapted_card(tmp_path / "mine", source.name, 8, 2)
    before, after = (
        max(
            (direct for direct, _ in calibration_pairs(model.without_calibration(), held_out)[1]),
            default=0.0,
        )
        for model in (RecognizerModel(source), RecognizerModel.load(tmp_path / "mine"))
    )
    assert after > before + 0.2


def test_the_model_to_start_from_may_be_a_folder(tmp_path: Path) -> None:
    """It is read before the documents are split, with the tokenizer that it shares with a shipped one."""
    folder = shutil.copytree(find().folder, tmp_path / "mine")
    (folder / "tokenizer.json").unlink()
    documents = gold(tmp_path / "gold.json")
    documents.write_text(json.dumps(json.loads(documents.read_text())[:1]))
    options = ["--model", str(folder), "--hold-out", "0.9", "--out", str(tmp_path / "out")]
    run = CliRunner().invoke(app, ["lab", "train", "adapt", str(documents), *options])
    assert isinstance(run.exception, InputError)
    assert "too few documents" in str(run.exception)


FINNISH = "Potilas kertoo, että hänellä on ollut kolme päivää kovia kipuja eikä hän ole voinut nukkua öisin."


def adapted(documents: Path, out: Path, *options: str) -> Path:
    """Train for one epoch by the command."""
    arguments = [str(documents), "--out", str(out), "--epochs", "1", "--hold-out", "0", *options]
    run = CliRunner().invoke(app, ["lab", "train", "adapt", *arguments], catch_exceptions=False)
    assert run.exit_code == 0, run.output
    return out


@pytest.fixture(scope="module")
def finnish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped recognizer after one epoch of Finnish."""
    folder = tmp_path_factory.mktemp("finnish")
    return adapted(gold(folder / "gold.json"), folder / "mine", "--lang", "fi")


def test_a_model_of_another_language_reads_it_and_names_english(finnish: Path) -> None:
    """The language of its documents is no longer foreign to it, English is."""
    sanitizer = load(model=finnish, threads=1)
    assert sanitizer.sanitize(FINNISH).warnings == ()
    (warning,) = sanitizer.sanitize(" ".join(TEXTS)).warnings
    assert warning.startswith("100 % of the text is in English: the recognizer reads Finnish, so")


def test_a_model_keeps_its_language_unless_another_is_named(finnish: Path, tmp_path: Path) -> None:
    """Fitted further, it reads what it read; above, another language was named."""
    from tacenda.models.networks import RecognizerModel

    documents = gold(tmp_path / "gold.json")
    folder = adapted(documents, tmp_path / "further", "--model", str(finnish))
    assert RecognizerModel.load(finnish).languages == {"fi"}
    assert RecognizerModel.load(folder).languages == {"fi"}


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    """Before anything is read or trained."""
    documents, out = str(gold(tmp_path / "gold.json")), str(tmp_path / "out")
    run = CliRunner().invoke(
        app, ["lab", "train", "adapt", documents, "--out", out, "--lang", "xx"]
    )
    assert run.exit_code == 2
    assert "--lang: must be one of af, am" in " ".join(run.output.replace("│", " ").split())


def test_what_is_held_out_is_not_trained_on() -> None:
    """The two parts share no document, and together are all of them."""
    from tacenda_lab.train.recognizer import split

    @dataclass(frozen=True)
    class Named:
        doc_id: str

    documents = [Named(str(n)) for n in range(11)]
    seen, held_out = split(documents, 0.3)
    assert len(held_out) == 3
    assert {*seen, *held_out} == set(documents)
