"""Precision, recall and F1 of what a method takes as risky, against what people masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """Counts; the scores of several documents can be added.

    Attributes:
        hits: entities taken as risky and masked by people.
        taken: entities taken as risky.
        masked: entities masked by people.
    """

    hits: int = 0
    taken: int = 0
    masked: int = 0

    @classmethod
    def of(cls, taken: Sequence[bool], masked: Sequence[bool]) -> Score:
        """Count the entities of a document, in the same order."""
        both = zip(taken, masked, strict=True)
        return cls(sum(map(all, both)), sum(map(bool, taken)), sum(map(bool, masked)))

    def __add__(self, other: Score) -> Score:
        return Score(self.hits + other.hits, self.taken + other.taken, self.masked + other.masked)

    @property
    def precision(self) -> float:
        """Share of the entities taken as risky that people masked; 0 if there are none."""
        return self.hits / max(1, self.taken)

    @property
    def recall(self) -> float:
        """Share of the entities that people masked that were taken as risky; 0 if there are none."""
        return self.hits / max(1, self.masked)

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return 2 * self.hits / max(1, self.taken + self.masked)
