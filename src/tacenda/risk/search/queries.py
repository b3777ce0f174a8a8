"""Queries to a search back end: phrases of entities, a cache of answers, a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...background.documents import Part, Query, SearchBackend
from ...document import Document, Entity, SemanticType
from ...errors import SearchError
from ...memory import LruCache
from ...text.folding import normalize_text
from ...text.names import without_possessive
from ...text.tokens import word_list
from ...text.word_lists import TITLES

_CAPACITY = 20_000
_FAILURE_LIMIT = 3


class BudgetSpentError(Exception):
    """The budget of queries is spent; caught where the search for combinations ends."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The answer of a back end to a query.

    Attributes:
        addresses: of the hits.
        complete: whether nothing else fits the query.
    """

    addresses: frozenset[str]
    complete: bool


class QueryCache(LruCache[tuple[Query, int], SearchAnswer]):
    """Answers by query and number of hits asked for, the last 20,000."""

    def __init__(self) -> None:
        super().__init__(_CAPACITY)


class SearchSession:
    """Session of queries to a back end for one document.

    Args:
        backend: search engine or index.
        memory: cache of answers.
        count: hits asked for.
        budget: most queries to send.

    Attributes:
        sent: queries sent.
        remembered: queries answered from memory.
        failure: the back end's last error message; empty if it never failed.
    """

    def __init__(self, backend: SearchBackend, memory: QueryCache, count: int, budget: int) -> None:
        self.exhaustive = backend.exhaustive
        self.sent = 0
        self.remembered = 0
        self.failure = ""
        self._backend = backend
        self._memory = memory
        self._count = count
        self._budget = budget
        self._failures = 0

    def ask(self, query: Query) -> SearchAnswer:
        """The answer to a query.

        Raises:
            BudgetSpentError: if it would be one query too many.
            SearchError: if the back end fails, or failed three times in a row before.
        """
        entry = self._memory.get((query, self._count))
        if entry is not None:
            self.remembered += 1
            return entry
        if self._failures >= _FAILURE_LIMIT:
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
        answer = SearchAnswer(addresses, self.exhaustive and len(hits) < self._count)
        self._memory.put((query, self._count), answer)
        return answer


# The phrases of an entity: its fullest strings, without titles and articles.


_ARTICLES = frozenset(("the", "a", "an"))
_MOST = 3
# Prior order of types, before any query.
_TYPE_PRIORITY = tuple("CODE PERSON MISC ORG QUANTITY DATETIME LOC DEM".split())


def phrases_of(document: Document, entity: Entity) -> Part:
    """Return the phrases of an entity: up to three strings, the longest first; () without words.

    A string within another one is left out: an adversary with both asks for the longer.
    """
    strings = (mention.span.of(document.text) for mention in entity.mentions)
    return _maximal_phrases(_without_article(string, entity.type) for string in strings)


def phrases_of_names(names: Iterable[str]) -> tuple[Part, ...]:
    """The phrases of each person to protect."""
    parts = (_maximal_phrases([_without_article(name, SemanticType.PERSON)]) for name in names)
    return tuple(dict.fromkeys(filter(None, parts)))


def people_of(document: Document, entities: Sequence[Entity]) -> tuple[Part, ...]:
    """The phrases of everybody in the document with more than one name."""
    people = (phrases_of(document, e) for e in entities if e.type is SemanticType.PERSON)
    return tuple(dict.fromkeys(part for part in people if part and " " in part[0]))


def query_priority(entity: Entity, part: Part) -> tuple[int, int]:
    """Sort key of entities before any query, the most telling lowest."""
    return (_TYPE_PRIORITY.index(entity.type), -len(part[0]))


def _without_article(string: str, type: SemanticType) -> str:
    tokens = string.split()
    leading = TITLES if type is SemanticType.PERSON else _ARTICLES
    while len(tokens) > 1 and normalize_text(tokens[0]).rstrip(".,") in leading:
        tokens.pop(0)
    bare = " ".join(tokens)
    possessive = len(bare) - len(without_possessive(bare.replace("’", "'")))
    return bare[: len(bare) - possessive]


def _maximal_phrases(strings: Iterable[str]) -> Part:
    by_words = {tuple(word_list(string)): string for string in strings}
    by_words.pop((), None)
    phrases: list[tuple[str, ...]] = []
    for candidate in sorted(by_words, key=lambda words: (-len(" ".join(words)), words)):
        if not any(_contains(longer, candidate) for longer in phrases):
            phrases.append(candidate)
    return tuple(by_words[words] for words in phrases[:_MOST])


def _contains(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    size = len(shorter)
    return any(longer[start : start + size] == shorter for start in range(len(longer) - size + 1))
