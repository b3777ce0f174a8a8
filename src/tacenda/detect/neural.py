"""The recognizer: one pass of a token classifier gives each word a type and a risk.

It predicts semantic types as BIO over TAB's 8 types, and the masking decision NO_MASK, QUASI or
DIRECT (TAB, section 6.2, fine-tuned sequence labelling). It is int8 ONNX on the CPU, without torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from copy import copy
from itertools import islice

from ..document import Document, Mention
from ..models.networks import RecognizerModel
from ..models.token_classifier import TokenClassifier
from .labels import LabelScores, mentions_of
from .mention_ends import finished
from .windows import Batch, Placed, batches, windows

_Answer = tuple[Batch, LabelScores]


class NeuralDetector:
    """Detects mentions with a ``RecognizerModel`` or a transformers token classifier.

    Args:
        model: the loaded weights.
        threads: number of batches computed at a time; at least 1.

    Raises:
        ValueError: if ``threads`` is below 1.
    """

    def __init__(self, model: RecognizerModel | TokenClassifier, threads: int) -> None:
        if threads < 1:
            raise ValueError(f"threads is {threads!r}; it must be at least 1.")
        self._model = model
        self.languages = model.languages
        self.threads = threads

    def on_one_core(self) -> NeuralDetector:
        """Return the detector for one of several concurrent callers, each of which uses one core."""
        detector = copy(self)
        detector.threads = 1
        return detector

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the mentions in each document, in text order."""
        encoder = self._model.encoder
        encodings = [encoder.encode(document.text) for document in documents]
        readings = [LabelScores.empty(len(encoding)) for encoding in encodings]
        placed_windows = [
            Placed(index, window)
            for index, encoding in enumerate(encodings)
            for window in windows(len(encoding), self._model.window, self._model.overlap)
        ]
        model = self._model
        work = batches(
            placed_windows,
            encodings,
            encoder,
            model.batch_tokens,
            self.threads,
            model.step,
            model.window + 2,
        )
        is_serial = self.threads == 1 or len(placed_windows) < 2
        with nullcontext() if is_serial else ThreadPoolExecutor(self.threads) as pool:
            # The number of batches in flight is bounded, so that memory doesn't grow with the text.
            while chunk := list(islice(work, 64 * self.threads)):
                answers = pool.map(self._run, chunk) if pool else map(self._run, chunk)
                for batch, answer in answers:
                    for row, item in enumerate(batch.placed):
                        _keep(readings[item.document], item, answer, row)
        return [
            finished(
                document.text,
                mentions_of(document.text, encoding, reading, self._model.calibration),
            )
            for document, encoding, reading in zip(documents, encodings, readings, strict=True)
        ]

    def _run(self, batch: Batch) -> _Answer:
        types, masking = self._model.run(batch.ids, batch.shapes, batch.mask)
        return batch, LabelScores.of(types, masking)


def _keep(reading: LabelScores, item: Placed, answer: LabelScores, row: int) -> None:
    window = item.window
    # Subword 0 is [CLS].
    inner = slice(1 + window.keep_start - window.start, 1 + window.keep_end - window.start)
    reading.fill(slice(window.keep_start, window.keep_end), answer, row, inner)
