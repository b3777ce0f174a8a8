"""k-means: Lloyd's algorithm from k-means++ starts (Arthur and Vassilvitskii, 2007)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .embedding import Matrix

_ROUNDS: Final = 300


def start(points: Matrix, k: int, random: np.random.Generator) -> list[int]:
    """Draw points to be the first centres, one after the other, each far from those before.

    Fewer than k are drawn where there are fewer than k different points.

    Args:
        points: shape (n, dimensions), n at least 1.
        k: number of clusters, at least 1.
        random: the same state draws the same points.
    """
    chosen = [int(random.integers(len(points)))]
    nearest = _squared_distances(points, points[chosen])[:, 0]
    while len(chosen) < k and nearest.sum() > 0:
        chosen.append(int(random.choice(len(points), p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, _squared_distances(points, points[chosen[-1:]])[:, 0])
    return chosen


def kmeans(points: Matrix, centres: Matrix) -> NDArray[np.intp]:
    """Return the cluster of each point, as the index of its centre.

    Args:
        points: shape (n, dimensions).
        centres: the first centres, shape (k, dimensions); they move until no point changes its
            cluster. One that no point is nearest to stays where it is, so that fewer than k
            clusters may come out.
    """
    labels: NDArray[np.intp] = np.full(len(points), -1, dtype=np.intp)
    for _ in range(_ROUNDS):
        found = _squared_distances(points, centres).argmin(axis=1)
        if np.array_equal(found, labels):
            break
        labels = found
        members = np.eye(len(centres))[labels]
        sizes = members.sum(axis=0)[:, None]
        centres = np.where(sizes > 0, members.T @ points / np.maximum(sizes, 1), centres)
    return labels


def _squared_distances(points: Matrix, centres: Matrix) -> Matrix:
    squares = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)
    distances: Matrix = squares - 2 * points @ centres.T
    # Rounding makes the distance of a point to itself a little more or less than 0.
    distances[distances < 1e-12] = 0.0
    return distances
