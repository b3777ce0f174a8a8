"""Information content by a masked language model: what the rest of the text does not tell.

TAB, section 6.3: −log p(token) where all tokens that the system masked are masked, so that
none helps to guess another. A token of several pieces weighs as much as its least likely piece.
Texts of any length are read in windows that overlap; a piece counts in the window in which it
is furthest from an edge.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from ..document import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_ROUNDING: Final = 1e-3
"""Of the log of a probability, in nats."""


class Piece(NamedTuple):
    """A piece of a text that a language model's tokenizer cut: ``[start, end)``, and its id."""

    id: int
    start: int
    end: int


class MaskedLanguageModel(Protocol):
    """What is asked of a language model."""

    @property
    def name(self) -> str:
        """For the signature."""
        ...

    @property
    def window(self) -> int:
        """How many pieces it reads at once, special ones not counted."""
        ...

    @property
    def mask_id(self) -> int:
        """Id of the piece that stands for what is masked."""
        ...

    def pieces(self, text: str) -> Sequence[Piece]:
        """Cut a text of any length; offsets are code points."""
        ...

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of one window, in nats."""
        ...


@dataclass(frozen=True, slots=True)
class ModelSurprisal:
    """−log p of each masked token by a masked language model.

    Attributes:
        model: the model asked.
        overlap: share of a window that it has in common with the next, in [0, 1).
    """

    model: MaskedLanguageModel
    overlap: float = 0.25

    @property
    def name(self) -> str:
        """For the signature."""
        return self.model.name

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return the surprisal of each token, in nats.

        A token that the model's tokenizer has no piece for (a lone control character, say) is
        nothing to the model and weighs 0.
        """
        pieces = self.model.pieces(text)
        pieces_of = [_overlapping(pieces, token) for token in tokens]
        hidden = {idx for group in pieces_of for idx in group}
        surprisal = self._surprisals(pieces, hidden)
        return [max((surprisal[idx] for idx in group), default=0.0) for group in pieces_of]

    def _surprisals(self, pieces: Sequence[Piece], hidden: set[int]) -> dict[int, float]:
        ids = [
            self.model.mask_id if idx in hidden else piece.id for idx, piece in enumerate(pieces)
        ]
        surprisal: dict[int, float] = {}
        for start, end, first, last in windows(len(pieces), self.model.window, self.overlap):
            wanted = [idx for idx in range(first, last) if idx in hidden]
            if not wanted:
                continue
            log_probabilities = self.model.log_probabilities(
                ids[start:end], [idx - start for idx in wanted], [pieces[idx].id for idx in wanted]
            )
            for idx, log_probability in zip(wanted, log_probabilities, strict=True):
                # A probability a rounding error above 1 must not weigh less than nothing.
                told = -float(log_probability)
                surprisal[idx] = 0.0 if -_ROUNDING < told < 0 else told
        return surprisal


def windows(n: int, size: int, overlap: float) -> Iterator[tuple[int, int, int, int]]:
    """Yield (start, end, first, last): windows over ``n`` pieces and what counts in each.

    The ranges ``[first, last)`` follow one another without gap; windows meet in the middle of
    their overlap.
    """
    step = max(1, size - int(size * overlap))
    start = first = 0
    while first < n:
        end = min(start + size, n)
        last = n if end == n else (end + start + step) // 2
        yield start, end, first, last
        start, first = start + step, last


def _overlapping(pieces: Sequence[Piece], token: Span) -> range:
    """Return the indices of the pieces that share a code point with a token."""
    low = bisect_left(pieces, token.start + 1, key=lambda piece: piece.end)
    high = bisect_left(pieces, token.end, key=lambda piece: piece.start)
    return range(low, max(low, high))
