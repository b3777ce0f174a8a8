"""Indicators and checks of a review, besides detectors and policy.

They are shared by all threads, run one at a time, and once on the same entities.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...background.documents import LocalIndex
from ...risk.registry import CachedIndicator
from ...risk.search.indicator import index_identity, masking_search

DOCUMENTS_KEPT = 256
"""Documents whose answers are kept: most changes of a reviewer leave the entities as they are."""


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
        super().__init__(masking_search(LocalIndex(self.path), names), size=DOCUMENTS_KEPT)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Name and digest for the record."""
        return index_identity(self.path)
