"""All classes with their parents; cycles are cut, populations counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tacenda.rewrite.ontology.store import mask_of

# The two lists that were written by hand: the upper classes, and the classes that are cut.


_FOLDER = Path(__file__).parent
_TYPES = re.compile(r" :(?: (?:LOC|ORG|DEM|MISC))+")


@dataclass(frozen=True, slots=True)
class UpperClass:
    """A class of ``classes.txt``.

    Attributes:
        text: its name for a reader.
        parents: its more general classes; none at a root.
        types: mask of semantic types (`rewrite.ontology.types`).
        with_country: whether "… in Norway" is said of its members.
    """

    text: str
    parents: tuple[str, ...]
    types: int
    with_country: bool


def read_tree(path: Path = _FOLDER / "classes.txt") -> tuple[dict[str, UpperClass], dict[str, str]]:
    """Return the upper classes by name, and their names by label of Wikidata.

    A class listed under several classes has several parents, and the types of its first place.

    Raises:
        ValueError: if a root has no types.
    """
    classes: dict[str, UpperClass] = {}
    labels: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        line = line.rstrip()
        with_country = line.endswith("+")
        types = _TYPES.search(line)
        text, *aliases = _TYPES.sub("", line.removesuffix("+")).strip().split(" = ")
        text = text.strip()
        above = [(indent, name) for indent, name in above if indent < depth]
        parent = above[-1][1] if above else None
        above.append((depth, text))
        mask = mask_of(types[0].split()) if types else 0
        if not mask:
            if parent is None:
                raise ValueError(f"{path.name}: the root {text!r} has no semantic type.")
            mask = classes[parent].types
        old = classes.get(text)
        parents = (old.parents if old else ()) + ((parent,) if parent else ())
        with_country = with_country or (old is not None and old.with_country)
        classes[text] = UpperClass(text, parents, old.types if old else mask, with_country)
        for label in aliases:
            labels.setdefault(label.strip().casefold(), text)
    # A class is what it is called, whatever else is called so too.
    return classes, labels | {text.casefold(): text for text in classes}


def read_cut(path: Path = _FOLDER / "cut.txt") -> re.Pattern[str]:
    """Return the pattern for the labels of classes to leave out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClassNode:
    """A class of things.

    Attributes:
        text: its name.
        parents: keys of its more general classes.
        types: mask of semantic types.
        source: ``tacenda`` (written by hand), or its row in the source.
    """

    text: str
    parents: tuple[str, ...]
    types: int
    source: str


class Hierarchy:
    """The hierarchy of classes; it grows while sources are read.

    The key of a class written by hand is its text; classes of a source have a key of the source, so
    classes with the same name stay distinct.

    Args:
        upper: the classes written by hand.
    """

    def __init__(self, upper: dict[str, UpperClass]) -> None:
        self._upper = upper
        self.classes = {
            name: ClassNode(name, node.parents, node.types, "tacenda")
            for name, node in upper.items()
        }

    def add(self, key: str, text: str, parents: Iterable[str], source: str, types: int = 0) -> str:
        """Add a class, or parents to an existing one; return its key.

        Args:
            key: of the class.
            text: its name.
            parents: keys of existing classes.
            source: the row of the source.
            types: mask of semantic types; those of the parents if 0.
        """
        candidates = [parent for parent in parents if parent in self.classes and parent != key]
        old = self.classes.get(key)
        if old is not None:
            # Never below itself: a source that says so is wrong somewhere.
            safe = [candidate for candidate in candidates if key not in self.ancestors([candidate])]
            parents = tuple(dict.fromkeys((*old.parents, *safe)))
            self.classes[key] = replace(old, parents=parents)
            return key
        mask = types or _union(self.classes[parent].types for parent in candidates)
        self.classes[key] = ClassNode(text, tuple(dict.fromkeys(candidates)), mask, source)
        return key

    def ancestors(self, keys: Iterable[str]) -> set[str]:
        """Return the classes and everything more general."""
        closure: set[str] = set()
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            if key not in closure:
                closure.add(key)
                waiting += self.classes[key].parents
        return closure

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


# A thing that a source knows: its names, what it is of, how well known it is.


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of one source.

    Attributes:
        names: its names, the usual one first.
        classes: keys of its classes (`hierarchy.Hierarchy`).
        weight: prominence; about the logarithm to base 10 of the number of people concerned: a town
            of 10,000 has 4, a country 8, the first sense of a common noun 5.
        source: source and row, such as ``geonames:3143244`` or ``Q585``.
        where: names of places to distinguish it from namesakes; may be empty.
        common: whether it is a common noun, valid in small letters.
        counts: whether it is counted in the population of its classes.
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    weight: float
    source: str
    where: tuple[str, ...] = ()
    common: bool = False
    counts: bool = True


# An item of Wikidata, as far as the ontology needs it.


PROPERTIES = ("P31", "P279", "P8225", "P361")
"""Instance of, subclass of, is metaclass for, part of; the first that an item has comes first."""


@dataclass(frozen=True, slots=True)
class WikidataItem:
    """One item with an English label.

    Attributes:
        id: its Q number.
        label: English label.
        aliases: other English names.
        description: English description; may be empty.
        statements: property of `PROPERTIES` to the items of its values.
        links: number of Wikipedias with an article, if the source has it.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    statements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: int = 0


Items = Callable[[], Iterator[WikidataItem]]
"""Reads the items from the beginning; asked for twice, classes before members."""
