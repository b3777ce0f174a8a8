"""A transformers token classifier as a recognizer: any encoder, any labeling scheme.

| labels | read as |
|---|---|
| ``O``, ``B-PERSON`` … ``I-MISC``, ``NO_MASK``, ``QUASI``, ``DIRECT``, in this order | two heads: the semantic type and the masking decision |
| ``O``, ``B-MASK``, ``I-MASK`` | one head: spans are masked |
| ``O``, ``B-X``, ``I-X``, also with L, E, U, S, or without prefix | the same, with the semantic types that correspond to the names |

The first two are written by `tacenda lab train recognizer`, with its settings under ``tacenda`` in
``config.json``. The third are models from elsewhere, whose confidence is used as the masking
probability. Models are computed by torch, or by onnxruntime if the folder has a ``model.onnx``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingExtraError, ModelError
from .calibration import BIO_LABELS, DIRECT, NO_MASK, QUASI, Calibration, bio_id
from .checkpoint import (
    OWN_KEY,
    PREFIX,
    is_checkpoint,
    load_pretrained,
    load_tokenizer,
    position_limit,
    torch_device,
)
from .encoding import SubwordEncoder
from .networks import RecognizerModel
from .session import Engine, cores, engine_of, open_session
from .store import ShippedModel, address, locate

MASKING_LABELS: Final = ("NO_MASK", "QUASI", "DIRECT")
JOINT_LABELS: Final = (*BIO_LABELS, *MASKING_LABELS)
"""Labels of a network with two heads."""
IOB_LABELS: Final = ("O", "B-MASK", "I-MASK")
"""Labels of a network that only decides on masking (TAB, section 7.2)."""

ONNX_FILE: Final = "model.onnx"
_THRESHOLD = 0.5
_OVERLAP = 0.25
_TYPES: Final = {
    "PERSON": "PER PERS PERSON NAME NAM FIRSTNAME LASTNAME MIDDLENAME GIVENNAME SURNAME PATIENT DOCTOR USERNAME",
    "CODE": "CODE ID IDNUM PHONE PHONENUMBER TELEPHONENUM EMAIL URL IP IBAN SSN ACCOUNTNUM CREDITCARDNUMBER MEDICALRECORD",
    "LOC": "LOC GPE FAC LOCATION CITY STATE COUNTRY STREET ADDRESS ZIP ZIPCODE BUILDINGNUM HOSPITAL_ADDRESS",
    "ORG": "ORG ORGANIZATION ORGANISATION COMPANY COMPANYNAME HOSPITAL CORPORATION GROUP",
    "DEM": "DEM NORP NRP PROFESSION JOB JOBTITLE NATIONALITY GENDER SEX RELIGION LANGUAGE",
    "DATETIME": "DATETIME DATE TIME DATE_TIME DOB DATEOFBIRTH",
    "QUANTITY": "QUANTITY MONEY PERCENT CARDINAL ORDINAL AGE AMOUNT",
}
_TYPE_OF: Final = {name: type for type, names in _TYPES.items() for name in names.split()}


def semantic_type(label: str) -> str:
    """Return the semantic type for a foreign label without its prefix; MISC if it is unknown."""
    return _TYPE_OF.get(label.upper(), "MISC")


_PREFIXED = re.compile(r"(?P<prefix>[BILUSE])[-_](?P<name>.+)")


@dataclass(frozen=True, slots=True, eq=False)
class LabelScheme:
    """The meaning of a network's labels.

    Attributes:
        heads: number of labels per head.
        types: float32 [labels, 17], how much each label contributes to each semantic type in BIO
            form.
        masking: float32 [labels, 3], the same for the masking decision.
    """

    heads: tuple[int, ...]
    types: NDArray[np.float32]
    masking: NDArray[np.float32]

    @classmethod
    def of(cls, labels: Sequence[str]) -> LabelScheme:
        """Return the meaning of labels, following the table in the module docstring.

        Raises:
            ValueError: if no label means that a subword is outside all mentions.
        """
        n = len(labels)
        types = np.zeros((n, len(BIO_LABELS)), np.float32)
        masking = np.zeros((n, len(MASKING_LABELS)), np.float32)
        if tuple(labels) == JOINT_LABELS:
            types[: len(BIO_LABELS)] = np.eye(len(BIO_LABELS))
            masking[len(BIO_LABELS) :] = np.eye(len(MASKING_LABELS))
            return cls((len(BIO_LABELS), len(MASKING_LABELS)), types, masking)
        if "O" not in labels:
            raise ValueError(
                "its labels have no O for text outside mentions, so it is not a mention recognizer"
            )
        for index, label in enumerate(labels):
            match = _PREFIXED.fullmatch(label)
            name = (match["name"] if match else label).upper()
            if label == "O" or name == "NO_MASK":
                types[index, 0] = masking[index, NO_MASK] = 1.0
                continue
            begins = match is not None and match["prefix"] in "BUS"
            types[index, bio_id("B" if begins else "I", semantic_type(name))] = 1.0
            masking[index, DIRECT if name == "DIRECT" else QUASI] = 1.0
        return cls((n,), types, masking)

    def read(self, logits: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return probabilities [..., 17] and [..., 3] from logits [..., labels]."""
        parts = np.split(logits, np.cumsum(self.heads)[:-1], axis=-1)
        shares = np.concatenate([_softmax(part) for part in parts], axis=-1)
        return shares @ self.types, shares @ self.masking


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: NDArray[np.float32] = powers / powers.sum(axis=-1, keepdims=True)
    return shares


