"""An attack on a release: who is found, beside what chance, the originals and strangers give.

After anonymeter (Giomi et al., 2023): an attack says little without a *baseline* and a *control*.

    baseline   chance, 1 / people; and the originals, where given: no masking at all
    control    each document as if it were about another one's person, who is not in it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..attack.attacker import Attacker
from ..attack.registry import ENSEMBLE
from ..words import WordedDocument
from .clues import Clue, clues
from .rate import Rate, rate


@dataclass(frozen=True, slots=True)
class Case:
    """A document to attack.

    Attributes:
        document: as it is released.
        person: number of the person it is about.
        original: the document before masking, if known.
    """

    document: WordedDocument
    person: int
    original: WordedDocument | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the attackers made of a document.

    Attributes:
        case: the document and its person.
        ranks: of the right person from 1, by attacker.
        probabilities: of the right person, by attacker.
        first: the most probable person, by attacker.
        control: rank of a person the document is not about, by attacker.
        original: ranks from the original, by attacker; None where there is none.
        clues: what gave the person away to the attacker that ranks them best.
    """

    case: Case
    ranks: Mapping[str, int]
    probabilities: Mapping[str, float]
    first: Mapping[str, int]
    control: Mapping[str, int]
    original: Mapping[str, int] | None
    clues: tuple[Clue, ...]

    @property
    def rank(self) -> int:
        """The best rank that any attacker gives the right person."""
        return min(self.ranks.values())


@dataclass(frozen=True, slots=True)
class Rates:
    """How many documents' people are at rank 1, and among the first k."""

    first: Rate
    among_k: Rate


@dataclass(frozen=True, slots=True)
class AttackReport:
    """The outcome for a release.

    Attributes:
        n_people: in the background knowledge.
        k: of the second rate.
        rates: by attacker, and of the ensemble: found by any of them.
        control: the same for people the documents are not about.
        original: the same for the originals; None unless all are known.
        outcomes: one a document.
    """

    n_people: int
    k: int
    rates: Mapping[str, Rates]
    control: Mapping[str, Rates]
    original: Mapping[str, Rates] | None
    outcomes: tuple[Outcome, ...]

    @property
    def rate(self) -> Rate:
        """Documents whose person any attacker ranks first."""
        return self.rates[ENSEMBLE].first


def attack(
    cases: Sequence[Case], attackers: Sequence[Attacker], k: int, n_clues: int = 5
) -> AttackReport:
    """Attack documents.

    Args:
        cases: at least one.
        attackers: at least one, of the same people.
        k: from 1.
        n_clues: words named for each document, at most.
    """
    strangers = _strangers(cases, attackers[0].n_people)
    outcomes = tuple(
        _attack_one(case, stranger, attackers, n_clues)
        for case, stranger in zip(cases, strangers, strict=True)
    )
    originals = [o.original for o in outcomes if o.original is not None]
    return AttackReport(
        attackers[0].n_people,
        k,
        rates_of([outcome.ranks for outcome in outcomes], k),
        rates_of([outcome.control for outcome in outcomes], k),
        rates_of(originals, k) if len(originals) == len(outcomes) else None,
        outcomes,
    )


def rates_of(ranks: Sequence[Mapping[str, int]], k: int) -> dict[str, Rates]:
    """Return rates by attacker, and of the ensemble, from one mapping of ranks a document."""
    names = list(ranks[0])
    by_name: dict[str, list[int]] = {name: [one[name] for one in ranks] for name in names}
    by_name[ENSEMBLE] = [min(one.values()) for one in ranks]
    return {
        name: Rates(
            rate(sum(r == 1 for r in found), len(found)),
            rate(sum(r <= k for r in found), len(found)),
        )
        for name, found in by_name.items()
    }


def _attack_one(case: Case, stranger: int, attackers: Sequence[Attacker], n_clues: int) -> Outcome:
    rankings = {attacker.name: attacker.rank(case.document) for attacker in attackers}
    ranks = {name: ranking.rank(case.person) for name, ranking in rankings.items()}
    original = None
    if case.original is not None:
        original = {a.name: a.rank(case.original).rank(case.person) for a in attackers}
    best = min(attackers, key=lambda attacker: ranks[attacker.name])
    return Outcome(
        case,
        ranks,
        {name: ranking.probability(case.person) for name, ranking in rankings.items()},
        {name: ranking.best(1)[0] for name, ranking in rankings.items()},
        {name: ranking.rank(stranger) for name, ranking in rankings.items()},
        original,
        clues(best, case.document, case.person, n_clues),
    )


_STEP: Final = 7919
"""Prime: how far from the right person a stranger is taken where all documents have one person."""


def _strangers(cases: Sequence[Case], n_people: int) -> list[int]:
    """Return for each document the person of the next that is about somebody else."""
    people = [case.person for case in cases]
    found = []
    for place, person in enumerate(people):
        following = (*people[place + 1 :], *people[:place])
        other = next((n for n in following if n != person), (person + _STEP) % n_people)
        if other == person:
            other = (person + 1) % n_people
        found.append(other)
    return found
