"""The optimisation loop of the recognizer: shuffled windows, soft targets, one cosine."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tacenda.detect.neural import Window
from tacenda.models.encoding import Shape, TextEncoder

from .examples import Example
from .networks import Recognizer

# What an interrupted training run needs to go on where it was, to the bit.
#
# Written after every epoch, first beside its place and then moved into it, so that a run stopped
# while writing loses one epoch and never the file.


@dataclass(frozen=True, slots=True)
class TrainingCheckpoint:
    """The file that a run with the given schedule leaves after each epoch.

    Attributes:
        path: where it lies.
        signature: schedule and data; a file of another run is not gone on with.
    """

    path: Path
    signature: str

    def restore(
        self,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        scheduler: torch.optim.lr_scheduler.LRScheduler,
    ) -> int:
        """Load the state, if there is one of this run, and return the number of finished epochs."""
        if not self.path.exists():
            return 0
        # Tensors and plain values only: a checkpoint can't run code.
        state = torch.load(self.path, map_location="cpu", weights_only=True)
        if state["signature"] != self.signature:
            return 0
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        torch.set_rng_state(state["random"])
        return int(state["epochs"])

    def save(
        self,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        scheduler: torch.optim.lr_scheduler.LRScheduler,
        epochs: int,
    ) -> None:
        """Write the state after ``epochs`` finished epochs."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".part")
        state = {
            "signature": self.signature,
            "epochs": epochs,
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
            "random": torch.get_rng_state(),
        }
        torch.save(state, unfinished)
        unfinished.replace(self.path)

    def discard(self) -> None:
        """Remove the file of a run that is done."""
        self.path.unlink(missing_ok=True)


# The number format to compute with: bfloat16 where the hardware multiplies it, else float32.
#
# A processor without bfloat16 instructions emulates them and takes three times as long.


def device_at_hand() -> torch.device:
    """Return the first GPU, or the processor if there is none."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision(device: torch.device) -> torch.autocast:
    """Return the context in which to run a network on ``device``."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=_multiplies_bfloat16(device))


def _multiplies_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    # Private names of torch: where they have gone, the slower format is the safe one.
    probes = (
        getattr(torch.cpu, name, None)
        for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    )
    return any(ask() for ask in probes if ask is not None)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a training run needs to be repeated.

    A batch holds ``batch_size`` windows; or, if ``batch_tokens`` is not 0, as many as these
    subwords make, so that a batch of sentences does not weigh as much as one of pages.
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


