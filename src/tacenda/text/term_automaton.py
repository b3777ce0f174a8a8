"""Search for many terms of any length in one pass (Aho and Corasick, 1975).

The automaton is a tree as deep as its longest term, and the library frees it recursively, so a term
of a million characters (a list mistaken for one name) would crash the process with a segmentation
fault. If a term repeats itself, each character may also take as many steps as the tree is deep. So
the automaton contains only the first characters of each term, and the rest is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

import ahocorasick

_Value = TypeVar("_Value")
_DEPTH = 256


class TermAutomaton(Generic[_Value]):
    """Terms, each with a value.

    Args:
        values: the values by term; an empty term is never found.
    """

    def __init__(self, values: Mapping[str, _Value]) -> None:
        heads: dict[str, list[tuple[str, _Value]]] = {}
        for term, value in values.items():
            if term:
                heads.setdefault(term[:_DEPTH], []).append((term, value))
        self._automaton: Any = ahocorasick.Automaton()
        for head, terms in heads.items():
            self._automaton.add_word(head, (len(head), terms))
        self._empty = not heads
        if heads:
            self._automaton.make_automaton()

    def __bool__(self) -> bool:
        return not self._empty

    def iter(self, text: str) -> Iterator[tuple[int, int, _Value]]:
        """Yield start and end of each occurrence with the term's value; they may overlap."""
        if self._empty:
            return
        for last, (length, terms) in self._automaton.iter(text):
            start = last + 1 - length
            for term, value in terms:
                if len(term) == length or text.startswith(term, start):
                    yield start, start + len(term), value
