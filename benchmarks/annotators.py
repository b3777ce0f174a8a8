"""Is it worth knowing who annotated? Each annotator's taste as an input while training, averaged out in use.

    python benchmarks/annotators.py DATA WORK --fold 0      # training takes some ten minutes of two cores

Two recognizers from MiniLM's weights on four fifths of the training judgments, biographies and synthetic sentences,
blind to the fold. *Shares*: the target of a subword is the share of its annotators. *Annotators*: a masking head for
each annotator of the judgments, a difference to the common one, fitted to that one's answers alone; the
probability is the mean of their answers. On the judgments of the fold: log loss of the share of annotators who mask a
subword, and precision by subwords at a recall of quasi-identifying entities (every subword of every mention, words masked as a
whole, nothing linked); 95 % by bootstrap over documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from tacenda.detect.neural import windows
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.models.encoding import TextEncoder
from tacenda_lab.train import recognizer_batches
from tacenda_lab.train.examples import MASKS, Example, MarkedSpan, example
from tacenda_lab.train.networks import Encoder, Recognizer
from tacenda_lab.train.recognizer import Corpora, folds, student_encoder
from tacenda_lab.train.recognizer_batches import (
    Schedule,
    TrainingWindow,
    batch_loss,
    collate,
    train,
)

SCHEDULE = Schedule(epochs=6, encoder_rate=2e-4)
_PERSONAL = 300
_RECALLS = (0.85, 0.9, 0.92, 0.94)
_THRESHOLDS = np.linspace(0.03, 0.7, 68)
_DRAWS = 200

Answers = Mapping[str, Sequence[tuple[int, NDArray[np.float32]]]]
"""By document: the number of an annotator, and their masking decisions as shares, [subwords, 3]."""


class AnnotatorHeads(Recognizer):
    """A recognizer with a masking head for each annotator, and the common one."""

    def __init__(self, encoder: Encoder, n_annotators: int) -> None:
        super().__init__(encoder)
        self.n_annotators = n_annotators
        self.tastes = nn.Linear(encoder.architecture.hidden_size, 3 * n_annotators)
        nn.init.zeros_(self.tastes.weight)
        nn.init.zeros_(self.tastes.bias)

    def by_annotator(self, x: Tensor) -> Tensor:
        """Return masking logits [batch, annotators + 1, length, 3], the common ones last."""
        batch, length, _ = x.shape
        differences = self.tastes(x).view(batch, length, self.n_annotators, 3).permute(0, 2, 1, 3)
        common = self.mask_head(x)[:, None]
        return torch.cat([common + differences, common], 1)


def annotators_loss(
    model: AnnotatorHeads,
    batch: Sequence[TrainingWindow],
    encoder: TextEncoder,
    masked_weight: float,
    answers: Answers,
) -> Tensor:
    """Return the usual loss of types, and that of each annotator's answer by that one's head."""
    ids, shapes, mask = collate(batch, encoder)
    rows, length = ids.shape
    shape = (rows, model.n_annotators + 1, length)
    target, weight = np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32)
    types = np.zeros((rows, length, batch[0].example.types.shape[1]), np.float32)
    type_weight = np.zeros((rows, length), np.float32)
    for row, item in enumerate(batch):
        part, inner = slice(item.window.start, item.window.end), slice(1, 1 + len(item.window))
        document = item.example
        types[row, inner] = document.types[part]
        type_weight[row, inner] = document.weight[part] * document.type_known[part]
        views = answers.get(document.doc_id) or [(model.n_annotators, document.masks)]
        for annotator, masks in views:
            target[row, annotator, inner] = masks[part]
            masked = 1 + (masked_weight - 1) * (1 - masks[part][:, 0])
            known = document.weight[part] * document.mask_known[part]
            weight[row, annotator, inner] = known * masked / len(views)
    x = model.head_dropout(model.encoder(ids, shapes, mask))
    soft_cross_entropy = recognizer_batches.soft_cross_entropy
    return soft_cross_entropy(model.type_head(x), types, type_weight) + soft_cross_entropy(
        model.by_annotator(x), target, weight
    )


def probabilities(
    model: Recognizer, document: Example, encoder: TextEncoder
) -> NDArray[np.float64]:
    """Return the probability that each subword is masked, [subwords]; of its word's subwords the highest."""
    result = np.zeros(len(document.encoding))
    for window in windows(len(result), 254, 64):
        shapes = document.encoding.shapes[window.start : window.end]
        batch = collate([TrainingWindow(document, window, shapes)], encoder)
        with torch.no_grad():
            x = model.encoder(*batch)
            heads = isinstance(model, AnnotatorHeads)
            logits = model.by_annotator(x)[:, :-1] if heads else model.mask_head(x)[:, None]
            masked = 1 - torch.softmax(logits, -1)[0, :, 1:-1, 0].mean(0)
        kept = slice(window.keep_start - window.start, window.keep_end - window.start)
        result[window.keep_start : window.keep_end] = masked.numpy()[kept]
    words = document.encoding.words
    highest = np.zeros(int(words.max()) + 1)
    np.maximum.at(highest, words, result)
    return highest[words]


