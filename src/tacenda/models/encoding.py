"""Text to the recognizer's input: subword ids, word shapes and their code-point offsets.

The encoder's vocabulary is uncased, so the case of each word travels beside it as one of
``SHAPES`` and is embedded together with the word. Training and inference share this file:
a model only means something together with the way its input was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .wordpiece import Tokenizer, read_tokenizer

# Longer texts are tokenized piece by piece, cut at white space, so that memory follows the
# piece and not the document.
_PIECE_CHARACTERS = 65_536
_SURROGATE = re.compile("[\ud800-\udfff]")


class Shape(IntEnum):
    """Orthographic shape of the word a subword belongs to; ``SPECIAL`` for [CLS] and [SEP]."""

    SPECIAL = 0
    LOWER = 1
    TITLE = 2
    UPPER = 3
    MIXED = 4
    INITIAL = 5
    DIGITS = 6
    ALPHANUMERIC = 7
    OTHER = 8


@lru_cache(maxsize=65_536)
def shape_of(word: str) -> Shape:
    """Return the shape of one word, as the tokenizer splits words (punctuation stands alone)."""
    if word.isdigit():
        return Shape.DIGITS
    if not any(map(str.isalpha, word)):
        return Shape.OTHER
    if not word.isalpha() and any(map(str.isdigit, word)):
        return Shape.ALPHANUMERIC
    if word.islower():
        return Shape.LOWER
    if word.isupper():
        return Shape.INITIAL if len(word) == 1 else Shape.UPPER
    if word.istitle():
        return Shape.TITLE
    # Scripts without case, and camel case.
    return Shape.MIXED


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """One text as n subwords, without special tokens.

    Attributes:
        ids: int64 [n], vocabulary ids.
        shapes: int64 [n], ``Shape`` of each subword's word.
        starts: int64 [n], first code point of each subword in the text.
        ends: int64 [n], code point after each subword.
        words: int64 [n], running number of the word each subword belongs to.
    """

    ids: NDArray[np.int64]
    shapes: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class TextEncoder:
    """WordPiece tokenizer with word shapes. It never truncates."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.cls_id = self._special("[CLS]")
        self.sep_id = self._special("[SEP]")
        self.pad_id = self._special("[PAD]")

    @property
    def mask_id(self) -> int:
        """Id of what stands for a hidden subword; a recognizer's tokenizer may be without."""
        return self._special("[MASK]")

    @classmethod
    def from_file(cls, path: Path) -> TextEncoder:
        """Read a ``tokenizer.json``."""
        return cls(read_tokenizer(path))

    def _special(self, token: str) -> int:
        id = self._tokenizer.token_to_id(token)
        if id is None:
            raise ValueError(f"The tokenizer has no {token!r} token; a BERT-style one is needed.")
        return int(id)

    def encode(self, text: str) -> Encoding:
        """Return the subwords of ``text``; offsets are code points of ``text`` itself."""
        # A lone surrogate can't reach the tokenizer; its replacement has the same length.
        clean = _SURROGATE.sub("�", text)
        ids: list[int] = []
        shapes: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        words: list[int] = []
        word_base = 0
        for begin, piece in _pieces(clean):
            encoded = self._tokenizer.encode(piece, add_special_tokens=False)
            offsets = encoded.offsets
            # None stands for special tokens only, and none were asked for.
            word_ids = [word for word in encoded.word_ids if word is not None]
            ids.extend(encoded.ids)
            starts.extend(begin + start for start, _ in offsets)
            ends.extend(begin + end for _, end in offsets)
            words.extend(word_base + word for word in word_ids)
            shapes.extend(_word_shapes(piece, word_ids, offsets))
            if word_ids:
                word_base += word_ids[-1] + 1
        return Encoding(
            ids=np.asarray(ids, dtype=np.int64),
            shapes=np.asarray(shapes, dtype=np.int64),
            starts=np.asarray(starts, dtype=np.int64),
            ends=np.asarray(ends, dtype=np.int64),
            words=np.asarray(words, dtype=np.int64),
        )


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    begin = 0
    while len(text) - begin > _PIECE_CHARACTERS:
        end = begin + _PIECE_CHARACTERS
        space = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end))
        end = space + 1 if space > begin else end
        yield begin, text[begin:end]
        begin = end
    yield begin, text[begin:]


def _word_shapes(piece: str, word_ids: list[int], offsets: list[tuple[int, int]]) -> Iterator[int]:
    n = len(word_ids)
    first = 0
    while first < n:
        after = first + 1
        while after < n and word_ids[after] == word_ids[first]:
            after += 1
        shape = int(shape_of(piece[offsets[first][0] : offsets[after - 1][1]]))
        for _ in range(first, after):
            yield shape
        first = after
