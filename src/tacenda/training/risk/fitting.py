"""Curves and weights for indicators, and what each indicator is worth to the others.

All figures are of cross-validation over documents: curves and weights are fitted to four fifths of
them and judged on the last.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...document import Entity
from ...models.calibration import Curve
from ...models.combining import Combining
from ...policy import Policy
from ...risk.assess import indicator_features, joint, stack_name
from ...risk.indicators import PARTIAL_MATCH
from ..calibrate import fit_curve
from ..logistic import fit_logistic

FOLDS = 5
RECALL = 0.95
_LEAST = 1e-3


@dataclass(frozen=True, slots=True)
class Case:
    """An entity with what the indicators say and what annotators decided.

    Attributes:
        group: its document, held out as a whole.
        entity: what is judged.
        words: how many words its mentions have.
        share: of the annotators that mask it.
        values: by indicator.
    """

    group: str
    entity: Entity
    words: int
    share: float
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Worth:
    """How well probabilities tell what is masked.

    Attributes:
        name: what was judged.
        log_loss: mean negative log likelihood of the shares, in nats.
        area: under the ROC curve.
        precision: share of words masked rightly, where so many entities are masked, the riskiest
            first, that ``RECALL`` of those that annotators mask are.
    """

    name: str
    log_loss: float
    area: float
    precision: float


def fold_of(groups: Sequence[str], folds: int = FOLDS) -> dict[str, int]:
    """Return the fold of each document; by their names only."""
    order = sorted(set(groups))
    random.Random(20).shuffle(order)
    return {group: number % folds for number, group in enumerate(order)}


def fit_combining(cases: Sequence[Case], every_set: bool = True) -> Combining:
    """Return curves of all indicators, and weights for all sets of them with the recognizer.

    Args:
        cases: at least one; all have values of the same indicators.
        every_set: or of all together only.
    """
    names = sorted(cases[0].values)
    shares = [case.share for case in cases]
    curves = {name: fit_curve([case.values[name] for case in cases], shares) for name in names}
    stacks = {}
    for chosen in _sets(names) if every_set else [tuple(names)]:
        rows = [
            indicator_features(case.entity, _calibrated(case, chosen, curves)) for case in cases
        ]
        stacks[stack_name(chosen)] = fit_logistic(rows, shares)
    return Combining(curves, stacks)


def _sets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    others = [name for name in names if name != PARTIAL_MATCH]
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            yield (PARTIAL_MATCH, *chosen)


def _calibrated(case: Case, names: Sequence[str], curves: Mapping[str, Curve]) -> dict[str, float]:
    return {name: curves[name](case.values[name]) for name in names}


def worth(cases: Sequence[Case], names: Sequence[str], how: str, name: str) -> Worth:
    """Return what indicators are worth together.

    Args:
        cases: of at least two documents.
        names: the indicators.
        how: ``any``, ``all``, ``weighted`` (all alike) or ``learned``.
        name: of the row.
    """
    policy = Policy(combine=how)
    fold = fold_of([case.group for case in cases])
    kept = [
        Case(c.group, c.entity, c.words, c.share, {n: c.values[n] for n in names}) for c in cases
    ]
    chances = [0.0] * len(kept)
    for held in sorted(set(fold.values())):
        fitted = fit_combining([c for c in kept if fold[c.group] != held], every_set=False)
        for place, case in enumerate(kept):
            if fold[case.group] == held:
                values = _calibrated(case, names, fitted.curves)
                chances[place] = joint(case.entity, values, policy, fitted)
    return Worth(name, _log_loss(kept, chances), _area(kept, chances), _precision(kept, chances))


def leave_one_out(cases: Sequence[Case]) -> Iterator[Worth]:
    """Yield what the indicators are worth: each alone, all by each way, all but each."""
    names = sorted(cases[0].values)
    for name in names:
        yield worth(cases, (name,), "any", f"{name} alone")
    for how in ("any", "all", "weighted", "learned"):
        yield worth(cases, names, how, f"all, {how}")
    for name in names:
        others = [other for other in names if other != name]
        if others:
            yield worth(cases, others, "learned", f"learned without {name}")


def _log_loss(cases: Sequence[Case], chances: Sequence[float]) -> float:
    total = 0.0
    for case, chance in zip(cases, chances, strict=True):
        kept = min(1 - _LEAST, max(_LEAST, chance))
        total -= case.share * math.log(kept) + (1 - case.share) * math.log(1 - kept)
    return total / len(cases)


def _area(cases: Sequence[Case], chances: Sequence[float]) -> float:
    """Return the chance that a masked entity is above one that is not, ties counted half."""
    ranked = sorted(zip(chances, (case.share for case in cases), strict=True))
    masked_total = sum(share for _, share in ranked)
    kept_total = len(ranked) - masked_total
    below, area, start = 0.0, 0.0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        masked = sum(share for _, share in ranked[start:end])
        kept = end - start - masked
        area += masked * (below + kept / 2)
        below += kept
        start = end
    return area / (masked_total * kept_total) if masked_total and kept_total else 0.0


def _precision(cases: Sequence[Case], chances: Sequence[float]) -> float:
    ranked = sorted(zip(chances, cases, strict=True), key=lambda item: -item[0])
    wanted = RECALL * sum(case.share for case in cases)
    masked = right = found = 0.0
    for _, case in ranked:
        masked += case.words
        right += case.words * case.share
        found += case.share
        if found >= wanted:
            break
    return right / masked if masked else 0.0
