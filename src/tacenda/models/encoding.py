"""WordPiece of uncased BERT (Devlin et al., 2019), as ``tokenizer.json`` describes it.

A text is cleaned, stripped of accents, lowercased, and split at white space and punctuation; each
word is written as the longest possible pieces of the vocabulary. The result equals that of the
library ``tokenizers``, which the shipped models therefore don't need. How each character is treated
is stored in ``characters.json.gz``, so that all versions of Python and Unicode read a text alike.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import require_extra
from .unigram import UnigramTokenizer

_CHARACTERS = Path(__file__).parent / "characters.json.gz"
_NORMALIZER = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
_WORDS_IN_MEMORY = 65_536


class Pieces(Protocol):
    """A text as word pieces."""

    @property
    def ids(self) -> list[int]:
        """Vocabulary ids."""

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Start and end of each piece, in code points of the text."""

    @property
    def word_ids(self) -> Sequence[int | None]:
        """Index of the word of each piece."""


class Tokenizer(Protocol):
    """Splits texts into pieces of a vocabulary; ``tokenizers.Tokenizer`` conforms."""

    def token_to_id(self, token: str, /) -> int | None:
        """Return the id of a piece, or None if it isn't in the vocabulary."""

    def encode(self, text: str, /, *, add_special_tokens: bool) -> Pieces:
        """Return the pieces of a text."""


@dataclass(frozen=True, slots=True)
class WordPieces:
    """A text as word pieces, without special tokens."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    word_ids: list[int]


@dataclass(frozen=True, slots=True)
class _Characters:
    """How the normalizer treats characters.

    Attributes:
        spaces: characters between words, as the content of a regular expression's character class.
        words: characters that are words of their own, in the same form: punctuation and Chinese
            characters.
        removed: the first character of each removed range, and the one after the range.
        replacements: replacements for all other rewritten characters, except Hangul.
    """

    spaces: str
    words: str
    removed: list[int]
    replacements: dict[str, str]

    def rewritten(self, character: str) -> str:
        """Return the normalizer's output for a character: nothing, itself or other characters."""
        if bisect_right(self.removed, ord(character)) % 2:
            return ""
        if "가" <= character <= "힣":
            return unicodedata.normalize("NFD", character)
        return self.replacements.get(character, character)


