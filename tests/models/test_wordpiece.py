"""Our WordPiece against the library ``tokenizers``, whose equal it must be."""

from __future__ import annotations

import gzip
import json
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.normalizers import BertNormalizer

from tacenda.errors import MissingExtraError
from tacenda.models.encoding import WordPieceTokenizer, read_tokenizer
from tacenda.models.store import find
from tests.examples import MANY

from .characters import FILE, characters

PATH = find("attacker-en").folder / "tokenizer.json"
LIBRARY = Tokenizer.from_file(str(PATH))
OURS = read_tokenizer(PATH)


def same(text: str) -> None:
    """Compare ids, offsets and words of ``text``."""
    ours, theirs = (one.encode(text, add_special_tokens=False) for one in (OURS, LIBRARY))
    assert ours.ids == theirs.ids
    assert ours.offsets == theirs.offsets
    assert list(ours.word_ids) == theirs.word_ids


def test_the_shipped_tokenizer_needs_no_library() -> None:
    """The tokenizer of the models is read by our own code."""
    assert isinstance(OURS, WordPieceTokenizer)


def test_the_characters_are_those_of_the_library() -> None:
    """The table says of each code point what the library does with it."""
    assert json.loads(gzip.decompress(FILE.read_bytes())) == characters()


def test_every_character_in_a_word_is_read_as_the_library_reads_it() -> None:
    """Between letters, each code point parts them or not, and gives the same pieces."""
    for begin in range(0, 0x30000, 256):
        codes = (code for code in range(begin, begin + 256) if not 0xD800 <= code < 0xE000)
        same(" ".join(f"ab{chr(code)}ou{chr(code)}" for code in codes))


@MANY
@given(st.text(max_size=80))
@example("a [MASK] b[CLS]c[mask] [SEP")
@example("Jean-Luc ﬁne Café e\u0301 İstanbul ẞ 中国 x\u200dy \0z\ufffd q\tw\u00a0e \u0344 한국 ΑΣ")
@example("x" * 101 + " " + "y" * 100)
@example("\u0301e \u200d a\u0301\u0323b")
def test_a_text_is_parted_as_the_library_parts_it(text: str) -> None:
    """Ids, offsets and words are equal in every script, controls and special tokens included."""
    clean = "".join(c for c in text if unicodedata.category(c) != "Cs")
    same(clean)


def test_words_are_read_as_the_library_reads_them() -> None:
    """A text of our own, in plain English, is the same in both."""
    same((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8"))


def test_another_kind_of_tokenizer_asks_for_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cased tokenizer is the library's to read; without it, the message names the extra."""
    cased = Tokenizer.from_file(str(PATH))
    cased.normalizer = BertNormalizer(lowercase=False)
    cased.enable_truncation(4)
    cased.save(str(tmp_path / "tokenizer.json"))
    pieces = read_tokenizer(tmp_path / "tokenizer.json").encode("A " * 9, add_special_tokens=False)
    assert len(pieces.ids) == 9
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"\[tokenizers\]"):
        read_tokenizer(tmp_path / "tokenizer.json")
