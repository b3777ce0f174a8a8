"""How much a masked token told: the weights of weighted precision (TAB, section 6.3).

The information content of a token is −log p(token); masking a token that anybody could have
guessed costs little. A weighting gives one weight to each masked token of a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from ..document import Span


class InformationContent(Protocol):
    """A weight for each masked token."""

    @property
    def name(self) -> str:
        """What the signature of a score says of it."""
        ...

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        r"""Return the information content of each token, in nats, at least 0.

        Args:
            text: the original document.
            tokens: the distinct ``\w+`` tokens that the system masked, in any order; the part of
                a word that a span cuts off is a token too.
        """
        ...


@dataclass(frozen=True, slots=True)
class Uniform:
    """Every token weighs 1: weighted precision is precision."""

    name: ClassVar[str] = "uniform"

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return as many ones as there are tokens."""
        del text
        return [1.0] * len(tokens)
