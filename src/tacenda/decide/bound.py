"""The bound as one number: the cheapest entities to mask so that little of the risk is left.

Of a document's risk, the number of entities expected to need masking, at most a share may be left:

    minimise    the information lost needlessly, Σ (1 − risk) · information, over what is masked
    subject to  Σ risk of what is kept  <=  bound · Σ risk of all
                what is more likely than not to need masking is masked

(``explicit_risk_measures``, section 3.3, with the expected residual risk as its constraint.) Solved
greedily, the most risk for its price first, and what was not needed is taken back: dearer than the
best choice by at most one entity.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Document, Entity
from ..text.information import information_of

LIKELY = 0.5
_LEAST_PRICE = 1e-3
_ROUNDING = 1e-9


def price(document: Document, entity: Entity, risk: float) -> float:
    """Return the information lost needlessly by masking all mentions, in nats.

    Args:
        document: where the mentions' strings are.
        entity: what would be masked.
        risk: the probability that it must be.
    """
    return max(_LEAST_PRICE, (1 - risk) * information_of(document.text, entity))


def cheapest(risks: Sequence[float], prices: Sequence[float], allowed: float) -> frozenset[int]:
    """Return which to mask so that the risks of the others sum up to ``allowed`` at most.

    Args:
        risks: in [0, 1].
        prices: positive; ties go to who comes first.
        allowed: how much risk may be left.
    """
    masked = {index for index, risk in enumerate(risks) if risk > LIKELY}
    left = sum(risk for index, risk in enumerate(risks) if index not in masked)
    order = sorted(range(len(risks)), key=lambda index: (-risks[index] / prices[index], index))
    added = []
    for index in order:
        if left <= allowed + _ROUNDING:
            break
        if index not in masked:
            masked.add(index)
            added.append(index)
            left -= risks[index]
    for index in sorted(added, key=lambda index: (-prices[index], index)):
        if left + risks[index] <= allowed + _ROUNDING:
            masked.discard(index)
            left += risks[index]
    return frozenset(masked)
