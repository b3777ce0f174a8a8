"""A person's attributes and their values, as given by labels, registers and texts.

A value is a short folded string: ``female``, ``25-34``, ``1908`` or ``1900s``, ``united kingdom``. Fields of
records are recognized by their names (``born``, ``town``, ``civil status``), values in the usual spellings
(``F``, ``1908-05-21``, ``Edinburgh, UK``); a town entails its country by the shipped ontology.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from ...rewrite.ontology import shipped
from ...shipped import by_word, shipped_table
from ...text.normal_form import fold_text, name_key
from ...text.place_codes import state_names
from ...text.tokens import word_list

# The attributes, and the names of record fields that contain them.


class Attribute(StrEnum):
    """An attribute of a person that an adversary may infer."""

    SEX = "sex"
    AGE = "age"
    BIRTH = "birth"
    COUNTRY = "country"
    PLACE = "place"
    OCCUPATION = "occupation"
    RELATIONSHIP = "relationship"
    HEALTH = "health"
    EDUCATION = "education"


Values = Mapping[Attribute, frozenset[str]]
"""Values of a person, one or more for each known attribute."""

_TABLE: Final = shipped_table("attribute_values")
_ATTRIBUTE_OF: Final = {word: Attribute(name) for word, name in by_word(_TABLE["fields"]).items()}
_WORD: Final = re.compile(r"[^\W\d_]+")


def attribute_of(key: str) -> Attribute | None:
    """Return the attribute in a field with this name; None for other fields."""
    words = [
        word if word in _ATTRIBUTE_OF else word.removesuffix("s")
        for word in _WORD.findall(fold_text(key))
    ]
    attributes = [_ATTRIBUTE_OF[word] for word in words if word in _ATTRIBUTE_OF]
    # A place of birth isn't a place of residence, so it counts as neither.
    if Attribute.BIRTH in attributes and {Attribute.PLACE, Attribute.COUNTRY} & set(attributes):
        return None
    if Attribute.PLACE in attributes:
        return Attribute.PLACE
    return attributes[0] if attributes else None


def read_values(fields: Iterable[tuple[str, str]]) -> dict[Attribute, frozenset[str]]:
    """Return the values in a record's fields, with what they entail."""
    values: dict[Attribute, set[str]] = {}
    for key, text in fields:
        attribute = attribute_of(key)
        if attribute is None or not text:
            continue
        for kind, value in _entailed(attribute, text):
            values.setdefault(kind, set()).add(value)
    return {attribute: frozenset(items) for attribute, items in values.items()}


def _entailed(attribute: Attribute, text: str) -> list[tuple[Attribute, str]]:
    """Return the values of a field, each with its attribute."""
    folded = " ".join(fold_text(text).split())
    match attribute:
        case Attribute.SEX:
            value = _SEXES.get(folded.rstrip("."), "")
        case Attribute.AGE:
            number = re.search(r"\d{1,3}", folded)
            value = age_band(int(number[0])) if number else ""
        case Attribute.BIRTH:
            year = re.search(r"(?<!\d)1[6-9]\d\d|(?<!\d)20\d\d", folded)
            value = year[0] if year else ""
        case Attribute.PLACE | Attribute.COUNTRY:
            return _places(attribute, folded)
        case Attribute.RELATIONSHIP:
            value = next((name for stem, name in STATUSES if re.search(rf"\b{stem}", folded)), "")
        case Attribute.HEALTH:
            return [(attribute, name) for name in sorted(conditions(folded))]
        case Attribute.EDUCATION:
            value = next((name for name, words in EDUCATIONS.items() if words.search(folded)), "")
        case Attribute.OCCUPATION:
            value = folded
    return [(attribute, value)] if value else []


def _places(attribute: Attribute, folded: str) -> list[tuple[Attribute, str]]:
    parts = [_place_name(part.strip()) for part in folded.split(",") if part.strip()]
    values = []
    for part in parts:
        country = country_of(part)
        if country:
            values.append((Attribute.COUNTRY, country))
            if attribute is Attribute.PLACE and part == parts[0] and not is_country(part):
                values.append((Attribute.PLACE, part))
            # In "Edinburgh, United Kingdom" the last part says which Edinburgh.
            if len(parts) > 1 and is_country(parts[-1]):
                values[0] = (Attribute.COUNTRY, country_of(parts[-1]))
    first = parts[0] if parts else ""
    if (
        attribute is Attribute.PLACE
        and first
        and (Attribute.PLACE, first) not in values
        and not is_country(first)
    ):
        values.append((Attribute.PLACE, first))
    return list(dict.fromkeys(values))


