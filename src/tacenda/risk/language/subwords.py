"""A text as a language model reads it, and the windows in which something is hidden from it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ...document import Span
from ...models.language import Question

READ: Final = 62
"""Subwords around a mention that are read, at most: what is further away changes little, and costs."""


class LanguageModel(Protocol):
    """What is asked of a masked language model."""

    @property
    def name(self) -> str:
        """What weights that were fitted to its answers are kept under."""
        ...

    @property
    def window(self) -> int:
        """How many subwords it reads at once, special ones not counted."""
        ...

    @property
    def mask_id(self) -> int:
        """Id of the subword that stands for what is hidden."""
        ...

    def pieces(self, text: str) -> Sequence[tuple[int, int, int]]:
        """Return (id, start, end) of each subword of a text; offsets are code points."""
        ...

    def answer(self, questions: Sequence[Question]) -> Sequence[NDArray[np.floating]]:
        """Return log p of the targets of each question, in nats."""
        ...


class Subwords:
    """The subwords of one text.

    Attributes:
        ids: int64 [n].
        mask_id: what stands for a hidden one.
        window: how many are read at once.
    """

    def __init__(self, model: LanguageModel, text: str) -> None:
        pieces = model.pieces(text)
        self.ids = np.array([piece[0] for piece in pieces], dtype=np.int64)
        self._starts = [piece[1] for piece in pieces]
        self._ends = [piece[2] for piece in pieces]
        self.window = min(model.window, READ)
        self.mask_id = model.mask_id

    def __len__(self) -> int:
        return len(self.ids)

    def of(self, span: Span) -> range:
        """Return the subwords that share a code point with a span; none where the model has none."""
        first = bisect_left(self._ends, span.start + 1)
        return range(first, max(first, bisect_left(self._starts, span.end)))

    def within(self, spans: Sequence[Span]) -> NDArray[np.bool_]:
        """Return which subwords share a code point with any of the spans, bool [n]."""
        found = np.zeros(len(self.ids), dtype=bool)
        for span in spans:
            part = self.of(span)
            found[part.start : part.stop] = True
        return found

    def hiding(self, spans: Sequence[Span]) -> NDArray[np.int64]:
        """Return the ids with all subwords of ``spans`` replaced by the mask."""
        return np.where(self.within(spans), self.mask_id, self.ids)

    def question(self, ids: NDArray[np.int64], wanted: range) -> Question:
        """Return the question after ``wanted``, with as much text on both sides as there is room.

        Args:
            ids: int64 [n], of this text, with what is hidden masked.
            wanted: the subwords asked for; of more than half a window, the first ones only.
        """
        wanted = wanted[: max(1, self.window // 2)]
        start = (wanted.start + wanted.stop - self.window) // 2
        start = max(0, min(start, len(self.ids) - self.window))
        window = ids[start : start + self.window]
        return Question(
            ids=tuple(window.tolist()),
            places=tuple(place - start for place in wanted),
            targets=tuple(self.ids[wanted.start : wanted.stop].tolist()),
        )