def counts(
    documents: Sequence[Example],
    gold: Mapping[str, GoldDocument],
    answers: Sequence[NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Return entities found, entities, subwords masked rightly, masked, [documents, thresholds, 4]."""
    result = np.zeros((len(documents), len(_THRESHOLDS), 4))
    for row, (document, probability) in enumerate(zip(documents, answers, strict=True)):
        starts, ends = document.encoding.starts, document.encoding.ends
        least = []
        for entity in gold[document.doc_id].entities:
            parts = [
                probability[(starts < item.span.end) & (ends > item.span.start)]
                for item in entity.mentions
                if item.identifier == "QUASI"
            ]
            if parts:
                least.append(min(float(part.min()) for part in parts))
        masked = probability[None] >= _THRESHOLDS[:, None]
        result[row, :, 0] = (np.array(least)[None] >= _THRESHOLDS[:, None]).sum(1)
        result[row, :, 1] = len(least)
        result[row, :, 2] = (masked * (1 - document.masks[:, 0])).sum(1)
        result[row, :, 3] = masked.sum(1)
    return result


def precisions(values: NDArray[np.float64]) -> list[float]:
    """Return the best precision at each recall, of counts [documents, thresholds, 4]."""
    found, entities, right, masked = np.moveaxis(values.sum(0), -1, 0)
    recall, precision = found / entities, right / np.maximum(masked, 1)
    return [float(precision[recall >= least].max(initial=0.0)) for least in _RECALLS]


def log_losses(
    documents: Sequence[Example], answers: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return summed log loss and number of subwords, [documents, 2]."""
    sums = []
    for document, probability in zip(documents, answers, strict=True):
        bounded, share = probability.clip(1e-3, 1 - 1e-3), 1 - document.masks[:, 0]
        loss = -(share * np.log(bounded) + (1 - share) * np.log(1 - bounded))
        sums.append((loss.sum(), len(loss)))
    return np.array(sums)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--fold", type=int, default=0, help="from 0 to 4")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    checkpoint = student_encoder()
    encoder = TextEncoder.from_file(checkpoint / "tokenizer.json")
    corpora = Corpora.read(arguments.data, encoder)
    gold = {document.id: document for document in load_gold(arguments.data / "tab/train.json")}
    names = sorted({name for document in gold.values() for name in document.annotators})
    answers = {
        item.doc_id: [
            (names.index(name), decisions(item, gold[item.doc_id], name, encoder))
            for name in gold[item.doc_id].annotators
        ]
        for item in corpora.judgments
    }
    seen, unseen = next(islice(folds(corpora.judgments), arguments.fold, None))
    training_set = [*seen, *corpora.biographies, *corpora.personal[:_PERSONAL]]
    print(f"| fold {arguments.fold}, {len(unseen)} judgments | log loss | ", end="")
    print(" | ".join(f"P at {recall}" for recall in _RECALLS) + " |\n|---|---|---|---|---|---|")
    draws = np.random.default_rng(1).integers(0, len(unseen), (_DRAWS, len(unseen)))
    for name in ("shares", "annotators"):
        of_annotators = name == "annotators"
        torch.manual_seed(SCHEDULE.seed)
        start = Encoder.from_checkpoint(checkpoint)
        model = AnnotatorHeads(start, len(names)) if of_annotators else Recognizer(start)
        weights = arguments.work / f"{name}-{arguments.fold}.safetensors"
        if weights.exists():
            model.load_state_dict(load_file(weights))
        else:
            loss = partial(annotators_loss, answers=answers) if of_annotators else batch_loss
            train(model, training_set, encoder, SCHEDULE, loss=loss)
            save_file(model.state_dict(), weights)
        model.eval()
        masked = [probabilities(model, document, encoder) for document in unseen]
        losses, values = log_losses(unseen, masked), counts(unseen, gold, masked)
        spread = [losses[draw].sum(0) for draw in draws]
        columns = [(losses[:, 0].sum() / losses[:, 1].sum(), [a / b for a, b in spread])]
        curves = [precisions(values[draw]) for draw in draws]
        columns += zip(precisions(values), zip(*curves, strict=True), strict=True)
        cells = [
            f"{value:.3f} ({np.percentile(of_draws, 2.5):.3f}–{np.percentile(of_draws, 97.5):.3f})"
            for value, of_draws in columns
        ]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def decisions(
    item: Example, document: GoldDocument, annotator: str, encoder: TextEncoder
) -> NDArray[np.float32]:
    """Return one annotator's masking decisions as shares, [subwords, 3]."""
    spans = [
        MarkedSpan(mention.span.start, mention.span.end, mention.type, MASKS[mention.identifier])
        for entity in document.entities
        if entity.annotator == annotator
        for mention in entity.mentions
    ]
    return example(item.doc_id, item.text, [spans], encoder, item.corpus).masks


if __name__ == "__main__":
    main()
