"""The log: what holds, and what a person can take back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.review.change import Change, Kind
from tacenda.app.review.history import Entry, in_force, redoable, undoable

CHANGE = Change(Kind.BOUND, value="0.5")


def _log(*steps: str) -> list[Entry]:
    """Return a log of steps such as ``Ann:change``, ``Ann:undo``, ``Ben:redo``; idle ones are left out."""
    entries: list[Entry] = []
    for step in steps:
        person, what = step.split(":")
        id = len(entries) + 1
        if what == "change":
            entries.append(Entry(id, person, "", CHANGE))
        elif what == "undo" and (undoes := undoable(entries, person)) is not None:
            entries.append(Entry(id, person, "", None, undoes=undoes))
        elif what == "redo" and (redoes := redoable(entries, person)) is not None:
            entries.append(Entry(id, person, "", None, redoes=redoes))
    return entries


def _standing(*steps: str) -> list[int]:
    return [entry.id for entry in in_force(_log(*steps))]


def test_undo_takes_back_the_latest_change() -> None:
    """Undo after undo goes further back."""
    assert _standing("A:change", "A:change", "A:undo") == [1]
    assert _standing("A:change", "A:change", "A:undo", "A:undo") == []


def test_redo_brings_back_in_reverse_order() -> None:
    """What was taken back last comes back first."""
    assert _standing("A:change", "A:change", "A:undo", "A:undo", "A:redo") == [1]
    assert _standing("A:change", "A:change", "A:undo", "A:undo", "A:redo", "A:redo") == [1, 2]


def test_a_new_change_ends_what_can_be_redone() -> None:
    """After a new change nothing comes back."""
    log = _log("A:change", "A:undo", "A:change")
    assert redoable(log, "A") is None
    assert [entry.id for entry in in_force(log)] == [3]


def test_nobody_takes_back_what_another_did() -> None:
    """Undo is of one's own changes, whoever came after."""
    log = _log("A:change", "B:change")
    assert undoable(log, "A") == 1
    assert undoable(log, "C") is None
    assert _standing("A:change", "B:change", "A:undo") == [2]


_STEPS = st.lists(
    st.sampled_from([f"{who}:{what}" for who in "AB" for what in ("change", "undo", "redo")]),
    max_size=30,
)


@given(_STEPS, st.integers(1, 5))
def test_as_many_redos_as_undos_lead_back(steps: list[str], count: int) -> None:
    """Undone and redone as often, the same changes hold as before."""
    before = _log(*steps)
    possible = min(count, sum(entry.person == "A" for entry in in_force(before)))
    after = _log(*steps, *["A:undo"] * possible, *["A:redo"] * possible)
    assert in_force(after) == in_force(before)


@given(_STEPS)
def test_the_log_only_grows(steps: list[str]) -> None:
    """Every step keeps all lines before it, and what holds was once done."""
    log = _log(*steps)
    shorter = _log(*steps[:-1])
    assert log[: len(shorter)] == shorter
    assert {entry.id for entry in in_force(log)} <= {e.id for e in log if e.change is not None}
