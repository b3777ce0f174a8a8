"""Surprising combinations of entities: combinations with a low joint log-probability.

``explicit_risk_measures``, section 3.2.1: a threshold on the log-probability of a combination, with
all of its entities hidden. To the model, entities too far apart for one window are independent, so
their joint log-probability is the sum. For neighbors the model is run again with both hidden. A
combination that contains a smaller risky one isn't listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tacenda.document import Combination, Document, Entity, Evidence
from tacenda.risk.indicators import Finding

from .language import (
    MENTIONS,
    Context,
    LanguageModelProtocol,
    Subwords,
    Threshold,
    read_entities,
)

TOGETHER = "language_together"
_NEIGHBOURS = 100
_REACH = 32

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JointProbability:
    """Entities, by their indices, and their joint log-probability in nats."""

    indices: Indices
    log_probability: float


class LanguageCombinations:
    """Indicator of combinations of entities by their joint log-probability.

    An entity that is below the threshold alone is a combination of one.

    Args:
        model: the language model.
        threshold: a combination below ``at`` is risky, and ``risky`` is its risk.
        arity: largest number of entities in a combination.
        limit: largest number of listed combinations, by the lowest log-probabilities.
        context: what the model was shown when the threshold was fitted.

    Raises:
        ValueError: if ``arity`` or ``limit`` is below 1.
    """

    def __init__(
        self,
        model: LanguageModelProtocol,
        threshold: Threshold,
        *,
        arity: int = 2,
        limit: int = 2_000,
        context: Context = Context.SHORT,
    ) -> None:
        for name, value in (("arity", arity), ("limit", limit)):
            if value < 1:
                raise ValueError(f"{name} is {value!r}; at least 1 is needed.")
        self._model = model
        self._threshold = threshold
        self._arity = arity
        self._limit = limit
        self._context = context

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return no findings; single entities are left to ``LanguageThreshold``."""
        return [None] * len(entities)

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations, the riskiest first. None contains another."""
        sums = read_entities(document, entities, self._model, self._context).sums
        pairs = {} if self._arity < 2 else self._neighbours(document, entities, sums)
        joints = list(combinations_below(sums, pairs, self._threshold.at, self._arity))
        joints.sort(key=lambda joint: (joint.log_probability, joint.indices))
        return tuple(self._combination(entities, joint) for joint in joints[: self._limit])

    def _combination(self, entities: Sequence[Entity], joint: JointProbability) -> Combination:
        statement = (
            f"A language model gives these {len(joint.indices)} together a log-probability of "
            f"{joint.log_probability:.1f}, below the threshold of {self._threshold.at:.1f}."
        )
        risk = self._threshold.risky
        ids = tuple(entities[index].id for index in joint.indices)
        return Combination(ids, risk, (Evidence(TOGETHER, risk, statement),))

    def _neighbours(
        self, document: Document, entities: Sequence[Entity], sums: NDArray[np.float64]
    ) -> dict[Indices, float]:
        """Return the joint log-probabilities of neighboring pairs whose sum isn't risky."""
        subwords = Subwords(self._model, document.text, self._context)
        places = [
            [subwords.of(mention.span) for mention in entity.mentions[:MENTIONS]]
            for entity in entities
        ]
        near = [
            pair
            for pair in combinations(np.flatnonzero(~np.isnan(sums)).tolist(), 2)
            if min(sums[pair[0]], sums[pair[1]], sums[list(pair)].sum()) >= self._threshold.at
            and _is_adjacent(places[pair[0]], places[pair[1]])
        ]
        # The model is asked about the pairs that are closest to being risky.
        near = sorted(near, key=lambda pair: float(sums[list(pair)].sum()))[:_NEIGHBOURS]
        questions, of_pair = [], []
        for pair in near:
            ids = subwords.hiding([m.span for index in pair for m in entities[index].mentions])
            for index in pair:
                group = [subwords.question(ids, place) for place in places[index] if place]
                questions += group
                of_pair += [(pair, len(group))] * len(group)
        joint: dict[Indices, float] = dict.fromkeys(near, 0.0)
        for (pair, mentions), answer in zip(of_pair, self._model.answer(questions), strict=True):
            joint[pair] += float(answer.sum()) / mentions
        return joint


def combinations_below(
    sums: NDArray[np.float64], pairs: dict[Indices, float], bound: float, arity: int
) -> Iterator[JointProbability]:
    """Yield the combinations with a joint log-probability below ``bound``, smaller ones first.

    Args:
        sums: log-probability of each entity, NaN if it has none.
        pairs: joint log-probabilities of dependent pairs, which replace their sum.
        bound: in nats.
        arity: largest number of entities in a combination.
    """
    order = [int(index) for index in np.argsort(sums) if not np.isnan(sums[index])]
    for index in order:
        if sums[index] < bound:
            yield JointProbability((index,), float(sums[index]))
    rest = [index for index in order if sums[index] >= bound]
    risky: set[Indices] = set()
    for size in range(2, arity + 1):
        for members in combinations(rest, size):
            indices = tuple(sorted(members))
            if any(part in risky for part in _subsets(indices)):
                continue
            total = pairs.get(indices, float(sums[list(indices)].sum()))
            if total < bound:
                risky.add(indices)
                yield JointProbability(indices, total)


def _subsets(indices: Indices) -> Iterator[Indices]:
    return (part for size in range(2, len(indices)) for part in combinations(indices, size))


def _is_adjacent(first: Sequence[range], second: Sequence[range]) -> bool:
    return any(
        a.start - b.stop < _REACH and b.start - a.stop < _REACH for a in first for b in second
    )
