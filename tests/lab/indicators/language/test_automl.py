"""AutoGluon's predictor: what it is given, and what becomes of what it says."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tacenda.document import Document, IdentifierType
from tacenda.errors import InputError, MissingExtraError, ModelError
from tacenda_lab.indicators.automl import COLUMNS, LanguageAutoML
from tacenda_lab.train.corpus import AnnotatorView
from tacenda_lab.train.language_risk import AUTOML_LABEL, fit_automl, observe
from tests.building import entity, mention
from tests.lab.train import tiny

from .fake import Words

DOCUMENT = Document("d", "Ada sued Norway. Norway lost in Norway. Ada won.")
ENTITIES = (
    entity("e1", mention(DOCUMENT, "Ada")),
    entity("e2", mention(DOCUMENT, "Norway", "LOC")),
    entity("e3", mention(DOCUMENT, ".", "MISC")),
)


class Predictor:
    """Says of each row the share of the masked in what it was fitted to, plus 1/4 for people."""

    def __init__(self, label: str, path: str, **settings: Any) -> None:
        assert settings["problem_type"] == "binary"
        self.label = label
        self.path = Path(path)

    def fit(self, data: dict[str, list[float]], **settings: Any) -> None:
        """Write the share of the masked."""
        assert settings["time_limit"] == 5
        self.path.mkdir()
        share = sum(data[self.label]) / len(data[self.label])
        (self.path / "share.json").write_text(json.dumps([self.label, share]), encoding="utf-8")

    @classmethod
    def load(cls, path: str) -> Predictor:
        """Read what ``fit`` wrote."""
        label, share = json.loads((Path(path) / "share.json").read_text(encoding="utf-8"))
        predictor = cls(label, path, problem_type="binary")
        predictor.share = share
        return predictor

    share = 0.0

    def predict_proba(self, data: dict[str, list[float]], **settings: bool) -> np.ndarray:
        """Return one probability a row."""
        assert settings == {"as_pandas": False, "as_multiclass": False}
        assert tuple(data) == COLUMNS
        assert not any(math.isnan(value) for column in data.values() for value in column)
        return self.share + np.array(data["type PERSON"]) / 4


@pytest.fixture
def autogluon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a stand-in where AutoGluon would be imported from."""
    module = ModuleType("autogluon.tabular")
    module.TabularPredictor = Predictor  # type: ignore[attr-defined]
    module.TabularDataset = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "autogluon", ModuleType("autogluon"))
    monkeypatch.setitem(sys.modules, "autogluon.tabular", module)


@pytest.mark.usefixtures("autogluon")
def test_what_was_fitted_is_asked(tmp_path: Path) -> None:
    """Features and type go in, a probability comes out; what has no subword is not asked about."""
    annotated = AnnotatorView(DOCUMENT, ENTITIES[:2], (True, False))
    fit_automl([observe(annotated, Words())], tmp_path / "fitted", seconds=5)
    assert json.loads((tmp_path / "fitted/share.json").read_text()) == [AUTOML_LABEL, 0.5]
    indicator = LanguageAutoML(Words(), tmp_path / "fitted")
    ada, norway, dot = indicator.judge(DOCUMENT, ENTITIES)
    assert dot is None
    assert ada is not None
    assert norway is not None
    assert (ada.evidence.value, ada.identifier) == (0.75, IdentifierType.QUASI)
    assert norway.evidence.value == 0.5
    assert indicator.judge(DOCUMENT, ENTITIES[2:]) == [None]


@pytest.mark.usefixtures("autogluon")
def test_the_command_fits_it_and_a_name_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--automl`` puts the predictor beside the weights; ``language_automl:FOLDER`` asks both."""
    from tacenda_lab import indicators
    from tacenda_lab.train.language_risk import train_language_risk

    (tmp_path / "gold.json").write_text(json.dumps(tiny.documents(0, 6)), encoding="utf-8")
    folder = tmp_path / "risk"
    train_language_risk([tmp_path / "gold.json"], Words(), folder, automl_seconds=5)
    with pytest.raises(InputError, match="already contains a predictor"):
        train_language_risk([tmp_path / "gold.json"], Words(), folder, automl_seconds=5)
    monkeypatch.setattr(indicators, "open_language_model", lambda _: Words())
    indicators._model.cache_clear()
    ada, norway, _ = indicators.language_automl(str(folder)).judge(DOCUMENT, ENTITIES)
    indicators._model.cache_clear()
    assert ada is not None
    assert norway is not None
    assert ada.evidence.value == norway.evidence.value + 0.25
    with pytest.raises(ModelError, match="no classifier of AutoGluon is shipped"):
        indicators.language_automl()


@pytest.mark.usefixtures("autogluon")
def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The message has the path and says what to do."""
    with pytest.raises(ModelError, match="nowhere: contains no predictor; fit one"):
        LanguageAutoML(Words(), tmp_path / "nowhere")


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "autogluon", None)
    monkeypatch.setitem(sys.modules, "autogluon.tabular", None)
    with pytest.raises(MissingExtraError, match=r"\[automl\]"):
        LanguageAutoML(Words(), tmp_path)
