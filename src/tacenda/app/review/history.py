"""The log of a document: changes, and changes taken back; each person takes back their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from .change import Change


class Line(Protocol):
    """What undo and redo need to know of a line of any log; see ``Entry``."""

    @property
    def id(self) -> int: ...  # noqa: D102
    @property
    def person(self) -> str: ...  # noqa: D102
    @property
    def change(self) -> object | None: ...  # noqa: D102
    @property
    def undoes(self) -> int | None: ...  # noqa: D102
    @property
    def redoes(self) -> int | None: ...  # noqa: D102


_Line = TypeVar("_Line", bound=Line)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log.

    Attributes:
        id: number in the log, growing.
        person: who did it.
        at: when, ISO 8601 in UTC.
        change: what was done; None for undo and redo.
        undoes: the entry that is taken back.
        redoes: the entry whose taking back is taken back.
        batch: the same for changes that one command made in several documents; may be empty.
    """

    id: int
    person: str
    at: str
    change: Change | None
    undoes: int | None = None
    redoes: int | None = None
    batch: str = ""


def in_force(entries: Iterable[_Line]) -> tuple[_Line, ...]:
    """Return the entries whose changes hold, in order: made and not taken back."""
    standing: dict[int, _Line] = {}
    gone: dict[int, _Line] = {}
    for entry in entries:
        if entry.change is not None:
            standing[entry.id] = entry
        elif entry.undoes is not None and entry.undoes in standing:
            gone[entry.undoes] = standing.pop(entry.undoes)
        elif entry.redoes is not None and entry.redoes in gone:
            standing[entry.redoes] = gone.pop(entry.redoes)
    return tuple(sorted(standing.values(), key=lambda entry: entry.id))


def undoable(entries: Sequence[Line], person: str) -> int | None:
    """Return the entry that *undo* by this person takes back: their latest that holds."""
    own = [entry.id for entry in in_force(entries) if entry.person == person]
    return own[-1] if own else None


def redoable(entries: Sequence[Line], person: str) -> int | None:
    """Return the entry that *redo* brings back: what they took back since their last change."""
    taken: list[int] = []
    for entry in entries:
        if entry.person != person:
            continue
        if entry.change is not None:
            taken.clear()
        elif entry.undoes is not None:
            taken.append(entry.undoes)
        elif taken:
            taken.pop()
    return taken[-1] if taken else None
