"""Back ends that are their own truth: a few pages of words, answered by looking at each."""

from __future__ import annotations

from collections.abc import Mapping

from tacenda.background.documents import DocumentHit, Query
from tacenda.errors import SearchError


class Pages:
    """Answers from pages given as sets of words; phrases are single words here.

    Args:
        pages: words by address.
        exhaustive: what it says of itself.
    """

    name = "toy"

    def __init__(self, pages: Mapping[str, set[str]], exhaustive: bool = True) -> None:
        self.pages = pages
        self.exhaustive = exhaustive
        self.asked: list[Query] = []

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        self.asked.append(query)
        fitting = [
            DocumentHit(address, 1.0)
            for address, words in sorted(self.pages.items())
            if all(any(string in words for string in part) for part in query.parts)
        ]
        return fitting[:count]


class FailingPages(Pages):
    """Fails for the queries that hold one of some words, or for all from the nth on."""

    def __init__(
        self,
        pages: Mapping[str, set[str]],
        words: frozenset[str] = frozenset(),
        from_query: int = 10**9,
    ) -> None:
        super().__init__(pages)
        self._words = words
        self._from_query = from_query

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        fails = any(string in self._words for part in query.parts for string in part)
        if fails or len(self.asked) >= self._from_query:
            self.asked.append(query)
            raise SearchError("toy is out of order.")
        return super().search(query, count)
