"""A sentence encoder of the user's: the whole text is read, as Sentence-BERT would."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacenda.errors import InputError, MissingExtraError, ModelError
from tacenda_lab.evaluation.similarity import embedding

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "anna", "ber", "##g", "spoke", "."]


@pytest.mark.parametrize("name", ["", "hf:", "lsa:5", "bert"])
def test_unknown_embeddings_are_an_error(name: str) -> None:
    """The message names those that there are."""
    with pytest.raises(InputError, match="choose lsa or hf:NAME"):
        embedding(name)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without transformers the message says what was asked for and what to install."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"--similarity hf:some/model .*\[hf\]"):
        embedding("hf:some/model")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a tiny encoder with a window of ten pieces and two special ones."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    path = tmp_path_factory.mktemp("encoder")
    (path / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=12,
        pad_token_id=0,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(path)
    transformers.BertTokenizerFast(str(path / "vocab.txt")).save_pretrained(path)
    return path


def states(folder: Path, ids: list[int]) -> Any:
    """Return the last hidden states of a window, by transformers alone."""
    import torch
    from transformers import BertModel

    with torch.inference_mode():
        return BertModel.from_pretrained(folder).eval()(torch.tensor([ids])).last_hidden_state[0]


def test_a_short_text_is_the_mean_of_all_pieces(folder: Path) -> None:
    """Special ones too, as Sentence-BERT pools, and of length 1."""
    (found,) = embedding(f"hf:{folder}").encoder([])(["Anna Berg spoke."])
    mean = states(folder, [2, 5, 6, 7, 8, 9, 3]).mean(dim=0).numpy()
    assert found == pytest.approx(mean / np.linalg.norm(mean), rel=1e-5)


def test_a_long_text_is_read_to_its_end(folder: Path) -> None:
    """Of thirteen pieces the first nine count in the window of ten, the last four in the next."""
    (found,) = embedding(f"hf:{folder}").encoder([])(["anna " * 12 + "spoke"])
    first = states(folder, [2, *[5] * 10, 3])[: 1 + 9]
    # The second window starts at piece 8, so that piece 9 is its second one.
    second = states(folder, [2, *[5] * 4, 8, 3])[1 + 1 :]
    mean = np.concatenate([first, second]).mean(axis=0)
    assert found == pytest.approx(mean / np.linalg.norm(mean), rel=1e-5)


def test_a_text_without_pieces_has_nothing_to_embed(folder: Path) -> None:
    """Its vector is 0, whatever the special pieces would give."""
    found = embedding(f"hf:{folder}").encoder([])(["", "anna"])
    assert found.any(axis=1).tolist() == [False, True]


def test_a_damaged_model_is_an_error(folder: Path, tmp_path: Path) -> None:
    """Weights that are not numbers don't become similarities."""
    from transformers import AutoTokenizer, BertModel

    model = BertModel.from_pretrained(folder)
    model.embeddings.word_embeddings.weight.data.fill_(float("nan"))
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="non-finite numbers"):
        embedding(f"hf:{tmp_path}").encoder([])(["anna"])


def test_a_model_that_is_not_here_is_an_error(folder: Path) -> None:
    """Nothing is downloaded."""
    with pytest.raises(ModelError, match="neither a folder nor a model in the cache"):
        embedding(f"hf:{folder / 'none'}")
