"""What needs a model and is done once a document, apart from what a person may ask for again.

    Document ─ Sanitizer.analyse ─▶ Analysis ─ finish(policy, threshold, review) ─▶ Finished

An analysis holds for one policy's detectors (recognizer, patterns, deny list, target); the
threshold, the operators and the decisions of a reviewer come in when it is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .document import Assessment, Decision, Document, Entity, Mention, Span
from .link.linking import link
from .result import Result


@dataclass(frozen=True, slots=True)
class Analysis:
    """A document with all mentions that were found in it, in order, without overlaps."""

    document: Document
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A sanitized document with the assessments, one an entity, that it was decided by."""

    sanitized: Result
    assessments: tuple[Assessment, ...]


class Review(Protocol):
    """What a person has to say about a document, asked while it is finished."""

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """Return the mentions as entities."""
        ...

    def decisions(self, document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return one decision an entity, in order.

        Args:
            document: where the entities are.
            decisions: what the policy says.
        """
        ...

    def choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions, whose options are known now, with the choices of the person."""
        ...

    def pursues(self, span: Span, decision: Decision) -> bool:
        """Tell whether ``span``, a leak of what ``decision`` masks, is to be masked too."""
        ...


class Check(Protocol):
    """Looks at what is left in a result, whoever decided on it."""

    def __call__(self, result: Result) -> Result:
        """Return the result with what was found written into it."""
        ...


class NoReview:
    """Nobody has anything to say: the policy alone decides."""

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """Return the entities as linking finds them."""
        return link(document, mentions)

    def decisions(self, document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions as they are."""
        return tuple(decisions)

    def choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions as they are."""
        return tuple(decisions)

    def pursues(self, span: Span, decision: Decision) -> bool:
        """Every leak is masked."""
        return True
