"""Surprisal of an entity under a language model, as an indicator of its risk.

An entity predictable from its context reveals nothing; an unpredictable one is specific
(``explicit_risk_measures``, section 3.2.1; ``privacy_risk_indicators``, section 5.1).

| file | contents |
|---|---|
| ``language.py`` | log-probabilities of an entity as five numbers; threshold, logistic regression |
| ``automl.py`` | the same by AutoGluon (extra ``automl``) |
| ``combinations.py`` | combinations of surprising entities |
| ``perturbation.py`` | rise of the probability of direct identifiers (section 5.3) |
| ``span.py`` | classification of an entity in its context, without a language model |
| ``emulated_search.py``, ``web_search.py`` | predicted search risk; web search |

The language model is the embedded one, or any with the same three methods. Each of its indicators
costs a run of the model for each of the first mentions of each entity, so no policy uses one by
default.
"""

from __future__ import annotations

from functools import cache

from tacenda.errors import ModelError
from tacenda.models.networks import LanguageModel

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


# The indicators with the embedded model and its fitted weights.


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
    """Return the indicator of surprising combinations; errors as ``language``."""
    return LanguageCombinations(_model(), _fitted().together)


def perturbation() -> Perturbation:
    """Return the indicator by perturbation; errors as ``language``."""
    fitted = _fitted()
    return Perturbation(_model(), fitted.alone, fitted.among)


@cache
def _model() -> CachedLanguageModel:
    return CachedLanguageModel(LanguageModel.load())


def _fitted() -> LanguageRiskWeights:
    return weights_for(load_language_risk(), _model().name)


def weights_for(weights: LanguageRiskWeights, model: str) -> LanguageRiskWeights:
    """Return weights after a check of their model.

    Raises:
        ModelError: they were fitted to another model, with other probabilities.
    """
    if weights.model != model:
        raise ModelError(
            f"The weights were fitted to the answers of {weights.model}, and {model} is asked; fit "
            "them with `tacenda train language-risk`."
        )
    return weights
