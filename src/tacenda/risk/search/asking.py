"""Questions to a back end: each asked once, counted against a budget, and no more where it is down."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from ...errors import SearchError
from ...queries import Query, SearchBackend

_REMEMBERED = 20_000
_GIVE_UP_AFTER = 3


class BudgetSpentError(Exception):
    """The budget of queries is spent; caught where the search for combinations ends."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a back end said to a query.

    Attributes:
        addresses: of the hits.
        complete: whether nothing else fits the query.
    """

    addresses: frozenset[str]
    complete: bool


class Memory:
    """Answers by query, the last 20,000; for as long as the process lives."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[Query, int], Answer] = OrderedDict()

    def get(self, query: Query, count: int) -> Answer | None:
        """Return the answer if it is known."""
        answer = self._answers.get((query, count))
        if answer is not None:
            self._answers.move_to_end((query, count))
        return answer

    def put(self, query: Query, count: int, answer: Answer) -> None:
        """Remember an answer; forget the one that was not used for longest where there are many."""
        self._answers[query, count] = answer
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)


class Asker:
    """Asks a back end for one document.

    Args:
        backend: what answers.
        memory: what was answered before.
        count: hits asked for.
        budget: how many queries may be sent.

    Attributes:
        sent: queries sent.
        remembered: queries answered from memory.
        failure: what the back end said when it last failed; empty if it never did.
    """

    def __init__(self, backend: SearchBackend, memory: Memory, count: int, budget: int) -> None:
        self.exhaustive = backend.exhaustive
        self.sent = 0
        self.remembered = 0
        self.failure = ""
        self._backend = backend
        self._memory = memory
        self._count = count
        self._budget = budget
        self._failures = 0

    def ask(self, query: Query) -> Answer:
        """Return the answer to a query.

        Raises:
            BudgetSpentError: if it would be one query too many.
            SearchError: if the back end fails, or failed three times in a row before.
        """
        known = self._memory.get(query, self._count)
        if known is not None:
            self.remembered += 1
            return known
        if self._failures >= _GIVE_UP_AFTER:
            raise SearchError(self.failure)
        if self.sent >= self._budget:
            raise BudgetSpentError
        self.sent += 1
        try:
            hits = self._backend.search(query, self._count)
        except SearchError as error:
            self._failures += 1
            self.failure = str(error)
            raise
        self._failures = 0
        addresses = frozenset(hit.address for hit in hits)
        answer = Answer(addresses, self.exhaustive and len(hits) < self._count)
        self._memory.put(query, self._count, answer)
        return answer
