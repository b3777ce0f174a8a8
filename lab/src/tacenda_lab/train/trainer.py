"""The trainer of all networks: seed, device, steps, progress, and a state to resume from."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR

from tacenda.errors import ModelError

Batch = TypeVar("Batch")


class EpochSchedule(Protocol):
    """The settings of a run; their text is part of a checkpoint's signature."""

    @property
    def epochs(self) -> int:
        """The number of epochs; the state is written after each."""

    @property
    def seed(self) -> int:
        """The seed of torch's random numbers."""


class Optimizer(Protocol):
    """A torch optimizer, or several that step together."""

    def zero_grad(self) -> None:
        """Drop the gradients."""

    def step(self) -> Any:
        """Update the weights from their gradients."""

    def state_dict(self) -> dict[str, Any]:
        """Return the state as tensors and plain values."""

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state."""


@dataclass(slots=True)
class Progress:
    """The progress of a run, epoch by epoch.

    Attributes:
        losses: the mean loss of each epoch.
        scores: the score of each epoch, if the run is judged.
        best: the weights of the epoch with the highest score, or None if the run isn't judged.
    """

    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    best: dict[str, Tensor] | None = None

    @property
    def best_epoch(self) -> int:
        """The number, from 0, of the first epoch with the highest score, or of the last epoch if the run isn't judged."""
        if not self.scores:
            return len(self.losses) - 1
        return self.scores.index(max(self.scores))

    def has_peaked(self, patience: int) -> bool:
        """Return whether the last ``patience`` epochs brought no better score; never with 0."""
        return 0 < patience < len(self.scores) - self.best_epoch


@dataclass(frozen=True, slots=True)
class TrainingCheckpoint:
    """A file with the state of an interrupted run, to resume it with bit-identical results.

    The file is first written elsewhere and then moved into place: a run interrupted while writing
    loses one epoch, but never the file.

    Attributes:
        path: where the file is.
        signature: the schedule and data; the file of another run is ignored.
    """

    path: Path
    signature: str

    def restore(
        self, model: nn.Module, optimizer: Optimizer, scheduler: LambdaLR, progress: Progress
    ) -> None:
        """Load the state, if this run left one."""
        if not self.path.exists():
            return
        # Tensors and plain values only: a checkpoint can't run code.
        state = torch.load(self.path, map_location="cpu", weights_only=True)
        if state["signature"] != self.signature:
            return
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        torch.set_rng_state(state["random"])
        if torch.cuda.is_available():
            torch.cuda.set_rng_state_all(state["gpu_random"])
        progress.losses, progress.scores = state["losses"], state["scores"]
        progress.best = state["best"]

    def save(
        self, model: nn.Module, optimizer: Optimizer, scheduler: LambdaLR, progress: Progress
    ) -> None:
        """Write the state after an epoch."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".part")
        state = {
            "signature": self.signature,
            "losses": progress.losses,
            "scores": progress.scores,
            "best": progress.best,
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
            "random": torch.get_rng_state(),
            "gpu_random": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        torch.save(state, unfinished)
        unfinished.replace(self.path)

    def discard(self) -> None:
        """Remove a finished run's file."""
        self.path.unlink(missing_ok=True)


