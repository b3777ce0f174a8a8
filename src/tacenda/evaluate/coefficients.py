"""Coefficients of agreement between annotators (TAB, section 5.2).

An *item* is what several annotators labelled; here it is the tuple of their labels, in any
order. Items come as counts, since only the labels matter: a thousand characters labelled alike
are one entry of weight 1,000.

    observed agreement    share of pairs of annotators, averaged over items, that agree
    Fleiss' κ             the same, corrected for chance by the overall share of each label
    Krippendorff's α      1 − observed/expected disagreement, where missing labels don't count
    Cohen's κ             for two annotators, corrected by the shares of each of them

Sources: Fleiss (1971), generalised to items with different numbers of annotators as usual;
Krippendorff, Content Analysis (2004), chapter 11, nominal data; Cohen (1960).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

Label = str | None
"""A label; None stands for one that is missing."""

Items = Mapping[tuple[Label, ...], int]
"""How many items have these labels."""

T = TypeVar("T")


def observed_agreement(items: Items) -> float | None:
    """Return the share of agreeing pairs of labels, averaged over items with two or more.

    Missing labels must have been replaced by one that says so. None without such an item.
    """
    agreement = weight = 0.0
    for labels, n in items.items():
        if len(labels) > 1:
            agreement += n * _agreeing_pairs(labels) / (len(labels) * (len(labels) - 1))
            weight += n
    return agreement / weight if weight else None


def fleiss_kappa(items: Items) -> float | None:
    """Return Fleiss' κ; None if nothing was labelled twice or only one label occurs.

    Missing labels must have been replaced by one that says so.
    """
    observed = observed_agreement(items)
    shares: Counter[Label] = Counter()
    for labels, n in items.items():
        if len(labels) > 1:
            for label in labels:
                shares[label] += n
    return _corrected(observed, _chance(shares))


def krippendorff_alpha(items: Items) -> float | None:
    """Return Krippendorff's α for nominal data; None labels are missing and don't count.

    None if no item has two labels or only one label occurs.
    """
    observed = 0.0
    marginals: Counter[Label] = Counter()
    for labels, n in items.items():
        present = tuple(label for label in labels if label is not None)
        size = len(present)
        if size > 1:
            observed += n * (size * (size - 1) - _agreeing_pairs(present)) / (size - 1)
            for label in present:
                marginals[label] += n
    total = sum(marginals.values())
    expected = total * total - sum(n * n for n in marginals.values())
    if not expected:
        return None
    return 1 - (total - 1) * observed / expected


def cohen_kappa(pairs: Mapping[tuple[T, T], int]) -> float | None:
    """Return Cohen's κ from how often each pair of labels (first's, second's) occurs.

    None if there is no pair, or if both used one and the same label only.
    """
    total = sum(pairs.values())
    if not total:
        return None
    first: Counter[T] = Counter()
    second: Counter[T] = Counter()
    for (one, other), n in pairs.items():
        first[one] += n
        second[other] += n
    observed = sum(n for (one, other), n in pairs.items() if one == other) / total
    return _corrected(observed, sum(first[label] * second[label] for label in first) / total**2)


def _agreeing_pairs(labels: tuple[Label, ...]) -> int:
    """Return the number of ordered pairs of equal labels."""
    return sum(n * (n - 1) for n in Counter(labels).values())


def _chance(shares: Counter[Label]) -> float:
    total = sum(shares.values())
    return sum((n / total) ** 2 for n in shares.values()) if total else 0.0


def _corrected(observed: float | None, chance: float) -> float | None:
    if observed is None or chance == 1:
        return None
    return (observed - chance) / (1 - chance)
