"""What a person has decided about a document so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...document import IdentifierType, SemanticType, Span


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision by hand.

    Attributes:
        action: keep, mask or generalise.
        option: the words to write instead, for *generalise*; empty for the program's choice.
        alone: whether it is about the mention only, apart from others of the same string.
    """

    action: str
    option: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """``spans`` become one entity: their own (``apart``), or all entities at them together."""

    spans: tuple[Span, ...]
    apart: bool


@dataclass(frozen=True, slots=True)
class State:
    """All that changes the document; later decisions come later in the mappings.

    Attributes:
        bound: masked from this risk on; None for what the policy says.
        added: mentions by hand, with their types.
        removed: mentions that are none.
        types: semantic types by hand.
        identifiers: identifier types by hand, of the entities at these spans.
        verdicts: decisions by hand, of the entities at these spans.
        joins: entities split and merged, in order.
        notes: remarks.
        done: whether somebody said that the document is reviewed.
    """

    bound: float | None = None
    added: Mapping[Span, SemanticType] = field(default_factory=dict)
    removed: frozenset[Span] = frozenset()
    types: Mapping[Span, SemanticType] = field(default_factory=dict)
    identifiers: Mapping[Span, IdentifierType] = field(default_factory=dict)
    verdicts: Mapping[Span, Verdict] = field(default_factory=dict)
    joins: tuple[Join, ...] = ()
    notes: Mapping[Span, str] = field(default_factory=dict)
    done: bool = False
