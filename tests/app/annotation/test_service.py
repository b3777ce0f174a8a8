"""Annotations opened, changed and reviewed, each by whom it may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tacenda.app.annotation.service import ADJUDICATOR, AnnotationProject, checked_names
from tacenda.app.annotation.sources import occurrences
from tacenda.app.events import Event, EventError, EventKind
from tacenda.app.store.database import PermissionDenied
from tacenda.app.store.log import RevisionConflict
from tacenda.document import Span
from tacenda.errors import InputError
from tests.examples import for_each

from .building import SUBMIT, TEXT, add, at, make, project

_TOWN = Event(EventKind.IDENTIFIER, (at("Ankara"),), "QUASI")


@pytest.fixture
def annotations(tmp_path: Path) -> Iterator[AnnotationProject]:
    """Return a project of Ann and Ben."""
    made = project(tmp_path)
    yield made
    made.store.close()


def _seen(annotations: AnnotationProject, viewer: str) -> list[str]:
    return [item.annotator for item in annotations.shown(1, viewer)]


def test_others_are_hidden_until_both_have_submitted(annotations: AnnotationProject) -> None:
    """An annotator sees their own; the adjudicator what is submitted; peers once both are done."""
    make(annotations, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    assert (_seen(annotations, "ann"), _seen(annotations, "ben")) == (["ann"], ["ben"])
    assert _seen(annotations, ADJUDICATOR) == ["ann"]
    with pytest.raises(PermissionDenied, match="once both of you have submitted"):
        annotations.see(1, "ben", "ann")
    make(annotations, "ben", SUBMIT)
    assert _seen(annotations, "ben") == ["ben", "ann"]
    assert _seen(annotations, ADJUDICATOR) == ["ann", "ben"]
    make(annotations, "ben", Event(EventKind.REOPEN))
    assert _seen(annotations, "ben") == ["ben"]
    with pytest.raises(PermissionDenied, match="not an annotator"):
        annotations.open(1, ADJUDICATOR)


def test_annotations_do_not_touch_each_other(annotations: AnnotationProject) -> None:
    """What Ann does is not in Ben's annotation, nor in another document."""
    make(annotations, "ann", add("Ankara", "LOC"))
    assert annotations.open(1, "ben").annotation.mentions == ()
    assert annotations.open(2, "ann").annotation.mentions == ()


def test_only_a_complete_annotation_is_submitted(annotations: AnnotationProject) -> None:
    """Every mention has a masking decision first."""
    make(annotations, "ann", add("Ankara", "LOC"))
    with pytest.raises(EventError, match="1 spans are undecided"):
        make(annotations, "ann", SUBMIT)
    assert make(annotations, "ann", _TOWN, SUBMIT).annotation.submitted


def test_a_stale_act_is_not_written(annotations: AnnotationProject) -> None:
    """Of two acts for one revision the second is late, also where it would not fit."""
    annotations.do(1, "ann", 0, add("Ankara", "LOC"))
    for act in (add("journalist", "DEM"), add("Ankara", "LOC")):
        with pytest.raises(RevisionConflict):
            annotations.do(1, "ann", 0, act)
    assert annotations.revision(1, "ann") == 1


def test_what_does_not_fit_is_not_written(annotations: AnnotationProject) -> None:
    """The log has no event that can't be replayed."""
    with pytest.raises(EventError, match="no mention"):
        annotations.do(1, "ann", 0, _TOWN)
    with pytest.raises(EventError, match="can't review your own annotation"):
        annotations.do(1, "ann", 0, Event(EventKind.CHECK, value="protected"))
    assert annotations.revision(1, "ann") == 0


def test_undo_and_redo_go_through_the_log(annotations: AnnotationProject) -> None:
    """Taken back and brought back, acts stay in the log; with nothing left nothing happens."""
    make(annotations, "ann", add("Ankara", "LOC"), add("journalist", "DEM"))
    assert len(annotations.step(1, "ann", 2, redo=False).annotation.mentions) == 1
    assert annotations.step(1, "ann", 3, redo=False).annotation.mentions == ()
    assert annotations.step(1, "ann", 4, redo=False).revision == 4
    redone = annotations.step(1, "ann", 4, redo=True)
    assert [item.span for item in redone.annotation.mentions] == [at("Ankara")]
    assert (redone.undo, redone.redo, redone.revision) == (True, True, 5)


def test_all_places_with_the_same_words_are_marked_at_once(annotations: AnnotationProject) -> None:
    """Those that are marked already stay as they are; one undo takes all back."""
    make(annotations, "ann", add("Galip Yalman", "ORG", nth=1))
    view = annotations.do(1, "ann", 1, add("Galip Yalman"), everywhere=True)
    assert [item.type for item in view.annotation.mentions] == ["PERSON", "ORG"]
    again = annotations.step(1, "ann", 2, redo=False)
    again = annotations.step(1, "ann", again.revision, redo=False)
    view = annotations.do(1, "ann", again.revision, add("Galip Yalman"), everywhere=True)
    assert len(view.annotation.mentions) == 2


def test_words_are_found_as_words() -> None:
    """The string "Ann" is not in "Anna", unless what was selected was part of a word itself."""
    text = "Ann, Anna; Ann"
    assert list(occurrences(text, Span(0, 3))) == [Span(0, 3), Span(11, 14)]
    assert list(occurrences(text, Span(5, 8))) == [Span(0, 3), Span(5, 8), Span(11, 14)]


def test_peers_review_and_the_review_is_kept(annotations: AnnotationProject) -> None:
    """TAB's step 5: a verdict and a remark, in the log of the annotation; never of one's own."""
    make(annotations, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    make(annotations, "ben", SUBMIT)
    view = annotations.check(1, "ben", "ann", "exposed", "the name is there")
    check = (view.annotation.checks or {})["ben"]
    assert (check.value, check.note, check.holds) == ("exposed", "the name is there", True)
    with pytest.raises(PermissionDenied, match="can't review your own annotation"):
        annotations.check(1, "ann", "ann", "protected", "")
    make(annotations, "ann", Event(EventKind.REOPEN), add("Galip Yalman"))
    assert not (annotations.open(1, "ann").annotation.checks or {})["ben"].holds


def test_the_next_document_is_one_to_be_done(annotations: AnnotationProject) -> None:
    """After the last one it goes on at the first; None when all are submitted."""
    assert (annotations.following(1, "ann"), annotations.following(2, "ann")) == (2, 1)
    make(annotations, "ann", SUBMIT, document=2)
    assert annotations.following(1, "ann") is None
    make(annotations, "ann", SUBMIT)
    assert annotations.following(2, "ann") is None


@for_each("names", [[], [""], ["a", "a"], [ADJUDICATOR], ["a b"], ["x" * 41]])
def test_names_of_annotators_are_names(names: list[str]) -> None:
    """They are keys of a file and parts of addresses."""
    with pytest.raises(InputError, match="annotator"):
        checked_names(names)


def test_the_text_is_as_it_came(annotations: AnnotationProject) -> None:
    """Offsets are of the original."""
    assert annotations.source(1).text == TEXT
