"""The event log: what holds, and what a person can take back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import Event, EventKind
from tacenda.app.store.log import LogEntry, NewEntry, in_force, redo_entry, undo_entry

CHANGE = Event(EventKind.BOUND, value="0.5")


def _log(*steps: str) -> list[LogEntry]:
    """Return a log of steps such as ``Ann:change``, ``Ann:undo``, ``Ben:redo``; idle ones are left out."""
    entries: tuple[LogEntry, ...] = ()
    for step in steps:
        person, action = step.split(":")
        entry = {
            "change": lambda: NewEntry(person, CHANGE),  # noqa: B023
            "undo": lambda: undo_entry(entries, person),  # noqa: B023
            "redo": lambda: redo_entry(entries, person),  # noqa: B023
        }[action]()
        entries = entries if entry is None else entry.after(entries)
    return list(entries)


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
    assert redo_entry(log, "A") is None
    assert [entry.id for entry in in_force(log)] == [3]


def test_nobody_takes_back_what_another_did() -> None:
    """Undo is of one's own changes, whoever came after."""
    log = _log("A:change", "B:change")
    assert undo_entry(log, "A") == NewEntry("A", undoes=1)
    assert undo_entry(log, "C") is None
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
    assert {entry.id for entry in in_force(log)} <= {e.id for e in log if e.event is not None}
