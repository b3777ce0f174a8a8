"""Nationalities: "Finnish" is said of somebody Northern European."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ...rewrite.ontology.store import key_of
from ..wordnet_database import read_senses, read_synsets
from .hierarchy import Hierarchy
from .places import Gazetteer
from .regions import ADJECTIVES
from .thing import Thing

_WEIGHT = 7.0
_FORMER = {"soviet": "Russia", "yugoslav": "Serbia"}


def read_demonyms(folder: Path, gazetteer: Gazetteer, nationalities: Path) -> dict[str, str]:
    """Return the adjectives of WordNet that pertain to countries, folded, with the country.

    Raises:
        InputError: if a file is missing.
    """
    adjectives = read_synsets(folder / "data.adj", "a")
    nouns = read_synsets(folder / "data.noun", "n")
    listed = set(_listed(nationalities))
    found: dict[str, str] = {}
    for adjective in adjectives.values():
        for symbol, other in adjective.pointers:
            names = nouns[other].lemmas if symbol == "\\" and other in nouns else ()
            for name in names:
                country, _ = gazetteer.country(name)
                for lemma in adjective.lemmas if country else ():
                    # "Hindu" pertains to India too, but is said of a religion.
                    if lemma[:2] == name[:2] or lemma in listed:
                        found.setdefault(key_of(lemma.partition("(")[0]), country)
    return found


def read_nationalities(
    hierarchy: Hierarchy,
    gazetteer: Gazetteer,
    demonyms: dict[str, str],
    wordnet: Path,
    nationalities: Path,
) -> Iterator[Thing]:
    """Yield nationalities: adjectives of WordNet, and a list of them.

    Raises:
        InputError: if a file is missing.
    """
    known = set(read_senses(wordnet / "index.noun"))
    for adjective, country in sorted(demonyms.items()):
        _, regions = gazetteer.country(country)
        key = "inhabitant"
        for region in reversed(regions):
            text = ADJECTIVES.get(region)
            if text:
                key = hierarchy.add(f"demonym:{region}", text, [key], "tacenda", 4)
        yield Thing((adjective,), (key,), _WEIGHT, f"demonym:{adjective}")
        if adjective + "s" not in known and adjective.endswith("n"):
            yield Thing((adjective + "s",), (key,), _WEIGHT, f"demonym:{adjective}", counts=False)
    for former, successor in _FORMER.items():
        _, regions = gazetteer.country(successor)
        yield Thing((former,), (f"demonym:{regions[0]}",), _WEIGHT, "tacenda")
    for number, name in enumerate(_listed(nationalities)):
        if key_of(name) not in demonyms:
            yield Thing((name,), ("inhabitant",), _WEIGHT - 1, f"nationalities:{number}")


def _listed(nationalities: Path) -> list[str]:
    try:
        listed: list[str] = json.loads(nationalities.read_text(encoding="utf-8"))["nationalities"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"can't be read as a list of nationalities ({error}).", str(nationalities)
        ) from error
    return listed
