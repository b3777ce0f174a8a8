"""The span classifier and what it looks at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.document import Document
from tacenda.errors import ModelError
from tacenda.models.calibration import load_combining
from tacenda.models.store import digest
from tacenda.risk.combined_risk import probability
from tacenda_lab.indicators.span import SpanClassifier, load_span_weights, span_features
from tests.building import entity, mention

DOCUMENT = Document("d", "Mr Galip Yalman was born on 3 May 1994 in Ankara. See Ankara, § 12.")
DATE = entity("e1", mention(DOCUMENT, "3 May 1994", "DATETIME"))
CITY = entity("e2", mention(DOCUMENT, "Ankara", "LOC"), mention(DOCUMENT, "Ankara", "LOC", nth=1))
PERSON = entity("e3", mention(DOCUMENT, "Galip Yalman"))


def test_a_date_is_known_by_its_form() -> None:
    """Digits count by their number, words of a date as such; its neighbours by their place."""
    found = span_features(DOCUMENT, DATE, 1)
    assert {"date 9 a 9999", "word 9999", "before on", "before 1 on", "after 2 ankara"} <= set(
        found
    )


def test_all_mentions_lend_their_neighbours() -> None:
    """The words around each mention count, and how many mentions there are."""
    found = span_features(DOCUMENT, CITY, 1)
    assert {"before in", "before see", "after 9"} <= set(found)
    assert found["mentions"] > 0


def test_nobody_is_known_by_name() -> None:
    """No feature of a person has a word of the name."""
    assert not any(
        "galip" in name or "yalman" in name for name in span_features(DOCUMENT, PERSON, 1)
    )


def test_the_weights_make_the_value() -> None:
    """The value is the logistic function of the weighted sum; what has no weight counts nothing."""
    classifier = SpanClassifier({"constant": -1.0, "before in": 3.0, "not there": 9.0})
    date, city = classifier.judge(DOCUMENT, [DATE, CITY])
    assert date is not None
    assert city is not None
    assert date.evidence.value == pytest.approx(probability(-1.0))
    assert city.evidence.value == pytest.approx(probability(2.0))


def test_the_shipped_one_tells_a_date_of_birth_from_an_article() -> None:
    """The birth date of a person is riskier than the Court."""
    text = Document("d", "She was born on 3 May 1994. The European Court of Human Rights sat.")
    date = entity("e1", mention(text, "3 May 1994", "DATETIME"))
    court = entity("e2", mention(text, "European Court of Human Rights", "ORG"))
    born, sat = SpanClassifier.shipped().judge(text, [date, court])
    assert born is not None
    assert sat is not None
    assert born.evidence.value > 0.5 > sat.evidence.value


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    """What is no table of weights, or another kind of model, is an error that says so."""
    (tmp_path / "span.json").write_text("[1]", encoding="utf-8")
    digests = {"span.json": digest(tmp_path / "span.json")}
    (tmp_path / "digests.json").write_text(json.dumps(digests), encoding="utf-8")
    with pytest.raises(ModelError, match=r"span.json has no weights"):
        load_span_weights(tmp_path)
    with pytest.raises(ModelError, match=r"no combination.json"):
        load_combining(tmp_path)
