"""Candidates for the person a name refers to, likeliest first: exact forms, then short forms and misspellings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..text.given_names import full_names, gender_by_names, is_common_given_name
from .people_index import (
    LONG_NAME,
    LONGEST_NAME,
    STEM_LETTERS,
    Key,
    NamedPerson,
    PeopleIndex,
    deletions,
    sound,
    with_parts,
)
from .written_names import WrittenName

_VOWELS = "aeiouy"
_FITTING_STEM = 4

_SHORT_ENDINGS = ("", "y", "ie", "i", "ey")


def candidates_of(
    name: WrittenName, register: PeopleIndex, apart: Collection[int] = ()
) -> list[NamedPerson]:
    """Return the people a name may refer to, by the most exact form that matches anyone.

    Args:
        name: the name to look for.
        register: the index of people.
        apart: strings that name people other than the one this name refers to.
    """
    if not register:
        return []
    if name.only_initials:
        people = _of_gender(register.find([("initials", name.initials)]), name.social_gender)
        people = [person for person in people if person.may_be(name, apart)]
        bearers = [person for person in people if person.names[0].only_initials]
        people = bearers or (people if len(name.initials) > 1 else [])
        return people if len(people) == 1 else []
    levels = _single_levels if name.is_single else _full_levels
    for level, unique in levels(name, register):
        people = [person for person in level if person.may_be(name, apart)]
        if people and (not unique or len(people) == 1):
            return people
    return []


def _single_levels(
    name: WrittenName, register: PeopleIndex
) -> Iterator[tuple[list[NamedPerson], bool]]:
    token = name.tokens[0]
    social = name.social_gender
    gender = social or gender_by_names((token,))
    if not name.rather_given:
        yield _of_gender(register.find([("surname", token)]), social), False
    if not (name.title and name.profession):
        # A matching given name doesn't contradict a title: Ms Will Grace is Will.
        yield _of_gender(register.find([("first", token)]), social), False
    if name.rather_given:
        yield _of_gender(register.find([("surname", token)]), social), False
    yield (
        _of_gender(register.find(("given", full) for full in full_names(token)), gender),
        False,
    )
    yield _of_gender(register.find([("later", token), ("part", token)]), social), False
    if not name.title:
        if name.capitals:
            yield register.find([("initials", token)]), True
        yield register.find([("glued", token)]), True
        yield _of_gender(_short_forms(token, register), gender), True
    yield _of_gender(_misspelt(token, register), social), True


def _short_forms(token: str, register: PeopleIndex) -> list[NamedPerson]:
    """Return the people whose given name starts with an unlisted short form: *Funmi*, *Thandi*."""
    if len(token) < STEM_LETTERS or is_common_given_name(token):
        return []
    stems = {
        token.removesuffix(ending)
        for ending in _SHORT_ENDINGS
        if len(token.removesuffix(ending)) >= STEM_LETTERS
    }
    return [
        person
        for person in register.find([("stem", token[:STEM_LETTERS])])
        if any(_shortens(stem, name) for name in person.names for stem in stems)
    ]


def _shortens(stem: str, name: WrittenName) -> bool:
    first = name.tokens[0]
    if name.user_name:
        return len(stem) >= _FITTING_STEM and first.startswith(stem)
    return len(first) > len(stem) + 1 and first.startswith(stem)


def _misspelt(token: str, register: PeopleIndex) -> list[NamedPerson]:
    keys: list[Key] = []
    if LONG_NAME <= len(token) <= LONGEST_NAME:
        keys = [("sound", sound(token)), *(("spelling", piece) for piece in deletions(token))]
    return [
        person
        for person in register.find(keys)
        if any(
            token != part and _is_misspelling(token, part)
            for name in person.names
            for part in name.tokens
        )
    ]


def _is_misspelling(name: str, peer: str) -> bool:
    """Return whether two names sound the same, or differ by one misspelling before their last letters.

    The end of a name shows gender and case: *Kowalski*, *Kowalska*.
    """
    if (
        min(len(name), len(peer)) < LONG_NAME
        or name[0] != peer[0]
        or abs(len(name) - len(peer)) > 2
    ):
        return False
    has_same_end = name[-1] == peer[-1] or (name[-1] in _VOWELS and peer[-1] in _VOWELS)
    if has_same_end and sound(name) == sound(peer):
        return True
    if len(name) < len(peer):
        name, peer = peer, name
    if len(name) - len(peer) > 1 or min(len(name), len(peer)) <= LONG_NAME:
        return False
    place = next((i for i, (a, b) in enumerate(zip(name, peer, strict=False)) if a != b), len(peer))
    if place >= len(peer) - 2 or place == 0:
        return False
    transposition = (
        name[:place] + name[place + 1 : place + 2] + name[place : place + 1] + name[place + 2 :]
    )
    return (
        name[place + 1 :] == peer[place:]
        or (len(name) == len(peer) and name[place + 1 :] == peer[place + 1 :])
        or transposition == peer
    )


def _full_levels(
    name: WrittenName, register: PeopleIndex
) -> Iterator[tuple[list[NamedPerson], bool]]:
    tokens = name.tokens

    def of(form: Sequence[str], *keys: Key) -> list[NamedPerson]:
        return [
            person
            for person in _of_gender(register.find(keys), name.gender)
            if any(agrees(form, peer.tokens) for peer in person.names if len(peer.tokens) > 1)
        ]

    yield _of_gender(register.find([("all", *sorted(tokens))]), name.title), False
    yield _of_gender(register.find([("tail", *tokens)]), name.title), False
    for form in _orders(tokens):
        first = form[0]
        lasts = with_parts(form[-1])
        if len(first) == 1:
            people = of(form, *(("letter", first, last) for last in lasts))
            yield people or of(form, *(("initial", first, last) for last in lasts)), True
        elif len(form[-1]) == 1:
            yield of(form, *(("half", full, form[-1]) for full in full_names(first))), True
        else:
            pairs = [("pair", full, last) for full in full_names(first) for last in lasts]
            yield of(form, *pairs), False
            yield of(form, *(("initial", first[0], last) for last in lasts)), True
    if len(tokens) > 2 and len(tokens[-1]) == 1:
        yield _of_gender(register.find([("all", *sorted(tokens[:-1]))]), name.gender), True
    if name.user_name:
        yield register.find([("glued", "".join(tokens))]), True
    elif all(len(token) > 1 for token in tokens):
        yield _of_gender(register.find([("first", "".join(tokens))]), name.gender), True
    yield (
        [
            person
            for person in _of_gender(
                [*_misspelt(tokens[0], register), *_misspelt(tokens[-1], register)],
                name.gender,
            )
            if any(_is_misspelt(tokens, peer.tokens) for peer in person.names)
        ],
        True,
    )


def _orders(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the name's possible orders: as written, and with the surname first and initials last."""
    initials = next(
        (count for count, token in enumerate(reversed(tokens)) if len(token) > 1), len(tokens)
    )
    rotation = (*tokens[len(tokens) - initials :], *tokens[: len(tokens) - initials])
    if initials > 1:
        yield rotation
    yield tokens
    if initials == 1:
        yield rotation


