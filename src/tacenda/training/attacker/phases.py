"""Learning both sides in turn: coordinate ascent after a start with both at once.

Morris et al. (2022), section 5: while the document encoder learns, the matrix of all profiles is fixed, and
the softmax is over all of them; then the profile encoder learns to tell all documents apart, and the
matrix is computed anew. Before that, both learn from pairs in small batches: from random vectors
there would be nothing to climb.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ...reidentify.attackers.encoder import MASK
from ..checkpoint import Checkpoint
from .examples import Examples, Text, padded
from .masks import Prior, masked
from .network import BiEncoder, SideEncoder

_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a training run needs to be repeated.

    Attributes:
        turns: what learns in each epoch: B both sides, D documents, P profiles.
        prior: of masks.
        profile_dropout: share of a profile's words that are hidden, on average.
    """

    turns: str = "BBBB" + 8 * "PDDD"
    pairs: int = 64
    batch: int = 48
    rate: float = 2e-3
    table_rate: float = 1e-3
    weight_decay: float = 0.01
    smoothing: float = 0.1
    prior: Prior = "mixed"
    profile_dropout: float = 0.2
    warmup: int = 40
    seed: int = 1


class Training:
    """A run; ``fit`` does it.

    Args:
        model: the network, fitted in place.
        examples: what to fit it to.
        pieces: of the examples' words, as the network numbers them, [words, most pieces].
        schedule: how.
    """

    def __init__(
        self, model: BiEncoder, examples: Examples, pieces: Tensor, schedule: Schedule
    ) -> None:
        self._model = model
        self._examples = examples
        self._pieces = pieces
        self._schedule = schedule
        self._random = np.random.default_rng(schedule.seed)
        self._marks = np.array([examples.words.index(mark) for mark in ":;"])
        self._optimizer = torch.optim.AdamW(
            _groups(model, schedule), weight_decay=schedule.weight_decay, fused=True
        )
        self._scheduler = torch.optim.lr_scheduler.LambdaLR(self._optimizer, self._rate)

    def fit(self, resume: Path | None = None) -> None:
        """Run the schedule; prints one line an epoch.

        Args:
            resume: a file to write the state to after each epoch; a run that was stopped goes on
                from it. Removed when done.
        """
        schedule = self._schedule
        torch.manual_seed(schedule.seed)
        checkpoint = (
            Checkpoint(resume, f"{schedule} {len(self._examples.words)}") if resume else None
        )
        optimizer, scheduler = self._optimizer, self._scheduler
        done = checkpoint.restore(self._model, optimizer, scheduler) if checkpoint else 0
        for epoch, turn in list(enumerate(schedule.turns))[done:]:
            began = time.perf_counter()
            # Each epoch has its own numbers, so that one that is repeated is the same.
            self._random = np.random.default_rng((schedule.seed, epoch))
            losses = self._epoch(epoch)
            mean = sum(losses) / len(losses)
            seconds = time.perf_counter() - began
            print(
                f"epoch {epoch + 1} {turn} loss {mean:.3f} {seconds:.0f}s",
                file=sys.stderr,
                flush=True,
            )
            if checkpoint:
                checkpoint.save(self._model, optimizer, scheduler, epoch + 1)
        if checkpoint:
            checkpoint.discard()
        self._model.eval()

    def profile_matrix(self) -> Tensor:
        """Return everybody's vectors, [people, output]."""
        rows = self._examples.profiles
        return self._encoded(self._model.profile, rows)

    def document_matrix(self, texts: Sequence[Text], prior: Prior) -> Tensor:
        """Return the vectors of texts under masks of a prior, [texts, output]."""
        rows = [masked(text, prior, self._random) for text in texts]
        return self._encoded(self._model.document, rows)

    def _epoch(self, epoch: int) -> list[float]:
        """Return the losses of an epoch; every other turn of profiles is to tell masked texts apart."""
        turns = self._schedule.turns
        match turns[epoch]:
            case "B":
                return self._together()
            case "D":
                return self._documents()
            case "P":
                odd = turns[:epoch].count("P") % 2
                return self._profiles(self._schedule.prior if odd else "none")
        raise ValueError(f"turn {turns[epoch]!r} of {turns!r} is not known; write B, D or P.")

    def _together(self) -> list[float]:
        self._model.train()
        losses = []
        for texts in self._batches(self._examples.learned, self._schedule.pairs):
            logits = self._model.logits(self._documents_of(texts), self._profiles_of(texts))
            own = torch.arange(len(texts))
            loss = (self._loss(logits, own) + self._loss(logits.T, own)) / 2
            losses.append(self._step(loss))
        return losses

    def _documents(self) -> list[float]:
        matrix = self.profile_matrix()
        self._model.train()
        losses = []
        for texts in self._batches(self._examples.learned, self._schedule.batch):
            own = torch.tensor([text.person for text in texts])
            logits = self._model.logits(self._documents_of(texts), matrix)
            losses.append(self._step(self._loss(logits, own)))
        return losses

    def _profiles(self, prior: Prior) -> list[float]:
        learned = self._examples.learned
        matrix = self.document_matrix(learned, prior)
        row = {text.person: place for place, text in enumerate(learned)}
        self._model.train()
        losses = []
        for texts in self._batches(learned, self._schedule.batch):
            own = torch.tensor([row[text.person] for text in texts])
            logits = self._model.logits(self._profiles_of(texts), matrix)
            losses.append(self._step(self._loss(logits, own)))
        return losses

    def _documents_of(self, texts: Sequence[Text]) -> Tensor:
        rows = [masked(text, self._schedule.prior, self._random) for text in texts]
        return self._apply(self._model.document, rows)

    def _profiles_of(self, texts: Sequence[Text]) -> Tensor:
        rows = [self._thinned(self._examples.profiles[text.person]) for text in texts]
        return self._apply(self._model.profile, rows)

    def _thinned(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a profile with some words hidden, half of the time those of the name too.

        A name is in no other profile, so that an encoder could learn people by heart.
        """
        share = 2 * self._schedule.profile_dropout * self._random.random()
        if not share:
            return places
        hidden = (self._random.random(len(places)) < share) & ~np.isin(places, self._marks)
        if self._random.random() < 0.5:
            hidden[2 : int(np.argmax(places == self._marks[1]))] = True
        return np.where(hidden, MASK, places)

    def _apply(self, side: SideEncoder, rows: Sequence[NDArray[np.int64]]) -> Tensor:
        places = padded(rows)
        words, places = torch.unique(places, return_inverse=True)
        if words[0]:
            # Place 0 stays the one for nothing.
            words, places = torch.cat([words.new_zeros(1), words]), places + 1
        vectors: Tensor = side(self._pieces[words], places)
        return vectors

    def _encoded(self, side: SideEncoder, rows: Sequence[NDArray[np.int64]]) -> Tensor:
        side.eval()
        order = np.argsort([len(row) for row in rows], kind="stable")
        found = torch.zeros(len(rows), side.sizes.output)
        with torch.no_grad():
            for first in range(0, len(rows), _AT_ONCE):
                some = order[first : first + _AT_ONCE]
                found[some] = self._apply(side, [rows[n] for n in some])
        return found

    def _batches(self, texts: Sequence[Text], size: int) -> Iterator[list[Text]]:
        """Yield texts of about the same length together, the batches in any order."""
        lengths = np.array([len(text.places) for text in texts])
        order = np.argsort(lengths + self._random.uniform(0, 30, len(texts)))
        starts = np.arange(0, len(texts), size)
        self._random.shuffle(starts)
        for start in starts:
            yield [texts[n] for n in order[start : start + size]]

    def _loss(self, logits: Tensor, own: Tensor) -> Tensor:
        return functional.cross_entropy(logits, own, label_smoothing=self._schedule.smoothing)

    def _step(self, loss: Tensor) -> float:
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for side in (self._model.document, self._model.profile):
            nn.utils.clip_grad_norm_(side.parameters(), 5.0)
        self._optimizer.step()
        self._scheduler.step()
        return float(loss.item())

    def _rate(self, step: int) -> float:
        schedule = self._schedule
        n = len(self._examples.learned)
        pairs = schedule.turns.count("B")
        steps = pairs * math.ceil(n / schedule.pairs)
        steps += (len(schedule.turns) - pairs) * math.ceil(n / schedule.batch)
        return min(1.0, (step + 1) / schedule.warmup) * (
            0.5 + 0.5 * math.cos(math.pi * min(1.0, step / steps))
        )


def _groups(model: BiEncoder, schedule: Schedule) -> list[dict[str, object]]:
    tables = [model.document.table.weight, model.profile.table.weight]
    others = [p for p in model.parameters() if all(p is not table for table in tables)]
    return [
        {"params": others, "lr": schedule.rate},
        {"params": tables, "lr": schedule.table_rate, "weight_decay": 0.0},
    ]
