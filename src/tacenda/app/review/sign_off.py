"""The stages of a document on its way out (open, reviewed, approved, released), and what resets them.

A stage holds for one output, identified by its digest. Any later change, undo or redo reopens the
document; only notes don't.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..events import BY_APPROVERS, SIGN_OFFS, Event, EventError, EventKind
from ..store.database import PermissionDenied
from ..store.log import LogEntry, NewEntry


class Stage(StrEnum):
    """The stage of a document."""

    OPEN = "open"
    REVIEWED = "reviewed"
    APPROVED = "approved"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class SignOff:
    """A person's sign-off on an output.

    Attributes:
        person: their name.
        at: time (ISO 8601, UTC).
        digest: SHA-256 of the sanitized text in UTF-8; empty if made by a version that kept none.
        entry: its id in the log.
    """

    person: str
    at: str
    digest: str
    entry: int


@dataclass(frozen=True, slots=True)
class Reset:
    """The change that reopened a document.

    Attributes:
        stage: the stage that was lost.
        person, at: author and time of the change.
    """

    stage: Stage
    person: str
    at: str


@dataclass(frozen=True, slots=True)
class SignOffs:
    """The sign-offs that hold for a document.

    Attributes:
        reviewed, approved, released: each sign-off, or None if it doesn't hold.
        reset: the change that reopened it, unless it has been reviewed since.
    """

    reviewed: SignOff | None = None
    approved: SignOff | None = None
    released: SignOff | None = None
    reset: Reset | None = None

    @property
    def stage(self) -> Stage:
        """The latest stage that holds."""
        if self.reviewed is None:
            return Stage.OPEN
        if self.released is not None:
            return Stage.RELEASED
        return Stage.REVIEWED if self.approved is None else Stage.APPROVED


def sign_offs(entries: Sequence[LogEntry]) -> SignOffs:
    """Return the sign-offs that hold after a log."""
    events = {entry.id: entry.event for entry in entries}
    holding = SignOffs()
    for entry in entries:
        event = entry.event or events.get(entry.undoes or entry.redoes or 0)
        if event is None or event.kind is EventKind.NOTE:
            continue
        if event.kind not in SIGN_OFFS:
            holding = _opened(holding, entry)
        elif entry.undoes is not None:
            holding = _withdrawn(holding, entry.undoes, entry)
        else:
            holding = _signed(holding, event, entry)
    return holding


def check_sign_off(change: Event, holding: SignOffs, person: str, four_eyes: bool = False) -> None:
    """Refuse a sign-off that a document's stage doesn't allow.

    Args:
        change: the sign-off.
        holding: the sign-offs that hold.
        person: the person signing off.
        four_eyes: whether a different person must approve than the one who reviewed.

    Raises:
        EventError: if it hasn't been reviewed, or hasn't been approved where that is required.
        PermissionDenied: if another person must sign off.
    """
    if change.kind is EventKind.DONE or change.value == "no":
        return
    if holding.reviewed is None:
        raise EventError("the document has changed since its review; review it first.")
    if four_eyes and change.kind is EventKind.APPROVE and holding.reviewed.person == person:
        raise PermissionDenied("you reviewed it yourself; another person has to approve it.")
    if four_eyes and change.kind is EventKind.RELEASE and holding.approved is None:
        raise EventError("no second person has approved the document; it can't be released.")


def undoable(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the entries that can be undone: an approval can be withdrawn, a release can't."""
    return [
        entry for entry in entries if entry.event is None or entry.event.kind not in BY_APPROVERS
    ]


def _signed(holding: SignOffs, event: Event, entry: LogEntry) -> SignOffs:
    sign_off = SignOff(entry.person, entry.at, event.digest, entry.redoes or entry.id)
    approved = holding.approved
    match event.kind:
        case EventKind.DONE:
            return SignOffs(sign_off) if event.value == "yes" else _opened(holding, entry)
        case _ if holding.reviewed is None:
            return holding
        case EventKind.APPROVE:
            if event.value != "yes":
                return SignOffs(holding.reviewed)
            # The output is the same, so what was released stays released.
            return SignOffs(holding.reviewed, sign_off, holding.released)
        case _:
            return SignOffs(holding.reviewed, approved, sign_off)


def _withdrawn(holding: SignOffs, id: int, entry: LogEntry) -> SignOffs:
    """Return the state after the sign-off ``id`` was withdrawn."""
    is_current = holding.reviewed is not None and holding.reviewed.entry == id
    return _opened(holding, entry) if is_current else holding


def _opened(holding: SignOffs, entry: LogEntry) -> SignOffs:
    if holding.stage is Stage.OPEN:
        return SignOffs(reset=holding.reset)
    return SignOffs(reset=Reset(holding.stage, entry.person, entry.at))


def kind_of(entry: NewEntry, entries: Sequence[LogEntry]) -> EventKind | None:
    """Return the kind of the event that an entry makes, undoes or redoes."""
    event = entry.event
    for item in entries:
        if item.id in (entry.undoes, entry.redoes):
            event = item.event
    return None if event is None else event.kind