class WordPieceTokenizer:
    """WordPiece of uncased BERT.

    Args:
        vocabulary: ids by piece; pieces inside a word begin with ``##``.
        special: ids of the tokens that may appear verbatim in a text, in square brackets.
        unknown: the piece for a word that the vocabulary can't spell.
        longest: maximum length of a word; a longer word is unknown.
    """

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        special: Mapping[str, int],
        unknown: str = "[UNK]",
        longest: int = 100,
    ) -> None:
        self._vocabulary = vocabulary
        self._special = special
        self._unknown = vocabulary[unknown]
        self._longest = longest
        self._characters = characters = _characters()
        tokens = "".join(f"{re.escape(token)}|" for token in special)
        others = f"[^{characters.words}{characters.spaces}]"
        # The character classes are long, so a run of plain letters is read without them.
        self._word = re.compile(f"[0-9A-Za-z]++{others}*|{tokens}[{characters.words}]|{others}+")
        self._pieces = lru_cache(maxsize=_WORDS_IN_MEMORY)(self._pieces_of)

    def token_to_id(self, token: str, /) -> int | None:
        """Return the id of a piece, or None if it isn't in the vocabulary."""
        return self._special.get(token, self._vocabulary.get(token))

    def encode(self, text: str, /, *, add_special_tokens: bool = False) -> WordPieces:
        """Return the pieces of a text.

        Raises:
            ValueError: if asked to add special tokens.
        """
        if add_special_tokens:
            raise ValueError("add_special_tokens=True: the caller adds them; pass False.")
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        word_ids: list[int] = []
        number = 0
        for match in self._word.finditer(text):
            pieces = self._pieces(match[0])
            begin = match.start()
            if len(pieces) == 1:
                id, start, end = pieces[0]
                ids.append(id)
                offsets.append((begin + start, begin + end))
                word_ids.append(number)
            elif pieces:
                ids += [id for id, _, _ in pieces]
                offsets += [(begin + start, begin + end) for _, start, end in pieces]
                word_ids += [number] * len(pieces)
            else:
                continue
            number += 1
        return WordPieces(ids, offsets, word_ids)

    def _pieces_of(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """Return id, start and end of each piece of a word; empty if the whole word is removed."""
        if word in self._special:
            return ((self._special[word], 0, len(word)),)
        letters: list[str] = []
        places: list[int] = []
        for place, character in enumerate(word):
            for letter in self._characters.rewritten(character):
                letters.append(letter)
                places.append(place)
        if not letters:
            return ()
        unknown = ((self._unknown, places[0], places[-1] + 1),)
        if len(letters) > self._longest:
            return unknown
        pieces: list[tuple[int, int, int]] = []
        start = 0
        while start < len(letters):
            prefix = "##" if start else ""
            for end in range(len(letters), start, -1):
                id = self._vocabulary.get(prefix + "".join(letters[start:end]))
                if id is not None:
                    break
            else:
                return unknown
            pieces.append((id, places[start], places[end - 1] + 1))
            start = end
        return tuple(pieces)


def read_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a ``tokenizer.json``, without truncation and padding.

    Raises:
        MissingExtraError: if it describes another kind of tokenizer, and the library ``tokenizers``
            is missing.
    """
    description = json.loads(path.read_text(encoding="utf-8"))
    tokenizer = _uncased(description) or UnigramTokenizer.of(description)
    if tokenizer is not None:
        return tokenizer
    require_extra("tokenizers", "A tokenizer of another kind", "tokenizers")
    from tokenizers import Tokenizer as AnyTokenizer

    library = AnyTokenizer.from_file(str(path))
    library.no_truncation()
    library.no_padding()
    return library


def _uncased(description: Mapping[str, Any]) -> WordPieceTokenizer | None:
    """Return the tokenizer that a file describes, or None unless it is an uncased BERT tokenizer."""
    model = description["model"]
    special = {token["content"]: token["id"] for token in description["added_tokens"]}
    if (
        description["normalizer"] != _NORMALIZER
        or description["pre_tokenizer"] != {"type": "BertPreTokenizer"}
        or model.get("type") != "WordPiece"
        or model["continuing_subword_prefix"] != "##"
        or any(
            token["single_word"] or token["lstrip"] or token["rstrip"] or token["normalized"]
            for token in description["added_tokens"]
        )
        or not all(re.fullmatch(r"\[\w+\]", token) for token in special)
    ):
        return None
    return WordPieceTokenizer(
        model["vocab"], special, model["unk_token"], model["max_input_chars_per_word"]
    )


@cache
def _characters() -> _Characters:
    return _Characters(**json.loads(gzip.decompress(_CHARACTERS.read_bytes())))


# From text to the recognizer's input: subword ids, word shapes, and their code point offsets.
#
# The encoder's vocabulary is uncased, so the case of each word is passed along as one of ``SHAPES``
# and embedded together with the word. Training and inference share this file: a model is only valid
# with the way its input was made.


# Longer texts are cut at white space and tokenized part by part, so that memory depends on the size
# of a part, not of the document.
_PIECE_CHARACTERS = 65_536
_SURROGATE = re.compile("[\ud800-\udfff]")
# These are left next to a letter: ordinary punctuation, exponents of units, apostrophes in names
# (Saʿid).
_KEPT = frozenset("‐‑–—―‘’“”•…·、。²³ʹʺʻʼʽʾʿˈ")
_SYMBOLS = ("S", "P", "Lm", "Me", "No", "Nl", "Cf", "Cn", "Co")
_LETTER = r"[^\W\d_]"
# Latin, Greek, Cyrillic and Armenian: names in these scripts have no caseless letters and no
# spacing marks.
_LETTER_WITH_CASE = "[A-Za-z\u00c0-\u01ba\u01c4-\u0293\u0370-\u0587\u1e00-\u1fff]"


class WordShape(IntEnum):
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
def shape_of(word: str) -> WordShape:
    """Return the shape of one word, as split by the tokenizer (punctuation is separate)."""
    if word.isdigit():
        return WordShape.DIGITS
    if not any(map(str.isalpha, word)):
        return WordShape.OTHER
    if not word.isalpha() and any(map(str.isdigit, word)):
        return WordShape.ALPHANUMERIC
    if word.islower():
        return WordShape.LOWER
    if word.isupper():
        return WordShape.INITIAL if len(word) == 1 else WordShape.UPPER
    if word.istitle():
        return WordShape.TITLE
    # Caseless scripts, and camel case.
    return WordShape.MIXED


_SHAPES = len(WordShape)


class PiecePlace(IntEnum):
    """Where a word is in the layout. White space has no pieces, but forms and tables consist of it."""

    IN_LINE = 0
    BEGINS_LINE = 1
    BEGINS_CELL = 2


def _shapes(text: str, words: Iterable[tuple[int, int]]) -> list[int]:
    """Return the shapes of words, given their starts and ends."""
    return [shape_of(text[start:end]) for start, end in words]


def _shapes_in_place(text: str, words: Iterable[tuple[int, int]]) -> list[int]:
    """Return the shapes of words combined with their places; a text's first word starts a line."""
    shapes: list[int] = []
    gap_start = 0
    for start, end in words:
        gap = text[gap_start:start] if shapes else "\n"
        shapes.append(shape_of(text[start:end]) + _SHAPES * _place_of(gap))
        gap_start = end
    return shapes


@lru_cache(maxsize=1024)
def _place_of(gap: str) -> PiecePlace:
    """Return the place of a word, judging by the white space before it."""
    if not gap or gap == " ":
        return PiecePlace.IN_LINE
    space = "".join(filter(str.isspace, gap))
    if any(character in "\n\r" for character in space):
        return PiecePlace.BEGINS_LINE
    return PiecePlace.BEGINS_CELL if "\t" in space or len(space) > 1 else PiecePlace.IN_LINE


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """A text as n subwords, without special tokens.

    Attributes:
        ids: int64 [n], vocabulary ids.
        shapes: int64 [n], the ``WordShape`` of each subword's word; if the encoder uses places,
            plus the number of shapes times the ``PiecePlace``.
        starts: int64 [n], first code point of each subword in the text.
        ends: int64 [n], code point after each subword.
        words: int64 [n], index of the word that each subword belongs to.
    """

    ids: NDArray[np.int64]
    shapes: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def word_count(self) -> int:
        """Number of words."""
        return int(self.words[-1]) + 1 if len(self) else 0


class SpecialPieces(Protocol):
    """The special tokens of a text encoder."""

    cls_id: int
    sep_id: int
    pad_id: int


class TextEncoder:
    """A tokenizer with word shapes that never truncates."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._is_unigram = isinstance(tokenizer, UnigramTokenizer)
        self.cls_id = self._special("[CLS]")
        self.sep_id = self._special("[SEP]")
        self.pad_id = self._special("[PAD]")

    @property
    def mask_id(self) -> int:
        """Id of the mask token; a recognizer's tokenizer may not have one."""
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
        """Return the subwords of ``text``; offsets are code points in ``text`` itself."""
        clean = _without_symbols_on_words(text)
        parts = [
            self._part(begin, piece, text[begin : begin + len(piece)])
            for begin, piece in _pieces(clean)
        ]
        if len(parts) == 1:
            return parts[0]
        word_bases = np.cumsum([0, *(part.word_count for part in parts[:-1])])
        return Encoding(
            ids=np.concatenate([part.ids for part in parts]),
            shapes=np.concatenate([part.shapes for part in parts]),
            starts=np.concatenate([part.starts for part in parts]),
            ends=np.concatenate([part.ends for part in parts]),
            words=np.concatenate(
                [part.words + base for part, base in zip(parts, word_bases, strict=True)]
            ),
        )

    def _part(self, begin: int, piece: str, original: str) -> Encoding:
        """Return the subwords of a part of a text that starts at ``begin``; the original also has symbols."""
        encoding = self._tokenizer.encode(piece, add_special_tokens=False)
        ids = np.asarray(encoding.ids, dtype=np.int64)
        # Only special tokens have no word, and none were requested.
        words = np.asarray(encoding.word_ids, dtype=np.int64)
        offsets = np.fromiter(chain.from_iterable(encoding.offsets), np.int64, 2 * len(ids))
        starts, ends = offsets[::2], offsets[1::2]
        is_first = np.ones(len(ids), dtype=np.bool_)
        np.not_equal(words[1:], words[:-1], out=is_first[1:])
        firsts = np.flatnonzero(is_first)
        lengths = np.diff(firsts, append=len(ids))
        spans = zip(starts[firsts].tolist(), ends[firsts + lengths - 1].tolist(), strict=True)
        shapes = _shapes_in_place(original, spans) if self._is_unigram else _shapes(piece, spans)
        return Encoding(
            ids=ids,
            shapes=np.repeat(np.asarray(shapes, dtype=np.int64), lengths),
            starts=begin + starts,
            ends=begin + ends,
            words=words,
        )


class SubwordEncoder:
    """Any tokenizer of the library ``tokenizers``, for a transformers checkpoint; it never truncates.

    Words are those of the text, whatever the tokenizer considers a word: adjacent letters, marks
    and digits; any other character is a word of its own. Offsets include no white space.

    Args:
        tokenizer: a tokenizer of the library.
        pad_id: id of the padding.

    Attributes:
        cls_id: id of the special token before a text.
        sep_id: id of the special token after it.
        pad_id: id of the padding.

    Raises:
        ValueError: unless the tokenizer puts one special token on each side.
    """

    def __init__(self, tokenizer: Any, pad_id: int) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.pad_id = pad_id
        inner: list[int] = tokenizer.encode("a", add_special_tokens=False).ids
        around: list[int] = tokenizer.encode("a", add_special_tokens=True).ids
        if around[1:-1] != inner:
            raise ValueError("the tokenizer puts other than one special piece on each side")
        self.cls_id, self.sep_id = around[0], around[-1]

    def encode(self, text: str) -> Encoding:
        """Return the subwords of ``text``; a subword of white space belongs to the word before it."""
        clean = _SURROGATE.sub("�", text)
        ids: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        words: list[int] = []
        for begin, piece in _pieces(clean):
            encoding = self._tokenizer.encode(piece, add_special_tokens=False)
            for id, (first, last) in zip(encoding.ids, encoding.offsets, strict=True):
                start, end = _without_space(clean, begin + first, begin + last)
                if start >= end:
                    if not words:
                        continue
                    start = end = ends[-1]
                is_new = not words or (start < end and not _continues(clean, ends[-1], start))
                ids.append(id)
                starts.append(start)
                ends.append(end)
                words.append(words[-1] + is_new if words else 0)
        return Encoding(
            ids=np.asarray(ids, dtype=np.int64),
            shapes=np.zeros(len(ids), dtype=np.int64),
            starts=np.asarray(starts, dtype=np.int64),
            ends=np.asarray(ends, dtype=np.int64),
            words=np.asarray(words, dtype=np.int64),
        )


def _without_symbols_on_words(text: str) -> str:
    """Return ``text`` with blanks in place of what touches a word but isn't part of it: ``Devika🎂``, ``Devikaさん``.

    The vocabulary has few symbols, and a word with an unknown character is unknown as a whole.
    Offsets don't change.
    """
    text = _SURROGATE.sub("�", text)
    characters = () if text.isascii() else set(text)
    for kinds, letter in ((_SYMBOLS, _LETTER), (("Lo", "Mn", "Mc"), _LETTER_WITH_CASE)):
        others = "".join(c for c in characters if _is_foreign(c, kinds))
        if others:
            run = f"[{re.escape(others)}\u200d\ufe0f]++"
            pattern = f"(?<={letter}){run}|{run}(?={letter})"
            text = re.sub(pattern, lambda match: " " * len(match[0]), text)
    return text


@lru_cache(maxsize=4096)
def _is_foreign(character: str, kinds: tuple[str, ...]) -> bool:
    return (
        not character.isascii()
        and unicodedata.category(character).startswith(kinds)
        and character not in _KEPT
        and _characters().rewritten(character) != ""
    )


def _without_space(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _continues(text: str, end: int, start: int) -> bool:
    """Return whether a subword that starts at ``start`` is part of the same word as the one that ends at ``end``."""
    # Several subwords may share one code point, which they encode as bytes.
    return start < end or (start == end and _in_word(text[end - 1]) and _in_word(text[start]))


def _in_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    begin = 0
    while len(text) - begin > _PIECE_CHARACTERS:
        end = begin + _PIECE_CHARACTERS
        space = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end))
        end = space + 1 if space > begin else end
        yield begin, text[begin:end]
        begin = end
    yield begin, text[begin:]