def agrees(name: Sequence[str], peer: Sequence[str]) -> bool:
    """Return whether one of two names with several parts can be a form of the other."""
    short, long = sorted((name, peer), key=len)
    if not _may_be_given(short[0], long[0]):
        return False
    if not any(_may_be_surname(short[-1], token) for token in long[1:]):
        return False
    return all(any(_may_be_given(token, middle) for middle in long[1:]) for token in short[1:-1])


def _may_be_given(name: str, peer: str) -> bool:
    if len(name) == 1 or len(peer) == 1:
        return name[0] == peer[0]
    return (
        name == peer
        or not full_names(name).isdisjoint(full_names(peer))
        or name.partition("-")[0] == peer.partition("-")[0]
    )


def _may_be_surname(name: str, peer: str) -> bool:
    if len(name) == 1 or len(peer) == 1:
        return name[0] == peer[0]
    return not set(with_parts(name)).isdisjoint(with_parts(peer))


def _is_misspelt(name: Sequence[str], peer: Sequence[str]) -> bool:
    """Return whether two names with the same number of parts differ by a misspelling in one part."""
    if len(name) != len(peer):
        return False
    differences = [pair for pair in zip(name, peer, strict=True) if pair[0] != pair[1]]
    return len(differences) == 1 and _is_misspelling(*differences[0])


def _of_gender(people: Sequence[NamedPerson], gender: str) -> list[NamedPerson]:
    return [
        person for person in people if not gender or not person.gender or gender == person.gender
    ]
