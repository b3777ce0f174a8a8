"""How surprising an entity is to a language model, and what that says of its risk.

An entity that can be told from the text around it gives nothing away; one that can't is specific
(``explicit_risk_measures``, section 3.2.1; ``privacy_risk_indicators``, section 5.1).

| file | what it is |
|---|---|
| ``subwords.py`` | a text as the model reads it, and windows in which something is hidden |
| ``features.py`` | log-probabilities of an entity, reduced to five numbers |
| ``threshold.py`` | zero-shot: risky below a summed log-probability |
| ``regression.py`` | a logistic regression over the five numbers and the type |
| ``automl.py`` | the same by AutoGluon (extra ``automl``) |
| ``together.py`` | entities that are surprising together |
| ``perturbation.py`` | how much an entity helps to guess the direct identifiers (section 5.3) |

The model is the embedded one, or whatever has the same three methods. All of them cost a run of the
model for each of the first mentions of each entity, so that no policy asks them by default.
"""

from __future__ import annotations

from functools import cache

from tacenda.errors import ModelError
from tacenda.models.language import LanguageModel

from .combinations import LanguageCombinations
from .language import (
    CachedLanguageModel,
    LanguageRisk,
    LanguageRiskWeights,
    LanguageThreshold,
    features,
    load_language_risk,
    log_probabilities,
)
from .perturbation import Perturbation

__all__ = [
    "LanguageCombinations",
    "LanguageRisk",
    "LanguageThreshold",
    "features",
    "log_probabilities",
]


# The indicators with the embedded model and what was fitted to it.


def language() -> LanguageRisk:
    """Return the logistic regression.

    Raises:
        ModelError: a file is missing or damaged, or the weights are those of another model.
    """
    return LanguageRisk(_model(), _fitted().weights)


def language_threshold() -> LanguageThreshold:
    """Return the threshold; errors as ``language``."""
    return LanguageThreshold(_model(), _fitted().surprise)


def language_together() -> LanguageCombinations:
    """Return what finds combinations; errors as ``language``."""
    return LanguageCombinations(_model(), _fitted().together)


def perturbation() -> Perturbation:
    """Return what shows and hides; errors as ``language``."""
    fitted = _fitted()
    return Perturbation(_model(), fitted.alone, fitted.among)


@cache
def _model() -> CachedLanguageModel:
    return CachedLanguageModel(LanguageModel.load())


def _fitted() -> LanguageRiskWeights:
    return weights_for(load_language_risk(), _model().name)


def weights_for(weights: LanguageRiskWeights, model: str) -> LanguageRiskWeights:
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
