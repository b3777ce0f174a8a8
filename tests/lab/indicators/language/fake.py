"""A language model whose answers can be worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tacenda.models.networks import Question


class Words:
    """Every word is a subword, and as likely as the window has it shown, by whatever is hidden.

    The probability of a word is (1 + times it is shown in the window) / (10 + words shown).
    """

    name = "words@0"
    mask_id = 0

    def __init__(self, window: int = 40) -> None:
        self.window = window
        self.asked: list[Question] = []
        self._ids: dict[str, int] = {}

    def pieces(self, text: str) -> list[tuple[int, int, int]]:
        """Cut at what is no letter or digit."""
        return [
            (self._ids.setdefault(word.group(), len(self._ids) + 1), word.start(), word.end())
            for word in re.finditer(r"\w+", text)
        ]

    def shown(self, question: Question) -> str:
        """Return a window as text, ``_`` for what is hidden."""
        words = {id: word for word, id in self._ids.items()} | {0: "_"}
        return " ".join(words[id] for id in question.ids)

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.float32]]:
        """Answer by counting."""
        self.asked += questions
        return [
            np.log(
                [
                    (1 + question.ids.count(target)) / (10 + sum(map(bool, question.ids)))
                    for target in question.targets
                ]
            ).astype(np.float32)
            for question in questions
        ]
