"""Annotations opened, changed and reviewed, each by whom it may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tacenda.app.annotate.change import Act, ActError, Kind
from tacenda.app.annotate.occurrences import occurrences
from tacenda.app.annotate.people import checked_names
from tacenda.app.annotate.service import ADJUDICATOR, Annotating, Hidden
from tacenda.app.annotate.store import Late
from tacenda.document import Span
from tacenda.errors import InputError

from .building import SUBMIT, TEXT, add, at, make, project

_TOWN = Act(Kind.IDENTIFIER, (at("Ankara"),), "QUASI")


@pytest.fixture
def annotating(tmp_path: Path) -> Iterator[Annotating]:
    """Return a project of Ann and Ben."""
    made = project(tmp_path)
    yield made
    made.store.close()


def _seen(annotating: Annotating, viewer: str) -> list[str]:
    return [item.annotator for item in annotating.shown(1, viewer)]


def test_others_are_hidden_until_both_have_submitted(annotating: Annotating) -> None:
    """An annotator sees their own; the adjudicator what is submitted; peers once both are done."""
    make(annotating, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    assert (_seen(annotating, "ann"), _seen(annotating, "ben")) == (["ann"], ["ben"])
    assert _seen(annotating, ADJUDICATOR) == ["ann"]
    with pytest.raises(Hidden, match="once both of you have submitted"):
        annotating.see(1, "ben", "ann")
    make(annotating, "ben", SUBMIT)
    assert _seen(annotating, "ben") == ["ben", "ann"]
    assert _seen(annotating, ADJUDICATOR) == ["ann", "ben"]
    make(annotating, "ben", Act(Kind.REOPEN))
    assert _seen(annotating, "ben") == ["ben"]
    with pytest.raises(Hidden, match="no annotator"):
        annotating.open(1, ADJUDICATOR)


def test_annotations_do_not_touch_each_other(annotating: Annotating) -> None:
    """What Ann does is not in Ben's annotation, nor in another document."""
    make(annotating, "ann", add("Ankara", "LOC"))
    assert annotating.open(1, "ben").annotation.mentions == ()
    assert annotating.open(2, "ann").annotation.mentions == ()


def test_only_a_complete_annotation_is_submitted(annotating: Annotating) -> None:
    """Every mention has a masking decision first."""
    make(annotating, "ann", add("Ankara", "LOC"))
    with pytest.raises(ActError, match="1 spans are still to be decided"):
        make(annotating, "ann", SUBMIT)
    assert make(annotating, "ann", _TOWN, SUBMIT).annotation.submitted


def test_a_stale_act_is_not_written(annotating: Annotating) -> None:
    """Of two acts for one revision the second is late, also where it would not fit."""
    annotating.do(1, "ann", 0, add("Ankara", "LOC"))
    for act in (add("journalist", "DEM"), add("Ankara", "LOC")):
        with pytest.raises(Late):
            annotating.do(1, "ann", 0, act)
    assert annotating.store.revision(1, "ann") == 1


def test_what_does_not_fit_is_not_written(annotating: Annotating) -> None:
    """The log has no act that can't be folded."""
    with pytest.raises(ActError, match="no mention"):
        annotating.do(1, "ann", 0, _TOWN)
    with pytest.raises(ActError, match="checked by others"):
        annotating.do(1, "ann", 0, Act(Kind.CHECK, value="protected"))
    assert annotating.store.revision(1, "ann") == 0


def test_undo_and_redo_go_through_the_log(annotating: Annotating) -> None:
    """Taken back and brought back, acts stay in the log; with nothing left nothing happens."""
    make(annotating, "ann", add("Ankara", "LOC"), add("journalist", "DEM"))
    assert len(annotating.undo(1, "ann", 2).annotation.mentions) == 1
    assert annotating.undo(1, "ann", 3).annotation.mentions == ()
    assert annotating.undo(1, "ann", 4).revision == 4
    redone = annotating.redo(1, "ann", 4)
    assert [item.span for item in redone.annotation.mentions] == [at("Ankara")]
    assert (redone.undo, redone.redo, redone.revision) == (True, True, 5)


def test_all_places_with_the_same_words_are_marked_at_once(annotating: Annotating) -> None:
    """Those that are marked already stay as they are; one undo takes all back."""
    make(annotating, "ann", add("Galip Yalman", "ORG", nth=1))
    opened = annotating.do(1, "ann", 1, add("Galip Yalman"), everywhere=True)
    assert [item.type for item in opened.annotation.mentions] == ["PERSON", "ORG"]
    again = annotating.undo(1, "ann", 2)
    again = annotating.undo(1, "ann", again.revision)
    opened = annotating.do(1, "ann", again.revision, add("Galip Yalman"), everywhere=True)
    assert len(opened.annotation.mentions) == 2


def test_words_are_found_as_words() -> None:
    """The string "Ann" is not in "Anna", unless what was selected was part of a word itself."""
    text = "Ann, Anna; Ann"
    assert list(occurrences(text, Span(0, 3))) == [Span(0, 3), Span(11, 14)]
    assert list(occurrences(text, Span(5, 8))) == [Span(0, 3), Span(5, 8), Span(11, 14)]


def test_peers_review_and_the_review_is_kept(annotating: Annotating) -> None:
    """TAB's step 5: a verdict and a remark, in the log of the annotation; never of one's own."""
    make(annotating, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    make(annotating, "ben", SUBMIT)
    opened = annotating.check(1, "ben", "ann", "exposed", "the name is there")
    check = (opened.annotation.checks or {})["ben"]
    assert (check.value, check.note, check.holds) == ("exposed", "the name is there", True)
    with pytest.raises(Hidden, match="checked by others"):
        annotating.check(1, "ann", "ann", "protected", "")
    make(annotating, "ann", Act(Kind.REOPEN), add("Galip Yalman"))
    assert not (annotating.open(1, "ann").annotation.checks or {})["ben"].holds


def test_the_next_document_is_one_to_be_done(annotating: Annotating) -> None:
    """After the last one it goes on at the first; None when all are submitted."""
    assert (annotating.following(1, "ann"), annotating.following(2, "ann")) == (2, 1)
    make(annotating, "ann", SUBMIT, document=2)
    assert annotating.following(1, "ann") is None
    make(annotating, "ann", SUBMIT)
    assert annotating.following(2, "ann") is None


@pytest.mark.parametrize("names", [[], [""], ["a", "a"], [ADJUDICATOR], ["a b"], ["x" * 41]])
def test_names_of_annotators_are_names(names: list[str]) -> None:
    """They are keys of a file and parts of addresses."""
    with pytest.raises(InputError, match="annotator"):
        checked_names(names)


def test_the_text_is_as_it_came(annotating: Annotating) -> None:
    """Offsets are of the original."""
    assert annotating.source(1).text == TEXT
