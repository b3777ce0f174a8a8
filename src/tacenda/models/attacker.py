"""A bi-encoder's weights in memory: texts and profiles to vectors of one space."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .encoding import Tokenizer, read_tokenizer
from .store import ShippedModel, locate

DEFAULT_ATTACKER: Final = "attacker-en"
Side = Literal["document", "profile"]


class AttackerModel:
    """Two encoders, int8 ONNX on the CPU.

    Attributes:
        name: name of the model with the beginning of its digests.
        sharpness: factor from the cosine of two vectors to log-odds.
        width: numbers a vector.
    """

    def __init__(self, shipped: ShippedModel) -> None:
        """Verify and load the files of ``shipped``.

        Raises:
            ModelError: if a file is missing or damaged, or it is no attacker.
        """
        shipped.verify()
        if "document.onnx" not in shipped.digests:
            raise ModelError(f"{shipped.name} is no attacker; see `tacenda models list`.")
        config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        parts = (shipped.digests[f"{side}.onnx"][:8] for side in ("document", "profile"))
        self.name = f"{shipped.name}@{'-'.join(parts)}"
        self.sharpness = float(config["sharpness"])
        self.width = int(config["width"])
        self._tokenizer = read_tokenizer(shipped.path("tokenizer.json"))
        from .session import open_session  # loads onnxruntime

        self._sessions: dict[Side, Any] = {
            "document": open_session(shipped.folder / "document.onnx", single_thread=False),
            "profile": open_session(shipped.folder / "profile.onnx", single_thread=False),
        }

    @classmethod
    def load(cls, name_or_folder: str | Path = DEFAULT_ATTACKER) -> AttackerModel:
        """Load a shipped model by name, or any by its folder."""
        return cls(locate(name_or_folder))

    def pieces(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the word pieces of some words; see ``word_pieces``."""
        return word_pieces(self._tokenizer, words)

    def vectors(
        self, side: Side, pieces: NDArray[np.int64], places: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return vectors of length 1, [texts, width].

        Args:
            side: kind of the texts.
            pieces: of the distinct words, as ``pieces`` gives them.
            places: each text as indices of words, filled up with 0, [texts, longest].
        """
        if not places.shape[1]:
            # A text without readable words is one of padding.
            places = np.zeros((len(places), 1), dtype=np.int64)
        result: NDArray[np.float32]
        (result,) = self._sessions[side].run(None, {"pieces": pieces, "places": places})
        return result


def word_pieces(tokenizer: Tokenizer, words: Sequence[str]) -> NDArray[np.int64]:
    """Return the word pieces of some words, filled up with 0, [words, most pieces].

    The first two words stand for padding and a mask, whatever they are.
    """
    encodings = [tokenizer.encode(word, add_special_tokens=False) for word in words[2:]]
    mask, unknown = (tokenizer.token_to_id(name) or 0 for name in ("[MASK]", "[UNK]"))
    rows = [[0], [mask], *(one.ids or [unknown] for one in encodings)]
    pieces = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for row, ids in zip(pieces, rows, strict=True):
        row[: len(ids)] = ids
    return pieces
