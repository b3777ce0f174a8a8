"""The protocol of a search back end: strings that must all occur in, addresses of what holds them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

Part = tuple[str, ...]
"""Strings of which one suffices, the most telling one first; at least one."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a page must hold: of each part, one string, as a phrase.

    Attributes:
        parts: at least one; in one order whatever the order they were given in, so that equal
            questions are equal values.
    """

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, *parts: Part) -> Query:
        """Return the query for all ``parts`` together."""
        return cls(tuple(sorted(set(parts))))


@dataclass(frozen=True, slots=True)
class Hit:
    """One result.

    Attributes:
        address: names the document or the page; equal for equal ones.
        score: how well it fits, larger is better; comparable within one answer only.
    """

    address: str
    score: float


class SearchBackend(Protocol):
    """Answers queries.

    Attributes:
        name: for messages.
        exhaustive: whether fewer hits than asked for are all there are, and whatever fits a
            query fits each part of it. True of an index, never of a web search engine. It lets
            the search for risky combinations leave out questions whose answer follows.
    """

    name: str
    exhaustive: bool

    def search(self, query: Query, count: int) -> list[Hit]:
        """Return up to ``count`` hits, the best first.

        Raises:
            SearchError: if there is no answer; the message never holds the query.
        """
        ...
