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

from .features import features, log_probabilities
from .regression import LanguageRisk
from .threshold import LanguageThreshold
from .together import LanguageTogether

__all__ = [
    "LanguageRisk",
    "LanguageThreshold",
    "LanguageTogether",
    "features",
    "log_probabilities",
]
