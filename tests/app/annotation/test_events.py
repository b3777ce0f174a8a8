"""One act of an annotator."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import Event, EventError, EventKind
from tacenda.document import ConfidentialStatus, IdentifierType, SemanticType, Span
from tests.examples import for_each

_SPANS = st.builds(
    lambda start, length: Span(start, start + length), st.integers(0, 999), st.integers(1, 99)
)
_MENTIONS = st.lists(_SPANS, min_size=2, max_size=4, unique=True).map(tuple)


def _acts(kind: EventKind, values: Any) -> st.SearchStrategy[Event]:
    return st.builds(lambda spans, value: Event(kind, spans, str(value)), _MENTIONS, values)


ACTS = st.one_of(
    _acts(EventKind.ADD, st.sampled_from(SemanticType)),
    _acts(EventKind.TYPE, st.sampled_from(SemanticType)),
    _acts(EventKind.IDENTIFIER, st.sampled_from(IdentifierType)),
    _acts(EventKind.STATUS, st.sampled_from(ConfidentialStatus)),
    _acts(EventKind.CHOOSE, st.text(max_size=20)),
    _acts(EventKind.MERGE, st.just("")),
    _acts(EventKind.SPLIT, st.just("")),
    st.builds(
        lambda note: Event(EventKind.CHECK, value="exposed", note=note, seen="x"),
        st.text(),
    ),
    st.just(Event(EventKind.SUBMIT)),
)


@given(ACTS)
def test_an_act_comes_back_from_json(act: Event) -> None:
    """What is written is read again as it was."""
    assert Event.of(act.as_object()) == act


@for_each(
    ("item", "message"),
    [
        ({}, "needs a kind"),
        ({"kind": "dance"}, "needs a kind"),
        ({"kind": "add", "spans": [[3, 3]], "value": "PERSON"}, "0 <= start < end"),
        ({"kind": "add", "spans": [["0", 3]], "value": "PERSON"}, "needs a kind"),
        ({"kind": "add", "spans": [[0, 3]], "value": "ANIMAL"}, "'ANIMAL'; use one of 'PERSON'"),
        ({"kind": "add", "spans": [], "value": "PERSON"}, "has 0 spans; it takes 1 or more"),
        ({"kind": "bounds", "spans": [[0, 3]]}, "has 1 spans; it takes 2"),
        ({"kind": "submit", "spans": [[0, 3]]}, "has 1 spans; it takes 0"),
        ({"kind": "submit", "value": "now"}, "has the value 'now'"),
        ({"kind": "submit", "note": "well"}, "a note goes with"),
        ({"kind": "step", "value": "6"}, "has the value '6'"),
        ({"kind": "choose", "spans": [[0, 3]], "value": "x" * 2001}, "longer than 2000"),
    ],
)
def test_what_is_no_act_is_refused(item: dict[str, Any], message: str) -> None:
    """The message names the value and what is allowed."""
    with pytest.raises(EventError, match=message):
        Event.of(item)
