"""What a surrogate may not be: anything that stands in the document, or another's surrogate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ....document import Decision, Document, SemanticType
from ....text.folding import fold_text
from .common import COMMON

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_INSIDE = 3
_NAMED = frozenset((SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC, SemanticType.MISC))


class Taken:
    """The words of a document, the names masked in it, and the surrogates given out so far.

    Args:
        document: where the surrogates will stand.
        decisions: of the document.
    """

    def __init__(self, document: Document, decisions: Sequence[Decision]) -> None:
        self._words = frozenset(words_of(document.text))
        self._names = {
            word
            for decision in decisions
            if decision.masked and decision.entity.type in _NAMED
            for mention in decision.entity.mentions
            for word in words_of(mention.span.of(document.text))
            if len(word) >= _SHORTEST_INSIDE and word not in COMMON
        }
        self._owners: dict[str, str] = {}

    def is_free(self, candidate: str) -> bool:
        """Tell whether no word of ``candidate`` is in the document, nor a masked name inside it."""
        words = words_of(candidate)
        return self._words.isdisjoint(words) and not any(map(self._holds_name, words))

    def first_free(self, candidates: Iterable[str], owner: str) -> str | None:
        """Return the first candidate that may stand for ``owner`` alone; None if none may."""
        for candidate in candidates:
            key = fold_text(candidate)
            if self._owners.get(key, owner) == owner and self.is_free(candidate):
                self._owners[key] = owner
                return candidate
        return None

    def names_somebody(self, written: str) -> bool:
        """Tell whether a word of ``written`` is one of a name masked in the document."""
        return not self._names.isdisjoint(words_of(written))

    def _holds_name(self, word: str) -> bool:
        # By its pieces, so that the time does not grow with the number of names.
        return any(
            word[start:end] in self._names
            for start in range(len(word))
            for end in range(start + _SHORTEST_INSIDE, len(word) + 1)
        )


def words_of(text: str) -> list[str]:
    """Return the folded words of a text."""
    return _WORD.findall(fold_text(text))


def gives_away(written: str, original: str) -> bool:
    """Tell whether ``written`` is the original or has it inside, whatever the case."""
    inner, outer = words_of(original), words_of(written)
    if not inner:
        return written.strip() == original.strip()
    if sum(map(len, inner)) >= _SHORTEST_INSIDE:
        return "".join(inner) in "".join(outer)
    return set(inner) <= set(outer)
