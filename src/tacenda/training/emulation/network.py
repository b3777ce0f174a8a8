"""The network of ``risk/search/emulated/network.py`` as torch, to be trained."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

PHRASE, ENTITY, PERSON, HIDDEN = 24, 48, 16, 48
_DROPPED = 0.1
_DROPPED_VECTORS = 0.3


class EmulationNetwork(nn.Module):
    """Combinations of entities, with a person, to log odds that a search leads to that person.

    Args:
        facts: how many of an entity.
        width: numbers a vector.
        sizes: largest number of entities in a combination.
        mean: of each fact, [facts].
        deviation: of each fact, [facts].
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
        self, facts: Tensor, vectors: Tensor, person: Tensor, chosen: Tensor, size: Tensor
    ) -> Tensor:
        """Return log odds, [k].

        Args:
            facts: of the entities, [n, facts].
            vectors: of the entities, [n, width].
            person: vector of the person of each combination, [k, width].
            chosen: entities of each combination, filled up with its first one, [k, sizes].
            size: how many of them count, at least 1, [k].
        """
        normal = (facts - self.mean) / self.deviation
        read = self.phrase(self.dropped_vectors(vectors))
        h = self.dropped(torch.relu(self.entity(torch.cat([normal, read], 1))))[chosen]
        counts = (torch.arange(self.sizes) < size[:, None]).float()
        near = (vectors[chosen] * person[:, None]).sum(2)
        z = torch.cat(
            [
                # Those that fill up are the first once more, which changes no maximum.
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
        found = {
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
            name: np.ascontiguousarray(each.detach().numpy(), dtype=np.float32)
            for name, each in found.items()
        }
