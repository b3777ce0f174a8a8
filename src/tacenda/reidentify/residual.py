"""What is left to attackers of a sanitized text: the check after masking, whoever masked."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Document, Sanitized
from .anonymize import Belief, believe
from .attack import Attacker
from .words import read_words


def residual_beliefs(
    result: Sanitized, person: int, attackers: Sequence[Attacker]
) -> tuple[Belief, ...]:
    """Return what attackers think of a result, one belief an attacker.

    What operators wrote is read as well, but labels: a generalisation tells something, and a
    surrogate should mislead.

    Args:
        result: of the sanitizer.
        person: number of the person the document is about.
        attackers: of the same people.
    """
    words = read_words(Document(result.document.id, result.text))
    return tuple(believe(attacker, words, words.unmasked(), person) for attacker in attackers)
