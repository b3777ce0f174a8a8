"""The span classifier as an indicator: a logistic regression over named features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...document import Document, Entity, Evidence, IdentifierType
from ...models.span import load_span_weights
from ..assess import probability
from ..indicators import Finding
from .features import features

SPAN = "span"


class SpanClassifier:
    """Judges entities by their strings and the words around them.

    Args:
        weights: by name of the feature; features that have none count for nothing.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights

    @classmethod
    def shipped(cls) -> SpanClassifier:
        """Return the one that ships.

        Raises:
            ModelError: if its weights are missing or damaged.
        """
        return cls(load_span_weights())

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity."""
        count = Counter(entity.type for entity in entities)
        return [self._finding(document, entity, count[entity.type]) for entity in entities]

    def _finding(self, document: Document, entity: Entity, of_its_type: int) -> Finding:
        described = features(document, entity, of_its_type)
        odds = sum(self._weights.get(name, 0.0) * value for name, value in described.items())
        value = probability(odds)
        statement = (
            f"Its words and those around it give {value:.2f} that this must be masked (span "
            "classifier)."
        )
        identifier = IdentifierType.QUASI if value >= 0.5 else IdentifierType.NO_MASK
        return Finding(Evidence(SPAN, value, statement), identifier)
