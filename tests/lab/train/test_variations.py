"""Epochs differ from each other, and an epoch never from itself."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra 'train'")

TEXT = "The applicant, Ms Anna Berg, was born in 1970 and lives in Oslo. "


@pytest.fixture
def drawing(tmp_path: Path):
    """Return variations of forty short judgments by two annotators, and the judgments."""
    from tacenda.models.encoding import TextEncoder
    from tacenda.models.store import find
    from tacenda_lab.train.augmentation import Variations
    from tacenda_lab.train.examples import read_tab

    def annotation(identifier: str) -> dict[str, object]:
        name = {"start_offset": 18, "end_offset": 27, "entity_type": "PERSON"}
        town = {"start_offset": 59, "end_offset": 63, "entity_type": "LOC"}
        return {
            "entity_mentions": [
                name | {"identifier_type": "DIRECT", "entity_id": "e1"},
                town | {"identifier_type": identifier, "entity_id": "e2"},
            ]
        }

    documents = [
        {
            "doc_id": f"d{number}",
            "text": TEXT,
            "annotations": {"a": annotation("QUASI"), "b": annotation("NO_MASK")},
        }
        for number in range(40)
    ]
    path = tmp_path / "train.json"
    path.write_text(json.dumps(documents), encoding="utf-8")
    encoder = TextEncoder.from_file(find().folder / "tokenizer.json")
    return Variations(path, encoder), read_tab(path, encoder)


def test_an_epoch_is_the_same_each_time(drawing) -> None:
    """Names are drawn by the epoch's number and the document's name alone."""
    variations, judgments = drawing
    first, again = (variations.judgments(judgments, 3) for _ in range(2))
    assert [each.text for each in first] == [each.text for each in again]
    assert [each.text for each in variations.new(3, 5)] == [
        each.text for each in variations.new(3, 5)
    ]


def test_epochs_see_other_people(drawing) -> None:
    """Some judgments have another applicant, and others in the next epoch."""
    variations, judgments = drawing
    changed = [
        {each.doc_id for each in variations.judgments(judgments, epoch) if each.text != TEXT}
        for epoch in (0, 1)
    ]
    assert 0 < len(changed[0]) < len(judgments)
    assert changed[0] != changed[1]


def test_annotators_keep_their_shares_in_a_judgment_with_other_people(drawing) -> None:
    """The other name is DIRECT to both; the other town to be masked for one of the two."""
    variations, judgments = drawing
    for each in variations.judgments(judgments, 0):
        masked = each.masks[:, 0] < 1
        assert each.masks[masked][0, 2] == 1.0
        np.testing.assert_allclose(each.masks[masked][-1], [0.5, 0.5, 0.0])
