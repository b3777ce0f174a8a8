"""Names with little around them, made for training."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("torch")

from tacenda.models.calibration import bio_id
from tacenda.models.networks import RecognizerModel
from tacenda_lab.train.name_lists import names_alone


def test_each_name_is_one_mention_and_nothing_between_is() -> None:
    """What begins and ends a mention is a letter, or the stop of an initial; commas part people."""
    encoder = RecognizerModel.load("recognizer-small").encoder
    begin, inside = bio_id("B", "PERSON"), bio_id("I", "PERSON")
    forms = set()
    for number in range(300):
        item = names_alone(number, encoder, Random(number))
        labels = item.types.argmax(axis=1)
        assert set(labels) <= {0, begin, inside}
        assert (labels == begin).any()
        masked = item.masks[:, 2] == 1
        assert (masked == (labels > 0)).all()
        for start, end, label in zip(item.encoding.starts, item.encoding.ends, labels, strict=True):
            if label == 0:
                forms.add(item.text[start:end])
    assert {",", ";", "/", "met"} <= forms
