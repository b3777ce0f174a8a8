"""What a language model says of annotated documents: asked once, and fitted to and measured on often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.language_risk import Threshold
from ..risk.language.features import REDUCTIONS, described, features
from ..risk.language.perturbation import Perturbation, perturbations
from ..risk.language.subwords import LanguageModel
from .annotated import Annotated

NO_LIMIT = Threshold(0.0, 0.5, 0.5)
"""Where nothing was chosen."""
_SUM = REDUCTIONS.index("sum")


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What a language model says of the n entities of one document.

    Attributes:
        annotated: the document, with what people masked.
        features: float64 [n, 5]; see ``risk.language.features``.
        rises: float64 [n, 2]; see ``risk.language.perturbation``.
    """

    annotated: Annotated
    features: NDArray[np.float64]
    rises: NDArray[np.float64]

    @property
    def masked(self) -> NDArray[np.bool_]:
        """What people masked, bool [n]."""
        return np.array(self.annotated.masked, dtype=bool)

    @property
    def sums(self) -> NDArray[np.float64]:
        """Summed log-probabilities, [n]."""
        column: NDArray[np.float64] = self.features[:, _SUM]
        return column

    def rows(self) -> list[dict[str, float]]:
        """Return the features of the regression by name; those the model lacks are 0."""
        types = [entity.type for entity in self.annotated.entities]
        return described(np.nan_to_num(self.features), types)


def observe(annotated: Annotated, model: LanguageModel) -> Observed:
    """Ask a model about the entities of a document."""
    document, entities = annotated.document, annotated.entities
    direct = Perturbation(model, NO_LIMIT, NO_LIMIT).direct(document, entities)
    return Observed(
        annotated,
        features(document, entities, model),
        perturbations(document, entities, direct, model),
    )
