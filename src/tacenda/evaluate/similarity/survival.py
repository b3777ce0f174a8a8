"""How well the clusters of a corpus survive masking.

k-means depends on its start, so that two runs on the very same texts may differ a lot. To see
what masking changes and nothing else, originals and masked documents are clustered from the same
start: the same documents are the first centres. A system that masks nothing gets 1, one that
masks everything 0. As a scale beside it, the originals are clustered again from another start.
All agreements are means over seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np

from .embedding import Matrix
from .kmeans import kmeans, start
from .partitions import adjusted_rand_index, normalized_mutual_information

SEEDS: Final = 20


@dataclass(frozen=True, slots=True)
class ClusterAgreement:
    """How well two sets of clusterings agree, means over seeds (``partitions``)."""

    normalized_mutual_information: float
    adjusted_rand_index: float


@dataclass(frozen=True, slots=True)
class Survival:
    """How well clusterings agree with those of the originals.

    Attributes:
        masked: clusterings of the masked documents, from the same starts.
        restarted: clusterings of the originals themselves, from other starts.
    """

    masked: ClusterAgreement
    restarted: ClusterAgreement


def survival(before: Matrix, after: Matrix, k: int) -> Survival | None:
    """Return how well the clusters survive; None if the originals are alike, thus one cluster.

    Args:
        before: vectors of the originals, shape (n, dimensions).
        after: vectors of the masked documents, in the same order.
        k: number of clusters, 2 or more and below n.
    """
    starts, others = (
        [start(before, k, np.random.default_rng([seed, run])) for seed in range(SEEDS)]
        for run in (0, 1)
    )
    originals = _clusterings(before, starts)
    if any(len(set(clustering)) < 2 for clustering in originals):
        return None
    return Survival(
        masked=_agreement(originals, _clusterings(after, starts)),
        restarted=_agreement(originals, _clusterings(before, others)),
    )


def _clusterings(points: Matrix, starts: Sequence[list[int]]) -> list[list[int]]:
    return [kmeans(points, points[chosen]).tolist() for chosen in starts]


def _agreement(one: Sequence[list[int]], other: Sequence[list[int]]) -> ClusterAgreement:
    pairs = list(zip(one, other, strict=True))
    # Both are defined for all: ``one`` has several clusters, and fewer than there are things.
    return ClusterAgreement(
        fmean(v for a, b in pairs if (v := normalized_mutual_information(a, b)) is not None),
        fmean(v for a, b in pairs if (v := adjusted_rand_index(a, b)) is not None),
    )
