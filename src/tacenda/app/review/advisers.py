"""Who is asked about a document while it is decided, besides detectors and policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from ...document import Combination, Document, Entity
from ...pipeline import Check
from ...risk.indicators import CombinationIndicator, Finding, Indicator
from ..recent import Recent

_KEPT = 256


@dataclass(frozen=True, slots=True)
class Advisers:
    """What ``sanitizer.finish`` takes besides a policy.

    Attributes:
        together: finds entities that must not all be left; None where each is judged alone.
        further: risk indicators besides the ones that are always asked.
        check: looks at each result; None where leaks are all that is looked for.
    """

    together: CombinationIndicator | None = None
    further: tuple[Indicator, ...] = ()
    check: Check | None = None


NOBODY = Advisers()
_About = tuple[Document, tuple[Entity, ...]]


class AskedTogether:
    """A ``CombinationIndicator`` for all threads: one at a time, and once about the same entities.

    Most changes of a reviewer leave the entities as they are, and a search takes its time.
    """

    def __init__(self, indicator: CombinationIndicator) -> None:
        self._indicator = indicator
        self._lock = Lock()
        self._answers: Recent[_About, tuple[Combination, ...]] = Recent(_KEPT)

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations, no one a superset of another."""

        def ask() -> tuple[Combination, ...]:
            with self._lock:
                return tuple(self._indicator.combinations(document, entities))

        return self._answers.get((document, tuple(entities)), ask)


class Asked:
    """An ``Indicator`` for all threads: one at a time, and once about the same entities."""

    def __init__(self, indicator: Indicator) -> None:
        self._indicator = indicator
        self._lock = Lock()
        self._answers: Recent[_About, tuple[Finding | None, ...]] = Recent(_KEPT)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding an entity, in order."""

        def ask() -> tuple[Finding | None, ...]:
            with self._lock:
                return tuple(self._indicator.judge(document, entities))

        return list(self._answers.get((document, tuple(entities)), ask))
