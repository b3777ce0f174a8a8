"""WordPiece of uncased BERT (Devlin et al., 2019), as ``tokenizer.json`` describes it.

A text is cleaned, stripped of accents and lowercased, parted at white space and punctuation, and each
word written as the longest pieces of the vocabulary. Equal to the library ``tokenizers``, which is not
needed to read with the shipped models: what it does with each character is in ``characters.json.gz``,
so that no version of Python or Unicode reads a text differently.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

from ..errors import MissingExtraError

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
        """Number of the word of each piece."""


class Tokenizer(Protocol):
    """What parts texts into pieces of a vocabulary; ``tokenizers.Tokenizer`` is one, too."""

    def token_to_id(self, token: str, /) -> int | None:
        """Return the id of a piece; None if the vocabulary is without."""

    def encode(self, text: str, /, *, add_special_tokens: bool) -> Pieces:
        """Return the pieces of a text."""


@dataclass(frozen=True, slots=True)
class WordPieces:
    """A text as word pieces, none of them added."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    word_ids: list[int]


@dataclass(frozen=True, slots=True)
class _Characters:
    """What the normalizer makes of characters.

    Attributes:
        spaces: that part words, as the inside of a set of a regular expression.
        words: that are a word each, likewise: punctuation and Chinese characters.
        removed: first character of each run that is removed, and the one after it.
        replacements: of all others that are rewritten, but Hangul.
    """

    spaces: str
    words: str
    removed: list[int]
    replacements: dict[str, str]

    def rewritten(self, character: str) -> str:
        """Return what the normalizer writes for a character: none, itself or others."""
        if bisect_right(self.removed, ord(character)) % 2:
            return ""
        if "가" <= character <= "힣":
            return unicodedata.normalize("NFD", character)
        return self.replacements.get(character, character)


class WordPieceTokenizer:
    """WordPiece of uncased BERT.

    Args:
        vocabulary: ids of pieces; those inside a word begin with ``##``.
        special: ids of tokens that a text may have as they are, each in square brackets.
        unknown: piece for a word that the vocabulary can't write.
        longest: characters of the longest word that is not unknown.
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
        self._word = re.compile(
            f"{tokens}[{characters.words}]|[^{characters.words}{characters.spaces}]+"
        )
        self._pieces = lru_cache(maxsize=_WORDS_IN_MEMORY)(self._pieces_of)

    def token_to_id(self, token: str, /) -> int | None:
        """Return the id of a piece; None if the vocabulary is without."""
        return self._special.get(token, self._vocabulary.get(token))

    def encode(self, text: str, /, *, add_special_tokens: bool = False) -> WordPieces:
        """Return the pieces of a text.

        Raises:
            ValueError: if special tokens are to be added.
        """
        if add_special_tokens:
            raise ValueError("add_special_tokens=True: the caller adds them; pass False.")
        result = WordPieces([], [], [])
        number = 0
        for match in self._word.finditer(text):
            begin = match.start()
            pieces = self._pieces(match[0])
            for id, start, end in pieces:
                result.ids.append(id)
                result.offsets.append((begin + start, begin + end))
                result.word_ids.append(number)
            number += bool(pieces)
        return result

    def _pieces_of(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """Return id, start and end of the pieces of a word; none if all of it is removed."""
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
        MissingExtraError: if it is of another kind, and the library that reads them all is missing.
    """
    description = json.loads(path.read_text(encoding="utf-8"))
    tokenizer = _uncased(description)
    if tokenizer is not None:
        return tokenizer
    try:
        from tokenizers import Tokenizer as AnyTokenizer
    except ImportError as error:
        raise MissingExtraError("A tokenizer other than uncased BERT's", "tokenizers") from error
    library = AnyTokenizer.from_file(str(path))
    library.no_truncation()
    library.no_padding()
    return library


def _uncased(description: Mapping[str, Any]) -> WordPieceTokenizer | None:
    """Return the tokenizer that is described, if it is an uncased BERT's."""
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
