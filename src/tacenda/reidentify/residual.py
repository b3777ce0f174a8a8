"""What is left to attackers of a sanitized text: the check after masking, whoever masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..background.people import People
from ..document import Document, Identification
from ..result import Result
from .anonymize.anonymize import check_k
from .attack.attacker import Attacker
from .naming import number_of
from .report.clues import clues
from .words import read_words


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
        person = number_of(self._people, result.document)
        found = tuple(self._identification(result, person, each) for each in self._attackers)
        warnings = result.warnings
        if not self._people.person(person).profile:
            warnings += ("Nothing is known of the person but the name: the attack says little.",)
        return replace(result, identifications=found, warnings=warnings)

    def _identification(self, result: Result, person: int, attacker: Attacker) -> Identification:
        words = read_words(Document(result.document.id, result.text))
        ranking = attacker.rank(words)
        rank = ranking.rank(person)
        telling = clues(attacker, words, person, self._n_clues) if rank <= self._k else ()
        return Identification(
            attacker=attacker.name,
            rank=rank,
            probability=ranking.probability(person),
            people=len(self._people),
            k=self._k,
            clues=tuple(span for clue in telling for span in clue.spans),
        )
