"""A document cut into pieces: what annotators wanted, and what a system made of it.

Annotations overlap, across annotators and within one. A page can't show that, so a text is cut
wherever any of them begins or ends, and each piece says what holds for all of its characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..document import Span
from ..evaluate.errors import ErrorKind, MaskingError
from ..evaluate.gold import GoldMention
from ..evaluate.matching import PreparedDocument, merged


class Outcome(StrEnum):
    """What a system made of a piece; the errors are those of ``evaluate``."""

    RIGHT = "right"
    MISSED = "missed"
    INCONSISTENT = "inconsistent"
    PARTIAL = "partial"
    OVER_MASKED = "over-masked"


@dataclass(frozen=True, slots=True)
class GoldPiece:
    """A stretch that annotators marked.

    Attributes:
        span: where it is.
        type: semantic type by the first annotator who wants it masked, else of any.
        identifier: DIRECT, QUASI or NO_MASK, the strongest.
        annotators: how many want it masked.
    """

    span: Span
    type: str
    identifier: str
    annotators: int


@dataclass(frozen=True, slots=True)
class SystemPiece:
    """A stretch that a system masked or should have.

    Attributes:
        span: where it is.
        outcome: whether that was right.
        type: semantic type by the annotators; ``NONE`` where none of them marked it, empty
            where nothing but white space, punctuation and the like is in it.
    """

    span: Span
    outcome: Outcome
    type: str


def gold_pieces(prepared: PreparedDocument) -> Iterator[GoldPiece]:
    """Yield what annotators marked, in order of the text."""
    mentions = [
        (entity.annotator, mention)
        for entity in prepared.document.entities
        for mention in entity.mentions
    ]
    for span, indexes in _cut([mention.span for _, mention in mentions]):
        here = [mentions[idx] for idx in indexes]
        wanting = [pair for pair in here if pair[1].needs_masking]
        shown = [mention for _, mention in wanting or here]
        yield GoldPiece(
            span=span,
            type=shown[0].type,
            identifier=_strongest(shown),
            annotators=len({annotator for annotator, _ in wanting}),
        )


def system_pieces(
    prepared: PreparedDocument, spans: Sequence[Span], errors: Sequence[MaskingError]
) -> Iterator[SystemPiece]:
    """Yield what a system masked or left, in order of the text.

    Args:
        prepared: the document.
        spans: what the system masked in it.
        errors: all errors of the system in it.
    """
    masks = list(merged(spans))
    wanted = [
        (mention.span, entity.type)
        for entity in prepared.entities
        for mention in entity.mentions
        if mention.needs_masking
    ]
    first_error = len(masks)
    first_wanted = first_error + len(errors)
    layers = [*masks, *(Span(e.start, e.end) for e in errors), *(span for span, _ in wanted)]
    for span, indexes in _cut(layers):
        is_masked = indexes[0] < first_error
        found = [errors[idx - first_error] for idx in indexes if first_error <= idx < first_wanted]
        types = [wanted[idx - first_wanted][1] for idx in indexes if idx >= first_wanted]
        fault = next((e for e in found if (e.kind is ErrorKind.OVER_MASKED) == is_masked), None)
        if fault is not None:
            yield SystemPiece(span, Outcome(fault.kind.value), fault.type)
        elif is_masked:
            yield SystemPiece(span, Outcome.RIGHT, types[0] if types else "")


def _cut(spans: Sequence[Span]) -> Iterator[tuple[Span, list[int]]]:
    """Yield the stretches that spans cover, cut at each of their ends.

    Each comes with the indexes of the spans that cover it, in order; linear in the spans and
    in what is yielded.
    """
    events: dict[int, tuple[list[int], list[int]]] = {}
    for idx, span in enumerate(spans):
        events.setdefault(span.start, ([], []))[0].append(idx)
        events.setdefault(span.end, ([], []))[1].append(idx)
    active: set[int] = set()
    last = 0
    for position in sorted(events):
        if active:
            yield Span(last, position), sorted(active)
        beginning, ending = events[position]
        active.difference_update(ending)
        active.update(beginning)
        last = position


def _strongest(mentions: Sequence[GoldMention]) -> str:
    found = {mention.identifier.value for mention in mentions}
    return next(name for name in ("DIRECT", "QUASI", "NO_MASK") if name in found)
