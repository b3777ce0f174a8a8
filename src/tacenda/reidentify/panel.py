"""Independent judges: one family of attackers is held out of each document's search.

A search defeats the attackers that guide it, which says nothing about other attackers. So each
document is guided by all families except one, which judges it. The document's digest selects that
family, so every family judges a share of the documents, and the same document is always judged by
the same family. Attackers adapted to sanitized texts are the exception: the first one guides every
search, and the others, which learned from texts of other people, judge every result.

    rates of guides | rates of judges, each with its interval ─▶ the worst decides
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from ..document import Document
from .attackers.base import Attacker
from .rates import Rates, rates


class Panel(NamedTuple):
    """A document's attackers: those that guide its search, and those that only judge it."""

    guides: tuple[Attacker, ...]
    judges: tuple[Attacker, ...]


ADAPTIVE: Final = "adaptive"
"""Family of attackers that learned from sanitized texts."""


def family_of(attacker: Attacker) -> str:
    """Return an attacker's family; its name if it has none."""
    return str(getattr(attacker, "family", attacker.name))


def panel_of(attackers: Sequence[Attacker], document: Document) -> Panel:
    """Return a document's guides and judges; there are no judges if all attackers are in one family."""
    adaptive = [attacker for attacker in attackers if family_of(attacker) == ADAPTIVE]
    families = sorted({family_of(attacker) for attacker in attackers} - {ADAPTIVE})
    judges = adaptive[1:]
    if len(families) > 1:
        digest = sha256(document.text.encode("utf-8", "replace")).digest()
        held_out = families[int.from_bytes(digest[:8]) % len(families)]
        judges += [attacker for attacker in attackers if family_of(attacker) == held_out]
    return Panel(tuple(each for each in attackers if each not in judges), tuple(judges))


class JudgedRank(Protocol):
    """The rank that an attacker gives the person of a released document."""

    @property
    def attacker(self) -> str: ...  # noqa: D102 - its name
    @property
    def rank(self) -> int: ...  # noqa: D102 - from 1
    @property
    def held_out(self) -> bool: ...  # noqa: D102 - whether it had no part in the search


@dataclass(slots=True)
class RankTally:
    """The ranks in a run, with guides and judges counted separately.

    Args:
        k: the k of the second rate.
    """

    k: int
    _ranks: dict[tuple[bool, str], list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, results: Iterable[JudgedRank]) -> None:
        """Add the ranks of a document."""
        worst = {False: 0, True: 0}
        for result in results:
            self._ranks[result.held_out, result.attacker].append(result.rank)
            worst[result.held_out] = min(worst[result.held_out] or result.rank, result.rank)
        for held_out, rank in worst.items():
            if rank:
                self._ranks[held_out, ANY].append(rank)

    def rows(self) -> list[tuple[str, Rates, int]]:
        """Return (who, rates, documents), the guides first."""
        return [
            (f"{'held out: ' if held_out else 'guiding: '}{name}", rates(ranks, self.k), len(ranks))
            for (held_out, name), ranks in sorted(
                self._ranks.items(), key=lambda item: (item[0][0], item[0][1] == ANY)
            )
        ]

    def lines(self) -> list[str]:
        """Return the rates as text, with 95 % intervals."""
        return [
            f"{who}: rank 1 {one.first}, first {self.k} {one.among_k}, {n} documents"
            for who, one, n in self.rows()
        ]


ANY = "any of them"
