"""A text tried out: the result at once, with the outcome of each place; nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import InputError
from ...models.text_language import main_language
from ...pipeline import Sanitizer
from ...text.decoding import writable
from .labels import DisplayOutcome, left, outcome_of
from .outcomes import OutcomePiece, sanitized_pieces

LONGEST = 20_000
"""Code points of the longest text: some seven pages."""


def attempt(sanitizer: Sanitizer, text: str, target: Sequence[str] = ()) -> dict[str, Any]:
    """The result of a text as JSON for the page.

    Args:
        sanitizer: under the policy that was chosen.
        text: the original.
        target: names of the people to protect, if there are any.

    Raises:
        InputError: if the text is too long, or the name has no letter.
    """
    if len(text) > LONGEST:
        raise InputError(
            f"the text has {len(text):,} characters; up to {LONGEST:,} can be tried here: review it "
            "as a project."
        )
    result = sanitizer.sanitize(text, target)
    outcomes = [outcome_of(decision, by_hand=False) for decision in result.decisions]
    return {
        "pieces": [_as_object(piece) for piece in sanitized_pieces(result)],
        "text": writable(result.text),
        "left": left(
            result.risk.before,
            result.risk.residual,
            kept_by_policy=result.risk.kept_by_policy or 0.0,
        ),
        "masked": outcomes.count(DisplayOutcome.MASKED),
        "doubtful": outcomes.count(DisplayOutcome.DOUBTFUL),
        "leaks": result.risk.leaks,
        "warnings": list(result.warnings),
        "language": main_language(text),
    }


def _as_object(piece: OutcomePiece) -> dict[str, str]:
    """A piece as JSON."""
    text = {"text": writable(piece.text)}
    if piece.outcome is None:
        return text
    return text | {
        "outcome": piece.outcome,
        "badge": piece.badge,
        "title": writable(piece.title),
    }
