"""Things from Wikidata, generalised by its membership properties.

Olstad, Papadopoulou and Lison, section 3.2: instance of (P31), subclass of (P279), is metaclass for
(P8225), part of (P361), in this order. From a thing to its classes lead all four; from a class
upwards P279 and P8225 alone, since what an instance's class is an instance *of* is not true of the
instance. Climbing ends where a class is one of ``classes.txt``; classes of ``cut.txt`` are stepped
over; what never arrives there is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...rewrite.ontology.store import key_of
from .descriptions import Descriptions
from .hierarchy import Hierarchy
from .item import Item, Items
from .places import Gazetteer, country_class
from .thing import Thing
from .tree import read_cut

_NO_THINGS = re.compile(
    r"^(?:human|given name|male given name|female given name|family name|.*\bname|surname|letter"
    r"|Wikimedia .*|WikiProject|.*\btemplate|.*\bcategory|bilateral relation|fictional human"
    r"|open data portal|natural number|integer|.*\bproperty|human biblical figure|deity|saint"
    r"|.*\bcharacter\b.*|.*people|sibling duo|hypocorism|phrase|concept|word|sibship"
    r"|group of humans|calendar .*|point in time.*|year.*|decade|century|IANA time zone|time zone.*"
    r"|asteroid|type|set|class|Wikidata .*|anatomical .*|unit of .*|UCUM.*|symbol|glyph|border"
    r"|land boundary|maritime boundary|international border|.*second-order.*|.*first-order.*)$"
)
_SETTLEMENTS = frozenset(
    ("city", "big city", "town", "village", "human settlement", "municipality")
)
_DIVISIONS = frozenset(("state", "U.S. state", "province", "region", "administrative region"))
_FROM_PEOPLE = 15_000
_LABEL = 5.0
_ALIAS = 3.5
_MOST_ALIASES = 20
_FAR = 5
"""Steps from which what is said is too general to be about the thing."""
_NOWHERE: tuple[int, tuple[str, ...]] = (_FAR, ())


def read_wikidata(
    hierarchy: Hierarchy,
    gazetteer: Gazetteer,
    labels: dict[str, str],
    items: Items,
    demonyms: dict[str, str],
) -> Iterator[Thing]:
    """Yield the things of Wikidata that are of a known class.

    Args:
        hierarchy: gets the classes.
        gazetteer: places that GeoNames knows better.
        labels: labels of Wikidata to classes of ``classes.txt``.
        items: the items, read twice.
        demonyms: folded adjective to country.
    """
    climb = _Climb(hierarchy, labels, {})
    for item in items():
        if "P279" in item.statements or "P8225" in item.statements:
            climb.classes[item.id] = item
    wanted = {
        value for item in items() for value in item.statements.get("P31", ())
    } - climb.classes.keys()
    for item in items():
        if item.id in wanted:
            climb.classes[item.id] = item
    described = Descriptions(gazetteer, labels, demonyms)
    for item in items():
        keys = climb.of(item) or described.classes(item.description)
        if not keys or "person" in keys:
            continue
        country = described.country(item.description)
        regions = described.regions(item.description)
        yield from _things(hierarchy, gazetteer, item, keys, country, regions)


class _Climb:
    def __init__(
        self, hierarchy: Hierarchy, labels: dict[str, str], classes: dict[str, Item]
    ) -> None:
        self.classes = classes
        self._hierarchy = hierarchy
        self._labels = labels
        self._cut = read_cut()
        self._known: dict[str, tuple[int, tuple[str, ...]]] = {}

    def of(self, item: Item) -> tuple[str, ...]:
        """Return the keys of an item's classes; none if it is not a thing to be written of."""
        direct = item.statements.get("P31", ())
        named = [self.classes[id].label for id in direct if id in self.classes]
        if any(_NO_THINGS.match(label) for label in named):
            return ()
        found: list[str] = []
        for property in ("P31", "P279", "P8225"):
            for id in item.statements.get(property, ()):
                found += self.above(id)[1]
        if not found:
            for id in item.statements.get("P361", ()):
                found += self._part(id)
        return tuple(dict.fromkeys(key for key in found if key != item.id))

    def above(self, id: str) -> tuple[int, tuple[str, ...]]:
        """Return the class ``id``, or what stands above it if it is not to be written.

        Only the shortest ways up are taken: the longer ones of Wikidata lead to what a department
        of France is as a legal person.

        Returns:
            How many steps it is below ``classes.txt``, and keys; none if it is not below it.
        """
        if id in self._known:
            return self._known[id]
        self._known[id] = _NOWHERE  # a cycle ends here
        item = self.classes.get(id)
        if item is None:
            return _NOWHERE
        upper = self._labels.get(item.label.casefold())
        if upper is not None:
            self._known[id] = 0, (upper,)
            return self._known[id]
        ways = [
            self.above(parent)
            for property in ("P279", "P8225")
            for parent in item.statements.get(property, ())
        ]
        steps = min((steps for steps, _ in ways), default=_FAR)
        found = tuple(dict.fromkeys(key for far, keys in ways if far == steps for key in keys))
        if not found or steps >= _FAR:
            return _NOWHERE
        if not self._cut.search(item.label):
            found = (self._hierarchy.add(id, item.label, found, id),)
        self._known[id] = steps + 1, found
        return self._known[id]

    def _part(self, id: str) -> list[str]:
        """Return the class of the parts of a class: a door is *part of a house*."""
        whole = self.classes.get(id)
        if whole is None or not whole.label[:1].islower() or self._cut.search(whole.label):
            return []
        text = f"part of {_article(whole.label)} {whole.label}"
        types = 8
        return [self._hierarchy.add(f"part:{id}", text, (), id, types)]


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _things(
    hierarchy: Hierarchy,
    gazetteer: Gazetteer,
    item: Item,
    keys: tuple[str, ...],
    country: str,
    regions: list[str],
) -> Iterator[Thing]:
    upper = set(hierarchy.upper(keys))
    name = key_of(item.label)
    known = False
    if "country" in upper and name in gazetteer.codes and "historical country" not in upper:
        known, keys = True, (country_class(hierarchy, gazetteer.codes[name]),)
    elif upper & _DIVISIONS and name in gazetteer.regions:
        known = True
    elif upper & _SETTLEMENTS:
        towns = gazetteer.towns.get(name, [])
        code = gazetteer.codes.get(key_of(country), "") if country else towns[0][1] if towns else ""
        if towns and towns[0][0] >= _FROM_PEOPLE and towns[0][1] == code:
            known, keys = True, (*gazetteer.classes[name], *_unlike_towns(hierarchy, keys))
            country = ""
    if country:
        keys = _with_country(hierarchy, gazetteer, keys, country)
    common = item.label[:1].islower()
    popular = min(len(item.aliases), _MOST_ALIASES) / _MOST_ALIASES + min(item.links, 200) / 100
    where = (*regions, country) if country else ()
    if not known:
        yield Thing((item.label,), keys, _LABEL + popular, item.id, where, common)
    if item.aliases:
        weight = _ALIAS + popular
        yield Thing(item.aliases, keys, weight, item.id, where, common, counts=False)


def _unlike_towns(hierarchy: Hierarchy, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the classes of Wikidata's own that say more than that it is a town."""
    for key in keys:
        if hierarchy.classes[key].source != "tacenda":
            yield key


def _with_country(
    hierarchy: Hierarchy, gazetteer: Gazetteer, keys: tuple[str, ...], country: str
) -> tuple[str, ...]:
    """Return the classes, with the country where that is said of the nearest class above."""
    _, regions = gazetteer.country(country)
    found: list[str] = []
    for key in keys:
        waiting = [key]
        while waiting:
            each = waiting.pop()
            said = hierarchy.in_country(each, country, regions)
            if said != each:
                found.append(said)
            elif hierarchy.classes[each].source != "tacenda":
                waiting += hierarchy.classes[each].parents
    return tuple(dict.fromkeys((*found, *keys)))
