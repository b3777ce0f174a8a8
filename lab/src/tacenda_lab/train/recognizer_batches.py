"""Batches, loss and schedule of the recognizer: shuffled windows, soft targets, one cosine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR

from tacenda.detect.windows import Window, windows
from tacenda.models.encoding import SpecialPieces, WordShape

from .examples import Example
from .trainer import Progress, Trainer, cosine, default_device


@dataclass(frozen=True, slots=True)
class Schedule:
    """Settings of a training run.

    A batch holds ``batch_size`` windows; or, if ``batch_tokens`` is not 0, windows of about as many
    subwords in all, so a batch of sentences weighs less than one of pages. Windows follow one another, and
    each epoch cuts elsewhere; with an ``overlap`` they are those in which a text is read.
    """

    epochs: int = 8
    batch_size: int = 16
    batch_tokens: int = 0
    window: int = 254
    encoder_rate: float = 4e-4
    head_rate: float = 1e-3
    weight_decay: float = 0.01
    warmup: float = 0.1
    masked_weight: float = 2.0
    case_noise: float = 0.05
    seed: int = 1
    overlap: int | None = None
    patience: int = 0


Loss: TypeAlias = Callable[[Any, "Sequence[TrainingWindow]", SpecialPieces, float], Tensor]
"""Loss of a network on a batch; the number weighs masked subwords."""


class TokenNetwork(Protocol):
    """A network of tokens, with heads that begin again."""

    def head_parameters(self) -> Iterable[nn.Parameter]:
        """Return the weights that no checkpoint has."""
        ...

    def parameters(self) -> Iterable[nn.Parameter]:
        """Return all weights."""
        ...


def train(
    model: Any,
    examples: Sequence[Example] | Callable[[int], Sequence[Example]],
    encoder: SpecialPieces,
    schedule: Schedule,
    resume: Path | None = None,
    loss: Loss | None = None,
    judge: Callable[[], float] | None = None,
    device: torch.device | None = None,
    data: str = "",
    *,
    keeps_state: bool = False,
) -> Progress:
    """Fit ``model`` in place; prints one line an epoch. On one core the same seed gives the same weights.

    Args:
        model: the network, a module with ``head_parameters``; on the processor before and after.
        examples: training data; or a function from the number of an epoch, from 0, to its data.
        encoder: source of the special tokens.
        schedule: settings of the run.
        resume: a file to write the state to after each epoch; a stopped run resumes from it.
            Removed when done, unless it is kept.
        loss: of a batch, if not that of both heads.
        judge: score of the network after an epoch; the best epoch's weights are kept.
        device: where to compute; the first GPU, if there is one, by default.
        data: text identifying the data, as far as the number of windows doesn't.
        keeps_state: whether the state stays until the caller has written the result.
    """
    random = np.random.default_rng(schedule.seed)
    of_epoch = examples if callable(examples) else lambda _: examples
    epochs = [list(_batches(of_epoch(epoch), schedule, random)) for epoch in range(schedule.epochs)]
    optimizer = torch.optim.AdamW(
        _parameter_groups(model, schedule), weight_decay=schedule.weight_decay, fused=True
    )
    steps = sum(len(batches) for batches in epochs)
    warmup = max(1, int(steps * schedule.warmup))

    def rate(step: int) -> float:
        angle = math.pi * max(0, step - warmup) / max(1, steps - warmup)
        return cosine(step, warmup, angle)

    trainer = Trainer(
        model,
        epochs.__getitem__,
        lambda batch: (loss or batch_loss)(model, batch, encoder, schedule.masked_weight),
        schedule,
        optimizer,
        LambdaLR(optimizer, rate),
        clips=((model, 1.0),),
        device=device or default_device(),
        judge=judge,
        patience=schedule.patience,
        keeps_state=keeps_state,
        parts=_by_core,
    )
    items = [item for batches in epochs for batch in batches for item in batch]
    return trainer.fit(resume, f"{len(items)} {sum(map(len, items))}{data}")


def _by_core(batch: list[TrainingWindow]) -> list[tuple[list[TrainingWindow], float]]:
    """Return a batch in as many parts as there are cores, each with its share of the subwords.

    On two cores a part each is half as fast again as both at every product.
    """
    cores = 1 if torch.cuda.is_available() else torch.get_num_threads()
    parts = [part for core in range(cores) if (part := batch[core::cores])]
    sizes = [sum(map(len, part)) for part in parts]
    return [(part, size / sum(sizes)) for part, size in zip(parts, sizes, strict=True)]


def _parameter_groups(model: TokenNetwork, schedule: Schedule) -> list[dict[str, object]]:
    heads = list(model.head_parameters())
    in_heads = {id(parameter) for parameter in heads}
    body = [parameter for parameter in model.parameters() if id(parameter) not in in_heads]
    return [
        {"params": body, "lr": schedule.encoder_rate},
        {"params": heads, "lr": schedule.head_rate},
    ]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingWindow:
    """A window of an example, with the shapes the model is to see."""

    example: Example
    window: Window
    shapes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.window)


def _batches(
    examples: Sequence[Example], schedule: Schedule, random: np.random.Generator
) -> Iterator[list[TrainingWindow]]:
    """Yield one epoch of windows in batches of about equal length, in random order."""
    items = []
    for example in examples:
        for window in _cut(len(example.encoding), schedule, random):
            seen = example.encoding.shapes[window.start : window.end]
            shapes = _case_noise(seen, schedule.case_noise, random)
            items.append(TrainingWindow(example, window, shapes))
    random.shuffle(items)
    # Sorting within large chunks saves padding and leaves the order random enough.
    chunk = schedule.batch_size * 32
    batches: list[list[TrainingWindow]] = []
    for begin in range(0, len(items), chunk):
        part = sorted(items[begin : begin + chunk], key=len)
        batches += _sliced(part, schedule)
    random.shuffle(batches)
    yield from batches


def _cut(n: int, schedule: Schedule, random: np.random.Generator) -> Iterator[Window]:
    """Yield the windows of a document of ``n`` subwords.

    Without an overlap the first one has a random length, so each epoch cuts elsewhere.
    """
    if schedule.overlap is not None:
        yield from windows(n, schedule.window, schedule.overlap)
        return
    first = (
        n
        if n <= schedule.window
        else int(random.integers(schedule.window // 4, schedule.window + 1))
    )
    for start, end in pairwise([0, *range(first, n, schedule.window), n]):
        yield Window(start, end, start, end)


def _sliced(items: Sequence[TrainingWindow], schedule: Schedule) -> Iterator[list[TrainingWindow]]:
    """Yield items, sorted by length, as batches; by subwords, the longest item sets the size."""
    if not schedule.batch_tokens:
        for begin in range(0, len(items), schedule.batch_size):
            yield list(items[begin : begin + schedule.batch_size])
        return
    end = len(items)
    while end:
        begin = max(0, end - max(1, schedule.batch_tokens // (2 + len(items[end - 1]))))
        yield list(items[begin:end])
        end = begin


def _case_noise(
    shapes: NDArray[np.int64], share: float, random: np.random.Generator
) -> NDArray[np.int64]:
    """Show a share of windows in lower case and as large a one in capitals.

    The vocabulary is uncased: the shapes alone carry the case.
    """
    draw = random.random()
    if draw >= 2 * share:
        return shapes
    cased = np.isin(
        shapes,
        (WordShape.LOWER, WordShape.TITLE, WordShape.UPPER, WordShape.MIXED, WordShape.INITIAL),
    )
    return np.where(cased, WordShape.LOWER if draw < share else WordShape.UPPER, shapes)


def batch_loss(
    model: Any, batch: Sequence[TrainingWindow], encoder: SpecialPieces, masked_weight: float
) -> Tensor:
    """Return the sum of both heads' soft cross entropies, averaged over the subwords by weight."""
    device = next(model.parameters()).device
    ids, shapes, mask = (part.to(device) for part in collate(batch, encoder))
    length = ids.shape[1]
    types = np.zeros((len(batch), length, batch[0].example.types.shape[1]), dtype=np.float32)
    masks = np.zeros((len(batch), length, 3), dtype=np.float32)
    weight = np.zeros((len(batch), length), dtype=np.float32)
    mask_weight = np.zeros((len(batch), length), dtype=np.float32)
    for row, item in enumerate(batch):
        example, window = item.example, item.window
        part, inner = kept(window)
        types[row, inner] = example.types[part]
        masks[row, inner] = example.masks[part]
        weight[row, inner] = example.weight[part] * example.type_known[part]
        mask_weight[row, inner] = (
            example.weight[part]
            * example.mask_known[part]
            * (1.0 + (masked_weight - 1.0) * (1.0 - example.masks[part, 0]))
        )
    type_logits, mask_logits = model(ids, shapes, mask)
    type_loss = soft_cross_entropy(type_logits, types, weight)
    mask_loss = soft_cross_entropy(mask_logits, masks, mask_weight)
    return type_loss + mask_loss


