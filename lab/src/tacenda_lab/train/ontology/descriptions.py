"""Meaning of a description: "Italian association football club" is a football club in Italy."""

from __future__ import annotations

import re

from tacenda.text.normal_form import name_key

from .places import PlaceGazetteer

_AMBIGUOUS = frozenset(("state", "position", "law", "place", "region", "product", "club"))
_LONGEST = 4
_END = re.compile(
    r"\b(?:in|of|from|by|for|at|on|near|located|based|founded|owned|that|which|who|and|with|to"
    r"|representing|played|published|operated)\b|[,.;(:]"
)


class Descriptions:
    """Reads classes and countries from English descriptions of Wikidata.

    Args:
        gazetteer: names of countries and their subdivisions.
        labels: labels of Wikidata to classes of ``classes.txt``.
        demonyms: folded adjective to country.
    """

    def __init__(
        self, gazetteer: PlaceGazetteer, labels: dict[str, str], demonyms: dict[str, str]
    ) -> None:
        self._gazetteer = gazetteer
        # "State of tension" is not a country: in running text only plain names of classes count.
        self._labels = {
            label: text
            for label, text in labels.items()
            if (label == text.casefold() or " " in label) and label not in _AMBIGUOUS
        }
        self._demonyms = demonyms

    def classes(self, description: str) -> tuple[str, ...]:
        """Return the class at the end of the first noun phrase; none if unknown."""
        head = _END.split(description.removeprefix("a ").removeprefix("an "), maxsplit=1)[0]
        words = head.strip().casefold().split()
        for start in range(len(words)):
            upper = self._labels.get(" ".join(words[start:]))
            if upper is not None:
                return (upper,)
        return ()

    def country(self, description: str) -> str:
        """Return the only country named in a description; empty if none or several."""
        countries = {self._named(phrase) for phrase in self._phrases(description)}
        return countries.pop() if len(countries) == 1 else ""

    def regions(self, description: str) -> list[str]:
        """Return the subdivisions of countries named in a description."""
        phrases = self._phrases(description)
        return [phrase for phrase in phrases if phrase in self._gazetteer.regions]

    def _phrases(self, description: str) -> list[str]:
        """Return the names of places, and adjectives of countries, in order."""
        words = name_key(description).split()
        phrases: list[str] = []
        position = 0
        while position < len(words):
            for size in range(min(_LONGEST, len(words) - position), 0, -1):
                phrase = " ".join(words[position : position + size])
                if self._named(phrase):
                    phrases.append(phrase)
                    position += size - 1
                    break
            position += 1
        return phrases

    def _named(self, phrase: str) -> str:
        code = self._gazetteer.codes.get(phrase) or self._gazetteer.regions.get(phrase, "")
        return self._gazetteer.countries.get(code, "") or self._demonyms.get(phrase, "")
