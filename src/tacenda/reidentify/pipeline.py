"""Attackers as a risk indicator: the entities from which they know the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..background.people import People
from ..document import Document, Entity, Evidence, Identification, IdentifierType
from ..result import Result
from ..risk.indicators import Finding
from .anonymize.anonymize import check_k, make_objective
from .anonymize.objective import EnsembleObjective, MaskingObjective
from .anonymize.search import greedy, shrink
from .anonymize.units import MaskUnit, entity_units
from .attackers.base import Attacker
from .report import telling_words
from .subjects import person_index
from .tokens import read_words

LEAST: Final = 0.01
"""An entity that makes no attacker surer by more, in nats, is no finding where all is in vain."""


class AttackIndicator:
    """Finds the entities that must change together; see ``risk.indicator.Indicator``.

    One entity less changes little where two say the same, so they are not judged one by one: the
    search of ``anonymize`` looks for the fewest that have to go until no attacker has the person among
    its first K. Each of those has the value 1, for it is the user's rule that it breaks; the
    others have no finding. Where the person is found whatever entity goes, it is all those
    that tell something.

    Args:
        people: the background knowledge.
        attackers: at least one, of those people.
        k: the person must not be among the first K.

    Raises:
        InputError: if nobody can hide among so few people.
    """

    def __init__(self, people: People, attackers: Sequence[Attacker], k: int = 1) -> None:
        check_k(k, len(people))
        self._people = people
        self._attackers = tuple(attackers)
        self._k = k

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that has to go.

        Raises:
            InputError: if it is not known whom the document is about.
        """
        person = person_index(self._people, document)
        words = read_words(document)
        units = entity_units(words, entities)
        games = [make_objective(attacker, words, person, units) for attacker in self._attackers]
        before = _ranks(games)
        indices = self._search(games, units)
        names = [attacker.name for attacker in self._attackers]
        statement = _statement(names, before, _ranks(games), len(self._people), len(indices))
        evidence = Evidence(f"attack:{'+'.join(names)}", 1.0, statement)
        ids = {units[unit].entity for unit in indices}
        return [
            Finding(evidence, IdentifierType.QUASI) if entity.id in ids else None
            for entity in entities
        ]

    def _search(self, games: Sequence[MaskingObjective], units: Sequence[MaskUnit]) -> list[int]:
        """Return the units that have to go; the games are left with them masked."""
        joint = EnsembleObjective(games, self._k)
        indices = greedy(joint, len(units), self._k)
        if joint.rank() > self._k:
            return list(shrink(joint, indices, self._k, [len(unit.words) for unit in units]))
        return [unit for unit in indices if any(_is_telling(game, unit) for game in games)]


def _is_telling(game: MaskingObjective, unit: int) -> bool:
    """Tell whether a masked unit would make the attacker surer; the game is left as it is."""
    without = game.log_odds()
    game.unmask(unit)
    surer = game.log_odds() - without
    game.mask(unit)
    return surer > LEAST


def _ranks(games: Sequence[MaskingObjective]) -> list[int]:
    return [game.rank() for game in games]


def _statement(
    names: Sequence[str], before: Sequence[int], after: Sequence[int], people: int, count: int
) -> str:
    # The attacker that came nearest is the one to tell of.
    worst = min(range(len(names)), key=lambda place: before[place])
    rest = f" and {count - 1} other{'s'[: count > 2]}" if count > 1 else ""
    return (
        f"{names[worst]} has the person at rank {before[worst]:,} of {people:,}; without it"
        f"{rest} at rank {after[worst]:,}."
    )


# What is left to attackers of a sanitized text: the check after masking, whoever masked.


class ResidualAttack:
    """Attacks each result; see ``analysis.Check``.

    What operators wrote is read as well, but labels: a generalisation tells something, and a
    surrogate should mislead.

    Args:
        people: the background knowledge.
        attackers: at least one, of those people.
        k: the person must not be among the first K.
        n_clues: telling words an attacker that finds the person, at most.

    Raises:
        InputError: if nobody can hide among so few people.
    """

    def __init__(
        self, people: People, attackers: Sequence[Attacker], k: int = 1, n_clues: int = 5
    ) -> None:
        check_k(k, len(people))
        self._people = people
        self._attackers = tuple(attackers)
        self._k = k
        self._n_clues = n_clues

    def __call__(self, result: Result) -> Result:
        """Return the result with an identification for each attacker.

        Of somebody with an empty profile no attacker knows more than the name; the result then
        has a warning.

        Raises:
            InputError: if it is not known whom the document is about.
        """
        person = person_index(self._people, result.document)
        identifications = tuple(
            self._identification(result, person, attacker) for attacker in self._attackers
        )
        warnings = result.warnings
        if not self._people.person(person).profile:
            warnings += ("Nothing is known of the person but the name: the attack says little.",)
        return replace(result, identifications=identifications, warnings=warnings)

    def _identification(self, result: Result, person: int, attacker: Attacker) -> Identification:
        words = read_words(Document(result.document.id, result.text))
        ranking = attacker.rank(words)
        rank = ranking.rank(person)
        evidence = telling_words(attacker, words, person, self._n_clues) if rank <= self._k else ()
        return Identification(
            attacker=attacker.name,
            rank=rank,
            probability=ranking.probability(person),
            people=len(self._people),
            k=self._k,
            clues=tuple(span for clue in evidence for span in clue.spans),
        )
