"""A tokenizer small enough to be written by hand."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

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
    vocabulary = {word: id for id, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.enable_truncation(4)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    tokenizer.save(str(path))
    return TextEncoder.from_file(path)
