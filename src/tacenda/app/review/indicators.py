"""Indicators and checks of a review, besides detectors and policy.

They are shared by all threads, run one at a time, and once on the same entities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from ...document import Combination, Document, Entity
from ...pipeline import Check
from ...risk.assess import CombinationIndicator, Finding, Indicator
from ...risk.search.indicator import background_indicator, index_identity
from ..memory import LruCache

_KEPT = 256


@dataclass(frozen=True, slots=True)
class IndicatorSet:
    """Indicators and checks besides a policy.

    Attributes:
        indicators: indicators of single entities besides the default ones and those of the policy.
        combination_indicators: indicators of combinations besides those of the policy.
        checks: checks of each result, after those of the policy.
    """

    indicators: tuple[Indicator, ...] = ()
    combination_indicators: tuple[CombinationIndicator, ...] = ()
    checks: tuple[Check, ...] = ()


_Answer = TypeVar("_Answer")


class _Cache(Generic[_Answer]):
    """A cache of answers about entities, with one computation at a time.

    Most changes of a reviewer leave the entities as they are, and a search takes its time.
    """

    def __init__(self, ask: Callable[[Document, Sequence[Entity]], Iterable[_Answer]]) -> None:
        self._ask = ask
        self._lock = Lock()
        self._answers: LruCache[tuple[Document, tuple[Entity, ...]], tuple[_Answer, ...]] = (
            LruCache(_KEPT)
        )

    def answers(self, document: Document, entities: Sequence[Entity]) -> tuple[_Answer, ...]:
        """The answers about entities of a document."""

        def ask() -> tuple[_Answer, ...]:
            with self._lock:
                return tuple(self._ask(document, entities))

        return self._answers.get_or_compute((document, tuple(entities)), ask)


class CachedIndicator:
    """An ``Indicator`` with a cache of its answers."""

    def __init__(self, indicator: Indicator) -> None:
        self._cache = _Cache(indicator.judge)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """One finding an entity, in order."""
        return list(self._cache.answers(document, entities))


class CachedCombinationIndicator:
    """A ``CombinationIndicator`` with a cache of its answers."""

    def __init__(self, indicator: CombinationIndicator) -> None:
        self._cache = _Cache(indicator.combinations)

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """The risky combinations, no one a superset of another."""
        return self._cache.answers(document, entities)


class Background(CachedCombinationIndicator):
    """A document index as a cached ``CombinationIndicator``.

    Args:
        path: an index made by ``tacenda index build``.
        names: further names to protect, besides those of each document.

    Raises:
        InputError: if there is no index.
    """

    def __init__(self, path: str | Path, names: Sequence[str] = ()) -> None:
        self.path = str(Path(path).resolve())
        super().__init__(background_indicator(self.path, names))

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Name and digest for the record."""
        return index_identity(self.path)