def train(
    model: Recognizer,
    examples: Sequence[Example] | Callable[[int], Sequence[Example]],
    encoder: TextEncoder,
    schedule: Schedule,
    resume: Path | None = None,
) -> None:
    """Fit ``model`` in place; prints one line an epoch. The same seed gives the same weights.

    Args:
        model: the network, on the processor before and after.
        examples: what to fit it to; or, for epochs that differ, what gives those of an epoch by
            its number from 0.
        encoder: gives the special tokens.
        schedule: how.
        resume: a file to write the state to after each epoch; a run that was stopped goes on
            from it. Removed when done.
    """
    device = device_at_hand()
    model.to(device)
    torch.manual_seed(schedule.seed)
    random = np.random.default_rng(schedule.seed)
    heads = [
        *model.type_head.parameters(),
        *model.mask_head.parameters(),
        model.encoder.shape_embedding.weight,
    ]
    in_heads = {id(parameter) for parameter in heads}
    body = [parameter for parameter in model.parameters() if id(parameter) not in in_heads]
    optimizer = torch.optim.AdamW(
        [
            {"params": body, "lr": schedule.encoder_rate},
            {"params": heads, "lr": schedule.head_rate},
        ],
        weight_decay=schedule.weight_decay,
        fused=True,
    )
    of_epoch = examples if callable(examples) else lambda _: examples
    epochs = [list(_batches(of_epoch(epoch), schedule, random)) for epoch in range(schedule.epochs)]
    steps = sum(len(batches) for batches in epochs)
    warmup = max(1, int(steps * schedule.warmup))
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: (
            min(1.0, (step + 1) / warmup)
            * (0.5 + 0.5 * math.cos(math.pi * max(0, step - warmup) / max(1, steps - warmup)))
        ),
    )
    windows = [item for batches in epochs for batch in batches for item in batch]
    signature = f"{schedule} {len(windows)} {sum(map(len, windows))}"
    checkpoint = TrainingCheckpoint(resume, signature) if resume else None
    first = checkpoint.restore(model, optimizer, scheduler) if checkpoint else 0
    model.train()
    for epoch, batches in enumerate(epochs[first:], start=first):
        start = time.perf_counter()
        total = 0.0
        count = 0
        for batch in batches:
            with mixed_precision(device):
                loss = batch_loss(model, batch, encoder, schedule.masked_weight)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            total += float(loss.detach())
            count += 1
        seconds = time.perf_counter() - start
        print(
            f"epoch {epoch + 1}/{schedule.epochs} loss {total / max(1, count):.4f} {seconds:.0f}s",
            file=sys.stderr,
            flush=True,
        )
        if checkpoint:
            checkpoint.save(model, optimizer, scheduler, epoch + 1)
    if checkpoint:
        checkpoint.discard()
    model.cpu()
    model.eval()


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
    """Yield one epoch of windows in batches of about equal length, in random order.

    The first window of a document has a random length, so that each epoch cuts elsewhere.
    """
    items = []
    for example in examples:
        n = len(example.encoding)
        first = (
            n
            if n <= schedule.window
            else int(random.integers(schedule.window // 4, schedule.window + 1))
        )
        borders = [0, *range(first, n, schedule.window), n]
        for start, end in pairwise(borders):
            shapes = _case_noise(example.encoding.shapes[start:end], schedule.case_noise, random)
            items.append(TrainingWindow(example, Window(start, end, start, end), shapes))
    random.shuffle(items)
    # Sorting within large chunks saves padding and leaves the order random enough.
    chunk = schedule.batch_size * 32
    batches: list[list[TrainingWindow]] = []
    for begin in range(0, len(items), chunk):
        part = sorted(items[begin : begin + chunk], key=len)
        batches += _sliced(part, schedule)
    random.shuffle(batches)
    yield from batches


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

    The vocabulary is uncased: the shapes are all that tells the case.
    """
    draw = random.random()
    if draw >= 2 * share:
        return shapes
    cased = np.isin(shapes, (Shape.LOWER, Shape.TITLE, Shape.UPPER, Shape.MIXED, Shape.INITIAL))
    return np.where(cased, Shape.LOWER if draw < share else Shape.UPPER, shapes)


def batch_loss(
    model: Recognizer, batch: Sequence[TrainingWindow], encoder: TextEncoder, masked_weight: float
) -> Tensor:
    """Return the sum of both heads' soft cross entropies, averaged over tokens."""
    device = model.type_head.weight.device
    ids, shapes, mask = (part.to(device) for part in collate(batch, encoder))
    length = ids.shape[1]
    types = np.zeros((len(batch), length, batch[0].example.types.shape[1]), dtype=np.float32)
    masks = np.zeros((len(batch), length, 3), dtype=np.float32)
    weight = np.zeros((len(batch), length), dtype=np.float32)
    mask_weight = np.zeros((len(batch), length), dtype=np.float32)
    for row, item in enumerate(batch):
        example, window = item.example, item.window
        part = slice(window.start, window.end)
        inner = slice(1, 1 + len(window))
        types[row, inner] = example.types[part]
        masks[row, inner] = example.masks[part]
        weight[row, inner] = 1.0
        mask_weight[row, inner] = example.mask_known[part] * (
            1.0 + (masked_weight - 1.0) * (1.0 - example.masks[part, 0])
        )
    type_logits, mask_logits = model(ids, shapes, mask)
    type_loss = _soft_cross_entropy(type_logits, types, weight)
    mask_loss = _soft_cross_entropy(mask_logits, masks, mask_weight)
    return type_loss + mask_loss


def _soft_cross_entropy(logits: Tensor, target: np.ndarray, weight: np.ndarray) -> Tensor:
    log_probabilities = functional.log_softmax(logits.float(), dim=-1)
    device = logits.device
    per_token = -(torch.from_numpy(target).to(device) * log_probabilities).sum(-1)
    weights = torch.from_numpy(weight).to(device)
    return (per_token * weights).sum() / weights.sum().clamp(min=1.0)


def collate(batch: Sequence[TrainingWindow], encoder: TextEncoder) -> tuple[Tensor, Tensor, Tensor]:
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
