"""The network of ``indicators/emulated_search.py`` as torch, and how it is fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from .emulation_data import SearchObservation

PHRASE, ENTITY, PERSON, HIDDEN = 24, 48, 16, 48
_DROPPED = 0.1
_DROPPED_VECTORS = 0.3


class EmulationNetwork(nn.Module):
    """Network from combinations of entities, and a person, to the log odds of finding the person.

    Args:
        facts: number of features of an entity.
        width: numbers a vector.
        sizes: largest number of entities in a combination.
        mean: of each feature, [facts].
        deviation: of each feature, [facts].
    """

    def __init__(
        self,
        facts: int,
        width: int,
        sizes: int,
        mean: NDArray[np.float32],
        deviation: NDArray[np.float32],
    ) -> None:
        super().__init__()
        self.sizes = sizes
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("deviation", torch.from_numpy(deviation))
        self.phrase = nn.Linear(width, PHRASE, bias=False)
        self.entity = nn.Linear(facts + PHRASE, ENTITY)
        self.person = nn.Linear(width, PERSON)
        self.hidden = nn.Linear(2 * ENTITY + 1 + sizes + PERSON, HIDDEN)
        self.output = nn.Linear(HIDDEN, 1)
        self.dropped = nn.Dropout(_DROPPED)
        self.dropped_vectors = nn.Dropout(_DROPPED_VECTORS)

    def forward(
        self, facts: Tensor, vectors: Tensor, person: Tensor, groups: Tensor, size: Tensor
    ) -> Tensor:
        """Return log odds, [k].

        Args:
            facts: of the entities, [n, facts].
            vectors: of the entities, [n, width].
            person: vector of the person of each combination, [k, width].
            groups: entities of each combination, filled up with its first one, [k, sizes].
            size: how many of them count, at least 1, [k].
        """
        normal = (facts - self.mean) / self.deviation
        phrases = self.phrase(self.dropped_vectors(vectors))
        h = self.dropped(torch.relu(self.entity(torch.cat([normal, phrases], 1))))[groups]
        counts = (torch.arange(self.sizes) < size[:, None]).float()
        near = (vectors[groups] * person[:, None]).sum(2)
        z = torch.cat(
            [
                # Padding repeats the first one, which changes no maximum.
                h.amax(1),
                (h * counts[..., None]).sum(1),
                near.amax(1, keepdim=True),
                nn.functional.one_hot(size - 1, self.sizes).float(),
                self.person(person),
            ],
            1,
        )
        odds: Tensor = self.output(torch.relu(self.hidden(z)))[:, 0]
        return odds

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights by the names of ``models.emulation.ARRAYS``."""
        parameters = {
            "mean": self.mean,
            "deviation": self.deviation,
            "phrase": self.phrase.weight.T,
            "entity": self.entity.weight.T,
            "entity_bias": self.entity.bias,
            "person": self.person.weight.T,
            "person_bias": self.person.bias,
            "hidden": self.hidden.weight.T,
            "hidden_bias": self.hidden.bias,
            "output": self.output.weight[0],
            "output_bias": self.output.bias,
        }
        return {
            name: np.ascontiguousarray(parameter.detach().numpy(), dtype=np.float32)
            for name, parameter in parameters.items()
        }


EPOCHS = 30
_BATCH = 512
_STEPS = 8
"""Minimum number of steps of an epoch."""
_RATE = 3e-3
_DECAY = 1e-2
_MOST = 150
"""Combinations of one size that a document gives to training: long ones have thousands."""

Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class CombinationTensors:
    """Documents as tensors; see ``EmulationNetwork.forward``. ``of`` is the document of each combination."""

    facts: Tensor
    vectors: Tensor
    people: Tensor
    chosen: Tensor
    size: Tensor
    of: Tensor
    risky: Tensor


def pack(observed: Sequence[SearchObservation], random: np.random.Generator) -> CombinationTensors:
    """Return documents as tensors, of each size some combinations of each document."""
    sizes = len(observed[0].answers)
    groups, size, of, risky = [], [], [], []
    begin = 0
    for number, item in enumerate(observed):
        for answers in item.answers:
            count, length = answers.chosen.shape
            rows = np.arange(count)
            if length > 1 and count > _MOST:
                rows = random.choice(count, _MOST, replace=False)
            filled = np.repeat(answers.chosen[rows, :1], sizes - length, axis=1)
            groups.append(np.concatenate([answers.chosen[rows], filled], axis=1) + begin)
            size.append(np.full(len(rows), length))
            of.append(np.full(len(rows), number))
            risky.append(answers.risky[rows])
        begin += len(item.entities)
    return CombinationTensors(
        torch.from_numpy(np.concatenate([item.features.facts for item in observed])),
        torch.from_numpy(np.concatenate([item.features.vectors for item in observed])),
        torch.from_numpy(np.stack([item.features.person for item in observed])),
        torch.from_numpy(np.concatenate(groups)),
        torch.from_numpy(np.concatenate(size)),
        torch.from_numpy(np.concatenate(of)),
        torch.from_numpy(np.concatenate(risky)).float(),
    )


def fit_network(
    observed: Sequence[SearchObservation], epochs: int = EPOCHS, seed: int = 20
) -> Arrays:
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
            used, groups = packed.chosen[rows].unique(return_inverse=True)
            odds = network(
                packed.facts[used],
                packed.vectors[used],
                packed.people[packed.of[rows]],
                groups,
                packed.size[rows],
            )
            loss = nn.functional.binary_cross_entropy_with_logits(odds, packed.risky[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return network.arrays()
