"""Unigram pieces: those of the library ``tokenizers``, with offsets of the original text."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.models.encoding import PiecePlace, TextEncoder, WordShape, read_tokenizer
from tacenda.models.unigram import SPACE, UnigramTokenizer, description

tokenizers = pytest.importorskip("tokenizers")

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_WORDS = (
    "An",
    "na",
    "nas",
    "Stra",
    "ße",
    "ß",
    "e",
    "n",
    "a",
    "fi",
    "12",
    "1",
    "2",
    "...",
    "é",
    "wal",
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer with a few pieces, most of them with and without a space before."""
    pieces = [*_SPECIAL, SPACE, *_WORDS, *(SPACE + word for word in _WORDS)]
    vocabulary = [(piece, -1.0 - 0.37 * number) for number, piece in enumerate(pieces)]
    path = tmp_path_factory.mktemp("unigram") / "tokenizer.json"
    path.write_text(json.dumps(description(vocabulary, _SPECIAL)), encoding="utf-8")
    return path


_CHARACTERS = st.sampled_from(
    [*"Annasße12.-é ", "…", "ﬁ", "e\u0301", "\u00ad", "½", "한", "\u0947", "\n"]
)


@given(text=st.lists(_CHARACTERS, max_size=30).map("".join) | st.text(max_size=30))
def test_pieces_are_those_of_the_library(file: Path, text: str) -> None:
    """Any text has the library's pieces; white space at its ends, and of old terminals, aside."""
    text = "".join(
        c for c in text if unicodedata.category(c) != "Cs" and c not in "\x1c\x1d\x1e\x1f"
    )
    while text and (text[-1] in " \n" or unicodedata.category(text[-1]) in ("Cc", "Cf")):
        text = text[:-1]
    text = text.strip(" \n")
    if text != text.strip() or any(
        unicodedata.normalize("NFKC", c)[:1].isspace() and c not in " \n" for c in text
    ):
        return
    own, library = read_tokenizer(file), tokenizers.Tokenizer.from_file(str(file))
    assert (
        own.encode(text, add_special_tokens=False).ids
        == library.encode(text, add_special_tokens=False).ids
    )


@given(text=st.lists(_CHARACTERS, max_size=30).map("".join) | st.text(max_size=30))
def test_offsets_are_of_the_original(file: Path, text: str) -> None:
    """Pieces follow one another in the text, and together have all of it that can be seen."""
    found = read_tokenizer(file).encode(text, add_special_tokens=False)
    covered = set()
    before = 0
    for start, end in found.offsets:
        assert before <= start <= end <= len(text)
        before = start
        covered.update(range(start, end))
    hidden = ("Z", "C", "M")
    assert all(
        place in covered
        for place, character in enumerate(text)
        if not unicodedata.category(character).startswith(hidden)
    )


def test_words_stand_in_lines_and_cells(file: Path) -> None:
    """The shape of a word tells whether it begins a line or a cell."""
    found = TextEncoder.from_file(file).encode("Anna\n12  na nas")
    words = dict(zip(found.words.tolist(), found.shapes.tolist(), strict=True)).values()
    assert [divmod(shape, len(WordShape)) for shape in words] == [
        (PiecePlace.BEGINS_LINE, WordShape.TITLE),
        (PiecePlace.BEGINS_LINE, WordShape.DIGITS),
        (PiecePlace.BEGINS_CELL, WordShape.LOWER),
        (PiecePlace.IN_LINE, WordShape.LOWER),
    ]


def test_another_kind_is_left_to_the_library(file: Path) -> None:
    """A description with other words than ours isn't read as ours."""
    content = json.loads(file.read_text(encoding="utf-8"))
    assert UnigramTokenizer.of(content) is not None
    content["pre_tokenizer"] = {"type": "Whitespace"}
    assert UnigramTokenizer.of(content) is None
