"""How the larger recognizer is made: MPNet-base, its lower half frozen at 4 bits.

Half of the layers keep what they learnt of English: they are rounded to what 4 bits hold before
anything else, so that the upper half learns to live with them, and no gradient is computed below
it, which is what brings training within reach of two cores. The words' shapes come in where
training begins.

One fold of the judgments (``recipe.folds``) is never trained on; the calibration curves and the
choice of a threshold come from it. Every epoch sees other variations: some judgments with other
people in them (``swap.py``), and newly generated posts, letters and forms (``variety/``).
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from random import Random

import torch
from torch import nn

from ..detect.calibration import Calibration
from ..detect.encoding import TextEncoder
from ..models.recognizer import RecognizerModel
from .calibrate import fit_curve
from .encoder import Encoder
from .examples import Example, Marked, example
from .loop import Schedule, train
from .network import Recognizer
from .outcomes import Pair, outcomes
from .package import set_calibration, write_package
from .quantization import Int4, rounded
from .recipe import THRESHOLD, Corpora, folds, student_encoder
from .swap import swap
from .variety import generate

SCHEDULE = Schedule(epochs=4, encoder_rate=1e-4, window=382, batch_tokens=2304, seed=3)
FROZEN = 6
BLOCK = 32
SWAPPED = 0.3
GENERATED = 400

# Mentions that a curve of one type needs.
_ENOUGH = 150
_MASKS = {"NO_MASK": 0, "QUASI": 1, "DIRECT": 2}


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
    seen, unseen = next(folds(corpora.judgments))
    network = work / "base"
    if not (network / "recognizer.safetensors").exists():
        model = Recognizer(Encoder.from_mpnet(encoder_folder, shape_layer=FROZEN))
        round_below_shapes(model.encoder)
        model.encoder.freeze_below_shapes()
        variations = Variations(data, encoder, {example.doc_id for example in seen})

        def of_epoch(epoch: int) -> list[Example]:
            return [
                *variations.judgments(seen, epoch),
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
    set_calibration(folder, fitted(RecognizerModel.load(folder), unseen))
    return folder


def round_below_shapes(encoder: Encoder) -> None:
    """Give the matrices of the layers that will be frozen the values that 4 bits can hold."""
    for layer in encoder.layers[: encoder.architecture.shape_layer]:
        for module in layer.modules():
            if isinstance(module, nn.Linear):
                values = rounded(module.weight.detach().numpy(), BLOCK)
                module.weight.data.copy_(torch.from_numpy(values))


class Variations:
    """What differs from epoch to epoch."""

    def __init__(self, data: Path, encoder: TextEncoder, judgments: set[str]) -> None:
        self._data = data
        self._encoder = encoder
        loaded = json.loads((data / "tab/train.json").read_text(encoding="utf-8"))
        self._judgments = {item["doc_id"]: item for item in loaded if item["doc_id"] in judgments}

    def judgments(self, examples: list[Example], epoch: int) -> list[Example]:
        """Return the judgments, a share of them with other people, drawn anew each epoch."""
        return [
            self._swapped(each.doc_id, draw) if draw.random() < SWAPPED else each
            for each in examples
            for draw in (Random(f"{epoch}:{each.doc_id}"),)
        ]

    def _swapped(self, doc_id: str, random: Random) -> Example:
        """Return a judgment with other people, the same ones for all of its annotators."""
        source = self._judgments[doc_id]
        mentions = [
            (m["start_offset"], m["end_offset"], m["entity_type"], f"{m['identifier_type']}:{who}")
            for who, annotation in enumerate(source["annotations"].values())
            for m in annotation["entity_mentions"]
        ]
        text, moved = swap(source["text"], mentions, random, self._data)
        by_annotator: dict[str, list[Marked]] = defaultdict(list)
        for start, end, type, mark in moved:
            identifier, _, who = mark.partition(":")
            by_annotator[who].append(Marked(start, end, type, _MASKS[identifier]))
        annotations = [by_annotator[str(who)] for who in range(len(source["annotations"]))]
        return example(doc_id, text, annotations, self._encoder, "judgment")

    def new(self, epoch: int) -> list[Example]:
        """Return generated documents of many kinds."""
        samples = generate(100 + epoch, GENERATED, self._data)
        return [
            example(
                f"generated-{epoch}-{number}",
                sample.text,
                [[Marked(s, e, type, _MASKS[mask]) for s, e, type, mask in sample.mentions]],
                self._encoder,
                "variety",
            )
            for number, sample in enumerate(samples)
        ]


def fitted(model: RecognizerModel, unseen: list[Example]) -> Calibration:
    """Return the curves of a model without calibration, from judgments it was not fitted to."""
    masking, direct = outcomes(model, unseen)
    every: list[Pair] = [pair for pairs in masking.values() for pair in pairs]
    curves = {}
    for type, pairs in sorted(masking.items()):
        # A fold has few mentions of some types: others, of all types, make up the number.
        missing = max(0, _ENOUGH - len(pairs))
        others = Random(type).sample(every, min(missing, len(every)))
        curves[type] = fit_curve(*zip(*pairs, *others, strict=True))
    return Calibration(curves, fit_curve(*zip(*direct, strict=True)))
