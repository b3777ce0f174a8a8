"""A hit: what one pattern family found, before overlaps are settled and types are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Hit:
    """Code points ``[start, end)`` of the text, and the kind of thing that they are.

    Attributes:
        start: first code point.
        end: one past the last code point.
        kind: a key of `priors.PRIORS`.
    """

    start: int
    end: int
    kind: str


Finder: TypeAlias = Callable[[str], Iterable[Hit]]
"""A family: folded text to hits, in any order, in time linear in the length of the text."""