def kept(window: Window) -> tuple[slice, slice]:
    """Return the subwords that are read from a window: within the document, and within a batch's row."""
    first = 1 + window.keep_start - window.start
    size = window.keep_end - window.keep_start
    return slice(window.keep_start, window.keep_end), slice(first, first + size)


def soft_cross_entropy(
    logits: Tensor, target: NDArray[np.float32], weight: NDArray[np.float32]
) -> Tensor:
    """Return the cross entropy to target shares [..., labels], averaged by weights [...]."""
    log_probabilities = functional.log_softmax(logits.float(), dim=-1)
    device = logits.device
    per_token = -(torch.from_numpy(target).to(device) * log_probabilities).sum(-1)
    weights = torch.from_numpy(weight).to(device)
    return (per_token * weights).sum() / weights.sum().clamp(min=1.0)


def collate(
    batch: Sequence[TrainingWindow], encoder: SpecialPieces
) -> tuple[Tensor, Tensor, Tensor]:
    """Return ids, shapes and attention mask [batch, 2 + longest window], with [CLS] and [SEP]."""
    length = 2 + max(len(item) for item in batch)
    ids = np.full((len(batch), length), encoder.pad_id, dtype=np.int64)
    shapes = np.zeros((len(batch), length), dtype=np.int64)
    mask = np.zeros((len(batch), length), dtype=bool)
    for row, item in enumerate(batch):
        n = len(item)
        ids[row, 0] = encoder.cls_id
        ids[row, 1 : n + 1] = item.example.encoding.ids[item.window.start : item.window.end]
        ids[row, n + 1] = encoder.sep_id
        shapes[row, 1 : n + 1] = item.shapes
        mask[row, : n + 2] = True
    return torch.from_numpy(ids), torch.from_numpy(shapes), torch.from_numpy(mask)