def default_device() -> torch.device:
    """Return the first GPU, or the CPU if there is none."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision(device: torch.device) -> torch.autocast:
    """Return a context for bfloat16 if ``device`` can multiply it, else for float32.

    A CPU without bfloat16 instructions emulates them, which takes three times as long.
    """
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=_multiplies_bfloat16(device))


def _multiplies_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    # These names are private to torch: if they are gone, use the slower format to be safe.
    probes = (
        getattr(torch.cpu, name, None)
        for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    )
    return any(ask() for ask in probes if ask is not None)


def cosine(step: int, warmup: int, angle: float) -> float:
    """Return the factor of the learning rate: a linear rise times half a cosine wave.

    Args:
        step: the number of the step, from 0.
        warmup: the number of steps that the rise takes.
        angle: how far the fall has come, in [0, π].
    """
    return min(1.0, (step + 1) / warmup) * (0.5 + 0.5 * math.cos(angle))


def _epoch_line(schedule: EpochSchedule, epoch: int, loss: float) -> str:
    return f"epoch {epoch + 1}/{schedule.epochs} loss {loss:.4f}"


@dataclass(frozen=True, slots=True)
class Trainer(Generic[Batch]):
    """A training run of one network; on one core, the same seed gives the same weights.

    Attributes:
        model: the network, fitted in place.
        batches: the batches of an epoch, given its number from 0; each is drawn after the previous
            step.
        loss: the mean loss of a batch.
        schedule: the epochs and the seed.
        optimizer: updates the weights.
        scheduler: sets the learning rate, one step per batch.
        clips: groups of weights, each with its gradient's largest norm.
        device: where to compute.
        mixed: whether to use bfloat16 if the device has it.
        describe: returns a line of progress, given schedule, epoch and mean loss.
        judge: scores the network in its current state, higher for better; the best epoch's weights
            are kept.
        patience: the number of epochs without a better score after which the run ends; 0 for no
            limit.
        keeps_state: whether to keep the state's file when the run is done, until its result is
            written.
        parts: splits a batch into parts, each with its share of the loss, that cores compute in
            parallel. Random numbers drawn meanwhile, like dropout's, are then no longer the same
            for a seed.
    """

    model: nn.Module
    batches: Callable[[int], Iterable[Batch]]
    loss: Callable[[Batch], Tensor]
    schedule: EpochSchedule
    optimizer: Optimizer
    scheduler: LambdaLR
    clips: tuple[tuple[nn.Module, float], ...] = ()
    device: torch.device = field(default_factory=default_device)
    mixed: bool = True
    describe: Callable[[Any, int, float], str] = _epoch_line
    judge: Callable[[], float] | None = None
    patience: int = 0
    keeps_state: bool = False
    parts: Callable[[Batch], Sequence[tuple[Batch, float]]] = lambda batch: [(batch, 1.0)]

    def fit(self, resume: Path | None = None, data: str = "") -> Progress:
        """Run the epochs, printing a line for each on standard error; the network ends up on the CPU.

        Args:
            resume: the file for the state after each epoch, to resume an interrupted run; removed
                when done, unless it is kept.
            data: a text that identifies the data, for the file's signature.

        Raises:
            ModelError: the loss is no longer a number.
        """
        self.model.to(self.device)
        torch.manual_seed(self.schedule.seed)
        checkpoint = TrainingCheckpoint(resume, f"{self.schedule} {data}") if resume else None
        progress = Progress()
        state = self.model, self.optimizer, self.scheduler, progress
        if checkpoint:
            checkpoint.restore(*state)
        for epoch in range(len(progress.losses), self.schedule.epochs):
            if progress.has_peaked(self.patience):
                break
            start = time.perf_counter()
            self.model.train()
            losses = [self._step(batch) for batch in self.batches(epoch)]
            progress.losses.append(sum(losses) / max(1, len(losses)))
            line = self.describe(self.schedule, epoch, progress.losses[-1])
            if self.judge is not None:
                self.model.eval()
                progress.scores.append(self.judge())
                line += f" score {progress.scores[-1]:.4f}"
                if progress.best_epoch == epoch:
                    weights = self.model.state_dict().items()
                    progress.best = {name: value.cpu().clone() for name, value in weights}
            print(f"{line} {time.perf_counter() - start:.0f}s", file=sys.stderr, flush=True)
            if checkpoint:
                checkpoint.save(*state)
        if checkpoint and not self.keeps_state:
            checkpoint.discard()
        if progress.best is not None:
            self.model.load_state_dict(progress.best)
        self.model.cpu().eval()
        return progress

    def _step(self, batch: Batch) -> float:
        self.optimizer.zero_grad()
        parts = self.parts(batch)
        if len(parts) == 1:
            value = self._gradients(*parts[0])
        else:
            with ThreadPoolExecutor(
                len(parts), initializer=torch.set_num_threads, initargs=(1,)
            ) as pool:
                value = sum(pool.map(lambda part: self._gradients(*part), parts))
        if not math.isfinite(value):
            raise ModelError(f"the loss is {value}: training diverged; a lower --rate may help")
        for module, norm in self.clips:
            nn.utils.clip_grad_norm_(module.parameters(), norm)
        self.optimizer.step()
        self.scheduler.step()
        return value

    def _gradients(self, part: Batch, share: float) -> float:
        """Add the gradients of one part of a batch, and return its loss."""
        with mixed_precision(self.device) if self.mixed else nullcontext():
            loss = self.loss(part) * share
        loss.backward()
        return float(loss.detach())
