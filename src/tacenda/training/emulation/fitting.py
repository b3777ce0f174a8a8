"""Weights, curves and thresholds from combinations that an index was asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...models.emulation import Size
from ...risk.search.emulated.network import confidence
from ..calibrate import fit_curve
from .cases import Observed
from .network import EmulationNetwork

FOLDS = 5
EPOCHS = 30
_BATCH = 512
_STEPS = 8
"""Of an epoch, at least."""
_RATE = 3e-3
_DECAY = 1e-2
_MOST = 150
"""Combinations of one size that a document gives to training: long ones have thousands."""

Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Documents as tensors; see ``EmulationNetwork.forward``. ``of`` is the document of each combination."""

    facts: Tensor
    vectors: Tensor
    people: Tensor
    chosen: Tensor
    size: Tensor
    of: Tensor
    risky: Tensor


def pack(observed: Sequence[Observed], random: np.random.Generator) -> Packed:
    """Return documents as tensors, of each size some combinations of each document."""
    sizes = len(observed[0].answers)
    chosen, size, of, risky = [], [], [], []
    begin = 0
    for number, each in enumerate(observed):
        for answers in each.answers:
            count, length = answers.chosen.shape
            kept = np.arange(count)
            if length > 1 and count > _MOST:
                kept = random.choice(count, _MOST, replace=False)
            filled = np.repeat(answers.chosen[kept, :1], sizes - length, axis=1)
            chosen.append(np.concatenate([answers.chosen[kept], filled], axis=1) + begin)
            size.append(np.full(len(kept), length))
            of.append(np.full(len(kept), number))
            risky.append(answers.risky[kept])
        begin += len(each.entities)
    return Packed(
        torch.from_numpy(np.concatenate([each.asked.facts for each in observed])),
        torch.from_numpy(np.concatenate([each.asked.vectors for each in observed])),
        torch.from_numpy(np.stack([each.asked.person for each in observed])),
        torch.from_numpy(np.concatenate(chosen)),
        torch.from_numpy(np.concatenate(size)),
        torch.from_numpy(np.concatenate(of)),
        torch.from_numpy(np.concatenate(risky)).float(),
    )


def fit_network(observed: Sequence[Observed], epochs: int = EPOCHS, seed: int = 20) -> Arrays:
    """Return the weights of the network; deterministic on one thread.

    Args:
        observed: at least one document with an entity.
        epochs: how often all is seen.
        seed: of weights and order.
    """
    torch.manual_seed(seed)
    packed = pack(observed, np.random.default_rng(seed))
    facts = packed.facts.numpy()
    network = EmulationNetwork(
        facts.shape[1],
        packed.vectors.shape[1],
        packed.chosen.shape[1],
        facts.mean(axis=0),
        facts.std(axis=0) + 1e-3,
    )
    count = len(packed.risky)
    # A small corpus needs its steps, too.
    batch = min(_BATCH, max(1, count // _STEPS))
    steps = epochs * (count // batch)
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    network.train()
    for _ in range(epochs):
        for rows in torch.randperm(count)[: count // batch * batch].split(batch):
            used, chosen = packed.chosen[rows].unique(return_inverse=True)
            odds = network(
                packed.facts[used],
                packed.vectors[used],
                packed.people[packed.of[rows]],
                chosen,
                packed.size[rows],
            )
            loss = nn.functional.binary_cross_entropy_with_logits(odds, packed.risky[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return network.arrays()


def folds(observed: Sequence[Observed]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield which documents to fit to and which to hold out; each is held out once."""
    order = np.random.default_rng(20).permutation(len(observed))
    for number in range(FOLDS):
        held = sorted(order[number::FOLDS].tolist())
        if held:
            yield [index for index in range(len(observed)) if index not in set(held)], held


def answers(arrays: Arrays, observed: Observed) -> list[NDArray[np.float64]]:
    """Return the network's confidence in each combination of a document, by size."""
    return [confidence(arrays, observed.asked, each.chosen) for each in observed.answers]


def fit_size(confidences: NDArray[np.float64], risky: NDArray[np.bool_]) -> Size:
    """Return the curve, and the threshold on what it gives where F1 is highest.

    Args:
        confidences: of documents that the network was not fitted to, [k].
        risky: what the index said, [k].
    """
    curve = fit_curve(confidences.tolist(), risky.astype(float).tolist())
    return Size(best_threshold(np.interp(confidences, curve.x, curve.y), risky), curve)


def best_threshold(chances: NDArray[np.float64], risky: NDArray[np.bool_]) -> float:
    """Return the value from which to say risky so that F1 is highest; 1 where nothing is."""
    if not risky.any():
        return 1.0
    order = np.argsort(-chances, kind="stable")
    hits = np.cumsum(risky[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + risky.sum())
    # Equal values are taken together.
    last = np.append(np.diff(chances[order]) != 0, True)
    best = int(np.argmax(np.where(last, f1, -1.0)))
    return float(chances[order][best])
