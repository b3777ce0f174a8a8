"""Zero-shot: an entity is risky where its summed log-probability falls below a threshold.

``explicit_risk_measures``, section 3.2.1; there the threshold is -3.5 for one RoBERTa, here it is
chosen for one model on annotated documents, of which nothing else is learned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...document import Document, Entity, Evidence, IdentifierType
from ...models.language_risk import Threshold
from ..indicators import Finding
from .features import REDUCTIONS, features
from .subwords import LanguageModel

THRESHOLD = "language_threshold"
_SUM = REDUCTIONS.index("sum")


class LanguageThreshold:
    """Judges entities by their summed log-probability alone.

    Args:
        model: is asked.
        threshold: below ``at`` an entity is risky, with the share of the masked on its side.
    """

    def __init__(self, model: LanguageModel, threshold: Threshold) -> None:
        self._model = model
        self._threshold = threshold

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity; None where the model has no subword for it."""
        sums = features(document, entities, self._model)[:, _SUM]
        return [None if np.isnan(found) else self._finding(float(found)) for found in sums]

    def _finding(self, found: float) -> Finding:
        risky = found < self._threshold.at
        value = self._threshold.risky if risky else self._threshold.other
        statement = (
            f"A language model gives it a log-probability of {found:.1f} where it stands, "
            f"{'below' if risky else 'not below'} the threshold of {self._threshold.at:.1f}."
        )
        identifier = IdentifierType.QUASI if risky else IdentifierType.NO_MASK
        return Finding(Evidence(THRESHOLD, value, statement), identifier)
