"""Whether annotators group mentions into entities alike (TAB, section 5.4).

Every pair of mentions that two annotators both marked is either one entity or two, for each of
them; Cohen's κ is over all such pairs. Pairs are counted from the sizes of groups, so that the
time is linear in the mentions though their pairs are quadratic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations

from .gold import GoldDocument

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
    both = _pairs_within((one, other) for one, other, _ in triples)
    first = _pairs_within(one for one, _, _ in triples)
    second = _pairs_within(other for _, other, _ in triples)
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
