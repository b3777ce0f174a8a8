"""How the larger recognizer is made: MPNet-base, its lower half frozen at 4 bits.

Half of the layers keep what they learnt of English: they are rounded to what 4 bits hold before
anything else, so that the upper half learns to live with them, and no gradient is computed below
it, which is what brings training within reach of two cores. The words' shapes come in where
training begins.

One fold of the judgments (``recipe.folds``) is never trained on; the calibration curves and the
choice of a threshold come from it. Every epoch sees other variations: some judgments with other
people in them, and newly generated posts, letters and forms (``variations.py``).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import torch
from torch import nn

from tacenda.models.calibration import Calibration
from tacenda.models.encoding import TextEncoder
from tacenda.models.recognizer import RecognizerModel

from .augmentation import Variations
from .examples import Example
from .loop import Schedule, train
from .networks import Encoder, Recognizer
from .onnx import Int4, dequantized_values, set_calibration, write_package
from .recognizer import (
    THRESHOLD,
    Corpora,
    Pair,
    calibration_pairs,
    fit_curve,
    folds,
    student_encoder,
)

SCHEDULE = Schedule(epochs=4, encoder_rate=1e-4, window=382, batch_tokens=2304, seed=3)
FROZEN = 6
BLOCK = 32

# Mentions that a curve of one type needs.
_ENOUGH = 150


def train_base_recognizer(data: Path, work: Path, encoder_folder: Path) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        data: the data folder.
        work: where the state of an unfinished run lies, and the result.
        encoder_folder: MPNet checkpoint, with ``bert_vocab.txt``, BERT's word pieces by line.

    Raises:
        InputError: if the package of MiniLM, whose tokenizer is BERT's, is not installed.
    """
    tokenizer = student_encoder() / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    corpora = Corpora.read(data, encoder)
    training_set, unseen = next(folds(corpora.judgments))
    network = work / "base"
    if not (network / "recognizer.safetensors").exists():
        begin = partial(Encoder.from_mpnet, encoder_folder, shape_layer=FROZEN)
        model = Recognizer.begun(begin, SCHEDULE.seed)
        round_below_shapes(model.encoder)
        model.encoder.freeze_below_shapes()
        variations = Variations(data / "tab/train.json", encoder, data)

        def of_epoch(epoch: int) -> list[Example]:
            return [
                *variations.judgments(training_set, epoch),
                *corpora.biographies,
                # What has only types, and what is easy, need not be seen so often.
                *(corpora.mentions_only if epoch == 0 else ()),
                *corpora.personal[epoch % 2 :: 2],
                *variations.new(epoch),
            ]

        train(model, of_epoch, encoder, SCHEDULE, work / "base.state")
        model.save(network)
    model = Recognizer.load(network)
    folder = work / "recognizer-en-base"
    window = SCHEDULE.window
    write_package(model, tokenizer, Calibration(), THRESHOLD, folder, window, Int4(BLOCK))
    set_calibration(folder, fit_calibration(RecognizerModel.load(folder), unseen))
    return folder


def round_below_shapes(encoder: Encoder) -> None:
    """Give the matrices of the layers that will be frozen the values that 4 bits can hold."""
    for layer in encoder.layers[: encoder.architecture.shape_layer]:
        for module in layer.modules():
            if isinstance(module, nn.Linear):
                values = dequantized_values(module.weight.detach().numpy(), BLOCK)
                module.weight.data.copy_(torch.from_numpy(values))


def fit_calibration(model: RecognizerModel, unseen: list[Example]) -> Calibration:
    """Return the curves of a model without calibration, from judgments it was not fitted to."""
    masking, direct = calibration_pairs(model, unseen)
    every: list[Pair] = [pair for pairs in masking.values() for pair in pairs]
    curves = {}
    for type, pairs in sorted(masking.items()):
        # A fold has few mentions of some types: others, of all types, make up the number.
        missing = max(0, _ENOUGH - len(pairs))
        extras = Random(type).sample(every, min(missing, len(every)))
        curves[type] = fit_curve(*zip(*pairs, *extras, strict=True))
    return Calibration(curves, fit_curve(*zip(*direct, strict=True)))
