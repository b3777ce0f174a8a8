"""Unigram pieces of a cased vocabulary (Kudo, 2018), as ``tokenizer.json`` describes them.

A text is split at white space and between words, which are adjacent letters, marks and digits, or a
run of one other character. Each word is written as the likeliest pieces of the vocabulary. The
result equals that of the library ``tokenizers``, which isn't needed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any

SPACE = "▁"
"""Begins the first piece after white space."""
WORDS = r"[\p{L}\p{M}\p{N}]+|([^\p{L}\p{M}\p{N}])\1*"
"""Pattern of the pieces of a text, in the library's syntax."""
_UNKNOWN_PENALTY = 10.0
_WORDS_IN_MEMORY = 65_536


@dataclass(frozen=True, slots=True)
class UnigramPieces:
    """A text as pieces, without special tokens."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    word_ids: list[int]


def description(vocabulary: Sequence[tuple[str, float]], special: Sequence[str]) -> dict[str, Any]:
    """Return the content of a ``tokenizer.json``, which the library ``tokenizers`` can also read.

    Args:
        vocabulary: pieces with their log probabilities, in order of their ids.
        special: tokens that a text can't contain.
    """
    ids = {piece: id for id, (piece, _) in enumerate(vocabulary)}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": ids[token],
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for token in special
        ],
        "normalizer": _NORMALIZER,
        "pre_tokenizer": _PRE_TOKENIZER,
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "Unigram",
            "unk_id": ids["[UNK]"],
            "vocab": [list(pair) for pair in vocabulary],
            "byte_fallback": False,
        },
    }


_NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {"type": "NFKC"},
        {"type": "Replace", "pattern": {"Regex": r"[\p{Cc}\p{Cf}&&\S]"}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
    ],
}
_PRE_TOKENIZER = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True},
        {
            "type": "Split",
            "pattern": {"Regex": f"{SPACE}?(?:{WORDS})"},
            "behavior": "Isolated",
            "invert": False,
        },
    ],
}


class UnigramTokenizer:
    """Unigram pieces of a cased vocabulary.

    Args:
        vocabulary: pieces with their log probabilities, in order of their ids.
        special: ids of the tokens that no text contains.
        unknown: id of the piece for characters outside the vocabulary.
    """

    def __init__(
        self, vocabulary: Sequence[tuple[str, float]], special: Mapping[str, int], unknown: int
    ) -> None:
        self._special = special
        self._unknown = unknown
        self._pieces = {
            piece: (id, score)
            for id, (piece, score) in enumerate(vocabulary)
            if piece not in special
        }
        self._longest = max(map(len, self._pieces), default=1)
        self._unknown_score = min((score for _, score in vocabulary), default=0) - _UNKNOWN_PENALTY
        self._pieces_of = lru_cache(maxsize=_WORDS_IN_MEMORY)(self._likeliest)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> UnigramTokenizer | None:
        """Return the tokenizer of a ``tokenizer.json``, or None if it describes another kind."""
        model = content["model"]
        if (
            model.get("type") != "Unigram"
            or content["normalizer"] != _NORMALIZER
            or content["pre_tokenizer"] != _PRE_TOKENIZER
        ):
            return None
        special = {token["content"]: token["id"] for token in content["added_tokens"]}
        vocabulary = [(str(piece), float(score)) for piece, score in model["vocab"]]
        return cls(vocabulary, special, int(model["unk_id"]))

    def token_to_id(self, token: str, /) -> int | None:
        """Return the id of a piece, or None if it isn't in the vocabulary."""
        id, _ = self._pieces.get(token, (None, 0))
        return self._special.get(token, id)

    def encode(self, text: str, /, *, add_special_tokens: bool = False) -> UnigramPieces:
        """Return the pieces of a text.

        Raises:
            ValueError: if special tokens are to be added.
        """
        if add_special_tokens:
            raise ValueError("add_special_tokens=True: the caller adds them; pass False.")
        normal, places = _normalized(text)
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        word_ids: list[int] = []
        pattern = _ASCII_WORD if normal.isascii() else _word()
        for number, match in enumerate(pattern.finditer(normal)):
            begin = match.start(1)
            pieces = self._pieces_of(match[0] if match.start() else f" {match[0]}")
            if len(pieces) == 1:
                id, start, end = pieces[0]
                ids.append(id)
                offsets.append((begin + start, begin + end))
                word_ids.append(number)
            else:
                ids += [id for id, _, _ in pieces]
                offsets += [(begin + start, begin + end) for _, start, end in pieces]
                word_ids += [number] * len(pieces)
        if places is not None:
            starts, ends = places
            offsets = [(starts[start], ends[max(start, end - 1)]) for start, end in offsets]
        return UnigramPieces(ids, offsets, word_ids)

    def _likeliest(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """Return id, start and end of the likeliest pieces of a word, found by Viterbi's algorithm.

        Args:
            word: the word, with the preceding white space.
        """
        letters = word.lstrip()
        is_first = letters != word
        letters = SPACE + letters if is_first else letters
        n = len(letters)
        scores = [0.0] + [float("-inf")] * n
        # Start and id of the last piece on the likeliest path to each position.
        last: list[tuple[int, int]] = [(0, self._unknown)] * (n + 1)
        for start in range(n):
            score = scores[start]
            for end in range(start + 1, min(n, start + self._longest) + 1):
                id, of_piece = self._pieces.get(letters[start:end], (-1, 0.0))
                if id < 0:
                    if end > start + 1:
                        continue
                    id, of_piece = self._unknown, self._unknown_score
                if score + of_piece > scores[end]:
                    scores[end] = score + of_piece
                    last[end] = start, id
        pieces: list[tuple[int, int, int]] = []
        end = n
        while end:
            start, id = last[end]
            if id == self._unknown and pieces and pieces[-1][0] == id:
                _, _, stop = pieces.pop()
            else:
                stop = end
            pieces.append((id, start, stop))
            end = start
        # The mark for a space has no position in the text.
        shift = int(is_first)
        return tuple(
            (id, max(0, start - shift), max(0, end - shift)) for id, start, end in reversed(pieces)
        )


_ASCII_REMOVED = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_ASCII_WORD = re.compile(r"\s*([A-Za-z0-9]+|(\S)\2*)")
# Beyond this, only private-use characters and one last block of marks have a category.
_ASSIGNED = (range(0x32400), range(0xE0000, 0xE01F0))


@cache
def _sets() -> tuple[str, str]:
    """Return the marks and the characters to remove, each as the content of a character class."""
    marks: list[str] = []
    removed: list[str] = []
    for code in chain.from_iterable(_ASSIGNED):
        category = unicodedata.category(chr(code))
        if category[0] == "M":
            marks.append(chr(code))
        elif category in ("Cc", "Cf") and not chr(code).isspace():
            removed.append(chr(code))
    return "".join(map(re.escape, marks)), "".join(map(re.escape, removed))


@cache
def _word() -> re.Pattern[str]:
    """Return the regular expression for words: ``WORDS`` without the character properties that ``re`` lacks."""
    return re.compile(rf"\s*((?:[^\W_]|[{_sets()[0]}])+|(\S)\2*)")


@cache
def _removed() -> re.Pattern[str]:
    return re.compile(f"[{_sets()[1]}]")


def _normalized(text: str) -> tuple[str, tuple[list[int], list[int]] | None]:
    """Return a text in NFKC without control characters, and the start and end of each of its characters.

    Returns None if nothing changes.
    """
    text = text.replace("\xa0", " ")
    if text.isascii():
        if not _ASCII_REMOVED.search(text):
            return text, None
    elif unicodedata.is_normalized("NFKC", text) and not _removed().search(text):
        return text, None
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for cluster in _cluster().finditer(text):
        start, end = cluster.span()
        letters = _normal(cluster[0])
        parts += text[position:start], letters
        starts += range(position, start)
        ends += range(position + 1, start + 1)
        starts += [start] * len(letters)
        ends += [end] * len(letters)
        position = end
    parts.append(text[position:])
    starts += range(position, len(text))
    ends += range(position + 1, len(text) + 1)
    return "".join(parts), (starts, ends)


@lru_cache(maxsize=4096)
def _normal(cluster: str) -> str:
    return _removed().sub("", unicodedata.normalize("NFKC", cluster))


@cache
def _cluster() -> re.Pattern[str]:
    """Return the regular expression for what may change: a character with its marks, adjacent Korean letters, non-ASCII characters."""
    marks, removed = _sets()
    jamo = "\u1100-\u11ff\uac00-\ud7a3"
    return re.compile(rf"[{jamo}]+|[^\0-\x7f][{marks}]*|[\0-\x7f][{marks}]+|[{removed}]")
