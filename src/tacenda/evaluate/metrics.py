"""The figures, each as what it is a ratio of (TAB, section 6; sums in ``statistics``).

    token_recall             R: of the tokens to mask, how many are masked
    entity_recall_direct     ER_di: of the direct identifiers, how many are masked in every mention
    entity_recall_quasi      ER_qi: the same of the quasi-identifiers
    entity_recall            both together
    mention_recall           of the mentions to mask, how many are masked
    token_precision          P: of the tokens masked, how many had to be
    mention_precision        the same of the spans masked
    token_f1, token_f2       harmonic means of P and R; F2 gives recall twice the weight
    weighted_token_precision WP: P with tokens weighted by their information content
    text_kept                share of the characters that are still there
    words_masked             share of the words of which something is masked
    information_loss         by how much the compressed text shrinks; a mask put for less than it
                             takes can make a tiny text grow

A recall over nothing to mask is undefined: None, and so are the means made of it. A precision
of a system that masks nothing is 0 by the convention of the reference implementation; it is
named among the undefined all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .statistics import (
    CHARACTERS,
    COMPRESSED,
    ENTITIES_DIRECT,
    ENTITIES_QUASI,
    MASKED_INFORMATION,
    MASKED_MENTIONS,
    MASKED_TOKENS,
    MENTIONS,
    TOKENS,
    WORDS,
    Tally,
)

Sums = Mapping[str, Tally]


@dataclass(frozen=True, slots=True)
class Share:
    """Hits of total, of the tallies named.

    Attributes:
        name: of the figure.
        tallies: names of the tallies to add; one that ends in a dot stands for all that start so.
        when_empty: value where the total is 0.
        of_rest: whether the complement is meant.
    """

    name: str
    tallies: tuple[str, ...]
    when_empty: float | None = None
    of_rest: bool = False

    def total(self, sums: Sums) -> float:
        """Return what the figure is a share of."""
        return sum(tally.total for tally in self._chosen(sums))

    def score(self, sums: Sums) -> float | None:
        """Return the figure, a share; ``when_empty`` if there is nothing to divide by."""
        total = self.total(sums)
        if not total:
            return self.when_empty
        share = sum(tally.hits for tally in self._chosen(sums)) / total
        return 1 - share if self.of_rest else share

    def _chosen(self, sums: Sums) -> list[Tally]:
        return [
            tally
            for name, tally in sums.items()
            if any(name.startswith(t) if t.endswith(".") else name == t for t in self.tallies)
        ]


@dataclass(frozen=True, slots=True)
class FScore:
    """Weighted harmonic mean of a precision and a recall; ``beta`` is the weight of recall."""

    name: str
    precision: Share
    recall: Share
    beta: float

    def total(self, sums: Sums) -> float:
        """Return 0 if the precision or the recall has nothing to divide by."""
        return min(self.precision.total(sums), self.recall.total(sums))

    def score(self, sums: Sums) -> float | None:
        """Return the mean, in [0, 1]; 0 if both are 0, None if one is undefined."""
        precision, recall = self.precision.score(sums), self.recall.score(sums)
        if precision is None or recall is None:
            return None
        weight = self.beta**2
        if not precision + recall:
            return 0.0
        return (1 + weight) * precision * recall / (weight * precision + recall)


Metric = Share | FScore

TOKEN_RECALL: Final = Share("token_recall", (TOKENS,))
TOKEN_PRECISION: Final = Share("token_precision", (MASKED_TOKENS,), when_empty=0.0)
WEIGHTED_PRECISION: Final = Share("weighted_token_precision", (MASKED_INFORMATION,), when_empty=0.0)

METRICS: Final[tuple[Metric, ...]] = (
    TOKEN_RECALL,
    Share("entity_recall_direct", (ENTITIES_DIRECT,)),
    Share("entity_recall_quasi", (ENTITIES_QUASI,)),
    Share("entity_recall", (ENTITIES_DIRECT, ENTITIES_QUASI)),
    Share("mention_recall", (MENTIONS,)),
    TOKEN_PRECISION,
    Share("mention_precision", (MASKED_MENTIONS,), when_empty=0.0),
    FScore("token_f1", TOKEN_PRECISION, TOKEN_RECALL, beta=1),
    FScore("token_f2", TOKEN_PRECISION, TOKEN_RECALL, beta=2),
    Share("text_kept", (CHARACTERS,), of_rest=True),
    Share("words_masked", (WORDS,)),
    Share("information_loss", (COMPRESSED,)),
)


def by_type(sums: Sums, prefix: str) -> dict[str, float]:
    """Return a share for each type met, of the tallies whose name starts with ``prefix``.

    The types are sorted by how often they occur, the most frequent first.
    """
    tallies = {name.removeprefix(prefix): t for name, t in sums.items() if name.startswith(prefix)}
    ordered = sorted(tallies.items(), key=lambda item: (-item[1].total, item[0]))
    return {name: tally.hits / tally.total for name, tally in ordered if tally.total}
