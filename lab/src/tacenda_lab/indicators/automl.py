"""AutoGluon's stack of models as the classifier of ``LanguageRisk`` (extra ``automl``).

``privacy_risk_indicators``, section 5.1 and appendix D. It is fitted by ``train/language_risk.py``.
Its folder holds pickled models, so load only models that you fitted yourself.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacenda.document import Document, Entity, Evidence, IdentifierType, SemanticType
from tacenda.errors import MissingExtraError, ModelError
from tacenda.risk.indicators import Finding

from .language import REDUCTIONS, Context, LanguageModelProtocol, read_entities

AUTOML = "language_automl"
AUTOML_FOLDER = "automl"
"""Name of the predictor's folder, within that of the weights fitted with it."""
COLUMNS = (*REDUCTIONS, *(f"type {type}" for type in SemanticType))
"""Columns of the table that AutoGluon reads."""
_HALF = 0.5


def tabular() -> Any:
    """Return AutoGluon's module for tables.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return importlib.import_module("autogluon.tabular")
    except ImportError as error:
        raise MissingExtraError("AutoML", "automl", "tacenda-lab") from error


def table(rows: Sequence[Mapping[str, float]]) -> Any:
    """Return features by name as AutoGluon's table; missing features are 0."""
    return tabular().TabularDataset(
        {name: [row.get(name, 0.0) for row in rows] for name in COLUMNS}
    )


class LanguageAutoML:
    """Indicator of entities by their probability in context.

    Args:
        model: the language model.
        folder: a predictor fitted to the answers of this model.
        context: what the language model was shown when it was fitted.

    Raises:
        MissingExtraError: AutoGluon is not installed.
        ModelError: there is no predictor in the folder.
    """

    def __init__(
        self, model: LanguageModelProtocol, folder: Path, context: Context = Context.SHORT
    ) -> None:
        self._model = model
        self._context = context
        predictor = tabular().TabularPredictor
        if not folder.is_dir():
            raise ModelError(f"{folder}: contains no predictor; fit one first.")
        self._predictor = predictor.load(str(folder))

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding per entity, or None if the model has no subword for it."""
        readings = read_entities(document, entities, self._model, self._context)
        rows = readings.rows(entities, self._context)
        indices = [index for index, row in enumerate(rows) if row["sum"] == row["sum"]]
        findings: list[Finding | None] = [None] * len(rows)
        if indices:
            chances = self._predictor.predict_proba(
                table([rows[index] for index in indices]), as_pandas=False, as_multiclass=False
            )
            for index, chance in zip(indices, chances, strict=True):
                findings[index] = _finding(rows[index]["sum"], float(chance))
        return readings.riskiest(findings)


def _finding(sum_: float, value: float) -> Finding:
    statement = (
        f"A language model gives it a log-probability of {sum_:.1f} where it stands; AutoGluon's "
        f"models give {value:.2f} that it must be masked."
    )
    identifier = IdentifierType.QUASI if value >= _HALF else IdentifierType.NO_MASK
    return Finding(Evidence(AUTOML, value, statement), identifier)
