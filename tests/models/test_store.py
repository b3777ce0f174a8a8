"""Shipped weights: they are found, described, and refused when they are not what was shipped."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tacenda.errors import ModelError, UnknownModelError
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import DEFAULT, digest, find, locate, read_model, shipped
from tacenda.models.tables import load_terms


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the default model that a test may damage."""
    return Path(shutil.copytree(find().folder, tmp_path / "copy"))


def test_every_shipped_model_is_intact_and_has_a_card() -> None:
    """All files are what their digests say, and the card names licence and rebuilding."""
    assert shipped()
    for model in shipped():
        model.verify()
        assert "Licence" in model.card()
        assert "tacenda lab train" in model.card() or "tacenda lab build" in model.card()


def test_models_stay_small() -> None:
    """The recognizer that ships takes at most 41 MB."""
    assert find(DEFAULT).size <= 41_000_000


def test_a_changed_file_is_refused(copy: Path) -> None:
    """One byte more and the model does not load; the message names the file and both digests."""
    with (copy / "model.onnx").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match=r"model\.onnx has SHA-256 \w{12}…, \w{12}… was shipped"):
        RecognizerModel.load(copy)


def test_a_missing_file_is_named(copy: Path) -> None:
    """A file that is gone is an error of the model, not of the operating system."""
    (copy / "model.onnx").unlink()
    with pytest.raises(ModelError, match=r"model\.onnx can't be read"):
        RecognizerModel.load(copy)


def test_no_file_ships_twice() -> None:
    """What several models need lies in one folder; the installation carries it once."""
    contents = [path for model in shipped() for path in model.folder.iterdir()]
    larger = [digest(path) for path in contents if path.stat().st_size > 10_000]
    assert len(larger) == len(set(larger))


def test_a_shared_file_completes_a_folder_without_it(tmp_path: Path) -> None:
    """A copy of a model that shares its tokenizer finds the shipped one, by its digest."""
    attacker = find("attacker-en")
    own = read_model(Path(shutil.copytree(attacker.folder, tmp_path / "own")))
    (own.folder / "tokenizer.json").unlink()
    own.verify()
    assert digest(own.path("tokenizer.json")) == own.digests["tokenizer.json"]
    assert own.size == attacker.size


def test_a_file_of_another_digest_completes_nothing(copy: Path) -> None:
    """A model whose tokenizer is gone does not take one that is not its own."""
    (copy / "tokenizer.json").unlink()
    digests = read_model(copy).digests | {"tokenizer.json": "0" * 64}
    (copy / "digests.json").write_text(json.dumps(digests), encoding="utf-8")
    with pytest.raises(ModelError, match=r"tokenizer\.json can't be read"):
        RecognizerModel.load(copy)


def test_labels_of_another_version_are_refused(copy: Path) -> None:
    """A model with other labels would be misread."""
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    config["labels"][1] = "B-NAME"
    (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
    digests = read_model(copy).digests | {"config.json": digest(copy / "config.json")}
    (copy / "digests.json").write_text(json.dumps(digests), encoding="utf-8")
    with pytest.raises(ModelError, match="B-NAME"):
        RecognizerModel.load(copy)


def test_unknown_name_lists_the_known() -> None:
    """The way out of a wrong name is the list of right ones."""
    with pytest.raises(ModelError, match=DEFAULT):
        find("recognizer-klingon")


def test_a_string_may_name_a_folder(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no name of a shipped model is the folder of one, absolute or in the working folder."""
    assert locate(str(copy)) == read_model(copy)
    monkeypatch.chdir(copy.parent)
    assert locate("copy").digests == read_model(copy).digests


def test_a_name_stands_for_the_shipped_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of that name in the working folder doesn't take its place."""
    (tmp_path / DEFAULT).mkdir()
    monkeypatch.chdir(tmp_path)
    assert locate(DEFAULT) == find()
    with pytest.raises(ModelError, match=r"digests\.json"):
        locate(f"./{DEFAULT}")


def test_neither_name_nor_folder_is_told_of_both() -> None:
    """The message lists the names, and says that there is no such folder."""
    with pytest.raises(UnknownModelError, match=rf"{DEFAULT}.*There is no folder"):
        locate("recognizer-klingon")


def test_a_folder_without_digests_is_no_model(tmp_path: Path) -> None:
    """What can't be verified is not loaded."""
    with pytest.raises(ModelError, match=r"digests\.json"):
        RecognizerModel.load(tmp_path)


def test_a_gazetteer_or_attacker_is_no_recognizer_and_the_other_way_round() -> None:
    """Each is loaded by what it is for."""
    for name in ("gazetteer-en", "attacker-en"):
        with pytest.raises(ModelError, match=f"{name} is not a recognizer"):
            RecognizerModel.load(name)
    with pytest.raises(ModelError, match=f"{DEFAULT} is not a gazetteer"):
        load_terms(DEFAULT)
