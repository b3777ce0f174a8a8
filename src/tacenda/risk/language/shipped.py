"""The indicators with the embedded model and what was fitted to it."""

from __future__ import annotations

from functools import cache

from ...errors import ModelError
from ...models.language import LanguageModel
from ...models.language_risk import LanguageRiskWeights, load_language_risk
from .perturbation import Perturbation
from .regression import LanguageRisk
from .remembered import Remembered
from .threshold import LanguageThreshold
from .together import LanguageTogether


def language() -> LanguageRisk:
    """Return the logistic regression.

    Raises:
        ModelError: a file is missing or damaged, or the weights are those of another model.
    """
    return LanguageRisk(_model(), _fitted().weights)


def language_threshold() -> LanguageThreshold:
    """Return the threshold; errors as ``language``."""
    return LanguageThreshold(_model(), _fitted().surprise)


def language_together() -> LanguageTogether:
    """Return what finds combinations; errors as ``language``."""
    return LanguageTogether(_model(), _fitted().together)


def perturbation() -> Perturbation:
    """Return what shows and hides; errors as ``language``."""
    fitted = _fitted()
    return Perturbation(_model(), fitted.alone, fitted.among)


@cache
def _model() -> Remembered:
    return Remembered(LanguageModel.load())


def _fitted() -> LanguageRiskWeights:
    return fitted_to(load_language_risk(), _model().name)


def fitted_to(weights: LanguageRiskWeights, model: str) -> LanguageRiskWeights:
    """Return weights that belong to a model.

    Raises:
        ModelError: they were fitted to another model, whose numbers mean something else.
    """
    if weights.model != model:
        raise ModelError(
            f"The weights were fitted to the answers of {weights.model}, and {model} is asked; fit "
            "them with `tacenda train language-risk`."
        )
    return weights
