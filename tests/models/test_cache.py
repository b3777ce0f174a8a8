"""Models by their names in the local cache, as transformers keeps them or in plain folders; nothing is asked for."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

pytest.importorskip("huggingface_hub", reason="needs the extra 'hf'")

from huggingface_hub import constants

from tacenda.errors import ModelError
from tacenda.models.checkpoint import cached_folder


def keep(cache: Path, name: str) -> Path:
    """Keep a model in a cache as transformers does, and return its folder."""
    place = cache / f"models--{name.replace('/', '--')}"
    folder = place / "snapshots" / ("0" * 40)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("0" * 40, encoding="utf-8")
    return folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache; whoever opens a connection fails."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("kept", "name", "found"),
    [
        (["FacebookAI/roberta-base"], "FacebookAI/roberta-base", "FacebookAI/roberta-base"),
        (["FacebookAI/roberta-base"], "roberta-base", "FacebookAI/roberta-base"),
        (["bert-large-cased"], "google-bert/bert-large-cased", "bert-large-cased"),
        (["a/roberta-base", "roberta-base"], "roberta-base", "roberta-base"),
        (["a/roberta-base", "b/roberta-base"], "b/roberta-base", "b/roberta-base"),
        (["a/roberta-base", "b/roberta-base"], "roberta-base", "may be a/roberta-base or b/"),
        (["a/roberta-base"], "b/roberta-base", "neither a folder nor a model in the cache"),
        (["a/distilroberta-base"], "roberta-base", "neither a folder nor a model in the cache"),
        ([], "roberta-base", "neither a folder nor a model in the cache"),
    ],
)
def test_a_name_finds_the_model_with_it_or_with_an_organization(
    cache: Path, kept: list[str], name: str, found: str
) -> None:
    """Where the same name isn't there, and one alone is meant; never another organization's."""
    folders = {each: keep(cache, each) for each in kept}
    if found in folders:
        assert cached_folder(name) == folders[found]
    else:
        with pytest.raises(ModelError, match=found):
            cached_folder(name)


def test_a_folder_comes_before_the_cache(cache: Path, tmp_path: Path) -> None:
    """That of the name from here first, then a plain one in the cache, then one as transformers keeps it."""
    keep(cache, "google/tapas-base")
    (cache / "google" / "tapas-base").mkdir(parents=True)
    assert cached_folder("google/tapas-base") == cache / "google" / "tapas-base"
    (tmp_path / "google" / "tapas-base").mkdir(parents=True)
    assert cached_folder("google/tapas-base") == Path("google/tapas-base")
