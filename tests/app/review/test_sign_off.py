"""The stages of a document: what leads on, and what leads back."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import jsonschema
import pytest

from tacenda.app.audit import document_audit
from tacenda.app.events import BY_APPROVERS, Event, EventError, EventKind
from tacenda.app.review.sign_off import Stage
from tacenda.app.service import Service
from tacenda.app.store.database import PermissionDenied
from tacenda.audit.decisions import schema
from tacenda.document import Span

from ..building import LETTER

TEXTS = (LETTER,)
"""Of the documents of project 1."""

DONE, APPROVE = (Event(kind, value="yes") for kind in (EventKind.DONE, EventKind.APPROVE))
REOPEN, REFUSE = (Event(kind, value="no") for kind in (EventKind.DONE, EventKind.APPROVE))
RELEASE = Event(EventKind.RELEASE)
KEEP = Event(EventKind.DECIDE, (Span(0, 9),), "keep")


def _do(made: Service, person: str, *changes: Event) -> None:
    for change in changes:
        act = made.sign if change.kind in BY_APPROVERS else made.change
        act(1, person, made.store.documents.get(1).revision, change)


def _review(made: Service) -> dict[str, Any]:
    """Return the stage in the record, after a look whether page and list say the same."""
    record = json.loads(document_audit(made, 1, "json").content)
    jsonschema.validate(record, schema())
    (item,) = record["documents"]
    view = made.open(1)
    stage = str(view.sign_offs.stage)
    assert item["review"]["stage"] == stage
    assert view.row.summary.stage == stage
    assert stage.encode() in document_audit(made, 1, "html").content
    review: dict[str, Any] = item["review"]
    return review


def test_each_stage_names_its_person_and_the_output(made: Service) -> None:
    """Reviewed by Ann, approved by Ben, released by Ann: all of the text in the record."""
    _do(made, "Ann", DONE)
    _do(made, "Ben", APPROVE)
    _do(made, "Ann", RELEASE)
    review = _review(made)
    text = made.open(1).reviewed.sanitized.text
    digest = hashlib.sha256(text.encode()).hexdigest()
    people = {name: review[name]["person"] for name in ("reviewed", "approved", "released")}
    assert people == {"reviewed": "Ann", "approved": "Ben", "released": "Ann"}
    assert {review[name]["sha256"] for name in people} == {digest}


@pytest.mark.parametrize("n_signed", [1, 2, 3])
@pytest.mark.parametrize("act", ["change", "undo", "redo"])
def test_whatever_changes_later_opens_it_again(made: Service, n_signed: int, act: str) -> None:
    """A change, one taken back and one brought back, by anybody; the record says who and when."""
    _do(made, "Eve", KEEP)
    if act == "redo":
        made.undo(1, "Eve", 1)
    _do(made, "Ann", *(DONE, APPROVE, RELEASE)[:n_signed])
    stage = _review(made)["stage"]
    assert stage == ("reviewed", "approved", "released")[n_signed - 1]
    revision = made.open(1).row.revision
    if act == "change":
        _do(made, "Eve", Event(EventKind.BOUND, value="0.9"))
    else:
        (made.undo if act == "undo" else made.redo)(1, "Eve", revision)
    review = _review(made)
    assert (review["stage"], review["reset"]["stage"]) == ("open", stage)
    assert review["reset"]["person"] == made.open(1).row.summary.reset_by == "Eve"
    _do(made, "Ann", DONE)
    assert "reset" not in _review(made)


def test_a_note_and_a_withdrawn_approval_leave_the_review(made: Service) -> None:
    """Neither changes what leaves."""
    _do(made, "Ann", DONE, APPROVE, Event(EventKind.NOTE, (Span(0, 9),), "Sure?"))
    assert _review(made)["stage"] == "approved"
    _do(made, "Ann", REFUSE)
    assert _review(made)["stage"] == "reviewed"
    _do(made, "Ann", REOPEN)
    assert _review(made)["stage"] == "open"


def test_nothing_is_approved_or_released_that_nobody_reviewed(made: Service) -> None:
    """Nothing is written of it."""
    for change in (APPROVE, RELEASE):
        with pytest.raises(EventError, match="review it first"):
            _do(made, "Ann", change)
    assert made.open(1).row.revision == 0


def test_an_approval_is_no_change_that_anybody_makes(made: Service) -> None:
    """The way of changes, which is open to reviewers, leads to no approval and no release."""
    _do(made, "Ann", DONE)
    for change in (APPROVE, REFUSE, RELEASE):
        with pytest.raises(EventError, match="endpoints of their own"):
            made.change(1, "Ann", 1, change)


def test_two_pairs_of_eyes(made: Service) -> None:
    """Where they are asked for, nobody approves their own review, and nothing leaves without it."""
    made.store.projects.set_four_eyes(1, True)
    _do(made, "Ann", DONE)
    with pytest.raises(PermissionDenied, match="another person"):
        _do(made, "Ann", APPROVE)
    with pytest.raises(EventError, match="no second person"):
        _do(made, "Ann", RELEASE)
    _do(made, "Ben", APPROVE, RELEASE)
    assert made.open(1).sign_offs.stage is Stage.RELEASED


def test_a_sign_off_is_brought_back_for_the_same_text_only(made: Service) -> None:
    """Redo would otherwise sign what nobody looked at."""
    _do(made, "Ann", DONE)
    made.undo(1, "Ann", 1)
    _do(made, "Ben", KEEP)
    with pytest.raises(EventError, match="has changed since"):
        made.redo(1, "Ann", 3)
    made.undo(1, "Ben", 3)
    made.redo(1, "Ann", 4)
    assert _review(made)["stage"] == "reviewed"


def test_what_was_released_stays_said(made: Service) -> None:
    """Undo takes back what came before it, and so opens the document; the log keeps the release."""
    _do(made, "Ann", KEEP, DONE, RELEASE)
    made.undo(1, "Ann", 3)
    assert _review(made)["stage"] == "open"
    assert [e.event.kind for e in made.open(1).entries if e.event][-1] is EventKind.RELEASE


def test_the_digest_is_the_services(made: Service) -> None:
    """Whatever digest a client sends, the log has that of the output."""
    _do(made, "Ann", Event(EventKind.DONE, value="yes", digest="0" * 64))
    reviewed = made.open(1).sign_offs.reviewed
    assert reviewed is not None
    assert reviewed.digest != "0" * 64
    with pytest.raises(EventError, match="64 hexadecimal"):
        Event(EventKind.DONE, value="yes", digest="0")
