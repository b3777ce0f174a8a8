"""Attackers by name. An ensemble is several of them: who is found by any of them, is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...errors import InputError
from ..background import People
from .attacker import Attacker
from .bayes import NaiveBayes
from .bm25 import Bm25

ENSEMBLE: Final = "ensemble"
_ATTACKERS: Final[dict[str, Callable[[People], Attacker]]] = {
    Bm25.name: Bm25,
    NaiveBayes.name: NaiveBayes,
}
NAMES: Final = (*_ATTACKERS, ENSEMBLE)


def open_attackers(name: str, people: People) -> tuple[Attacker, ...]:
    """Return the attacker of a name, or all of them for ``ensemble``.

    Raises:
        InputError: if there is none of that name.
    """
    if name == ENSEMBLE:
        return tuple(make(people) for make in _ATTACKERS.values())
    if name not in _ATTACKERS:
        raise InputError(f"attacker {name!r} is not known; choose one of {', '.join(NAMES)}.")
    return (_ATTACKERS[name](people),)
