"""The log of changes folded to a state, one change after another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ...document import IdentifierType, SemanticType, Span
from .change import Change, Kind
from .state import Join, State, Verdict

_Value = TypeVar("_Value")


def fold(changes: Iterable[Change]) -> State:
    """Return the state after ``changes``, in order; undone ones are left out beforehand.

    Linear in the number of spans of all changes.
    """
    folding = _Folding()
    for change in changes:
        folding.add(change)
    return folding.state()


class _Folding:
    """A state while changes are still added to it."""

    def __init__(self) -> None:
        self._bound: float | None = None
        self._added: dict[Span, SemanticType] = {}
        self._removed: set[Span] = set()
        self._types: dict[Span, SemanticType] = {}
        self._identifiers: dict[Span, IdentifierType] = {}
        self._verdicts: dict[Span, Verdict] = {}
        self._joins: list[Join] = []
        self._notes: dict[Span, str] = {}
        self._done = False

    def state(self) -> State:
        return State(
            self._bound,
            self._added,
            frozenset(self._removed),
            self._types,
            self._identifiers,
            self._verdicts,
            tuple(self._joins),
            self._notes,
            self._done,
        )

    def add(self, change: Change) -> None:
        spans, value = change.spans, change.value
        match change.kind:
            case Kind.DECIDE:
                self._decide(change, alone=False)
            case Kind.DECIDE_MENTION:
                self._decide(change, alone=True)
                self._joins += [Join((span,), apart=True) for span in spans]
            case Kind.TYPE:
                _put(self._types, spans, SemanticType(value))
            case Kind.IDENTIFIER:
                identifier = None if value == "auto" else IdentifierType(value)
                _put(self._identifiers, spans, identifier)
            case Kind.SPLIT:
                self._joins.append(Join(spans, apart=True))
            case Kind.MERGE:
                self._joins.append(Join(spans, apart=False))
            case Kind.ADD:
                # A mention by hand is masked until somebody says otherwise: why else point at it?
                _put(self._added, spans, SemanticType(value))
                _put(self._verdicts, spans, Verdict("mask"))
                self._removed -= set(spans)
            case Kind.REMOVE:
                self._removed |= set(spans)
                _put(self._added, spans, None)
                _put(self._verdicts, spans, None)
            case Kind.BOUND:
                self._bound = float(value)
            case Kind.NOTE:
                _put(self._notes, spans, value or None)
            case Kind.DONE:
                self._done = value == "yes"

    def _decide(self, change: Change, alone: bool) -> None:
        decided = Verdict(change.value, change.option, alone)
        _put(self._verdicts, change.spans, None if change.value == "auto" else decided)


def _put(known: dict[Span, _Value], spans: Iterable[Span], value: _Value | None) -> None:
    """Put ``value`` at the spans, as the latest of the mapping; None takes out what is there."""
    for span in spans:
        known.pop(span, None)
        if value is not None:
            known[span] = value
