"""Members of the US Congress for ``reidentification.py``: profiles an adversary would have, and texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from tacenda.background.people import Person
from tacenda.reidentify.tokens import TokenizedDocument
from tacenda_lab.train.attacker_data import read_members as all_members

_OF_ENCODERS = frozenset({"term", "elected"})
"""Fields that came with the encoder: attackers who live from words were measured without them."""


@dataclass(frozen=True, slots=True)
class Members:
    """People, and the texts about some of them: pairs to learn from, and a sample to attack.

    Attributes:
        people: everybody, with the profile written as the texts are.
        written: the same with the term's dates, and *Forty-first and two succeeding*.
        given: the same as the file has them.
        learning: of those who may be learned from.
        testing: numbers and texts of others.
    """

    people: list[Person]
    written: list[Person]
    given: list[Person]
    learning: list[tuple[Person, TokenizedDocument]]
    testing: list[tuple[int, TokenizedDocument]]


def read_members(path: Path, sample: int) -> Members:
    """Split by person: every tenth id, by its digest, is never learned from."""
    people, written, given, learning, testing = [], [], [], [], []
    for number, member in enumerate(all_members(path)):
        fields = tuple(item for item in member.person.profile if item[0] not in _OF_ENCODERS)
        people.append(replace(member.person, profile=fields))
        written.append(member.person)
        given.append(member.given)
        if member.text is None:
            continue
        if member.held_out:
            testing.append((f"{member.digest:064x}", number, member.text))
        else:
            learning.append((people[-1], member.text))
    chosen = sorted(testing, key=lambda item: item[0])[:sample]
    return Members(people, written, given, learning, [(n, words) for _, n, words in chosen])
