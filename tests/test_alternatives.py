"""What else could be done about an entity, and its price."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tacenda.document import Decision, Document, IdentifierType, Option
from tacenda.explain import alternatives
from tacenda.text.information import UnigramSurprisal
from tests.building import entity, mention, reason

DOCUMENT = Document("d", "Ulm lies where Ulm lay in 1994.")
CITY = entity("e1", mention(DOCUMENT, "Ulm", "LOC"), mention(DOCUMENT, "Ulm", "LOC", nth=1))
KEPT = Decision(CITY, False, "", IdentifierType.NO_MASK, 0.1, (reason("Kept."),))
OPTIONS = (Option("city", 0, "x", 0.25, 0.001), Option("***", 1, "suppress", 0.0, 0.0))


def test_keeping_loses_nothing_and_a_black_box_everything() -> None:
    """Everything is the information of all mentions."""
    keep, suppress = alternatives(DOCUMENT, KEPT)
    assert (keep.lost, keep.risk, keep.made) == (0.0, 0.1, True)
    assert suppress.lost == pytest.approx(2 * UnigramSurprisal.shipped().surprisal("Ulm"))
    assert not suppress.made


def test_a_generalisation_loses_what_it_does_not_keep() -> None:
    """Of a quarter kept, three quarters are lost; the one that is written is marked."""
    written = replace(KEPT, masked=True, operator="generalize", options=OPTIONS, choice=OPTIONS[0])
    keep, city, suppress = alternatives(DOCUMENT, written)
    assert city.lost == pytest.approx(0.75 * suppress.lost)
    assert [each.made for each in (keep, city, suppress)] == [False, True, False]
