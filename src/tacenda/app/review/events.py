"""The state of a review after its events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ...document import IdentifierType, SemanticType, Span
from ...documents.parts import PartDecision, PartTreatment
from ..events import Event, EventKind, ReviewAction


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision made by hand.

    Attributes:
        action: KEEP, MASK, GENERALISE or WRITE.
        option: the words to write instead; for *generalise*, empty means the program's choice.
        alone: whether it is only about this mention, and not about others with the same string.
    """

    action: ReviewAction
    option: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """The mentions at ``spans`` become an entity of their own (``apart``), or all their entities become one."""

    spans: tuple[Span, ...]
    apart: bool


@dataclass(frozen=True, slots=True)
class ReviewState:
    """All changes by a person; later decisions come later in the mappings.

    Attributes:
        bound: entities at or above this risk are masked; None for the policy's thresholds.
        added: mentions added by hand, with their types.
        removed: mentions removed by hand.
        types: semantic types set by hand.
        identifiers: identifier types set by hand, for the entities at these spans.
        verdicts: decisions made by hand, for the entities at these spans.
        joins: entities split and merged, in order.
        parts: what to do with the parts besides the text, by key.
        accepted: spans whose text isn't a leak, with the reasons.
    """

    bound: float | None = None
    added: Mapping[Span, SemanticType] = field(default_factory=dict)
    removed: frozenset[Span] = frozenset()
    types: Mapping[Span, SemanticType] = field(default_factory=dict)
    identifiers: Mapping[Span, IdentifierType] = field(default_factory=dict)
    verdicts: Mapping[Span, Verdict] = field(default_factory=dict)
    joins: tuple[Join, ...] = ()
    parts: Mapping[str, PartDecision] = field(default_factory=dict)
    accepted: Mapping[Span, str] = field(default_factory=dict, repr=False)


_Value = TypeVar("_Value")


def replay(changes: Iterable[Event]) -> ReviewState:
    """Return the state after ``changes``, which are in order and without undone ones.

    Takes time linear in the number of spans in all changes.
    """
    folding = _Replay()
    for change in changes:
        folding.add(change)
    return folding.state()


class _Replay:
    """A state that changes are still being added to."""

    def __init__(self) -> None:
        self._bound: float | None = None
        self._added: dict[Span, SemanticType] = {}
        self._removed: set[Span] = set()
        self._types: dict[Span, SemanticType] = {}
        self._identifiers: dict[Span, IdentifierType] = {}
        self._verdicts: dict[Span, Verdict] = {}
        self._joins: list[Join] = []
        self._parts: dict[str, PartDecision] = {}
        self._accepted: dict[Span, str] = {}

    def state(self) -> ReviewState:
        return ReviewState(
            self._bound,
            self._added,
            frozenset(self._removed),
            self._types,
            self._identifiers,
            self._verdicts,
            tuple(self._joins),
            self._parts,
            self._accepted,
        )

    def add(self, change: Event) -> None:
        spans, value = change.spans, change.value
        match change.kind:
            case EventKind.DECIDE:
                self._decide(change, is_alone=False)
            case EventKind.DECIDE_MENTION:
                self._decide(change, is_alone=True)
                self._joins += [Join((span,), apart=True) for span in spans]
            case EventKind.TYPE:
                _put(self._types, spans, SemanticType(value))
            case EventKind.IDENTIFIER:
                identifier = None if value == ReviewAction.AUTO else IdentifierType(value)
                _put(self._identifiers, spans, identifier)
            case EventKind.SPLIT:
                self._joins.append(Join(spans, apart=True))
            case EventKind.MERGE:
                self._joins.append(Join(spans, apart=False))
            case EventKind.ADD:
                # A mention added by hand is masked by default: why else add it?
                _put(self._added, spans, SemanticType(value))
                _put(self._verdicts, spans, Verdict(ReviewAction.MASK))
                self._removed -= set(spans)
            case EventKind.REMOVE:
                self._removed |= set(spans)
                _put(self._added, spans, None)
                _put(self._verdicts, spans, None)
            case EventKind.BOUND:
                self._bound = float(value)
            case EventKind.PART:
                self._parts[change.part] = PartDecision(PartTreatment(value), change.boxes)
            case EventKind.ACCEPT:
                _put(self._accepted, spans, value)
            case _:
                pass  # they don't change the output; see ``comments``, ``sign_off``

    def _decide(self, change: Event, is_alone: bool) -> None:
        action = ReviewAction(change.value)
        verdict = Verdict(action, change.option, is_alone)
        _put(self._verdicts, change.spans, None if action is ReviewAction.AUTO else verdict)


def _put(mapping: dict[Span, _Value], spans: Iterable[Span], value: _Value | None) -> None:
    """Set ``value`` for the spans as the mapping's latest entries; None deletes their entries."""
    for span in spans:
        mapping.pop(span, None)
        if value is not None:
            mapping[span] = value
