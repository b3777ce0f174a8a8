"""The network of the emulation: vectors of entities, pooled over the combination, with the person's.

    h(e)  = relu(W [facts(e) normalised, P vector(e)] + b)
    z(C)  = [max h(e), sum h(e), Q vector(person), max cos(e, person), size of C one-hot]
    p(C)  = sigmoid(o · relu(V z + c) + d)

The paper (``explicit_risk_measures``, appendix) has an LSTM over the subwords of BERT; here a phrase has
one vector already, and what is pooled over a combination knows no order. As torch:
``training/emulation/network.py``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .facts import Asked

Weights = Mapping[str, NDArray[np.float32]]

_BATCH = 8_192


def confidence(weights: Weights, asked: Asked, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the network's confidence that each combination leads to the person, float64 [k].

    Args:
        weights: by the names of ``models.emulation.ARRAYS``.
        asked: the entities.
        chosen: indices of entities, int64 [k, size], size at least 1.
    """
    hidden = _entities(weights, asked)
    near = asked.vectors @ asked.person
    person = asked.person @ weights["person"] + weights["person_bias"]
    size = np.zeros(weights["hidden"].shape[0] - 2 * hidden.shape[1] - len(person) - 1)
    size[min(chosen.shape[1], len(size)) - 1] = 1.0
    same = np.concatenate([size, person])
    found = np.empty(len(chosen))
    for begin in range(0, len(chosen), _BATCH):
        batch = chosen[begin : begin + _BATCH]
        members = hidden[batch]
        z = np.concatenate(
            [
                members.max(axis=1),
                members.sum(axis=1),
                near[batch].max(axis=1, keepdims=True),
                np.broadcast_to(same, (len(batch), len(same))),
            ],
            axis=1,
        )
        inner = np.maximum(z @ weights["hidden"] + weights["hidden_bias"], 0.0)
        odds = inner @ weights["output"] + weights["output_bias"][0]
        found[begin : begin + _BATCH] = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
    return found


def _entities(weights: Weights, asked: Asked) -> NDArray[np.float32]:
    normal = (asked.facts - weights["mean"]) / weights["deviation"]
    read = np.concatenate([normal, asked.vectors @ weights["phrase"]], axis=1)
    found: NDArray[np.float32] = np.maximum(read @ weights["entity"] + weights["entity_bias"], 0.0)
    return found
