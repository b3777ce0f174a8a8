"""Classifiers of topics: what they say, and how much of the evidence for it is left."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacenda.errors import ModelError
from tacenda.models.store import find
from tacenda.models.topics import DEFAULT_TOPICS, TOPICS_FILE, Classifier, load_classifiers
from tests.examples import for_each

ROWS = {"ball": 0, "goal": 1, "paint": 2, "the": 3}
WEIGHTS = np.array([[2.0, -2.0], [1.0, -1.0], [-3.0, 3.0], [0.0, 0.0]])
CURVE = (0.0, 0.8, 1.0)
CLASSIFIER = Classifier("job", ("player", "painter"), "", ROWS, WEIGHTS, np.zeros(2), CURVE)


def test_the_words_of_a_text_decide() -> None:
    """By the sum of their weights; a text without a known word has no label."""
    prediction = CLASSIFIER.predict(["ball", "goal", "the", "unheard"])
    assert prediction is not None
    assert prediction.label == "player"
    assert prediction.probability == pytest.approx(1 / (1 + np.exp(-6)))
    assert CLASSIFIER.predict(["unheard"]) is None


@for_each(
    ("sanitized", "left"),
    [
        ({"ball", "goal", "the"}, 1),
        ({"ball", "the"}, 2 / 3),
        ({"the"}, 0),
        ({"ball", "goal", "paint"}, 0),
        ({"ball", "paint"}, 0),
        ({"goal", "unheard"}, 1 / 3),
    ],
)
def test_evidence_left(sanitized: set[str], left: float) -> None:
    """A share of what speaks for the label; what was written instead may speak against it."""
    share = CLASSIFIER.evidence_left("player", {"ball", "goal", "the"}, sanitized)
    assert share == pytest.approx(left)


def test_no_evidence_has_no_share() -> None:
    """Where no word speaks for a label there is nothing to lose."""
    assert CLASSIFIER.evidence_left("player", {"the", "paint"}, set()) is None


def test_agreement_is_linear_between_the_points_of_the_curve() -> None:
    """Of three points the middle one is at one half."""
    assert [CLASSIFIER.agreement(x) for x in (0, 0.25, 0.5, 1)] == pytest.approx([0, 0.4, 0.8, 1])


def test_the_shipped_classifiers_are_small_and_know_their_kinds() -> None:
    """Below 2 MB with the card; the occupation is asked of biographies."""
    assert find(DEFAULT_TOPICS).size <= 2_000_000
    kind, occupation = load_classifiers()
    assert occupation.within in kind.labels
    for text, label in (
        (
            "preheat the oven to 200 degrees, mix flour sugar butter eggs and a teaspoon of salt in a "
            "large bowl, add chopped onion, garlic and olive oil, simmer in a pan and serve",
            "recipe",
        ),
        (
            "the applicant complained under article 6 of the convention that the criminal proceedings "
            "against him were not fair; the government contested that argument; the court notes that "
            "the complaint is admissible and that there has been a violation; the regional court "
            "dismissed his appeal and the supreme court upheld the judgment",
            "judgment",
        ),
    ):
        prediction = kind.predict(text.split())
        assert prediction is not None
        assert prediction.label == label
    prediction = occupation.predict("a chess grandmaster who won the olympiad".split())
    assert prediction is not None
    assert prediction.label == "ChessPlayer"


@pytest.mark.parametrize(
    "change",
    [
        {"labels": ["one"]},
        {"curve": [0, 0.9, 0.5, 1]},
        {"curve": [0.1, 1]},
        {"words": {"a": [1]}},
        {"words": "none"},
        {"biases": []},
    ],
)
def test_a_malformed_file_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    """A model of another shape says so when it is loaded."""
    raw = {
        "name": "job",
        "labels": ["a", "b"],
        "within": "",
        "scale": 1,
        "biases": [0, 0],
        "curve": [0, 1],
        "words": {"a": [1, -1]},
    }
    _write(tmp_path, {"classifiers": [raw]})
    assert load_classifiers(tmp_path)[0].labels == ("a", "b")
    load_classifiers.cache_clear()
    _write(tmp_path, {"classifiers": [raw | change]})
    with pytest.raises(ModelError, match="malformed; rebuild it"):
        load_classifiers(tmp_path)


def test_a_damaged_file_and_another_model_are_refused(tmp_path: Path) -> None:
    """The digest is compared before anything is read."""
    copy = tmp_path / "topics"
    shutil.copytree(find(DEFAULT_TOPICS).folder, copy)
    with (copy / TOPICS_FILE).open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match="was shipped"):
        load_classifiers(copy)
    with pytest.raises(ModelError, match="no classifiers of topics"):
        load_classifiers("ranker-en")


def _write(folder: Path, data: object) -> None:
    from tacenda.models.store import digest

    (folder / TOPICS_FILE).write_bytes(gzip.compress(json.dumps(data).encode(), mtime=0))
    digests = {TOPICS_FILE: digest(folder / TOPICS_FILE)}
    (folder / "digests.json").write_text(json.dumps(digests), "utf-8")
