"""AutoGluon's predictor of masking, fitted to features of a language model (extra ``automl``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..indicators.automl import table, tabular
from .language_risk import LanguageObservation

LABEL = "masked"
SECONDS = 600


def fit_automl(
    observed: Sequence[LanguageObservation], folder: Path, seconds: int = SECONDS
) -> None:
    """Fit models to people's masking decisions and write them to ``folder``.

    Args:
        observed: documents.
        folder: must not be there yet.
        seconds: how long AutoGluon may take.

    Raises:
        MissingExtraError: AutoGluon is not installed.
    """
    rows = [row for item in observed for row in item.rows()]
    data = table(rows)
    data[LABEL] = [int(masked) for item in observed for masked in item.annotated.masked]
    predictor = tabular().TabularPredictor(
        label=LABEL, problem_type="binary", eval_metric="log_loss", path=str(folder), verbosity=0
    )
    predictor.fit(data, presets="medium_quality", time_limit=seconds)
