"""Events replayed to an annotation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.annotation.annotation import (
    UNMARKED,
    DocumentAnnotation,
    SpanMark,
    SpanMarks,
    marks_as_object,
    marks_of,
)
from tacenda.app.annotation.events import replay
from tacenda.app.events import Event, EventError, EventKind
from tacenda.document import IdentifierType, SemanticType, Span
from tests.examples import for_each

from .building import SUBMIT, TEXT, add, at, replaced

_NAME, _SECOND, _TOWN = at("Galip Yalman"), at("Galip Yalman", nth=1), at("Ankara")


def _fold(*acts: Event, marks: SpanMarks = UNMARKED) -> DocumentAnnotation:
    return replay(TEXT, marks, [("ann", act) for act in acts])


def _entities(annotation: DocumentAnnotation) -> list[list[str]]:
    return [[item.span.of(TEXT) for item in group] for group in annotation.entities().values()]


def test_equal_strings_are_one_entity_by_default() -> None:
    """TAB, section 4.2, step 4."""
    found = _fold(add("Galip Yalman", nth=1), add("Ankara", "LOC"), add("Galip Yalman"))
    assert _entities(found) == [["Galip Yalman"] * 2, ["Ankara"]]


def test_entities_are_linked_and_split() -> None:
    """Linking joins whole entities; splitting takes out the mentions named, and no others."""
    marked = (add("Galip Yalman"), add("Galip Yalman", nth=1), add("Mr"))
    linked = _fold(*marked, Event(EventKind.MERGE, (at("Mr"), _SECOND)))
    assert _entities(linked) == [["Mr", "Galip Yalman", "Galip Yalman"]]
    apart = _fold(
        *marked,
        Event(EventKind.MERGE, (at("Mr"), _SECOND)),
        Event(EventKind.SPLIT, (_SECOND,)),
    )
    assert _entities(apart) == [["Mr", "Galip Yalman"], ["Galip Yalman"]]


def test_edits_say_what_became_of_a_pre_annotation() -> None:
    """``check`` where it was left, ``correct`` where type or bounds changed, ``insert`` if new."""
    marks = SpanMarks(
        "recognizer", (SpanMark(_NAME, SemanticType.PERSON), SpanMark(_TOWN, SemanticType.ORG))
    )
    wider = Span(_NAME.start - 3, _NAME.end)
    found = _fold(
        Event(EventKind.BOUNDS, (_NAME, wider)),
        Event(EventKind.TYPE, (_TOWN,), "ORG"),
        Event(EventKind.IDENTIFIER, (_TOWN,), "QUASI"),
        add("journalist", "DEM"),
        marks=marks,
    )
    assert [(item.span, item.edit) for item in found.mentions] == [
        (wider, "correct"),
        (_TOWN, "check"),
        (at("journalist"), "insert"),
    ]
    changed = _fold(Event(EventKind.TYPE, (_TOWN,), "LOC"), marks=marks)
    assert changed.mentions[1].edit == "correct"


def test_a_moved_mention_keeps_what_was_said_of_it() -> None:
    """Decision and status go with the mention; alone in its entity, it joins that of its words."""
    decided = (
        Event(EventKind.IDENTIFIER, (_SECOND,), "DIRECT"),
        Event(EventKind.STATUS, (_SECOND,), "ETHNIC"),
    )
    short = Span(_SECOND.start, _SECOND.end - 7)
    found = _fold(
        add("Galip"),
        add("Galip Yalman", nth=1),
        *decided,
        Event(EventKind.BOUNDS, (_SECOND, short)),
    )
    assert _entities(found) == [["Galip", "Galip"]]
    assert (found.mentions[1].identifier, found.mentions[1].status) == ("DIRECT", "ETHNIC")


@for_each(
    ("acts", "message"),
    [
        ([add("Ankara", "LOC"), add("Ankara", "ORG")], "is marked already"),
        ([Event(EventKind.ADD, (Span(0, 10_000),), "LOC")], "ends outside the text"),
        ([Event(EventKind.ADD, (at("\n\n"),), "LOC")], "contains only white space"),
        ([Event(EventKind.REMOVE, (_TOWN,))], "no mention at"),
        ([Event(EventKind.TYPE, (_TOWN,), "LOC")], "no mention at"),
        ([Event(EventKind.BOUNDS, (_TOWN, _NAME))], "no mention at"),
        (
            [add("Ankara", "LOC"), Event(EventKind.CHOOSE, (_TOWN,), "a town")],
            "not an option of the span at",
        ),
        ([SUBMIT, add("Ankara", "LOC")], "is already submitted; reopen it"),
        ([add("Ankara", "LOC"), Event(EventKind.REMOVE, (_TOWN, _TOWN))], "names a span twice"),
        ([add("Ankara", "LOC"), Event(EventKind.IDENTIFIER, (_TOWN,), "auto")], "not an option"),
        ([Event(EventKind.DONE, value="yes")], "an annotation has no change of kind 'done'"),
    ],
)
def test_acts_that_do_not_fit_are_errors(acts: list[Event], message: str) -> None:
    """An annotation never holds what can't be in its text."""
    with pytest.raises(EventError, match=message):
        _fold(*acts)


