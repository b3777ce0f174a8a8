"""A recognizer's weights in memory: tokenizer, calibration and onnxruntime session."""

from __future__ import annotations

import json
from copy import copy
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .calibration import BIO_LABELS, Calibration
from .encoding import TextEncoder
from .store import DEFAULT, ShippedModel, locate


class RecognizerModel:
    """Token classifier with its encoder, windows and calibration.

    Attributes:
        name: name of the model.
        encoder: text to subwords.
        window: longest window, in subwords without [CLS] and [SEP].
        overlap: least overlap of two windows, in subwords.
        threshold: the default masking threshold, a calibrated probability.
        calibration: from the model's confidence to probabilities.
    """

    def __init__(self, shipped: ShippedModel) -> None:
        """Verify and load the files of ``shipped``.

        Raises:
            ModelError: if it is no recognizer, or a file is missing, damaged or made for other labels.
        """
        shipped.verify()
        if "config.json" not in shipped.digests:
            raise ModelError(f"{shipped.name} is no recognizer; see `tacenda models list`.")
        config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        if tuple(config["labels"]) != BIO_LABELS:
            raise ModelError(
                f"{shipped.name}: its labels {config['labels']!r} are not those of this version; "
                "use the tacenda version it was trained with, or train it anew."
            )
        self.name = shipped.name
        self.encoder = TextEncoder.from_file(shipped.path("tokenizer.json"))
        self.window = int(config["window"])
        self.overlap = int(config["overlap"])
        self.threshold = float(config["threshold"])
        self.calibration = Calibration.from_points(config["calibration"])
        from .session import open_session  # loads onnxruntime

        self._session = open_session(shipped.folder / "model.onnx")

    @classmethod
    def load(cls, name_or_folder: str | Path = DEFAULT) -> RecognizerModel:
        """Load a shipped model by name, or any by its folder."""
        return cls(locate(name_or_folder))

    def without_calibration(self) -> RecognizerModel:
        """Return the same model with its confidence for a probability."""
        bare = copy(self)
        bare.calibration = Calibration()
        return bare

    def run(
        self, ids: NDArray[np.int64], shapes: NDArray[np.int64], mask: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return probabilities [batch, length, 17] and [batch, length, 3] for [batch, length]."""
        types, masking = self._session.run(None, {"ids": ids, "shapes": shapes, "mask": mask})
        return types, masking
