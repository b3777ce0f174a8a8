"""What an adversary could know: an index that a project was begun with, and by which it is decided."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..document import Combination, Document, Entity
from ..risk.search.indicator import background, named
from .review.advisers import AskedTogether


class Background:
    """An index, asked by all threads; a ``CombinationIndicator``.

    Args:
        path: an index made by ``tacenda index build``.
        names: to protect besides those of each document.

    Raises:
        InputError: if there is no index.
    """

    def __init__(self, path: str | Path, names: Sequence[str] = ()) -> None:
        self.path = str(Path(path).resolve())
        self._asked = AskedTogether(background(self.path, names))

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations, no one a superset of another."""
        return self._asked.combinations(document, entities)

    @cached_property
    def named(self) -> dict[str, Any]:
        """Name and digest for the record."""
        return named(self.path)
