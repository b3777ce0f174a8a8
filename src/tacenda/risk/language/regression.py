"""A logistic regression over the log-probabilities and the type of an entity.

``privacy_risk_indicators``, section 5.1, but that mean and sum weigh differently by type. Fitted by ``training/language_risk.py``; here it is a sum.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...document import Document, Entity, Evidence, IdentifierType
from ..assess import probability
from ..indicators import Finding
from .features import described, features
from .subwords import LanguageModel

LANGUAGE = "language"
_HALF = 0.5


class LanguageRisk:
    """Judges entities by how likely they are where they stand.

    Args:
        model: is asked.
        weights: by name of the feature; see ``features.described``.
    """

    def __init__(self, model: LanguageModel, weights: Mapping[str, float]) -> None:
        self._model = model
        self._weights = dict(weights)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity; None where the model has no subword for it."""
        found = features(document, entities, self._model)
        rows = described(found, [entity.type for entity in entities])
        return [
            None if math.isnan(row["sum"]) else _finding(row["sum"], chance(self._weights, row))
            for row in rows
        ]


def chance(weights: Mapping[str, float], row: Mapping[str, float]) -> float:
    """Return the probability that an entity must be masked, by its features."""
    odds = sum(weights.get(name, 0.0) * value for name, value in row.items())
    odds += weights.get("constant", 0.0)
    return probability(odds)


def _finding(sum_: float, value: float) -> Finding:
    statement = (
        f"A language model gives it a log-probability of {sum_:.1f} where it stands; of entities of "
        f"its type that are as surprising, {value:.2f} were masked."
    )
    identifier = IdentifierType.QUASI if value >= _HALF else IdentifierType.NO_MASK
    return Finding(Evidence(LANGUAGE, value, statement), identifier)
