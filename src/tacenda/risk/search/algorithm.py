"""Algorithm 1 of the search for risky combinations, and the queries it sends."""

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

# Queries to a search back end: phrases of entities, a cache of answers, a budget.


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
    """The phrases of everyone in the document with more than one name."""
    people = (phrases_of(document, e) for e in entities if e.type is SemanticType.PERSON)
    return tuple(dict.fromkeys(part for part in people if part and " " in part[0]))


def query_priority(entity: Entity, part: Part) -> tuple[int, int]:
    """Sort key of entities before any query, the most telling lowest."""
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


# Risky combinations by search: ``explicit_risk_measures``, Algorithm 1.
#
# A combination C leads to the person where results of a search for C are about the person, that is,
# are also among those for the person's name, for the name with one of the entities, or for the name
# with C. It is risky where the share of such results is above a bound; with the bound 0, one shared
# address suffices, as in the paper. (There, pages found with one combination count for all that come
# later; here those of single entities count for all, so that the answer depends on no order.)
#
# Asked is what can still tell something:
#
# * a combination that holds a risky one is not: something of it must change anyway;
# * one that holds a combination without results about the person is not, where the back end is
#   exhaustive and the answer was complete: nothing fits the larger one that didn't fit the smaller;
# * the name with C is not, where all pages about the person are known;
# * entities with fewest results come first: pairs of the two rarest, then of the three rarest, …


Indices = tuple[int, ...]

# More unknown combinations than this help no one; their entities are then unknown themselves.
_MOST_UNKNOWN = 2_000


@dataclass(frozen=True, slots=True)
class ResultShare:
    """Share of a combination's results about the person."""

    about: int
    results: int

    @property
    def share(self) -> float:
        """The share, in [0, 1]; 0 where there are no results."""
        return self.about / self.results if self.results else 0.0


@dataclass(slots=True)
class SearchOutcome:
    """Result of the search; combinations are ascending indices of the parts.

    Attributes:
        risky: minimal risky combinations with their results.
        singles: results of each judged entity.
        unknown: combinations without an answer from the back end.
        judged: combinations judged by their results.
        unasked: combinations left when the budget was spent, at most.
        collapsed: whether entities are unknown since too many of their combinations were.
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
        asker: the session of queries.
        people: the names of each person to protect; at least one.
        parts: the phrases of each entity.
        order: indices of ``parts`` with phrases, the most telling first.
        arity: largest size of a combination.
        bound: a combination is risky where the share of results about the person is above it.
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
        # Combinations whose supersets need not be asked.
        self._closed: set[Indices] = set()

    def ask_people(self) -> None:
        """Ask for the people; where one of them has no answer, no one is safe."""
        answers = [self._asker.ask(Query.of(person)) for person in self._people]
        self._about.update(*(answer.addresses for answer in answers))
        self._all_known = all(answer.complete for answer in answers)

    def singles(self, order: Sequence[int], arity: int) -> list[int]:
        """Judge single entities; return those that may be risky with others, the rarest first."""
        answers: dict[int, SearchAnswer] = {}
        for position, index in enumerate(order):
            try:
                answers[index] = self._asker.ask(Query.of(self._parts[index]))
                # Pages about the person that only this entity brings up count for all others.
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
        """Judge the combinations of one size; return whether it came to their end."""
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
        """Return pages for the people together with a combination, if new ones are possible."""
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
    """The combinations of ``range(count)``, all of the first k before any with the k + 1st."""
    for last in range(count):
        for indices in combinations(range(last), size - 1):
            yield (*indices, last)
