"""The transformer in pipelines of scikit-learn, and results in notebooks and datasets."""

from __future__ import annotations

import pickle
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from tacenda.errors import InputError, PolicyError
from tacenda.frames import sanitize_columns
from tacenda.integrations.sklearn import TextSanitizer
from tacenda.pipeline import Sanitizer
from tests.examples import for_each

TEXTS = ["Anna Berg lives in Drammen.", "The bus is late.", "Mail ola@posteo.de today."]
RULES: dict[str, Any] = {"recognizer": False, "threshold": 0.2, "deny": [{"exact": "Qyzzyx"}]}


def test_texts_are_those_of_the_sanitizer(sanitizer: Sanitizer) -> None:
    """In their order; what is missing stays missing."""
    clean = TextSanitizer(sanitizer).fit_transform([*TEXTS, None])
    assert [*clean] == [*(sanitizer.sanitize(text).text for text in TEXTS), None]


def test_a_frame_keeps_its_columns(sanitizer: Sanitizer) -> None:
    """Also as a frame, and beside other columns."""
    frame = pd.DataFrame({"a": TEXTS, "b": ["x", np.nan, "Ola"]}, index=[5, 6, 7])
    transformer = TextSanitizer(sanitizer).set_output(transform="pandas").fit(frame)
    assert [*transformer.get_feature_names_out()] == ["a", "b"]
    clean = transformer.transform(frame)
    assert [*clean.columns] == ["a", "b"]
    assert [*clean.index] == [5, 6, 7]
    assert "Berg" not in clean["a"][5]
    assert clean["b"].isna().tolist() == [False, True, False]
    columns = ColumnTransformer([("text", TextSanitizer(sanitizer), ["a"])])
    assert "Berg" not in columns.fit_transform(frame)[0, 0]


def test_a_model_never_learns_a_name(sanitizer: Sanitizer) -> None:
    """Within a pipeline, vocabulary and all."""
    model = make_pipeline(TextSanitizer(sanitizer), CountVectorizer(), LogisticRegression())
    model.fit(TEXTS, [0, 1, 0])
    words = set(model[1].get_feature_names_out())
    assert "bus" in words
    assert not words & {"anna", "berg", "drammen", "ola", "posteo"}
    assert model.predict(TEXTS).shape == (3,)


def test_a_clone_and_a_pickle_do_the_same() -> None:
    """Parameters are kept as they were given."""
    transformer = TextSanitizer(RULES, threads=1).fit(["x"])
    again = pickle.loads(pickle.dumps(transformer))
    copy = clone(transformer)
    assert copy.get_params() == {"policy": RULES, "threads": 1}
    with pytest.raises(NotFittedError):
        copy.transform(["x"])
    for each in (transformer, again, copy.fit(["x"])):
        assert "Qyzzyx" not in each.transform(["Qyzzyx is here."])[0]


@for_each(
    "check",
    [
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_get_params_invariance",
        "check_set_params",
        "check_estimator_cloneable",
        "check_estimator_repr",
    ],
)
def test_conventions_of_scikit_learn_hold(check: str) -> None:
    """Those that need no numbers."""
    getattr(estimator_checks, check)("TextSanitizer", TextSanitizer())


def test_what_is_no_text_is_an_error() -> None:
    """It names the place; a bad policy is said when it is fitted."""
    with pytest.raises(InputError, match=r"text\[1\]: is int"):
        TextSanitizer(RULES).fit_transform(["a", 5])
    with pytest.raises(PolicyError, match="thresold"):
        TextSanitizer({"thresold": 1}).fit(["a"])


def test_a_dataset_of_hugging_face_is_sanitized(sanitizer: Sanitizer) -> None:
    """By columns, with the risk beside the text."""
    dataset = datasets.Dataset.from_dict({"text": TEXTS, "label": [0, 1, 0]})
    clean = sanitize_columns(dataset, "text", sanitizer, details=("risk",))
    assert clean["text"] == [sanitizer.sanitize(text).text for text in TEXTS]
    assert clean["label"] == dataset["label"]
    assert clean["text_risk"][0] > 1


def test_a_notebook_shows_a_result_safely(sanitizer: Sanitizer) -> None:
    """In a frame of its own without scripts from elsewhere, and without the original."""
    text = "Anna Berg wrote <script>alert(1)</script>."
    shown, _ = DisplayFormatter().format(sanitizer.sanitize(text))
    page = shown["text/html"]
    assert "<iframe" in page
    assert "sandbox" in page
    assert "<script>alert" not in page
    assert "Berg" not in page
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "Berg" not in shown["text/plain"]
