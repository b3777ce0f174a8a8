"""Networks in memory: the recognizer, the attacker and the masked language model."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .bounds import read_bounds
from .calibration import BIO_LABELS, Calibration
from .encoding import TextEncoder, Tokenizer, read_tokenizer
from .session import Engine, engine_of, gpu_number, open_session
from .store import DEFAULT, ShippedModel, address, locate

# A recognizer's weights in memory: tokenizer, calibration and onnxruntime session.


class RecognizerModel:
    """Token classifier with its encoder, windows and calibration.

    Attributes:
        name: name of the model.
        encoder: text to subwords.
        window: longest window, in subwords without [CLS] and [SEP].
        overlap: minimum overlap of two windows, in subwords.
        threshold: the default masking threshold, a calibrated probability.
        calibration: from the model's confidence to probabilities.
        languages: ISO 639-1 codes of the languages it was trained on.
        bounds: bounds on the share of identifiers left at each threshold; None if the model has
            none.
        engine: the engine that computes it.
        batch_tokens: number of subwords per batch. For onnxruntime, about what fits a core's own
            cache: 1,680 at once take it a fifth longer than in parts. OpenVINO writes half as much
            between two layers, and takes a tenth less for them because it reads the weights once.
        step: windows are padded to a multiple of this many subwords. For onnxruntime this is 1,
            which means no padding: with a padding mask, attention takes it twice as long. OpenVINO
            isn't slowed by padding, and keeps what it compiled for each length: 115 MB for the
            lengths of 127 judgments.
    """

    batch_tokens = 512
    step = 1

    def __init__(self, shipped: ShippedModel) -> None:
        """Verify and load the files of ``shipped``.

        Raises:
            ModelError: if it isn't a recognizer, or a file is missing, damaged or made for other
                labels.
        """
        shipped.verify()
        config: dict[str, Any] = {}
        if "config.json" in shipped.digests:
            config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        if "labels" not in config:
            raise ModelError(f"{shipped.name} is not a recognizer; see `tacenda models list`.")
        self._source: ShippedModel | None = shipped
        if tuple(config["labels"]) != BIO_LABELS:
            raise ModelError(
                f"{shipped.name}: its labels {config['labels']!r} are not those of this version; "
                "use the tacenda version it was trained with, or train it again."
            )
        self.name = shipped.name
        self.encoder = TextEncoder.from_file(shipped.path("tokenizer.json"))
        self.window = int(config["window"])
        self.overlap = int(config["overlap"])
        self.threshold = float(config["threshold"])
        self.languages = frozenset(map(str, config.get("languages", ["en"])))
        self.calibration = Calibration.from_points(config["calibration"])
        self.bounds = read_bounds(shipped)

        self.engine = engine_of(config)
        if self.engine != "onnxruntime":
            self.batch_tokens, self.step = 2_048, 16
        self._session = _recognizer_session(self.engine, shipped.folder / "model.onnx", config)

    @classmethod
    def load(cls, name_or_folder: str | Path = DEFAULT) -> RecognizerModel:
        """Load a shipped model by name, or any model by its folder."""
        return cls(locate(name_or_folder))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the name or folder, and the digests; each process loads the weights once.

        Raises:
            TypeError: if the model was changed after loading.
        """
        if self._source is None:
            raise TypeError("a recognizer without its calibration can't be pickled")
        return _unpickled, (address(self._source), dict(self._source.digests))

    def without_calibration(self) -> RecognizerModel:
        """Return the same model with its raw confidence as the probability; the copy can't be pickled."""
        bare = copy(self)
        bare._source = None
        bare.calibration = Calibration()
        return bare

    def run(
        self,
        ids: NDArray[np.int64],
        shapes: NDArray[np.int64],
        mask: NDArray[np.int32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return probabilities [batch, length, 17] and [batch, length, 3] for [batch, length].

        Raises:
            ValueError: if the engine is onnxruntime and the mask contains padding.
        """
        inputs: dict[str, NDArray[Any]] = {"ids": ids, "shapes": shapes}
        if self.engine == "openvino":
            inputs["mask"] = mask
        elif not mask.all():
            raise ValueError("onnxruntime reads windows of one length together, without padding.")
        types, masking = self._session.run(None, inputs)
        return types, masking


_of_process: dict[tuple[str, tuple[str, ...]], RecognizerModel] = {}


def _unpickled(place: str, digests: Mapping[str, str]) -> RecognizerModel:
    """Return the recognizer from a pickle.

    Raises:
        ModelError: if the files on this machine are different ones.
    """
    model = locate(place)
    if model.digests != digests:
        raise ModelError(f"{model.name} differs from the pickled one; install the same version.")
    key = place, tuple(sorted(digests.values()))
    if key not in _of_process:
        _of_process[key] = RecognizerModel(model)
    return _of_process[key]


def _recognizer_session(engine: Engine, path: Path, config: Mapping[str, Any]) -> Any:
    if engine == "onnxruntime":
        return open_session(path)
    if engine == "onnxruntime-cuda":
        return open_session(path, gpu=gpu_number())
    from .openvino import OpenVinoSession

    return OpenVinoSession(path, int(config["network"]["heads"]))


# A bi-encoder's weights in memory: it maps texts and profiles to vectors in one space.


DEFAULT_ATTACKER: Final = "attacker-en"
Side = Literal["document", "profile"]


class AttackerModel:
    """Two int8 ONNX encoders on the CPU.

    Attributes:
        name: name of the model, with the start of its digests.
        sharpness: factor that turns the cosine of two vectors into log odds.
        width: numbers a vector.
    """

    def __init__(self, shipped: ShippedModel) -> None:
        """Verify and load the files of ``shipped``.

        Raises:
            ModelError: if a file is missing or damaged, or it isn't an attacker.
        """
        shipped.verify()
        if "document.onnx" not in shipped.digests:
            raise ModelError(f"{shipped.name} is not an attacker; see `tacenda models list`.")
        config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        parts = (shipped.digests[f"{side}.onnx"][:8] for side in ("document", "profile"))
        self.name = f"{shipped.name}@{'-'.join(parts)}"
        self.sharpness = float(config["sharpness"])
        self.width = int(config["width"])
        self._tokenizer = read_tokenizer(shipped.path("tokenizer.json"))

        self._sessions: dict[Side, Any] = {
            "document": open_session(shipped.folder / "document.onnx", single_thread=False),
            "profile": open_session(shipped.folder / "profile.onnx", single_thread=False),
        }

    @classmethod
    def load(cls, name_or_folder: str | Path = DEFAULT_ATTACKER) -> AttackerModel:
        """Load a shipped model by name, or any model by its folder."""
        return cls(locate(name_or_folder))

    def pieces(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the word pieces of words; see ``word_pieces``."""
        return word_pieces(self._tokenizer, words)

    def vectors(
        self, side: Side, pieces: NDArray[np.int64], places: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return unit vectors, [texts, width].

        Args:
            side: the kind of texts.
            pieces: the word pieces of the distinct words, as returned by ``pieces``.
            places: each text as word indices, padded with 0, [texts, longest].
        """
        if not places.shape[1]:
            # A text without readable words consists of padding.
            places = np.zeros((len(places), 1), dtype=np.int64)
        result: NDArray[np.float32]
        (result,) = self._sessions[side].run(None, {"pieces": pieces, "places": places})
        return result


def word_pieces(tokenizer: Tokenizer, words: Sequence[str]) -> NDArray[np.int64]:
    """Return the word pieces of words, padded with 0, [words, most pieces].

    The first two words always stand for padding and the mask.
    """
    encodings = [tokenizer.encode(word, add_special_tokens=False) for word in words[2:]]
    mask, unknown = (tokenizer.token_to_id(name) or 0 for name in ("[MASK]", "[UNK]"))
    rows = [[0], [mask], *(one.ids or [unknown] for one in encodings)]
    pieces = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for row, ids in zip(pieces, rows, strict=True):
        row[: len(ids)] = ids
    return pieces


# The embedded masked language model in memory: it predicts words for hidden places.


DEFAULT_LANGUAGE_MODEL = "language-en"
# A window is always padded to a multiple of this, so that its batch doesn't change the result.
_STEP = 16
_BATCH_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a language model: how likely are the hidden subwords of a window?

    Attributes:
        ids: the window's subwords without special ones, each hidden one replaced by the mask.
        places: indices of the hidden subwords in ``ids``.
        targets: the original id at each place.
    """

    ids: tuple[int, ...]
    places: tuple[int, ...]
    targets: tuple[int, ...]


class LanguageModel:
    """A masked language model as int8 ONNX on the CPU.

    Attributes:
        name: name of the model, with the start of its digest.
        window: longest window, in subwords without [CLS] and [SEP].
        mask_id: id of [MASK].
    """

    def __init__(self, shipped: ShippedModel) -> None:
        """Verify and load the files of ``shipped``.

        Raises:
            ModelError: if a file is missing or damaged, or it isn't a language model.
        """
        shipped.verify()
        if "config.json" not in shipped.digests:
            raise ModelError(f"{shipped.name} is not a language model; see `tacenda models list`.")
        config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        if config.get("kind") != "language":
            raise ModelError(f"{shipped.name} is not a language model; see `tacenda models list`.")
        self.name = f"{shipped.name}@{shipped.digests['model.onnx'][:8]}"
        self.window = int(config["window"])
        self._encoder = TextEncoder.from_file(shipped.path("tokenizer.json"))
        self.mask_id = self._encoder.mask_id

        self._session = open_session(shipped.folder / "model.onnx")

    @classmethod
    def load(cls, name_or_folder: str | Path = DEFAULT_LANGUAGE_MODEL) -> LanguageModel:
        """Load a shipped model by name, or any model by its folder."""
        return cls(locate(name_or_folder))

    def pieces(self, text: str) -> list[tuple[int, int, int]]:
        """Return (id, start, end) of each subword of the whole ``text``; offsets are code points."""
        encoding = self._encoder.encode(text)
        rows = zip(encoding.ids, encoding.starts, encoding.ends, strict=True)
        return [(int(id), int(start), int(end)) for id, start, end in rows]

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.float32]]:
        """Return log p of the targets of each question, in nats.

        Raises:
            ValueError: if a question is longer than ``window``.
        """
        answers: dict[int, NDArray[np.float32]] = {}
        for batch in _batches(questions):
            results = self._run([questions[index] for index in batch])
            answers.update(zip(batch, results, strict=True))
        return [answers[index] for index in range(len(questions))]

    def _run(self, questions: Sequence[Question]) -> Iterator[NDArray[np.float32]]:
        length = _padded(questions[0])
        ids = np.full((len(questions), length), self._encoder.pad_id, dtype=np.int64)
        mask = np.zeros(ids.shape, dtype=np.int32)
        positions: list[int] = []
        for row, question in enumerate(questions):
            n = len(question.ids)
            if n > self.window:
                raise ValueError(f"A question has {n} subwords; {self.window} is the most.")
            ids[row, 0], ids[row, n + 1] = self._encoder.cls_id, self._encoder.sep_id
            ids[row, 1 : n + 1] = question.ids
            mask[row, : n + 2] = 1
            positions += [row * length + 1 + place for place in question.places]
        inputs = {"ids": ids, "mask": mask, "wanted": np.array(positions, dtype=np.int64)}
        (logits,) = self._session.run(None, inputs)
        targets = [target for question in questions for target in question.targets]
        logits -= logits.max(axis=1, keepdims=True)
        target_logits = logits[np.arange(len(targets)), targets]
        log_probabilities = target_logits - np.log(np.exp(logits, out=logits).sum(axis=1))
        begin = 0
        for question in questions:
            yield log_probabilities[begin : begin + len(question.places)]
            begin += len(question.places)


def _batches(questions: Sequence[Question]) -> Iterator[list[int]]:
    """Yield batches of question indices with one padded length, no larger than a core handles well."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for index, question in enumerate(questions):
        by_length[_padded(question)].append(index)
    for length, indices in by_length.items():
        rows = max(1, _BATCH_TOKENS // length)
        for begin in range(0, len(indices), rows):
            yield indices[begin : begin + rows]


def _padded(question: Question) -> int:
    return -(-(len(question.ids) + 2) // _STEP) * _STEP
