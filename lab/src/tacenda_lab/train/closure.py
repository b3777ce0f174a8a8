"""Transitive closure of a relation."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def closure(starts: Iterable[str], neighbors: Callable[[str], Iterable[str]]) -> set[str]:
    """Return everything that can be reached from ``starts``, them included.

    Args:
        starts: where to begin.
        neighbors: returns what is one step away.
    """
    reached: set[str] = set()
    waiting = list(starts)
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += neighbors(key)
    return reached
