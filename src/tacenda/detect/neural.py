"""The recognizer: one pass of a token classifier gives each word a type and a risk.

Semantic types as BIO over the 8 types of TAB, and the masking decision NO_MASK, QUASI or DIRECT
(TAB, section 6.2, fine-tuned sequence labelling). int8 ONNX on the CPU, no torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..document import Document, Mention
from ..models.recognizer import RecognizerModel
from .batching import Batch, Placed, batches
from .decoding import Reading, mentions_of
from .spelling import corrected
from .windows import windows

_Answer = tuple[Batch, NDArray[np.float32], NDArray[np.float32]]


class NeuralDetector:
    """Finds mentions with a ``RecognizerModel``.

    Args:
        model: the loaded weights.
        threads: how many batches are computed at a time; at least 1.

    Raises:
        ValueError: if ``threads`` is below 1.
    """

    def __init__(self, model: RecognizerModel, threads: int) -> None:
        if threads < 1:
            raise ValueError(f"threads is {threads!r}; at least 1 is needed.")
        self._model = model
        self._threads = threads

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the mentions of each document, in order of its text."""
        encoder = self._model.encoder
        encodings = [encoder.encode(document.text) for document in documents]
        readings = [Reading.empty(len(encoding)) for encoding in encodings]
        placed = [
            Placed(index, window)
            for index, encoding in enumerate(encodings)
            for window in windows(len(encoding), self._model.window, self._model.overlap)
        ]
        work = batches(placed, encodings, encoder)
        alone = self._threads == 1 or len(placed) < 2
        with nullcontext() if alone else ThreadPoolExecutor(self._threads) as pool:
            # A bounded number of batches is in flight, so that memory does not grow with the text.
            while chunk := list(islice(work, 64 * self._threads)):
                answers = pool.map(self._run, chunk) if pool else map(self._run, chunk)
                for batch, types, masking in answers:
                    for row, item in enumerate(batch.placed):
                        _keep(readings[item.document], item, types[row], masking[row])
        return [
            corrected(
                document.text,
                mentions_of(document.text, encoding, reading, self._model.calibration),
            )
            for document, encoding, reading in zip(documents, encodings, readings, strict=True)
        ]

    def _run(self, batch: Batch) -> _Answer:
        types, masking = self._model.run(batch.ids, batch.shapes, batch.mask)
        return batch, types, masking


def _keep(
    reading: Reading, item: Placed, types: NDArray[np.float32], masking: NDArray[np.float32]
) -> None:
    window = item.window
    # Row 0 is [CLS].
    inner = slice(1 + window.keep_start - window.start, 1 + window.keep_end - window.start)
    reading.fill(slice(window.keep_start, window.keep_end), types[inner], masking[inner])