# Sex, age and status.


_SEXES: Final = by_word(_TABLE["sexes"])
_BANDS: Final = tuple(
    (int(band.partition("-")[2]), band) for band in "0-17 18-24 25-34 35-44 45-54 55-64".split()
)
_OLDEST: Final = "65+"
STATUSES: Final = tuple(_TABLE["statuses"].items())
"""Stems of status words, folded, and the status; the first that fits."""


def age_band(years: int) -> str:
    """Return the age band for an age in years."""
    return next((name for last, name in _BANDS if years <= last), _OLDEST)


def coarse(attribute: Attribute, value: str) -> str:
    """Return a value at the precision at which inferences are judged, such as the decade of birth."""
    if attribute is Attribute.BIRTH and value[-1:] != "s":
        return f"{value[:3]}0s"
    return value


def agree(attribute: Attribute, guess: str, value: str) -> bool:
    """Return whether a guess is true of a person with this value.

    A decade agrees with its years, and a town with its state; two occupations agree if they have
    the same head noun (*junior software developer*, *developer*).
    """
    if attribute is Attribute.BIRTH and "s" in (guess[-1:], value[-1:]):
        return coarse(attribute, guess) == coarse(attribute, value)
    if guess == value:
        return True
    if attribute is Attribute.OCCUPATION:
        return head(guess) == head(value)
    if attribute is Attribute.PLACE:
        return guess in regions(value) or value in regions(guess)
    return False


def head(occupation: str) -> str:
    """Return the head noun of an occupation, singular: ``teacher`` of *head teacher in Leeds*."""
    phrase = re.split(r" (?:of|in|at|for|with|on) |[,;(/]", occupation)[0].strip()
    word = phrase.rpartition(" ")[2]
    return word.removesuffix("s") if len(word) > 4 and not word.endswith("ss") else word


# Countries, by their names, their towns and regions, and their inhabitants.


_ALIASES: Final = by_word(_TABLE["aliases"])
_PEOPLES: Final = by_word(_TABLE["peoples"])


def country_of_people(word: str) -> str:
    """Return the country for a people's folded name; empty if unknown."""
    return _PEOPLES.get(word, "")


def is_country(name: str) -> bool:
    """Return whether a folded name is a country's."""
    return bool(name) and country_of(name) == _ALIASES.get(name, name)


_WITHIN: Final = re.compile(r"\b(?:in|of) (?:the )?((?:[A-Z]\w+ ?)+)\Z")


_KNOWN: Final = 3.5
"""Weight of the least known places meant by a bare name."""


@lru_cache(maxsize=65_536)
def country_of(name: str) -> str:
    """Return the country that a place's folded name entails; empty if unknown.

    If several places have the name, the best-known one is meant, as readers would assume.
    """
    if name in _PEOPLES:
        return ""
    if name in _ALIASES:
        return _ALIASES[name]
    store = shipped().store
    for sense in store.find(name_key(name)):
        if sense.weight < _KNOWN:
            break
        classes = [store.classes[id].text for id in sense.classes]
        if any(text.startswith("country") for text in classes):
            return name_key(name)
        if not store.located.isdisjoint(sense.classes):
            if sense.places:
                return str(store.places[sense.places[-1]])
            within = next(filter(None, map(_WITHIN.search, classes)), None)
            return fold_text(within[1]) if within else ""
    return ""


def _place_name(folded: str) -> str:
    """Return a place's folded name written out: ``north dakota`` for ``nd``."""
    return state_names().get(" ".join(word_list(folded)), folded)


@lru_cache(maxsize=65_536)
def regions(name: str) -> frozenset[str]:
    """Return the folded names of the regions that the best-known place with a name is in, without its country."""
    store = shipped().store
    for sense in store.find(name_key(name)):
        if not store.located.isdisjoint(sense.classes):
            return frozenset(store.places[id] for id in sense.places[:-1])
    return frozenset()


# Health: conditions and drugs by class. Education by level.


CONDITIONS: Final = {
    name: re.compile(rf"\b(?:{stems})(?:(?<=\w)\w+)?")
    for name, stems in _TABLE["conditions"].items()
}
"""Classes of conditions by stems of what they are called, and of the drugs against them; folded."""
EDUCATIONS: Final = {
    name: re.compile(words, re.IGNORECASE) for name, words in _TABLE["education"].items()
}
"""Levels of education by what they are called."""


def conditions(folded: str) -> frozenset[str]:
    """Return the classes of the conditions and drugs that a folded text names."""
    return frozenset(name for name, pattern in CONDITIONS.items() if pattern.search(folded))
