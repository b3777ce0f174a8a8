"""How far an entity helps to guess the direct identifiers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacenda.document import Document, IdentifierType
from tacenda_lab.indicators.language import Threshold
from tacenda_lab.indicators.perturbation import Perturbation, perturbations
from tests.building import entity, mention

from .fake import Words

DOCUMENT = Document("d", "Berg of Berg Farm came from Oslo to Rome", ("Anna Berg",))
BERG = entity("e1", mention(DOCUMENT, "Berg"))
FARM = entity("e2", mention(DOCUMENT, "Berg Farm", "ORG"))
OSLO = entity("e3", mention(DOCUMENT, "Oslo", "LOC"))
ROME = entity("e4", mention(DOCUMENT, "Rome", "LOC"))


def test_a_name_within_a_name_gives_it_away() -> None:
    """Shown, "Berg Farm" doubles what the count says of Berg; Oslo only adds a word."""
    model = Words()
    rises = perturbations(DOCUMENT, [BERG, FARM, OSLO, ROME], [0], model)
    assert np.isnan(rises[0]).all()
    # Alone: 5 words of no entity, then 2 of the farm. Among: 7 of all but Berg and Farm.
    assert rises[1] == pytest.approx(
        [math.log(2 / 16) - math.log(1 / 14), math.log(2 / 18) - math.log(1 / 16)], rel=1e-5
    )
    assert rises[2] == pytest.approx(
        [math.log(1 / 15) - math.log(1 / 14), math.log(2 / 18) - math.log(2 / 17)], rel=1e-5
    )


def test_direct_identifiers_are_never_shown() -> None:
    """In no question does the name of the target stand where it is asked for."""
    model = Words()
    perturbations(DOCUMENT, [BERG, OSLO], [0], model)
    assert [model.shown(question) for question in model.asked] == [
        "_ of Berg Farm came from Oslo to Rome",
        "_ of Berg Farm came from _ to Rome",
        "_ of Berg Farm came from Oslo to Rome",
        "_ of Berg Farm came from _ to Rome",
    ]


def test_the_target_names_the_direct_identifiers() -> None:
    """With a target its names are asked for; without, people that are called direct."""
    limit = Threshold(0.3, 0.9, 0.2)
    indicator = Perturbation(Words(), limit, limit)
    assert indicator.direct(DOCUMENT, [BERG, FARM, OSLO]) == [0]
    nobody = Document("d", DOCUMENT.text)
    assert indicator.direct(nobody, [BERG, OSLO]) == []
    assert indicator.judge(nobody, [BERG, OSLO]) == [None, None]
    certain = entity("e1", mention(nobody, "Berg", direct=0.7))
    assert indicator.direct(nobody, [OSLO, certain]) == [1]
    berg, farm, oslo = indicator.judge(DOCUMENT, [BERG, FARM, OSLO])
    assert berg is None
    assert farm is not None
    assert oslo is not None
    assert (farm.evidence.value, farm.identifier) == (0.9, IdentifierType.QUASI)
    assert (oslo.evidence.value, oslo.identifier) == (0.2, IdentifierType.NO_MASK)


def test_far_mentions_are_read_together_with_the_slot() -> None:
    """The window holds what stands around the slot and around the entity, however far apart."""
    text = Document("d", "Berg is here. " + "so it was. " * 50 + "He lives in Oslo now.")
    model = Words(12)
    entities = [entity("e1", mention(text, "Berg")), entity("e2", mention(text, "Oslo", "LOC"))]
    rises = perturbations(text, entities, [0], model)
    assert not np.isnan(rises[1]).any()
    assert model.shown(model.asked[0]) == "_ is here so it was was He lives in Oslo now"
    assert all(len(question.ids) <= 12 for question in model.asked)
