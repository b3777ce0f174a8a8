"""Indicators and checks of a review, besides detectors and policy.

They are shared by all threads, run one at a time, and once on the same entities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...background.documents import LocalIndex
from ...pipeline import Check
from ...rewrite.generalize.candidates import Ontology
from ...risk.indicators import CombinationIndicator, Indicator
from ...risk.registry import CachedIndicator
from ...risk.search.indicator import index_identity, masking_search

DOCUMENTS_KEPT = 256
"""Documents whose answers are kept: most changes of a reviewer leave the entities as they are."""


@dataclass(frozen=True, slots=True)
class IndicatorSet:
    """Indicators and checks besides a policy.

    Attributes:
        indicators: indicators of single entities besides the default ones and those of the policy.
        combination_indicators: indicators of combinations besides those of the policy.
        checks: checks of each result, after those of the policy.
        ontology: of the generalisations; that of the policy if None.
    """

    indicators: tuple[Indicator, ...] = ()
    combination_indicators: tuple[CombinationIndicator, ...] = ()
    checks: tuple[Check, ...] = ()
    ontology: Ontology | None = None


class Background(CachedIndicator):
    """A document index as a cached ``CombinationIndicator``.

    Args:
        path: an index made by ``tacenda index build``.
        names: further names to protect, besides those of each document.

    Raises:
        InputError: if the index doesn't exist.
    """

    def __init__(self, path: str | Path, names: Sequence[str] = ()) -> None:
        self.path = str(Path(path).resolve())
        super().__init__(masking_search(LocalIndex(self.path), names), DOCUMENTS_KEPT)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Name and digest for the record."""
        return index_identity(self.path)
