"""Algorithm 1, the search for risky combinations, and the queries it sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from ...background.documents import Part, Query, SearchBackend
from ...document import Document, Entity, SemanticType
from ...errors import SearchError
from ...memory import LruCache
from ...text.names import without_possessive
from ...text.normal_form import fold_text
from ...text.tokens import word_list
from ...text.word_lists import TITLES

# Queries to a search back end: the phrases of entities, a cache of answers, and a budget.


_CAPACITY = 20_000
_FAILURE_LIMIT = 3


class BudgetSpentError(Exception):
    """Raised when the query budget is spent; ends the search for combinations."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """A back end's answer to a query.

    Attributes:
        addresses: the addresses of the hits.
        complete: whether these are all pages that match the query.
    """

    addresses: frozenset[str]
    complete: bool


class QueryCache(LruCache[tuple[Query, int], SearchAnswer]):
    """The last 20,000 answers, by query and number of hits requested."""

    def __init__(self) -> None:
        super().__init__(_CAPACITY)


class SearchSession:
    """The queries sent to a back end for one document.

    Args:
        backend: a search engine or an index.
        memory: the cache of answers.
        count: number of hits to request.
        budget: maximum number of queries to send.

    Attributes:
        sent: number of queries sent.
        remembered: number of queries answered from the cache.
        failure: the back end's last error message, or empty if it never failed.
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
        """Return the answer to a query.

        Raises:
            BudgetSpentError: if the query would exceed the budget.
            SearchError: if the back end fails, or has already failed three times in a row.
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
# The order of types before any query.
_TYPE_PRIORITY = tuple("CODE PERSON MISC ORG QUANTITY DATETIME LOC DEM".split())


def phrases_of(document: Document, entity: Entity) -> Part:
    """Return the phrases of an entity: up to three strings, the longest first, or () if it has no words.

    A string contained in another is left out: an adversary who has both would search for the longer
    one.
    """
    strings = (mention.span.of(document.text) for mention in entity.mentions)
    return _maximal_phrases(_without_article(string, entity.type) for string in strings)


def phrases_of_names(names: Iterable[str]) -> tuple[Part, ...]:
    """Return the phrases of each person to protect."""
    parts = (_maximal_phrases([_without_article(name, SemanticType.PERSON)]) for name in names)
    return tuple(dict.fromkeys(filter(None, parts)))


def people_of(document: Document, entities: Sequence[Entity]) -> tuple[Part, ...]:
    """Return the phrases of everyone in the document who has more than one name."""
    people = (phrases_of(document, e) for e in entities if e.type is SemanticType.PERSON)
    return tuple(dict.fromkeys(part for part in people if part and " " in part[0]))


def query_priority(entity: Entity, part: Part) -> tuple[int, int]:
    """Return the sort key of an entity before any query; the most revealing entities come first."""
    return (_TYPE_PRIORITY.index(entity.type), -len(part[0]))


def _without_article(string: str, type: SemanticType) -> str:
    tokens = string.split()
    leading = TITLES if type is SemanticType.PERSON else _ARTICLES
    while len(tokens) > 1 and fold_text(tokens[0]).rstrip(".,") in leading:
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


# The search for risky combinations: ``explicit_risk_measures``, Algorithm 1.
#
# A combination C leads to the person if a search for C returns pages about the person: pages that a
# search for the person's name, for the name with one of the entities, or for the name with C also
# returns. C is risky if the share of such pages is above a bound. With the bound 0, one shared
# address is enough, as in the paper. (In the paper, pages found with one combination count for all
# later ones. Here the pages of single entities count for all, so that the result doesn't depend on
# the order.)
#
# Only queries that can still tell something are sent:
#
# * not for a combination that contains a risky one, since part of it must change anyway;
# * not for a combination that contains one without results about the person, if the back end is
#   exhaustive and the answer was complete: whatever matches the larger also matches the smaller;
# * not for the name with C, if all pages about the person are known;
# * entities with the fewest results come first: pairs of the two rarest, then of the three rarest,
# …


Indices = tuple[int, ...]

# With more unknown combinations than this, their entities are reported as unknown instead.
_MOST_UNKNOWN = 2_000


@dataclass(frozen=True, slots=True)
class ResultShare:
    """The share of a combination's results that are about the person."""

    about: int
    results: int

    @property
    def share(self) -> float:
        """The share, in [0, 1]; 0 if there are no results."""
        return self.about / self.results if self.results else 0.0


@dataclass(slots=True)
class SearchOutcome:
    """Result of the search; combinations are tuples of ascending part indices.

    Attributes:
        risky: the minimal risky combinations with their results.
        singles: the results for each judged entity.
        unknown: combinations that the back end didn't answer.
        judged: number of combinations judged by their results.
        unasked: upper bound on the combinations not queried when the budget was spent.
        collapsed: whether entities are unknown because too many of their combinations were.
    """

    risky: dict[Indices, ResultShare] = field(default_factory=dict)
    singles: dict[int, ResultShare] = field(default_factory=dict)
    unknown: list[Indices] = field(default_factory=list)
    judged: int = 0
    unasked: int = 0
    collapsed: bool = False