class Network(Protocol):
    """A network that can be computed."""

    def __call__(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return logits [batch, length, labels] for ids and mask [batch, length]."""
        ...


class TokenClassifier:
    """A token classifier with its encoder, windows and calibration; it has the interface of ``RecognizerModel``.

    Args:
        name: name of the model.
        network: the network.
        encoder: text to subwords.
        labels: the network's labels.
        window: longest window, in subwords without special tokens.
        overlap: minimum overlap of two windows.
        batch_tokens: approximate number of subwords per batch.

    Attributes:
        threshold: the default masking threshold.
        calibration: from the model's confidence to probabilities.
        languages: ISO 639-1 codes of the languages it was trained on.
        bounds: always None, since none were measured.
        step: windows are padded to a multiple of this many subwords, so that short texts share
            batches.
        engine: what computes it.

    Raises:
        ValueError: if the labels don't describe mentions.
    """

    bounds: None = None
    step = 16

    def __init__(
        self,
        name: str,
        network: Network,
        encoder: SubwordEncoder,
        labels: Sequence[str],
        window: int,
        overlap: int,
        batch_tokens: int,
    ) -> None:
        self.name = name
        self.encoder = encoder
        self.window = window
        self.overlap = overlap
        self.batch_tokens = batch_tokens
        self.threshold = _THRESHOLD
        self.calibration = Calibration()
        self.languages = frozenset({"en"})
        self.engine: Engine = "torch"
        self._network = network
        self._scheme = LabelScheme.of(labels)
        self._source: ShippedModel | None = None

    @classmethod
    def load(cls, shipped: ShippedModel) -> TokenClassifier:
        """Load a folder saved by transformers, once its digests have been checked.

        Raises:
            MissingExtraError: if transformers, torch or tokenizers isn't installed.
            ModelError: if it isn't a token classifier, or a file is missing or damaged.
        """
        shipped.verify()
        config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
        settings = config.get(OWN_KEY, {})
        engine = engine_of(config)
        labels = [label for _, label in sorted(config.get("id2label", {}).items(), key=_number)]
        try:
            network: Network
            if engine == "torch":
                network = TorchNetwork.load(shipped.folder)
                limit = network.limit
            else:
                network, limit = (
                    OnnxNetwork(shipped.folder / ONNX_FILE),
                    int(settings["window"]) + 2,
                )
            tokenizer = tokenizer_of(shipped.folder)
            encoder = SubwordEncoder(tokenizer, int(config.get("pad_token_id") or 0))
            window = int(settings.get("window", limit - 2))
            overlap = int(settings.get("overlap", window * _OVERLAP))
            batch_tokens = network.batch_tokens
            model = cls(shipped.name, network, encoder, labels, window, overlap, batch_tokens)
            model.engine = engine
            model.threshold = float(settings.get("threshold", _THRESHOLD))
            model.languages = frozenset(map(str, settings.get("languages", ["en"])))
            if "calibration" in settings:
                model.calibration = Calibration.from_points(settings["calibration"])
        except ImportError as error:
            raise MissingExtraError(f"{PREFIX}{shipped.name}", "hf") from error
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{shipped.name} can't be used as a recognizer: {error}.") from error
        model._source = shipped
        return model

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the folder; the weights are loaded when it is unpickled.

        Raises:
            TypeError: if it wasn't loaded from a folder.
        """
        if self._source is None:
            raise TypeError("a token classifier without a folder can't be pickled")
        return _unpickled, (address(self._source),)

    def without_calibration(self) -> TokenClassifier:
        """Return the same model with its raw confidence as the probability."""
        bare = TokenClassifier.__new__(TokenClassifier)
        bare.__dict__.update(self.__dict__)
        bare.calibration = Calibration()
        bare._source = None
        return bare

    def run(
        self,
        ids: NDArray[np.int64],
        shapes: NDArray[np.int64],
        mask: NDArray[np.int32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return probabilities [batch, length, 17] and [batch, length, 3] for [batch, length].

        Raises:
            ModelError: if a logit isn't a number, since it would mask nothing.
        """
        logits = self._network(ids, mask.astype(np.int64))
        if np.isnan(logits[mask > 0]).any():
            raise ModelError(
                f"{self.name} returned a value that is not a number; its weights are damaged."
            )
        types, masking = self._scheme.read(logits)
        # The last digits depend on what else is in the batch.
        return types.round(4), masking.round(4)


def open_recognizer(model: ShippedModel) -> RecognizerModel | TokenClassifier:
    """Load one of this project's recognizers, or a transformers token classifier.

    Raises:
        MissingExtraError: if the libraries for a token classifier aren't installed.
        ModelError: if it is neither, or a file is missing or damaged.
    """
    return TokenClassifier.load(model) if is_checkpoint(model.folder) else RecognizerModel(model)


def _number(item: tuple[str, str]) -> int:
    return int(item[0])


def _unpickled(place: str) -> TokenClassifier:
    return TokenClassifier.load(locate(place))


def tokenizer_of(folder: Path) -> Any:
    """Return a folder's tokenizer, one of the library ``tokenizers``.

    Raises:
        ModelError: if there is no tokenizer with offsets.
    """
    if (folder / "tokenizer.json").exists():
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer = load_tokenizer(str(folder))
    if not tokenizer.is_fast:
        raise ModelError(f"the tokenizer of {folder} has no offsets.")
    return tokenizer.backend_tokenizer


class TorchNetwork:
    """A transformers network on a device; in bfloat16 on a GPU.

    Args:
        model: a transformers model; moved to the device.
        device: a torch device.

    Attributes:
        limit: maximum input length, including special tokens.
        batch_tokens: approximate number of subwords per batch.
    """

    def __init__(self, model: Any, device: Any) -> None:
        import torch

        if device.type == "cpu":
            torch.set_num_threads(min(torch.get_num_threads(), cores()))
        self._torch = torch
        self._model = model.to(device).eval()
        self._device = device
        self.limit = position_limit(model.config, float("inf"))
        self.batch_tokens = 2_048 if device.type == "cpu" else 65_536

    @classmethod
    def load(cls, folder: Path) -> TorchNetwork:
        """Load a folder onto this process's device; see ``torch_device``."""
        model = load_pretrained(str(folder), "AutoModelForTokenClassification")
        return cls(model, torch_device())

    def __call__(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return logits [batch, length, labels]."""
        torch, device = self._torch, self._device
        inputs = classifier_inputs(
            self._model, torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)
        )
        is_gpu = device.type == "cuda"
        with (
            torch.inference_mode(),
            torch.autocast(device.type, dtype=torch.bfloat16, enabled=is_gpu),
        ):
            logits: NDArray[np.float32] = self._model(**inputs).logits.float().cpu().numpy()
        return logits


def classifier_inputs(model: Any, ids: Any, mask: Any) -> Mapping[str, Any]:
    """Return the model's inputs for ids and mask [batch, length].

    If attention is local (Longformer), the first token attends to all others and they to it.
    """
    inputs = {"input_ids": ids, "attention_mask": mask}
    if model.config.model_type in ("longformer", "led"):
        everywhere = mask.new_zeros(mask.shape)
        everywhere[:, 0] = 1
        inputs["global_attention_mask"] = everywhere
    return inputs


class OnnxNetwork:
    """A network exported to ONNX, on the CPU."""

    batch_tokens = 2_048

    def __init__(self, path: Path) -> None:
        self._session = open_session(path, single_thread=cores() == 1)

    def __call__(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return logits [batch, length, labels]."""
        logits: NDArray[np.float32]
        (logits,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        return logits
