"""Changes as values and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import Event, EventError, EventKind
from tacenda.document import Span
from tests.examples import for_each

_SPANS = st.lists(
    st.tuples(st.integers(0, 99), st.integers(1, 9)), min_size=1, max_size=4, unique=True
).map(lambda items: tuple(sorted(Span(start, start + size) for start, size in items)))
_CHANGES = st.one_of(
    st.builds(Event, st.just(EventKind.DECIDE), _SPANS, st.sampled_from(["keep", "mask", "auto"])),
    st.builds(Event, st.just(EventKind.DECIDE), _SPANS, st.just("generalise"), st.text(max_size=9)),
    st.builds(
        Event,
        st.sampled_from([EventKind.SPLIT, EventKind.MERGE, EventKind.REMOVE]),
        _SPANS,
    ),
    st.builds(Event, st.just(EventKind.NOTE), _SPANS, st.text(max_size=20)),
    st.floats(0, 1).map(lambda bound: Event(EventKind.BOUND, value=repr(bound))),
)


@given(_CHANGES)
def test_json_gives_the_change_back(change: Event) -> None:
    """A change survives the way through JSON."""
    assert Event.of(json.loads(json.dumps(change.as_object()))) == change


@for_each(
    ("item", "message"),
    [
        ({}, "a change needs a kind"),
        ({"kind": "explode"}, "a change needs a kind"),
        ({"kind": "split", "spans": [[3, 3]]}, "0 <= start < end"),
        ({"kind": "split", "spans": [[1]]}, "0 <= start < end"),
        ({"kind": "split", "spans": 7}, "0 <= start < end"),
        ({"kind": "split"}, "has 0 spans"),
        ({"kind": "bound", "value": "0.5", "spans": [[0, 1]]}, "has 1 spans"),
        ({"kind": "bound", "value": "2"}, "bound '2' is not a probability"),
        ({"kind": "bound", "value": "nan"}, "bound 'nan' is not a probability"),
        ({"kind": "decide", "spans": [[0, 1]], "value": "burn"}, "value 'burn'"),
        ({"kind": "type", "spans": [[0, 1]], "value": "NAME"}, "value 'NAME'"),
        (
            {"kind": "decide", "spans": [[0, 1]], "value": "keep", "option": "a"},
            "'generalise' and 'write' only",
        ),
        ({"kind": "accept", "spans": [[0, 1]], "value": " "}, "say why"),
        ({"kind": "note", "spans": [[0, 1]], "value": "a" * 10_001}, "10001 characters"),
    ],
)
def test_what_is_no_change_is_refused(item: dict[str, Any], message: str) -> None:
    """The error says what a change needs."""
    with pytest.raises(EventError, match=message.replace("(", r"\(")):
        Event.of(item)


def test_spans_must_be_in_the_document() -> None:
    """A span behind the end of the text is an error with its offsets."""
    change = Event(EventKind.SPLIT, (Span(4, 9),))
    assert change.check(9) is change
    with pytest.raises(EventError, match=r"\[4, 9\) ends outside the document, which has 8"):
        change.check(8)
