"""Words masked at random: what a given share of masked text gives by chance alone."""

from __future__ import annotations

import random
import re

from ..document import Document, Span
from ..errors import InputError

_WORD = re.compile(r"\w+")


class RandomWords:
    r"""Masks a share of the ``\w+`` words of each document, drawn without replacement.

    What is drawn depends on the seed, the document's id and its number of words, not on the
    other documents or their order.

    Args:
        rate: share of the words, in [0, 1].
        seed: of the random numbers.

    Raises:
        InputError: the rate is no share.
    """

    def __init__(self, rate: float = 0.1, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise InputError(f"rate {rate!r} is no share of words; 0 <= rate <= 1 must hold")
        self._rate = rate
        self._seed = seed

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the words drawn, in order."""
        words = [Span(*match.span()) for match in _WORD.finditer(document.text)]
        draw = random.Random(f"{self._seed}:{document.id}")
        return tuple(sorted(draw.sample(words, round(self._rate * len(words)))))
