"""Text to subwords: offsets, shapes and the absence of truncation."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.models import encoding
from tacenda.models.encoding import TextEncoder, WordShape, shape_of
from tacenda.models.store import find
from tests.examples import for_each

from ..spellings import NAMES


@for_each(
    ("word", "shape"),
    [
        ("yalman", WordShape.LOWER),
        ("Yalman", WordShape.TITLE),
        ("NATO", WordShape.UPPER),
        ("McDonald", WordShape.MIXED),
        ("G", WordShape.INITIAL),
        ("1994", WordShape.DIGITS),
        ("10th", WordShape.ALPHANUMERIC),
        (".", WordShape.OTHER),
        ("王", WordShape.MIXED),
        ("Žižek", WordShape.TITLE),
    ],
)
def test_shape_of_a_word(word: str, shape: WordShape) -> None:
    """Each word has the shape that its letters and digits give it, in any script."""
    assert shape_of(word) is shape


def test_long_text_is_not_truncated(encoder: TextEncoder) -> None:
    """A truncation saved with the tokenizer is ignored."""
    assert len(encoder.encode("was " * 1000)) == 1000


def test_subwords_know_their_word_and_shape(encoder: TextEncoder) -> None:
    """The pieces of one word share its number and the shape of the whole word."""
    found = encoder.encode("Mr YALMAN was")
    assert found.words.tolist() == [0, 1, 1, 2]
    assert found.shapes.tolist() == [
        WordShape.TITLE,
        WordShape.UPPER,
        WordShape.UPPER,
        WordShape.LOWER,
    ]
    assert found.starts.tolist() == [0, 3, 6, 10]
    assert found.ends.tolist() == [2, 6, 9, 13]


@given(text=st.text(max_size=60))
def test_offsets_are_code_points_of_the_original(encoder: TextEncoder, text: str) -> None:
    """Offsets rise, stay in the text and never cover white space only, in every script."""
    found = encoder.encode(text)
    assert all(0 <= s < e <= len(text) for s, e in zip(found.starts, found.ends, strict=True))
    assert bool(np.all(np.diff(found.starts) >= 0))
    assert all(text[s:e].strip() for s, e in zip(found.starts, found.ends, strict=True))


def characters_by_category() -> dict[str, list[str]]:
    """Return characters beyond ASCII that no word in Latin, Greek or Cyrillic letters goes on with."""
    characters = defaultdict(list)
    for code in range(0x80, 0x20000):
        characters[unicodedata.category(chr(code))].append(chr(code))
    for category in ("Lu", "Ll", "Lt", "Nd", "Cs"):
        del characters[category]
    for category, *words in (
        ("Lo", 0x1BB, 0x1C0, 0x1C1, 0x1C2, 0x1C3),
        ("Lm", *range(0x2B9, 0x2C9)),
        ("No", 0xB2, 0xB3),
    ):
        characters[category] = [each for each in characters[category] if ord(each) not in words]
    return characters


def test_a_name_is_read_alike_whatever_symbol_touches_it() -> None:
    """Before, after or around a name, a character of any category leaves its subwords and shapes as they are."""
    encoder = TextEncoder.from_file(find().folder / "tokenizer.json")
    categories = sorted(characters_by_category().items())
    names = [part for name in NAMES for part in name.parts if part[0].isupper()]
    random = Random(32)
    for _ in range(int(os.environ.get("TACENDA_DRAWS", "1000"))):
        _, characters = random.choice(categories)
        symbol, name = random.choice(characters) * random.randint(1, 2), random.choice(names)
        plain = encoder.encode(f"thanks {name} !")
        expected = (plain.starts >= 7) & (plain.ends <= 7 + len(name))
        for text in (symbol + name, name + symbol, symbol + name + symbol):
            found, start = encoder.encode(f"thanks {text} !"), 7 + text.index(name)
            inside = (found.starts >= start) & (found.ends <= start + len(name))
            # A quotation mark is read with what it opens, an accent with the letter before it.
            if encoding._is_foreign(symbol[0], ("",)):
                assert found.ids[inside].tolist() == plain.ids[expected].tolist(), text
                assert (found.shapes[inside] % len(WordShape)).tolist() == (
                    plain.shapes[expected] % len(WordShape)
                ).tolist(), text


def test_accents_and_lone_surrogates_do_not_move_offsets(encoder: TextEncoder) -> None:
    """Characters that the tokenizer rewrites or refuses leave the offsets after them alone."""
    text = "\ud800 e\u0301 Yalman"
    found = encoder.encode(text)
    assert text[found.starts[-2] : found.ends[-1]] == "Yalman"


def test_pieces_of_a_long_text_join_without_seams(
    encoder: TextEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text tokenized in pieces gives the subwords of the text in one."""
    text = "Mr Yalman was born. " * 40
    whole = encoder.encode(text)
    monkeypatch.setattr(encoding, "_PIECE_CHARACTERS", 37)
    pieces = encoder.encode(text)
    for name in ("ids", "shapes", "starts", "ends", "words"):
        assert getattr(whole, name).tolist() == getattr(pieces, name).tolist()