def find_risky(
    asker: SearchSession,
    people: Sequence[Part],
    parts: Sequence[Part],
    order: Sequence[int],
    arity: int,
    bound: float = 0.0,
) -> SearchOutcome:
    """Return the minimal risky combinations of up to ``arity`` parts.

    Args:
        asker: the query session.
        people: the names of each person to protect; at least one person.
        parts: the phrases of each entity.
        order: indices of the ``parts`` that have phrases, the most revealing first.
        arity: maximum size of a combination.
        bound: a combination is risky if its share of results about the person is above this.
    """
    search = _Search(asker, people, parts, bound)
    try:
        search.ask_people()
    except SearchError:
        search.outcome.unknown = [(index,) for index in sorted(order)]
        return search.outcome
    except BudgetSpentError:
        search.outcome.unasked = sum(comb(len(order), size) for size in range(1, arity + 1))
        return search.outcome
    open_parts = search.singles(order, arity)
    for size in range(2, arity + 1):
        if not search.level(open_parts, size):
            search.outcome.unasked += sum(
                comb(len(open_parts), larger) for larger in range(size + 1, arity + 1)
            )
            break
    return search.outcome


class _Search:
    def __init__(
        self, asker: SearchSession, people: Sequence[Part], parts: Sequence[Part], bound: float
    ) -> None:
        self.outcome = SearchOutcome()
        self._asker = asker
        self._people = people
        self._parts = parts
        self._bound = bound
        self._about: set[str] = set()
        self._all_known = False
        # Combinations whose supersets needn't be queried.
        self._closed: set[Indices] = set()

    def ask_people(self) -> None:
        """Query for the people; if one of them has no answer, nothing is known to be safe."""
        answers = [self._asker.ask(Query.of(person)) for person in self._people]
        self._about.update(*(answer.addresses for answer in answers))
        self._all_known = all(answer.complete for answer in answers)

    def singles(self, order: Sequence[int], arity: int) -> list[int]:
        """Judge single entities; return those that may be risky in combination, the rarest first."""
        answers: dict[int, SearchAnswer] = {}
        for position, index in enumerate(order):
            try:
                answers[index] = self._asker.ask(Query.of(self._parts[index]))
                # Pages about the person that only this entity returns count for all others.
                self._about |= self._with_people((index,), answers[index])
            except SearchError:
                answers.pop(index, None)
                self.outcome.unknown.append((index,))
            except BudgetSpentError:
                answers.pop(index, None)
                remainder = len(order) - position
                pairs_up = range(2, arity + 1)
                self.outcome.unasked = remainder + sum(
                    comb(len(order), size) - comb(position, size) for size in pairs_up
                )
                break
        open_parts = []
        for index, answer in answers.items():
            shared = self._judge((index,), answer)
            self.outcome.singles[index] = shared
            if shared.share <= self._bound and (index,) not in self._closed:
                open_parts.append(index)
        return sorted(open_parts, key=lambda index: len(answers[index].addresses))

    def level(self, open_parts: Sequence[int], size: int) -> bool:
        """Judge the combinations of one size; return whether all of them were judged."""
        unknown: list[Indices] = []
        for visited, ranks in enumerate(_rarest_first(len(open_parts), size)):
            indices = tuple(sorted(open_parts[rank] for rank in ranks))
            try:
                if not self._is_closed(indices):
                    self._ask(indices)
            except SearchError:
                unknown.append(indices)
                self._closed.add(indices)
                if len(unknown) > _MOST_UNKNOWN:
                    self._collapse(open_parts)
                    return True
            except BudgetSpentError:
                self.outcome.unknown += unknown
                self.outcome.unasked += comb(len(open_parts), size) - visited
                return False
        self.outcome.unknown += unknown
        return True

    def _ask(self, indices: Indices) -> None:
        answer = self._asker.ask(Query.of(*(self._parts[index] for index in indices)))
        if self._shared(answer).share > self._bound:
            self._judge(indices, answer)
        else:
            self._judge(indices, answer, self._with_people(indices, answer))

    def _judge(
        self, indices: Indices, answer: SearchAnswer, pages: frozenset[str] = frozenset()
    ) -> ResultShare:
        shared = self._shared(answer, pages)
        self.outcome.judged += 1
        if shared.share > self._bound:
            self.outcome.risky[indices] = shared
            self._closed.add(indices)
        elif answer.complete and not shared.about:
            self._closed.add(indices)
        return shared

    def _with_people(self, indices: Indices, answer: SearchAnswer) -> frozenset[str]:
        """Return the pages for the people together with a combination, if there may be new ones."""
        if self._all_known or (answer.complete and not answer.addresses):
            return frozenset()
        parts = [self._parts[index] for index in indices]
        answers = [self._asker.ask(Query.of(person, *parts)) for person in self._people]
        return frozenset().union(*(answer.addresses for answer in answers))

    def _shared(self, answer: SearchAnswer, pages: frozenset[str] = frozenset()) -> ResultShare:
        about = answer.addresses & (self._about | pages)
        return ResultShare(len(about), len(answer.addresses))

    def _is_closed(self, indices: Indices) -> bool:
        return any(
            smaller in self._closed
            for size in range(2, len(indices))
            for smaller in combinations(indices, size)
        )

    def _collapse(self, open_parts: Sequence[int]) -> None:
        outcome = self.outcome
        outcome.collapsed = True
        outcome.unknown = [indices for indices in outcome.unknown if len(indices) == 1]
        outcome.unknown += [(index,) for index in sorted(open_parts)]
        parts = set(open_parts)
        outcome.risky = {
            indices: shared
            for indices, shared in outcome.risky.items()
            if len(indices) == 1 or parts.isdisjoint(indices)
        }


def _rarest_first(count: int, size: int) -> Iterator[Indices]:
    """Yield the combinations of ``range(count)``: all of the first k numbers before any with number k + 1."""
    for last in range(count):
        for indices in combinations(range(last), size - 1):
            yield (*indices, last)
