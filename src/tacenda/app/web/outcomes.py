"""Splits a text into pieces by outcome: masked, doubtful, kept, still readable."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...document import Decision, Replacement, Span
from ...result import Result
from ...wording import TYPES
from .labels import BADGES, DisplayOutcome, chance, outcome_of


@dataclass(frozen=True, slots=True)
class OutcomePiece:
    """A piece of a text.

    Attributes:
        start, end: position in the text, in code points.
        text: its characters.
        outcome: its outcome, or None if nothing was found there.
        badge: the letter of its type.
        title: its type and risk in words, and the original if that is a different text.
    """

    start: int
    end: int
    text: str = field(repr=False)
    outcome: DisplayOutcome | None = None
    badge: str = ""
    title: str = field(default="", repr=False)


_NOBODY: Container[str] = frozenset()


def sanitized_pieces(result: Result, by_hand: Container[str] = _NOBODY) -> list[OutcomePiece]:
    """Return the pieces of the sanitized text, in order.

    Args:
        result: the result of a document.
        by_hand: ids of the entities a person decided on.
    """
    original = result.document.text
    by_id = {decision.entity.id: decision for decision in result.decisions}
    places = [
        _OutcomeSpan(leak.output_start, leak.output_end, DisplayOutcome.LEAK)
        for leak in result.leaks
    ]
    for edit in result.replacements:
        decision = next((by_id[id] for id in edit.entity_ids), None)
        if decision is not None:
            place = _place(edit.output_start, edit.output_end, decision, DisplayOutcome.MASKED)
            title = f"{edit.original.of(original)} · {place.title}"
            places.append(_OutcomeSpan(place.start, place.end, place.outcome, place.badge, title))
    for decision in result.decisions:
        outcome = outcome_of(decision, decision.entity.id in by_hand)
        if outcome is DisplayOutcome.MASKED:
            continue
        for mention in decision.entity.mentions:
            start = _moved(result, mention.span)
            if start is not None:
                places.append(_place(start, start + len(mention.span), decision, outcome))
    return list(_cut(result.text, places))


def original_pieces(result: Result, by_hand: Container[str] = _NOBODY) -> list[OutcomePiece]:
    """Return the pieces of the original, in order; see ``sanitized_pieces``."""
    places = [
        _place(
            mention.span.start,
            mention.span.end,
            decision,
            outcome_of(decision, decision.entity.id in by_hand),
        )
        for decision in result.decisions
        for mention in decision.entity.mentions
    ]
    return list(_cut(result.document.text, places))


def within(pieces: Iterable[OutcomePiece], start: int, end: int) -> list[OutcomePiece]:
    """Return the pieces in a stretch of their text, cut off at its ends, including what was removed there.

    Args:
        pieces: the pieces of a text.
        start: start of the stretch, in code points.
        end: end of the stretch, in code points.
    """
    parts = []
    for piece in pieces:
        first, last = max(piece.start, start), min(piece.end, end)
        if first < last or (first == last and piece.start == piece.end):
            text = piece.text[first - piece.start : last - piece.start]
            parts.append(OutcomePiece(first, last, text, piece.outcome, piece.badge, piece.title))
    return parts


def sanitized_offset(result: Result, offset: int) -> int:
    """Return where the text after an offset of the original continues in the sanitized text.

    An edit that covers the offset comes before it.
    """
    edit = _last_before(result, offset)
    return (
        offset
        if edit is None
        else max(edit.output_end + offset - edit.original.end, edit.output_end)
    )


@dataclass(frozen=True, slots=True)
class _OutcomeSpan:
    """A place in a text, with what is shown for it."""

    start: int
    end: int
    outcome: DisplayOutcome
    badge: str = ""
    title: str = field(default="", repr=False)


def _place(start: int, end: int, decision: Decision, outcome: DisplayOutcome) -> _OutcomeSpan:
    type = decision.entity.type
    return _OutcomeSpan(
        start, end, outcome, BADGES[type], f"{TYPES[type]}, {chance(decision.risk)}"
    )


def _cut(text: str, places: Sequence[_OutcomeSpan]) -> Iterator[OutcomePiece]:
    """Return the text split at the places; if two have the same start, the leak comes first."""
    position = 0
    for place in sorted(
        places, key=lambda item: (item.start, item.outcome is not DisplayOutcome.LEAK)
    ):
        if place.start < position:
            continue
        if place.start > position:
            yield OutcomePiece(position, place.start, text[position : place.start])
        start, end = place.start, place.end
        yield OutcomePiece(start, end, text[start:end], place.outcome, place.badge, place.title)
        position = end
    if position < len(text):
        yield OutcomePiece(position, len(text), text[position:])


def _moved(result: Result, span: Span) -> int | None:
    """Return where a span of the original starts in the sanitized text, or None if an edit touches it."""
    edit = _last_before(result, span.end)
    if edit is not None and edit.original.overlaps(span):
        return None
    return sanitized_offset(result, span.start)


def _last_before(result: Result, offset: int) -> Replacement | None:
    """Return the last edit that starts before an offset of the original."""
    edits = result.replacements
    place = bisect_left(edits, offset, key=lambda edit: edit.original.start)
    return edits[place - 1] if place else None
