"""Indicators and checks of a review, in addition to its detectors and policy.

All threads share them; they run one at a time, and only once on the same entities.
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
        names: names to protect in addition to those of each document.

    Raises:
        InputError: if the index doesn't exist.
    """

    def __init__(self, path: str | Path, names: Sequence[str] = ()) -> None:
        self.path = str(Path(path).resolve())
        super().__init__(masking_search(LocalIndex(self.path), names), size=DOCUMENTS_KEPT)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Return the name and digest for the audit record."""
        return index_identity(self.path)
