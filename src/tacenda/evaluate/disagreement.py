"""Where annotators disagree: Figure 6 and Table 10 of the benchmark paper (TAB, appendix A).

Both look at spans that two annotators marked exactly alike. A disagreement about a span is
counted once, however many pairs of annotators have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from .gold import GoldDocument
from .layers import spans_marked

Pair = tuple[str, str]


def type_disagreements(documents: Sequence[GoldDocument]) -> Counter[Pair]:
    """Count spans by the two semantic types that they got, in alphabetical order."""
    counts: Counter[Pair] = Counter()
    for document in documents:
        for place in spans_marked(document):
            types = sorted({mention.type for mention in place.values()})
            counts.update(combinations(types, 2))
    return counts


def masking_disagreements(documents: Sequence[GoldDocument]) -> dict[str, Counter[Pair]]:
    """Count spans by semantic type and the two identifier types that they got.

    Only annotators who agree on the semantic type of a span are compared. The pair is in the
    order DIRECT, QUASI, NO_MASK; types are in alphabetical order.
    """
    counts: dict[str, Counter[Pair]] = {}
    for document in documents:
        for place in spans_marked(document):
            identifiers: dict[str, set[str]] = {}
            for mention in place.values():
                identifiers.setdefault(mention.type, set()).add(mention.identifier.value)
            for type_, given in identifiers.items():
                pairs = combinations(sorted(given, key=_ORDER.index), 2)
                counts.setdefault(type_, Counter()).update(pairs)
    return dict(sorted(counts.items()))


_ORDER = ("DIRECT", "QUASI", "NO_MASK")
MASKING_PAIRS: tuple[Pair, ...] = tuple(combinations(_ORDER, 2))
"""The columns of Table 10."""
