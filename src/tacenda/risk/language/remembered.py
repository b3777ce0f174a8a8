"""A language model that is asked no question twice.

A document is decided in rounds, with a few entities more each time, and several indicators ask the
same of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...models.language import Question
from .subwords import LanguageModel

_MOST = 4_000


class Remembered:
    """Asks a model what it was not asked lately.

    Args:
        model: is asked.
        most: answers that are kept; the oldest go first.
    """

    def __init__(self, model: LanguageModel, most: int = _MOST) -> None:
        self._model = model
        self._most = most
        self._answers: dict[Question, NDArray[np.floating]] = {}

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def window(self) -> int:
        """The model's."""
        return self._model.window

    @property
    def mask_id(self) -> int:
        """The model's."""
        return self._model.mask_id

    def pieces(self, text: str) -> Sequence[tuple[int, int, int]]:
        """Return (id, start, end) of each subword of a text."""
        return self._model.pieces(text)

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.floating]]:
        """Return log p of the targets of each question, in nats."""
        # Held here until the end: another thread may push them out meanwhile.
        found = {question: self._answers.get(question) for question in questions}
        new = [question for question, answer in found.items() if answer is None]
        told = dict(zip(new, self._model.answer(new), strict=True))
        self._answers.update(told)
        for question in list(self._answers)[: max(0, len(self._answers) - self._most)]:
            self._answers.pop(question, None)
        known = {question: answer for question, answer in found.items() if answer is not None}
        return [told[question] if question in told else known[question] for question in questions]
