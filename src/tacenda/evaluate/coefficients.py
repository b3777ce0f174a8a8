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
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from .gold import GoldDocument

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
    for (row, column), n in pairs.items():
        first[row] += n
        second[column] += n
    observed = sum(n for (row, column), n in pairs.items() if row == column) / total
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


# Agreement on entities (TAB, section 5.4). Every pair of mentions that two annotators both marked
# is either one entity or two, for each of them; Cohen's κ is over all such pairs. Pairs are counted
# from the sizes of groups, so that the time is linear in the mentions though their pairs are
# quadratic.


Pairs = Counter[tuple[bool, bool]]
"""How many pairs of mentions are one entity for the (first, second) annotator."""


def relation_pairs(documents: Sequence[GoldDocument], *, different_strings: bool = False) -> Pairs:
    """Count pairs of mentions by whether each of two annotators joins them.

    Args:
        documents: only those with several annotators matter; every two of them are compared.
        different_strings: leave out pairs of equal strings, which the annotation tool joined by
            itself.
    """
    pairs: Pairs = Counter()
    for document in documents:
        entity_of: dict[str, dict[tuple[int, int], str]] = {}
        for entity in document.entities:
            spans = entity_of.setdefault(entity.annotator, {})
            for mention in entity.mentions:
                spans[mention.span.start, mention.span.end] = entity.id
        for first, second in combinations(entity_of.values(), 2):
            common = first.keys() & second.keys()
            triples = [(first[s], second[s], document.text[s[0] : s[1]]) for s in common]
            pairs.update(_count(triples))
            if different_strings:
                by_string: dict[str, list[tuple[str, str, str]]] = {}
                for triple in triples:
                    by_string.setdefault(triple[2], []).append(triple)
                for group in by_string.values():
                    pairs.subtract(_count(group))
    return +pairs


def _count(triples: Sequence[tuple[str, str, str]]) -> Pairs:
    both = _pairs_within((row, column) for row, column, _ in triples)
    first = _pairs_within(row for row, _, _ in triples)
    second = _pairs_within(column for _, column, _ in triples)
    total = len(triples) * (len(triples) - 1) // 2
    return Counter(
        {
            (True, True): both,
            (True, False): first - both,
            (False, True): second - both,
            (False, False): total - first - second + both,
        }
    )


def _pairs_within(groups: Iterable[Hashable]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(groups).values())
