"""The risk indicator *search*: findings and combinations from searching for entities."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...background.documents import LocalIndex, Part, SearchBackend
from ...document import Combination, Document, Entity, Evidence, IdentifierType
from ...memory import LruCache
from ..indicators import Finding
from .algorithm import (
    QueryCache,
    ResultShare,
    SearchOutcome,
    SearchSession,
    find_risky,
    people_of,
    phrases_of,
    phrases_of_names,
    query_priority,
)

if TYPE_CHECKING:
    from ...result import Result


@dataclass(frozen=True, slots=True)
class SearchReport:
    """Findings and combinations of one document.

    Attributes:
        findings: one per entity, in order; None if there was no query.
        combinations: the minimal risky combinations of one or more entities, and the unknown ones,
            which are treated as risky; the riskiest first, smaller before larger.
        people: number of people searched for; 0 if there is nobody to protect.
        judged: combinations judged by their results.
        unknown: combinations without an answer from the back end.
        unasked: upper bound on the combinations not queried when the budget was spent; they are not
            treated as risky.
        wordless: number of entities without a word to search for.
        queries: number of queries sent to the back end.
        remembered: queries answered from memory.
        failure: the back end's last error message; empty if it never failed.
    """

    findings: tuple[Finding | None, ...]
    combinations: tuple[Combination, ...]
    people: int = 0
    judged: int = 0
    unknown: int = 0
    unasked: int = 0
    wordless: int = 0
    queries: int = 0
    remembered: int = 0
    failure: str = ""

    def sentences(self) -> Iterator[str]:
        """Describe the search in sentences that contain no text of the document."""
        if self.people:
            yield (
                f"{self.judged} combinations of entities were judged with {self.queries} queries "
                f"({self.remembered} more were answered from memory)."
            )
        yield from self.gaps()
        if self.wordless:
            yield f"{self.wordless} entities have no word that could be searched for."

    def gaps(self) -> Iterator[str]:
        """Say what wasn't searched for, or got no answer, in sentences that contain no text of the document."""
        if not self.people:
            yield "Nobody was searched for: the document names no person and no target was given."
        if self.unknown:
            yield (
                f"{self.unknown} combinations are unknown and treated as risky, since the search "
                f"failed: {self.failure}"
            )
        if self.unasked:
            yield (
                f"Up to {self.unasked} combinations were not asked about, since the budget of "
                "queries was spent; they are not treated as risky."
            )


COUNTS: Final = tuple(field.name for field in fields(SearchReport))[2:]
"""Fields of the account, without findings and combinations."""


_REPORTS_KEPT: Final = 256