def test_submitted_is_reopened_and_gone_on_with() -> None:
    """Reopened, an annotation takes acts again."""
    assert _fold(SUBMIT).submitted
    found = _fold(SUBMIT, Event(EventKind.REOPEN), add("Ankara", "LOC"))
    assert (found.submitted, len(found.mentions)) == (False, 1)


def test_a_review_holds_for_what_was_reviewed() -> None:
    """It does not after a change, and does again once the change is taken back."""
    before = _fold(add("Ankara", "LOC"))
    check = Event(EventKind.CHECK, value="protected", seen=before.fingerprint)
    changed = _fold(add("Ankara", "LOC"), check, Event(EventKind.IDENTIFIER, (_TOWN,), "QUASI"))
    assert before.checks == {}
    assert [item.holds for item in (changed.checks or {}).values()] == [False]
    same = _fold(add("Ankara", "LOC"), check, Event(EventKind.STEP, value="3"))
    assert [item.holds for item in (same.checks or {}).values()] == [True]


def test_marks_with_entities_and_options_are_the_beginning() -> None:
    """What a file says is there before anybody acts, and comes back from JSON."""
    source = replaced()
    found = replay(source.text, source.marks, ())
    assert [(item.identifier, item.choices) for item in found.mentions] == [
        (IdentifierType.DIRECT, ("PERSON 1", "***")),
        (IdentifierType.QUASI, ("1815", "date in the 1810s", "***")),
        (IdentifierType.NO_MASK, ()),
    ]
    assert (found.unchosen, found.undecided) == (2, 0)
    assert marks_of(marks_as_object(source.marks)) == source.marks


_SPANS = st.builds(
    lambda start, length: Span(start, min(start + length, len(TEXT))),
    st.integers(0, len(TEXT) - 1),
    st.integers(1, 30),
)
_ACTS = st.one_of(
    st.builds(lambda span: Event(EventKind.ADD, (span,), "PERSON"), _SPANS),
    st.builds(lambda span: Event(EventKind.REMOVE, (span,)), _SPANS),
    st.builds(lambda one, other: (one, other), _SPANS, _SPANS)
    .filter(lambda pair: pair[0] != pair[1])
    .flatmap(
        lambda pair: st.sampled_from(
            [
                Event(EventKind.MERGE, pair),
                Event(EventKind.BOUNDS, pair),
            ]
        )
    ),
    st.builds(lambda span: Event(EventKind.SPLIT, (span,)), _SPANS),
)


@given(st.lists(_SPANS, max_size=6, unique=True), st.lists(_ACTS, max_size=12))
def test_any_acts_leave_an_annotation_whole(spans: list[Span], acts: list[Event]) -> None:
    """Whatever is done or refused: spans are unique, in the text, in order; ``entities`` has all."""
    made: list[Event] = []
    for act in [*(Event(EventKind.ADD, (span,), "LOC") for span in spans), *acts]:
        try:
            _fold(*made, act)
        except EventError:
            continue
        made.append(act)
    found = _fold(*made).mentions
    places = [item.span for item in found]
    assert len(set(places)) == len(places)
    assert places == sorted(places, key=lambda span: (span.start, -span.end))
    assert all(span.of(TEXT).strip() and span.end <= len(TEXT) for span in places)
    grouped = [
        item.span for group in DocumentAnnotation(found).entities().values() for item in group
    ]
    assert sorted(grouped) == sorted(places)
