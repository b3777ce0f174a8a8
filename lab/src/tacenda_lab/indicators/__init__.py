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
| ``emulated_search.py``, ``encoded_search.py`` | predicted search risk, by a small network or an encoder |
| ``web_search.py`` | web search |

The language model is the shipped one, or any other with the same methods, such as ``hf:NAME``. Each
indicator runs it once for each of the first mentions of each entity, so no policy uses one by
default.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tacenda.errors import ModelError
from tacenda.evaluate.weights import HuggingFaceModel
from tacenda.models.checkpoint import PREFIX
from tacenda.models.networks import DEFAULT_LANGUAGE_MODEL, LanguageModel

from .automl import AUTOML_FOLDER, LanguageAutoML
from .combinations import LanguageCombinations
from .language import (
    DEFAULT_LANGUAGE_RISK,
    CachedLanguageModel,
    LanguageModelProtocol,
    LanguageRisk,
    LanguageRiskWeights,
    LanguageThreshold,
    load_language_risk,
)
from .perturbation import Perturbation

# The indicators by name, with the shipped weights or those in a folder of `tacenda lab train
# language-risk`.


def language(folder: str = "") -> LanguageRisk:
    """Return the indicator by logistic regression.

    Args:
        folder: of trained weights; the shipped ones if empty.

    Raises:
        ModelError: a file is missing or damaged, or the weights are those of another model.
    """
    fitted, model = _fitted(folder)
    return LanguageRisk(model, fitted.weights, fitted.context)


def language_automl(folder: str = "") -> LanguageAutoML:
    """Return the indicator by AutoGluon's classifier in a folder; none is shipped.

    Raises the errors of ``language``, and a ModelError without a folder.
    """
    if not folder:
        raise ModelError(
            "language_automl: no classifier of AutoGluon is shipped; fit one with `tacenda lab train language-risk "
            "--automl SECONDS`, and name its folder: language_automl:FOLDER."
        )
    fitted, model = _fitted(folder)
    return LanguageAutoML(model, Path(folder) / AUTOML_FOLDER, fitted.context)


def language_threshold(folder: str = "") -> LanguageThreshold:
    """Return the indicator by threshold; arguments and errors are those of ``language``."""
    fitted, model = _fitted(folder)
    return LanguageThreshold(model, fitted.surprise, fitted.context)


def language_together(folder: str = "") -> LanguageCombinations:
    """Return the indicator of surprising combinations; arguments and errors are those of ``language``."""
    fitted, model = _fitted(folder)
    return LanguageCombinations(model, fitted.together, context=fitted.context)


def perturbation(folder: str = "") -> Perturbation:
    """Return the indicator by perturbation; arguments and errors are those of ``language``."""
    fitted, model = _fitted(folder)
    return Perturbation(model, fitted.alone, fitted.among)


@cache
def _model(source: str) -> CachedLanguageModel:
    return CachedLanguageModel(open_language_model(source))


def open_language_model(source: str = "") -> LanguageModelProtocol:
    """Return a language model: the shipped one, ``hf:NAME``, or a folder of `tacenda lab train language-model`.

    Args:
        source: name or folder; the shipped model if empty.

    Raises:
        MissingExtraError: what it needs is not installed.
        ModelError: there is no such model.
    """
    if source.startswith(PREFIX):
        return HuggingFaceModel(source.removeprefix(PREFIX))
    return LanguageModel.load(Path(source) if source else DEFAULT_LANGUAGE_MODEL)


def _fitted(folder: str) -> tuple[LanguageRiskWeights, CachedLanguageModel]:
    weights = load_language_risk(Path(folder) if folder else DEFAULT_LANGUAGE_RISK)
    model = _model(weights.source)
    return weights_for(weights, model.name), model


def weights_for(weights: LanguageRiskWeights, model: str) -> LanguageRiskWeights:
    """Return the weights if they were fitted to this model.

    Raises:
        ModelError: they were fitted to another model, whose probabilities differ.
    """
    if weights.model != model:
        raise ModelError(
            f"The weights were fitted to the answers of {weights.model}, not {model}; fit them "
            "with `tacenda lab train language-risk`."
        )
    return weights