class PrecomputedFindings:
    """Precomputed findings for ``risk.assess``, so that no budget is spent on repeated queries.

    Args:
        findings: one per entity, in order.
    """

    def __init__(self, findings: Sequence[Finding | None]) -> None:
        self._findings = list(findings)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return the findings."""
        return self._findings


INDICATOR = "search"
COUNT = 50
"""Results looked at for each query, as in the paper."""


class SearchRisk:
    """Indicator of entities and combinations that judges them by search results.

    The people to protect are the document's and the policy's targets or, without a target, everyone
    in the document. Answers are cached across documents. This is both an ``Indicator`` and a
    ``CombinationIndicator``; ``search`` returns findings, combinations and the description at once.

    Args:
        backend: search engine or index.
        names: additional names to protect, from the policy.
        arity: maximum number of entities in a combination.
        bound: a combination is risky if its share of results about the person is above this.
        budget: maximum number of queries per document.
        count: number of results considered per query.

    Raises:
        ValueError: if ``arity``, ``count`` or ``budget`` is below 1, or the bound isn't in [0, 1).
    """

    def __init__(
        self,
        backend: SearchBackend,
        names: Sequence[str] = (),
        *,
        arity: int = 2,
        bound: float = 0.0,
        budget: int = 2_000,
        count: int = COUNT,
    ) -> None:
        for name, value in (("arity", arity), ("count", count), ("budget", budget)):
            if value < 1:
                raise ValueError(f"{name} is {value!r}; it must be at least 1.")
        if not 0.0 <= bound < 1.0:
            raise ValueError(f"bound is {bound!r}; 0 <= bound < 1 must hold.")
        self._backend = backend
        self._names = tuple(names)
        self._arity = arity
        self._bound = bound
        self._budget = budget
        self._count = count
        self._memory = QueryCache()
        self._reports: LruCache[str, SearchReport] = LruCache(_REPORTS_KEPT)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that was queried."""
        return list(self.search(document, entities).findings)

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the minimal risky combinations and the unknown ones."""
        return self.search(document, entities).combinations

    def combinations_of_kept(
        self, document: Document, entities: Sequence[Entity], kept: Collection[str]
    ) -> tuple[Combination, ...]:
        """Return the combinations of the entities in ``kept``. A local index is queried about all entities, since nobody else sees its queries."""
        exhaustive = self._backend.exhaustive
        return self.search(document, entities, None if exhaustive else kept).combinations

    def check(self, result: Result) -> Result:
        """Return the result of a document with a warning for each gap in its search."""
        report = self._reports.get(result.document.id)
        gaps = () if report is None else report.gaps()
        return replace(result, warnings=(*result.warnings, *gaps))

    def search(
        self, document: Document, entities: Sequence[Entity], kept: Collection[str] | None = None
    ) -> SearchReport:
        """Search for a document's entities; return findings, combinations and the number of queries.

        Args:
            document: the document of the mentions.
            entities: the entities.
            kept: ids of the entities to search for; None for all.
        """
        parts = [phrases_of(document, entity) for entity in entities]
        people = phrases_of_names((*document.target, *self._names)) or people_of(document, entities)
        report = SearchReport((None,) * len(entities), ())
        if people:
            asked = [n for n, entity in enumerate(entities) if kept is None or entity.id in kept]
            asked = [n for n in asked if parts[n]]
            asked.sort(key=lambda n: query_priority(entities[n], parts[n]))
            asker = SearchSession(self._backend, self._memory, self._count, self._budget)
            outcome = find_risky(asker, people, parts, asked, self._arity, self._bound)
            report = _report(entities, parts, people, asker, outcome)
        return self._reports.put(document.id, report)


def _report(
    entities: Sequence[Entity],
    parts: Sequence[Part],
    people: Sequence[Part],
    asker: SearchSession,
    outcome: SearchOutcome,
) -> SearchReport:
    combinations = [
        Combination(
            tuple(entities[index].id for index in indices),
            shared.share,
            (Evidence(INDICATOR, shared.share, _statement(shared, len(indices))),),
        )
        for indices, shared in outcome.risky.items()
    ]
    unknown = _unknown(asker.failure, outcome.collapsed)
    combinations += [
        Combination(tuple(entities[index].id for index in indices), 1.0, (unknown,))
        for indices in outcome.unknown
    ]
    place = {entity.id: index for index, entity in enumerate(entities)}
    combinations.sort(
        key=lambda item: (-item.risk, len(item.entity_ids), [place[id] for id in item.entity_ids])
    )
    return SearchReport(
        findings=tuple(_findings(len(entities), outcome, unknown)),
        combinations=tuple(combinations),
        people=len(people),
        judged=outcome.judged,
        unknown=len(outcome.unknown),
        unasked=outcome.unasked,
        wordless=sum(not part for part in parts),
        queries=asker.sent,
        remembered=asker.remembered,
        failure=asker.failure,
    )


def _findings(count: int, outcome: SearchOutcome, unknown: Evidence) -> Iterator[Finding | None]:
    without_answer = {indices[0] for indices in outcome.unknown if len(indices) == 1}
    for index in range(count):
        if index in without_answer:
            yield Finding(unknown, IdentifierType.QUASI)
        elif (shared := outcome.singles.get(index)) is None:
            yield None
        else:
            yield Finding(
                Evidence(INDICATOR, shared.share, _statement(shared, 1)),
                IdentifierType.QUASI if (index,) in outcome.risky else IdentifierType.NO_MASK,
            )


def _statement(shared: ResultShare, size: int) -> str:
    if not shared.results:
        return "A search for it brings up nothing."
    subject = "it" if size == 1 else f"these {size} together"
    return (
        f"A search for {subject} brings up {shared.results} result{'s'[: shared.results > 1]}, "
        f"{shared.about or 'none'} of them about a person to protect."
    )


def _unknown(failure: str, collapsed: bool) -> Evidence:
    many = ", as too many combinations with it had no answer" if collapsed else ""
    return Evidence(
        INDICATOR,
        1.0,
        f"Unknown, treated as risky{many}: the search failed ({failure.rstrip('.')}).",
    )


BOUND = 0.05
"""Share of the results in an index about the person from which entities are risky together: with 0,
whoever has the document itself in the index has everything masked (RESULTS.md)."""


def masking_search(backend: SearchBackend, names: Sequence[str]) -> SearchRisk:
    """Return the indicator that has entities masked if a search for them leads to the person.

    On the web, one page about both is enough, as in the paper.

    Args:
        backend: search engine or index.
        names: people to protect in addition to each document's own.
    """
    return SearchRisk(backend, names, bound=BOUND if backend.exhaustive else 0.0)


def index_identity(path: str | Path) -> dict[str, str]:
    """Return the name and digest of an index, for the record.

    Only the name, since the folders of the path may reveal whose index it is.

    Raises:
        InputError: if there is no index.
    """
    return {"name": Path(path).name, "sha256": LocalIndex(path).digest()}
