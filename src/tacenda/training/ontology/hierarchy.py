"""All classes and what is more general than each; cycles are cut, populations counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .tree import UpperClass


@dataclass(frozen=True, slots=True)
class Class:
    """A class of things.

    Attributes:
        text: what is written.
        parents: keys of what is more general.
        types: mask of semantic types.
        source: ``tacenda`` (written by hand), or the row of the source that has it.
    """

    text: str
    parents: tuple[str, ...]
    types: int
    source: str


class Hierarchy:
    """Grows while sources are read.

    The key of a class that was written by hand is its text; classes of a source have a key of the
    source, so that two classes of one name stay two.

    Args:
        upper: the classes written by hand.
    """

    def __init__(self, upper: dict[str, UpperClass]) -> None:
        self._upper = upper
        self.classes = {
            name: Class(name, each.parents, each.types, "tacenda") for name, each in upper.items()
        }

    def add(self, key: str, text: str, parents: Iterable[str], source: str, types: int = 0) -> str:
        """Add a class, or parents to one that is there; return its key.

        Args:
            key: of the class.
            text: what is written.
            parents: keys of classes that are there already.
            source: the row of the source.
            types: mask of semantic types; those of the parents if 0.
        """
        known = [parent for parent in parents if parent in self.classes and parent != key]
        old = self.classes.get(key)
        if old is not None:
            # Never below itself: a source that says so is wrong somewhere.
            safe = [each for each in known if key not in self.ancestors([each])]
            parents = tuple(dict.fromkeys((*old.parents, *safe)))
            self.classes[key] = replace(old, parents=parents)
            return key
        mask = types or _union(self.classes[parent].types for parent in known)
        self.classes[key] = Class(text, tuple(dict.fromkeys(known)), mask, source)
        return key

    def ancestors(self, keys: Iterable[str]) -> set[str]:
        """Return the classes and everything more general."""
        found: set[str] = set()
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            if key not in found:
                found.add(key)
                waiting += self.classes[key].parents
        return found

    def upper(self, keys: Iterable[str]) -> list[str]:
        """Return the classes written by hand among the ancestors."""
        return [key for key in self.ancestors(keys) if key in self._upper]

    def in_country(self, key: str, country: str, regions: tuple[str, ...]) -> str:
        """Return the key of a class with its country: ``city in Norway``.

        Above it stand ``city in Northern Europe``, ``city in Europe`` and ``city``, and for a
        place ``place in Norway``.

        Args:
            key: a class; if it is not said with a country, it is returned as it is.
            country: name of the country.
            regions: names of the regions the country is in, the smallest first.
        """
        upper = self._upper.get(key)
        if upper is None or not upper.with_country or not country:
            return key
        above = key
        for name in (*reversed(regions), country):
            text = f"{key} in {with_article(name)}"
            parents = [above]
            if "place" in self.ancestors([key]) and key != "place" and name == country:
                parents.append(self.in_country("place", country, regions))
            above = self.add(text, text, parents, "tacenda")
        return above


_ARTICLE = re.compile(
    r"(?:united (?:states|kingdom|arab)|netherlands|philippines|bahamas|gambia|maldives|comoros"
    r"|seychelles|\w+ islands|\w+ republic|democratic republic|republic of the|.* territor"
    r"|americas|caribbean|middle east|soviet union|ivory coast|isle of|vatican|.* union\b|ussr)",
    re.IGNORECASE,
)


def with_article(place: str) -> str:
    """Return the name of a place as it stands after "in"."""
    return f"the {place}" if _ARTICLE.match(place) and not place.startswith("the ") else place


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result
