"""A masked language model of the user's, asked by the indicators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda.document import Document
from tacenda_lab.indicators.language import features
from tests.building import entity, mention

DOCUMENT = Document("d", "Anna Berg spoke. Berg spoke.")


def test_a_model_by_transformers_is_asked_like_ours(tmp_path: Path) -> None:
    """``hf:NAME``: three subwords and two, each with a log-probability below 0."""
    pytest.importorskip("torch", reason="needs the extra 'hf'")
    transformers = pytest.importorskip("transformers", reason="needs the extra 'hf'")
    from tacenda.evaluate.weights import HuggingFaceModel

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "anna", "ber", "##g", "spoke", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    config = transformers.BertConfig(
        vocab_size=len(words), intermediate_size=8, max_position_embeddings=12, **sizes
    )
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path / "model")
    tokenizer = transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"))
    tokenizer.save_pretrained(tmp_path / "model")
    person = entity("e1", mention(DOCUMENT, "Anna Berg"), mention(DOCUMENT, "Berg", nth=1))
    (found,) = features(DOCUMENT, [person], HuggingFaceModel(str(tmp_path / "model")))
    smallest, largest, median, mean, total = found
    assert smallest <= median <= largest < 0
    assert total < mean < 0
    assert np.isfinite(found).all()
