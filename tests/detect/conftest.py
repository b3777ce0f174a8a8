"""A tokenizer small enough to be written by hand."""

from __future__ import annotations

import json

import pytest

from tacenda.models.encoding import TextEncoder

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "mr",
    "yal",
    "##man",
    "was",
    "born",
    ".",
    "1",
    "##9",
    "é",
]


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> TextEncoder:
    """Return an encoder whose vocabulary has a dozen word pieces."""
    description = {
        "truncation": {
            "max_length": 4,
            "stride": 0,
            "strategy": "LongestFirst",
            "direction": "Right",
        },
        "padding": None,
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: id for id, word in enumerate(WORDS)},
        },
    }
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    path.write_text(json.dumps(description), encoding="utf-8")
    return TextEncoder.from_file(path)
