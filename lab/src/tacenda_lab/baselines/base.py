"""The base of the baselines, which take a document and return the spans to mask."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Protocol

from tacenda.document import Document, Span
from tacenda.errors import InputError


class Baseline(Protocol):
    """A system that masks one document at a time, independently of all others."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the spans to mask, disjoint and in order.

        Raises:
            InputError: the document is too large for the system.
        """


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the code points of ``spans`` as disjoint spans in order.

    Overlapping spans become one; adjacent ones stay apart.
    """
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return tuple(result)


# The two ends of the scale: mask everything, mask nothing.


class Everything:
    """Masks the whole text: all recalls are 1, and precision is the share of text to mask."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return one span over the whole text, or none if the text is empty."""
        return (Span(0, len(document.text)),) if document.text else ()


class Nothing:
    """Masks nothing: recalls show the share of closed-class words, which count as masked anyway."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return no span."""
        return ()


# Words masked at random: the figures of a share of masked text by chance.


_WORD = re.compile(r"\w+")


class RandomWords:
    r"""Masks a share of the ``\w+`` words of each document, drawn without replacement.

    The draw depends on the seed, the document's id and its number of words, not on other documents
    or their order.

    Args:
        rate: share of words to mask, in [0, 1].
        seed: seed of the random numbers.

    Raises:
        InputError: the rate is not between 0 and 1.
    """

    def __init__(self, rate: float = 0.1, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise InputError(f"rate {rate!r} is not a share of words; 0 <= rate <= 1 must hold")
        self._rate = rate
        self._seed = seed

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the drawn words, in order."""
        words = [Span(*match.span()) for match in _WORD.finditer(document.text)]
        draw = random.Random(f"{self._seed}:{document.id}")
        return tuple(sorted(draw.sample(words, round(self._rate * len(words)))))
