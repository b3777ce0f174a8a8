"""Stores of people, and members of the US Congress: profiles that an adversary would have, and texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tacenda.background.normalization import FieldKind, kinds_of, normalize_profile
from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person
from tacenda.background.reading import PeopleReader
from tacenda.reidentify.tokens import TokenizedDocument
from tacenda.text.numerals import cardinal, ordinal
from tacenda.text.place_codes import places_of
from tacenda_lab.train.attacker_data import read_members as all_members
from tacenda_lab.train.corpus import records

_OF_ENCODERS = frozenset({"term", "elected"})
"""Fields that came with the encoder: attackers who live from words were measured without them."""
_DATES = frozenset({FieldKind.DATE, FieldKind.DAY_FIRST, FieldKind.MONTH_FIRST})


def store_people(path: Path, people: Iterable[Person]) -> People:
    """Write people to a store and open it."""
    with PeopleBuilder(path) as builder:
        for person in people:
            builder.add(person)
    return People(path)


def store_register(path: Path, register: Path) -> People:
    """Write the members of Congress to a store as their file has them, without texts, and open it."""
    reader = PeopleReader(without=frozenset({"text", "wikipedia"}))
    return store_people(path, (reader.person(row, row["id"]) for row in records(register)))


@dataclass(frozen=True, slots=True)
class Members:
    """People, and the texts about some of them: pairs to learn from, and a sample to attack.

    Attributes:
        people: everybody, with the profile spelled out by hand as the texts are.
        spelled: the same with the term's dates, and *Forty-first and two succeeding*.
        raw: everybody as the file has them, which is how people have registers.
        given: the same with dates as words, to mask what stands in the file.
        learning: of those who may be learned from.
        testing: numbers and texts of others.
    """

    people: list[Person]
    spelled: list[Person]
    raw: list[Person]
    given: list[Person]
    learning: list[tuple[Person, TokenizedDocument]]
    testing: list[tuple[int, TokenizedDocument]]


def read_members(path: Path, sample: int) -> Members:
    """Split by person: every tenth id, by its digest, is never learned from."""
    members = list(all_members(path))
    raw = [member.given for member in members]
    spelled = _with_dates(spelled_by_hand(person) for person in raw)
    people = [
        replace(person, profile=tuple(i for i in person.profile if i[0] not in _OF_ENCODERS))
        for person in spelled
    ]
    learning, testing = [], []
    for number, member in enumerate(members):
        if member.text is None:
            continue
        if member.held_out:
            testing.append((f"{member.digest:064x}", number, member.text))
        else:
            learning.append((people[number], member.text))
    chosen = sorted(testing, key=lambda item: item[0])[:sample]
    texts = [(number, words) for _, number, words in chosen]
    return Members(people, spelled, raw, _with_dates(raw), learning, texts)


def _with_dates(people: Iterable[Person]) -> list[Person]:
    """Return people with their dates written out, and nothing else."""
    given = list(people)
    kinds = kinds_of(person.profile for person in given).items()
    dates = {key: kind for key, kind in kinds if kind in _DATES and not key.startswith("term_")}
    return [replace(person, profile=normalize_profile(person.profile, dates)) for person in given]


def spelled_by_hand(person: Person) -> Person:
    """Return a profile with states, congresses and terms as the biographies have them.

    What rules for this one register make of it, beside which the general ones are measured.
    """
    fields: dict[str, list[str]] = {}
    for key, value in person.profile:
        fields.setdefault(key, []).append(value)
    congresses = [int(number) for number in fields.pop("congresses", [])]
    states, start, end = (fields.pop(key, []) for key in ("states", "term_start", "term_end"))
    known = places_of("US")
    profile = [(key, value) for key, values in fields.items() for value in values]
    for state in states:
        names = known[state.lower()].names[:2] if state.lower() in known else (state,)
        profile.append(
            (
                "states",
                " ".join(
                    name
                    for name in names
                    if (" " not in name and "." not in name[:-1]) or name == names[0]
                ),
            )
        )
    profile += [("congresses", ordinal(number)) for number in congresses]
    profile += [("terms", date[:4]) for date in (*start, *end)]
    if start:
        profile.append(("term", f"{start[0]} - {end[0] if end else ''}"))
    if congresses:
        following = len(congresses) - 1
        rest = f" and {cardinal(following)} succeeding" if following else ""
        profile.append(("elected", f"{ordinal(congresses[0])}{rest}"))
    return replace(person, profile=tuple(profile))
