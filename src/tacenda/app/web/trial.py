"""A text tried out: the result at once, with what becomes of each place; nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...document import Span
from ...errors import InputError
from ...pipeline import Sanitizer
from ...result import Result
from ...text.decoding import writable
from .labels import BADGES, TYPES, Outcome, chance, left, outcome_of

LONGEST = 20_000
"""Code points of the longest text: some seven pages."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of the sanitized text, with what the page shows of it."""

    start: int
    end: int
    outcome: Outcome
    badge: str = ""
    title: str = ""


def attempt(sanitizer: Sanitizer, text: str, target: str = "") -> dict[str, Any]:
    """The result of a text as JSON for the page.

    Args:
        sanitizer: under the policy that was chosen.
        text: the original.
        target: name of the person to protect, if there is one.

    Raises:
        InputError: if the text is too long, or the name has no letter.
    """
    if len(text) > LONGEST:
        raise InputError(
            f"the text has {len(text):,} characters; up to {LONGEST:,} can be tried here: review it "
            "as a project."
        )
    result = sanitizer.sanitize(text, target.strip() or ())
    outcomes = [outcome_of(decision, by_hand=False) for decision in result.decisions]
    return {
        "pieces": list(_pieces(result)),
        "text": writable(result.text),
        "left": left(result.risk.before, result.risk.residual),
        "masked": outcomes.count(Outcome.MASKED),
        "doubtful": outcomes.count(Outcome.DOUBTFUL),
        "leaks": result.risk.leaks,
        "warnings": list(result.warnings),
    }


def _pieces(result: Result) -> Iterator[dict[str, str]]:
    """The sanitized text in order, cut where something happens."""
    position = 0
    for place in _places(result):
        if place.start < position:
            continue
        if place.start > position:
            yield {"text": writable(result.text[position : place.start])}
        yield {
            "text": writable(result.text[place.start : place.end]),
            "outcome": place.outcome,
            "badge": place.badge,
            "title": writable(place.title),
        }
        position = place.end
    if position < len(result.text):
        yield {"text": writable(result.text[position:])}


def _places(result: Result) -> list[_Place]:
    """The places in order of the sanitized text; of two at one start, the leak goes first."""
    original = result.document.text
    by_id = {decision.entity.id: decision for decision in result.decisions}
    places = [_Place(leak.output_start, leak.output_end, Outcome.LEAK) for leak in result.leaks]
    for edit in result.replacements:
        decision = next((by_id[id] for id in edit.entity_ids), None)
        if decision is None:
            continue
        title = (
            f"{edit.original.of(original)} · {TYPES[decision.entity.type]}, {chance(decision.risk)}"
        )
        badge = BADGES[decision.entity.type]
        places.append(_Place(edit.output_start, edit.output_end, Outcome.MASKED, badge, title))
    for decision in result.decisions:
        outcome = outcome_of(decision, by_hand=False)
        if outcome is Outcome.MASKED:
            continue
        title = f"{TYPES[decision.entity.type]}, {chance(decision.risk)}"
        for mention in decision.entity.mentions:
            start = _moved(result, mention.span)
            if start is not None:
                end = start + len(mention.span)
                places.append(_Place(start, end, outcome, BADGES[decision.entity.type], title))
    return sorted(places, key=lambda place: (place.start, place.outcome is not Outcome.LEAK))


def _moved(result: Result, span: Span) -> int | None:
    """Where a span of the original begins in the sanitized text; None if an edit touches it."""
    shift = 0
    for edit in result.replacements:
        if edit.original.overlaps(span):
            return None
        if edit.original.start >= span.end:
            break
        shift = edit.output_end - edit.original.end
    return span.start + shift
