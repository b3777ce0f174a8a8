"""What a search for risky combinations found in a document, and what it did not ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...document import Combination, Document, Entity
from ..indicator import Finding


@dataclass(frozen=True, slots=True)
class SearchReport:
    """The findings and combinations of one document.

    Attributes:
        findings: one an entity, in order; None where nothing was asked about it.
        combinations: the minimal risky ones, of one entity and more, and the unknown ones, which
            are treated as risky; the riskiest first, smaller before larger.
        people: how many persons were asked for; 0 where there is nobody to protect.
        judged: combinations judged by their results.
        unknown: combinations the back end gave no answer to.
        unasked: combinations, at most, that were left when the budget was spent; not treated as
            risky.
        wordless: entities without a word to ask for.
        sent: queries sent to the back end.
        remembered: queries whose answer was known.
        failure: what the back end said when it last failed; empty if it never did.
    """

    findings: tuple[Finding | None, ...]
    combinations: tuple[Combination, ...]
    people: int = 0
    judged: int = 0
    unknown: int = 0
    unasked: int = 0
    wordless: int = 0
    sent: int = 0
    remembered: int = 0
    failure: str = ""

    def sentences(self) -> Iterator[str]:
        """Yield what a reader must know of the search, without text of the document."""
        if not self.people:
            yield ("Nobody was searched for: the document names no person and no target was given.")
            return
        yield (
            f"{self.judged} combinations of entities were judged with {self.sent} queries "
            f"({self.remembered} more were answered from memory)."
        )
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
        if self.wordless:
            yield f"{self.wordless} entities have no word that could be searched for."


class Told:
    """Findings that were made before, for ``risk.assess``: asking again would send more queries.

    Args:
        findings: one an entity, in order.
    """

    def __init__(self, findings: Sequence[Finding | None]) -> None:
        self._findings = list(findings)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return the findings."""
        return self._findings
