"""The search that a sanitizer asks: in an index of what an adversary could know."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .indicator import SearchRisk
from .local.index import LocalIndex

BOUND = 0.05
"""Share of the results about the person from which entities are risky together: with 0, the paper's
rule, whoever has the document itself in the index has everything masked (RESULTS.md)."""


def background(path: str | Path, names: Sequence[str]) -> SearchRisk:
    """Return what a search in the index at ``path`` says.

    Args:
        path: an index made by ``tacenda index build``.
        names: to protect besides those of each document.

    Raises:
        InputError: if there is no index.
    """
    return SearchRisk(LocalIndex(path), names, bound=BOUND)


def named(path: str | Path) -> dict[str, str]:
    """Return name and digest of an index, for the record.

    The folders that it lies in may tell whose it is.

    Raises:
        InputError: if there is no index.
    """
    return {"name": Path(path).name, "sha256": LocalIndex(path).digest()}
