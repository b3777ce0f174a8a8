"""Fine-tuning of an encoder on what annotators masked, one entity in context at a time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from torch import Tensor
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR

from tacenda.errors import InputError, ModelError
from tacenda.evaluate.gold import GoldDocument
from tacenda.models.checkpoint import (
    PREFIX,
    cached_folder,
    load_pretrained,
    position_limit,
    torch_device,
)
from tacenda.models.store import digest

from ..indicators.encoded_span import span_inputs, span_texts
from ..scores import Score
from .corpus import annotator_views, check_apart, read_gold
from .packages import check_place, state_of, write_description
from .recipes import SpanSchedule
from .trainer import Trainer, cosine

Pair = tuple[str, str]


_WARMUP = 0.1


@dataclass(frozen=True, slots=True)
class SpanExamples:
    """Mentions in context, and whether each mention's annotator masked its entity."""

    texts: tuple[Pair, ...]
    masked: tuple[bool, ...]

    @classmethod
    def of(cls, documents: Sequence[GoldDocument], path: Path) -> SpanExamples:
        """Return the entities of all annotators in a file's documents; each annotator's view counts.

        Raises:
            InputError: annotators masked nothing or everything, or a semantic type is unknown.
        """
        texts: list[Pair] = []
        masked: list[bool] = []
        for view in annotator_views(documents, {}):
            for entity, is_masked in zip(view.entities, view.masked, strict=True):
                pairs = list(span_texts(view.document, entity))
                texts += pairs
                masked += [is_masked] * len(pairs)
        if len(set(masked)) < 2:
            raise InputError(
                "needs entities that are masked and others that are not; here all are alike",
                str(path),
            )
        return cls(tuple(texts), tuple(masked))


def train_encoded_span(
    gold: Path,
    encoder: str,
    folder: Path,
    schedule: SpanSchedule,
) -> dict[str, float]:
    """Fine-tune an encoder, write the indicator to ``folder``, and return its figures on the documents for judging.

    An interrupted run continues after its last epoch; with documents for judging, the best epoch is
    kept.

    Args:
        gold: documents in TAB's standoff format.
        encoder: a checkpoint's folder, or ``hf:`` and a folder or a name in the local cache.
        folder: the folder to write.
        schedule: the settings.

    Raises:
        InputError: a file isn't gold annotations, has only one class, or shares documents with the
            other, or the folder has other files.
        ModelError: there is no such encoder or device.
    """
    check_place(folder)
    dev = schedule.dev
    parts = {"train": read_gold(gold)} | ({} if dev is None else {"dev": read_gold(dev)})
    check_apart(parts, {"dev": str(dev)})
    examples = SpanExamples.of(parts["train"], gold)
    unseen = None if dev is None else SpanExamples.of(parts["dev"], dev)
    place = torch_device(schedule.device)
    torch.manual_seed(schedule.seed)
    model, tokenizer = _open_classifier(encoder)
    limit = position_limit(model.config, tokenizer.model_max_length)
    read = _reader(tokenizer, limit, place)
    orders = _orders(len(examples.texts), schedule)
    steps = sum(map(len, orders))
    warmup = max(1, int(steps * _WARMUP))

    def loss(batch: Sequence[int]) -> Tensor:
        inputs = read([examples.texts[index] for index in batch])
        targets = torch.tensor([int(examples.masked[index]) for index in batch], device=place)
        return functional.cross_entropy(model(**inputs).logits.float(), targets)

    def rate(step: int) -> float:
        return cosine(step, warmup, math.pi * max(0, step - warmup) / max(1, steps - warmup))

    def judge() -> float:
        assert unseen is not None
        return _figures(model, read, unseen)["f1"]

    optimizer = torch.optim.AdamW(model.parameters(), lr=schedule.rate, weight_decay=0.01)
    Trainer(
        model,
        orders.__getitem__,
        loss,
        schedule,
        optimizer,
        LambdaLR(optimizer, rate),
        clips=((model, 1.0),),
        device=place,
        judge=None if unseen is None else judge,
        keeps_state=True,
    ).fit(state_of(folder), f"{encoder} {digest(gold)}")
    figures = {} if unseen is None else _figures(model.to(place), read, unseen)
    origin = f"A span classifier made from {encoder} and {len(examples.texts)} mentions in context"
    judged = json.dumps(figures) if figures else "not judged"
    model.cpu().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    write_description(folder, f"{origin} by `tacenda lab train span`; {judged}.")
    state_of(folder).unlink(missing_ok=True)
    return figures


def _open_classifier(encoder: str) -> tuple[Any, Any]:
    """Return an encoder with a new head for two classes, and its tokenizer."""
    source = str(cached_folder(encoder.removeprefix(PREFIX)))
    model = load_pretrained(
        source, "AutoModelForSequenceClassification", num_labels=2, new_head=True
    )
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelError(f"{encoder} has no tokenizer that transformers reads.") from error
    return model, tokenizer


def _reader(
    tokenizer: Any, limit: int, device: torch.device
) -> Callable[[Sequence[Pair]], dict[str, Tensor]]:
    return lambda texts: dict(span_inputs(tokenizer, texts, limit).to(device))


def _orders(count: int, schedule: SpanSchedule) -> list[list[list[int]]]:
    """Return each epoch's batches as indices."""
    random = np.random.default_rng(schedule.seed)
    orders = [random.permutation(count).tolist() for _ in range(schedule.epochs)]
    size = schedule.batch_size
    return [[order[begin : begin + size] for begin in range(0, count, size)] for order in orders]


def _figures(
    model: Any, read: Callable[[Sequence[Pair]], dict[str, Tensor]], examples: SpanExamples
) -> dict[str, float]:
    model.eval()
    taken: list[bool] = []
    with torch.inference_mode():
        for begin in range(0, len(examples.texts), 32):
            logits = model(**read(examples.texts[begin : begin + 32])).logits
            taken += (logits.argmax(dim=-1) == 1).tolist()
    score = Score.of(taken, examples.masked)
    return {"precision": score.precision, "recall": score.recall, "f1": score.f1}
