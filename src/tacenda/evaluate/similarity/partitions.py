"""How alike two ways are to divide the same things into clusters; names of clusters are nothing.

    normalised mutual information   I(U, V) / ((H(U) + H(V)) / 2), in [0, 1]
    adjusted Rand index             pairs of things on which both agree, corrected for chance:
                                    1 for the same clusters, 0 in expectation for unrelated ones

Sources: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section
16.3; Hubert and Arabie, "Comparing partitions" (1985).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import comb, log


def normalized_mutual_information(
    one: Sequence[Hashable], other: Sequence[Hashable]
) -> float | None:
    """Return the NMI with the arithmetic mean of entropies; 0 if one partition has one cluster.

    None if both have one cluster or none: then there is no information to share.

    Args:
        one: cluster of each thing.
        other: cluster of each, in the other partition.
    """
    n = len(one)
    first, second, both = Counter(one), Counter(other), Counter(zip(one, other, strict=True))
    entropies = _entropy(first.values(), n) + _entropy(second.values(), n)
    if not entropies:
        return None
    shared = sum(
        count / n * log(n * count / (first[u] * second[v])) for (u, v), count in both.items()
    )
    # Rounding must not take the figure out of its range.
    return min(1.0, max(0.0, 2 * shared / entropies))


def adjusted_rand_index(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Return the ARI, in [−0.5, 1].

    None where chance alone makes both agree on every pair: each has one cluster, or a cluster
    for each thing.

    Args:
        one: cluster of each thing.
        other: cluster of each, in the other partition.
    """
    first = _pairs(Counter(one).values())
    second = _pairs(Counter(other).values())
    both = _pairs(Counter(zip(one, other, strict=True)).values())
    total = comb(len(one), 2)
    expected = first * second / total if total else 0.0
    largest = (first + second) / 2
    if largest == expected:
        return None
    return (both - expected) / (largest - expected)


def _entropy(sizes: Iterable[int], n: int) -> float:
    return sum(-size / n * log(size / n) for size in sizes if size < n)


def _pairs(sizes: Iterable[int]) -> int:
    return sum(comb(size, 2) for size in sizes)
