"""The log of changes folded to a state, one change after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from ...document import IdentifierType, SemanticType, Span
from .change import Change, Kind
from .state import Join, State, Verdict

_Value = TypeVar("_Value")


def fold(changes: Iterable[Change]) -> State:
    """Return the state after ``changes``, in order; undone ones are left out beforehand."""
    return reduce(_after, changes, State())


def _after(state: State, change: Change) -> State:
    spans = change.spans
    match change.kind:
        case Kind.DECIDE:
            return replace(state, verdicts=_decided(state, change, alone=False))
        case Kind.DECIDE_MENTION:
            joins = (*state.joins, *(Join((span,), apart=True) for span in spans))
            return replace(state, verdicts=_decided(state, change, alone=True), joins=joins)
        case Kind.TYPE:
            type = SemanticType(change.value)
            return replace(state, types=_with(state.types, spans, type))
        case Kind.IDENTIFIER:
            identifier = None if change.value == "auto" else IdentifierType(change.value)
            return replace(state, identifiers=_with(state.identifiers, spans, identifier))
        case Kind.SPLIT:
            return replace(state, joins=(*state.joins, Join(spans, apart=True)))
        case Kind.MERGE:
            return replace(state, joins=(*state.joins, Join(spans, apart=False)))
        case Kind.ADD:
            return _added(state, change)
        case Kind.REMOVE:
            return replace(
                state,
                removed=state.removed | set(spans),
                added=_with(state.added, spans, None),
                verdicts=_with(state.verdicts, spans, None),
            )
        case Kind.BOUND:
            return replace(state, bound=float(change.value))
        case Kind.NOTE:
            return replace(state, notes=_with(state.notes, spans, change.value or None))
        case Kind.DONE:
            return replace(state, done=change.value == "yes")


def _added(state: State, change: Change) -> State:
    """A mention by hand is masked until somebody says otherwise: why else point at it?"""
    type = SemanticType(change.value)
    return replace(
        state,
        added=_with(state.added, change.spans, type),
        removed=state.removed - set(change.spans),
        verdicts=_with(state.verdicts, change.spans, Verdict("mask")),
    )


def _decided(state: State, change: Change, alone: bool) -> Mapping[Span, Verdict]:
    verdict = None if change.value == "auto" else Verdict(change.value, change.option, alone)
    return _with(state.verdicts, change.spans, verdict)


def _with(
    known: Mapping[Span, _Value], spans: Iterable[Span], value: _Value | None
) -> Mapping[Span, _Value]:
    """Return the mapping with ``value`` at the spans, as its latest; None takes them out."""
    spans = tuple(spans)
    kept = {span: known[span] for span in known.keys() - set(spans)} if spans else dict(known)
    ordered = {span: kept[span] for span in known if span in kept}
    return ordered if value is None else ordered | dict.fromkeys(spans, value)
