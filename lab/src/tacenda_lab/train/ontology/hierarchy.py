"""All classes with their parents; cycles are cut, populations counted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tacenda.rewrite.ontology.store import closure, mask_of

# The two lists that were written by hand: the upper classes, and the classes that are cut.


_FOLDER = Path(__file__).parent
_TYPES = re.compile(r" :(?: (?:LOC|ORG|DEM|MISC))+")
_NUMBER = re.compile(r" ~ ([0-9.e]+)\Z")
_REASON = re.compile(r"wikidata:Q[1-9]\d*|tacenda")
_FILES = (_FOLDER / "people.txt", _FOLDER / "classes.txt")


@dataclass(frozen=True, slots=True)
class UpperClass:
    """A class written by hand.

    Attributes:
        text: its name for a reader.
        parents: its more general classes; none at a root.
        types: mask of semantic types (`rewrite.ontology.types`).
        with_country: whether "… in Norway" is said of its members.
        least: how many things it has at least.
    """

    text: str
    parents: tuple[str, ...]
    types: int
    with_country: bool
    least: int = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """The classes written by hand.

    Attributes:
        classes: by name.
        labels: label of Wikidata, folded, to the name of its class.
        names: noun to the names of its classes, the labels included.
    """

    classes: dict[str, UpperClass]
    labels: dict[str, str]
    names: dict[str, tuple[str, ...]]

    def occupation(self, title: str) -> str:
        """Return the only class of the longest end of a title that is a name; *profession* if there is none."""
        words = title.split()
        for start in range(len(words)):
            classes = self.names.get(" ".join(words[start:]), ())
            if classes:
                return classes[0] if len(classes) == 1 else "profession"
        return "profession"


def read_tree(paths: Sequence[Path] = _FILES) -> Tree:
    """Return the upper classes with their labels and names.

    A class listed under several classes has several parents, and the types of its first place.

    Raises:
        ValueError: if a root has no types, or names stand before any class.
    """
    classes: dict[str, UpperClass] = {}
    labels: dict[str, str] = {}
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for path in paths:
        above: list[tuple[int, str]] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            depth, line = len(line) - len(line.lstrip()), line.strip()
            if line.startswith("|"):
                if not above:
                    raise ValueError(f"{path.name}: names without a class: {line!r}.")
                for name in line[1:].split(","):
                    names[name.strip()][above[-1][1]] = None
                continue
            above = [(indent, name) for indent, name in above if indent < depth]
            entry, aliases = _read_class(line, classes.get(above[-1][1]) if above else None)
            if not entry.types:
                raise ValueError(f"{path.name}: the root {entry.text!r} has no semantic type.")
            above.append((depth, entry.text))
            classes[entry.text] = _merged(classes.get(entry.text), entry)
            for label in aliases:
                labels.setdefault(label.casefold(), entry.text)
                names[label][entry.text] = None
    # A class is what it is called, whatever else is called so too.
    labels |= {text.casefold(): text for text in classes}
    for text in classes:
        names[text][text] = None
    return Tree(classes, labels, {name: tuple(texts) for name, texts in names.items()})


def _read_class(line: str, parent: UpperClass | None) -> tuple[UpperClass, list[str]]:
    """Return the class of a line, and its labels."""
    number = _NUMBER.search(line)
    line = _NUMBER.sub("", line)
    with_country = line.endswith("+")
    types = _TYPES.search(line)
    text, *aliases = _TYPES.sub("", line.removesuffix("+")).strip().split(" = ")
    mask = mask_of(types[0].split()) if types else parent.types if parent else 0
    parents = (parent.text,) if parent else ()
    least = int(float(number[1])) if number else 0
    return UpperClass(text.strip(), parents, mask, with_country, least), [
        label.strip() for label in aliases
    ]


def _merged(old: UpperClass | None, entry: UpperClass) -> UpperClass:
    """Return a class that is listed at several places."""
    if old is None:
        return entry
    return replace(
        old,
        parents=old.parents + entry.parents,
        with_country=old.with_country or entry.with_country,
        least=max(old.least, entry.least),
    )


def read_reasons(path: Path = _FOLDER / "reasons.tsv") -> dict[str, str]:
    """Return why a class was written by hand, by its name: ``wikidata:Q…``, or ``tacenda`` for ours alone.

    Raises:
        ValueError: if a row is not a name and a reason, or a name occurs twice.
    """
    reasons: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, tab, reason = line.partition("\t")
        if line.startswith("#"):
            continue
        if not (name and tab and _REASON.fullmatch(reason)) or name in reasons:
            raise ValueError(f"{path.name}: {line!r} needs a new name, a tab and a reason.")
        reasons[name] = reason
    return reasons


def read_cut(path: Path = _FOLDER / "cut.txt") -> re.Pattern[str]:
    """Return the pattern for the labels of classes to leave out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_BESIDES = frozenset(("constituency", "publisher", "field of study", "website"))
"""Classes that states, universities, songs and newspapers also have, but are not known for."""
_VAGUE = frozenset(("event", "product", "activity", "industry"))
"""Classes of which a source makes a prisoner or a museum by a long way; below others they hold."""


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
        candidates = list(self.mainly(candidates))
        old = self.classes.get(key)
        if old is not None:
            # Never below itself: a source that says so is wrong somewhere.
            safe = [candidate for candidate in candidates if key not in self.ancestors([candidate])]
            parents = self.mainly(tuple(dict.fromkeys((*old.parents, *safe))))
            self.classes[key] = replace(old, parents=parents)
            return key
        mask = types or _union(self.classes[parent].types for parent in candidates)
        self.classes[key] = ClassNode(text, tuple(dict.fromkeys(candidates)), mask, source)
        return key

    def ancestors(self, keys: Iterable[str]) -> set[str]:
        """Return the classes and everything more general."""
        return closure(keys, lambda key: self.classes[key].parents)

    def mainly(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the classes without those that a thing is besides; all if there are no others."""
        known = [key for key in keys if _BESIDES.isdisjoint(self.ancestors([key]))] or keys
        return tuple(key for key in known if not _VAGUE.issuperset(self.upper([key]))) or (*known,)

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


@dataclass(frozen=True, slots=True)
class WikidataItem:
    """One item with an English label.

    Attributes:
        id: its Q number.
        label: English label.
        aliases: other English names.
        description: English description; may be empty.
        statements: property of `live_ontology.PROPERTIES` to the items of its values.
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
