"""Precision, recall and F1 of each semantic type, by tokens (Papadopoulou et al. 2022, Table 2).

A token is a run of letters and digits that shares a code point with a mention, closed-class words included (the
paper leaves none out). LOC and ORG are interchangeable: a token found as one is right where the other is meant, and
counts under its own type, found or meant. The full set of annotated mentions is meant, masked or not; each annotator
counts as one over the annotators of the document.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tacenda.evaluate.gold import GoldDocument
from tacenda.evaluate.matching import TextWords

Typed = tuple[int, int, str]
"""Code points ``[start, end)`` and a semantic type."""


@dataclass(slots=True)
class TokenTally:
    """Tokens by semantic type, weighted by annotator."""

    found: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    right: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    meant: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    reached: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, text: str, gold: Iterable[Typed], system: Iterable[Typed], weight: float) -> None:
        """Count one annotator's view of a text."""
        words = TextWords(text)
        truth, answer = types_by_word(words, gold), types_by_word(words, system)
        for word, types in answer.items():
            for type in types:
                self.found[type] += weight
                self.right[type] += weight * same(type, truth.get(word, frozenset()))
        for word, types in truth.items():
            for type in types:
                self.meant[type] += weight
                self.reached[type] += weight * same(type, answer.get(word, frozenset()))

    def figures(self, type: str) -> tuple[float, float, float]:
        """Return a type's precision, recall and F1, or 0 where there is nothing to divide by."""
        p = self.right[type] / self.found[type] if self.found[type] else 0.0
        r = self.reached[type] / self.meant[type] if self.meant[type] else 0.0
        return p, r, 2 * p * r / (p + r) if p + r else 0.0


def types_by_word(words: TextWords, mentions: Iterable[Typed]) -> dict[int, set[str]]:
    """Return the types of each word that a mention touches, by word number."""
    found: dict[int, set[str]] = {}
    for start, end, type in mentions:
        for word in range(bisect_right(words.ends, start), bisect_left(words.starts, end)):
            found.setdefault(word, set()).add(type)
    return found


def same(type: str, others: Iterable[str]) -> bool:
    """Tell whether a type is among others, treating LOC and ORG as the same."""
    places = {"LOC", "ORG"}
    return any(type == other or {type, other} == places for other in others)


def measure(gold: Sequence[GoldDocument], systems: Sequence[list[Typed]]) -> TokenTally:
    """Count the mentions that a system finds in each document."""
    tally = TokenTally()
    for document, system in zip(gold, systems, strict=True):
        annotations: dict[str, list[Typed]] = {}
        for entity in document.entities:
            annotations.setdefault(entity.annotator, []).extend(
                (mention.span.start, mention.span.end, mention.type) for mention in entity.mentions
            )
        for mentions in annotations.values():
            tally.add(document.text, mentions, system, 1 / len(annotations))
    return tally
