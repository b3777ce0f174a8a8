"""Candidates from WordNet's database files (``data.noun`` and the like; wndb(5WN))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ..wordnet_database import read_senses, read_synsets
from .candidate import Candidate

# Lemma and sense number of the synsets whose hyponyms belong to a group.
ROOTS: dict[str, tuple[tuple[str, int], ...]] = {
    "nationality": (("inhabitant", 1),),
    "ethnic_group": (("ethnic_group", 1),),
    "kinship": (("relative", 1), ("spouse", 1), ("orphan", 1), ("widow", 1), ("divorcee", 1)),
    "military_rank": (("serviceman", 1), ("military_officer", 1)),
    "religion": (("religion", 2), ("religious_person", 1), ("clergyman", 1)),
    "orientation": (("homosexual", 1), ("bisexual", 1), ("transsexual", 1)),
    "ideology": (("political_orientation", 1), ("radical", 3)),
    "sport_position": (("athlete", 1),),
    "occupation": (
        ("worker", 1),
        ("professional", 1),
        ("skilled_worker", 1),
        ("creator", 2),
        ("entertainer", 1),
        ("expert", 1),
        ("scientist", 1),
        ("educator", 1),
        ("businessperson", 1),
        ("official", 1),
        ("communicator", 1),
        ("politician", 1),
        ("driver", 1),
    ),
    "health": (
        ("illness", 1),
        ("disease", 1),
        ("disorder", 1),
        ("injury", 1),
        ("mental_disorder", 1),
        ("disability", 1),
        ("sick_person", 1),
        ("handicapped_person", 1),
        ("symptom", 1),
    ),
    "degree": (("academic_degree", 1),),
    "title": (("aristocrat", 1),),
    "language": (("natural_language", 1),),
    "social_status": (("prisoner", 1), ("exile", 1), ("migrant", 1), ("unfortunate", 1)),
    "crime": (("crime", 1), ("criminal", 1), ("felony", 1)),
    "penalty": (("punishment", 1),),
    "cause_of_death": (("killing", 2), ("violent_death", 1)),
    "instrument": (("musical_instrument", 1),),
    "sport": (("sport", 1),),
    "award": (("award", 2),),
    "treatment": (("medical_care", 1), ("medicine", 2)),
    "field": (("discipline", 1),),
    "genre": (("music_genre", 1),),
    "possession": (("weapon", 1), ("vehicle", 1), ("livestock", 1)),
}

_PLACES = (("country", 2), ("continent", 1))


def read_wordnet(folder: Path) -> Iterator[Candidate]:
    """Yield the lemmas below `ROOTS`, and the adjectives that pertain to countries.

    Args:
        folder: WordNet's ``dict``: ``index.noun``, ``data.noun``, ``data.adj``.

    Raises:
        InputError: if a file is missing or a root is not in it.
    """
    nouns = read_synsets(folder / "data.noun", "n")
    senses = read_senses(folder / "index.noun")
    kinds: dict[str, list[str]] = defaultdict(list)
    instances: dict[str, list[str]] = defaultdict(list)
    for key, synset in nouns.items():
        for symbol, other in synset.pointers:
            if symbol == "@":
                kinds[other].append(key)
            elif symbol == "@i":  # a person, not a sort of person, or a certain country
                instances[other].append(key)
    for group, roots in ROOTS.items():
        for root in roots:
            for key in sorted(_descendants(_find(senses, root, folder), kinds)):
                for lemma in nouns[key].lemmas:
                    # "back" is a player too, but rarely: a word counts in its first sense only.
                    if " " in lemma or senses[lemma.lower()][0] == key:
                        yield Candidate(lemma, group, "wordnet")
    places = {
        place
        for root in _PLACES
        for kind in _descendants(_find(senses, root, folder), kinds)
        for place in instances[kind]
    }
    yield from _demonyms(folder, places)


def _demonyms(folder: Path, places: set[str]) -> Iterator[Candidate]:
    for adjective in read_synsets(folder / "data.adj", "a").values():
        if any(symbol == "\\" and other in places for symbol, other in adjective.pointers):
            for lemma in adjective.lemmas:
                yield Candidate(lemma.partition("(")[0], "nationality", "wordnet")


def _descendants(root: str, below: dict[str, list[str]]) -> set[str]:
    found = {root}
    waiting = [root]
    while waiting:
        for key in below[waiting.pop()]:
            if key not in found:
                found.add(key)
                waiting.append(key)
    return found


def _find(senses: dict[str, list[str]], root: tuple[str, int], folder: Path) -> str:
    lemma, number = root
    offsets = senses.get(lemma, [])
    if number > len(offsets):
        raise InputError(
            f"{lemma!r} has {len(offsets)} noun senses, sense {number} is needed; use WordNet 3.",
            str(folder / "index.noun"),
        )
    return offsets[number - 1]
