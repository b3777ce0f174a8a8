"""The embedded masked language model in memory: what could stand where something is hidden."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from ..detect.encoding import Encoding, TextEncoder
from ..errors import ModelError
from .store import ShippedModel, locate

DEFAULT = "language-en"


class LanguageModel:
    """A masked language model, int8 ONNX on the CPU.

    Attributes:
        name: what the model is called, with the beginning of its digest.
        window: longest window, in subwords without [CLS] and [SEP].
        mask_id: id of [MASK].
    """

    def __init__(self, shipped: ShippedModel) -> None:
        """Verify and load the files of ``shipped``.

        Raises:
            ModelError: if a file is missing or damaged, or it is no language model.
        """
        shipped.verify()
        config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        if config.get("kind") != "language":
            raise ModelError(f"{shipped.name} is no language model; see `tacenda models list`.")
        self.name = f"{shipped.name}@{shipped.digests['model.onnx'][:8]}"
        self.window = int(config["window"])
        self._encoder = TextEncoder.from_file(shipped.folder / "tokenizer.json")
        self.mask_id = self._encoder.mask_id
        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(shipped.folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )

    @classmethod
    def load(cls, name_or_folder: str | Path = DEFAULT) -> LanguageModel:
        """Load a shipped model by name, or any by its folder."""
        return cls(locate(name_or_folder))

    def encode(self, text: str) -> Encoding:
        """Return the subwords of ``text``, all of it."""
        return self._encoder.encode(text)

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.float32]:
        """Return log p of ``targets`` at ``places`` of one window, in nats.

        Args:
            ids: the window's subwords, those to be guessed replaced by ``mask_id``.
            places: indices into ``ids``.
            targets: an id for each place.
        """
        row = np.array([[self._encoder.cls_id, *ids, self._encoder.sep_id]], dtype=np.int64)
        (logits,) = self._session.run(
            None,
            {
                "ids": row,
                "mask": np.ones(row.shape, dtype=np.int32),
                "wanted": np.asarray(places, dtype=np.int64) + 1,
            },
        )
        logits -= logits.max(axis=1, keepdims=True)
        normaliser = np.log(np.exp(logits).sum(axis=1))
        chosen: NDArray[np.float32] = logits[np.arange(len(targets)), list(targets)] - normaliser
        return chosen
