"""The steps from the rows of a page to those after a change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import Event
from tacenda.app.review.events import ReviewState, replay
from tacenda.app.review.redecide import Reviewed, redecide
from tacenda.app.web.base import page
from tacenda.app.web.delta import RowSide, Step, steps
from tacenda.app.web.rows import Face, rows
from tacenda.document import Document
from tacenda.policy import Policy

from ..building import LETTER, sanitizer

_TEXT = (
    LETTER + "Eve Byron was in Kentville. So was Ben Cole, on 12 March 1994; Ada Byron was not.\n"
)
_POLICY = Policy(operator="tag", patterns=False)
_ANALYSIS = sanitizer().analyze(Document("d", _TEXT))
_NAMES = (
    "Ada Byron",
    "Ben Cole",
    "Kentville",
    "12 March 1994",
    "Eve Byron",
    "So was",
    "wrote",
    "not",
)

Shown = dict[tuple[str, str], Face]


def _reviewed(*events: dict[str, Any]) -> Reviewed:
    return redecide(_ANALYSIS, _POLICY, 0.5, replay(map(Event.of, events)))


def _event(kind: str, name: str, value: str) -> dict[str, Any]:
    start = _TEXT.index(name)
    return {"kind": kind, "spans": [[start, start + len(name)]], "value": value}


def _shown(reviewed: Reviewed) -> Shown:
    """Return what is an element in the rows, by side and span."""
    return {
        (side, f"{start}-{end}"): face
        for row in rows(reviewed)
        for side, places in (
            (RowSide.ORIGINAL, row.marked_places),
            (RowSide.RESULT, row.changed_places),
        )
        for start, end, face in places
    }


def _after(shown: Shown, done: list[Step]) -> Shown:
    """Return what is shown after the steps, as the page takes them."""
    after = dict(shown)
    for side, places, face in done:
        for place in places.split():
            spans = [
                span
                for at, span in shown
                if at == side and shown[at, span].entity == place[1:]
            ]  # fmt: skip
            for span in spans if place.startswith("@") else [place]:
                if face is None:
                    del after[side, span]
                else:
                    after[side, span] = after.get((side, span), Face(""))._replace(**face)
    return after


_DECISIONS = st.builds(
    _event, st.just("decide"), st.sampled_from(_NAMES[:5]), st.sampled_from(("keep", "mask"))
)
_MENTIONS = st.builds(
    _event,
    st.just("decide_mention"),
    st.sampled_from(_NAMES[:5]),
    st.sampled_from(("keep", "mask")),
)
_ADDED = st.builds(
    _event, st.just("add"), st.sampled_from(_NAMES), st.sampled_from(("LOC", "MISC"))
)
_OTHERS = st.builds(
    _event, st.sampled_from(("split", "remove")), st.sampled_from(_NAMES[:5]), st.just("")
)
_BOUNDS = st.sampled_from([{"kind": "bound", "value": value} for value in ("0.1", "0.5", "0.99")])
_EVENTS = st.lists(st.one_of(_DECISIONS, _MENTIONS, _ADDED, _OTHERS, _BOUNDS), max_size=4)


@given(_EVENTS, _EVENTS)
def test_the_steps_lead_from_any_state_to_any_other(
    some: list[dict[str, Any]], more: list[dict[str, Any]]
) -> None:
    """Of the same paragraphs."""
    before, after = _reviewed(*some), _reviewed(*more)
    done = steps(before, after)
    assert done is not None
    assert _after(_shown(before), done) == _shown(after)


def test_an_entity_that_changes_everywhere_is_named_once() -> None:
    """Its places are not listed; where it was nothing, they are."""
    kept = _reviewed(_event("decide", "Kentville", "keep"))
    masked = _reviewed(_event("decide", "Kentville", "mask"))
    assert [(side, places) for side, places, _ in steps(kept, masked) or ()] == [
        ("original", "@65-74"),
        ("result", "65-74 140-149"),
    ]
    assert [
        (side, places, face and sorted(face)) for side, places, face in steps(masked, kept) or ()
    ] == [
        ("original", "@65-74", ["classes", "words"]),
        ("result", "@65-74", None),
    ]


def test_other_paragraphs_have_no_steps() -> None:
    """Rows are then sent whole."""
    other = sanitizer().analyze(Document("d", LETTER))
    assert steps(_reviewed(), redecide(other, _POLICY, 0.5, ReviewState())) is None


def test_nothing_changes_where_nothing_differs() -> None:
    """The same decisions, no steps."""
    assert steps(_reviewed(), _reviewed()) == []


@pytest.mark.parametrize("text", ["</div><script>", "\"'&"])
def test_text_in_a_step_is_text(text: str) -> None:
    """What stands in an answer is no markup there, and the same when the page reads it."""
    step = Step(RowSide.RESULT, "0-9", {"text": text})
    template = page._environment.from_string("{{ changes|tojson }}")
    html = template.render(changes=[step])
    assert not set("<>&'") & set(html)
