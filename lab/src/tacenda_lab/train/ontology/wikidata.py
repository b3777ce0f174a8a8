"""Things from Wikidata, generalised by its membership properties.

Olstad, Papadopoulou and Lison, section 3.2: instance of (P31), subclass of (P279), is metaclass for
(P8225), part of (P361), in this order. From a thing to its classes lead all four; from a class
upwards P279 and P8225 alone, since the metaclass of an instance's class is not a class of the
instance. Climbing ends at a class of ``classes.txt``; classes of ``cut.txt`` are stepped over; an
item without such a path is left out.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tacenda.errors import InputError
from tacenda.text.normal_form import name_key

from ...live_ontology import PROPERTIES
from ..tables import load_tables
from ..wikidata import (
    english_names,
    english_texts,
    entities,
    item_of,
    open_dump,
    property_table,
    read_rows,
)
from .descriptions import Descriptions
from .hierarchy import Hierarchy, Items, Thing, WikidataItem, read_cut
from .places import PlaceGazetteer, country_class
from .registers import read_entity_types

_NO_THINGS = re.compile(
    r"^(?:human|given name|male given name|female given name|family name|.*\bname|surname|letter"
    r"|Wikimedia .*|WikiProject|.*\btemplate|.*\bcategory|bilateral relation|fictional human"
    r"|open data portal|natural number|integer|.*\bproperty|human biblical figure|deity|saint"
    r"|.*\bcharacter\b.*|.*people|sibling duo|hypocorism|phrase|concept|word|sibship"
    r"|group of humans|calendar .*|point in time.*|year.*|decade|century|IANA time zone|time zone.*"
    r"|asteroid|type|set|class|Wikidata .*|anatomical .*|unit of .*|UCUM.*|symbol|glyph|border"
    r"|land boundary|maritime boundary|international border|.*second-order.*|.*first-order.*)$"
)
_OTHERWISE = frozenset(load_tables("ontology")["unlike_their_label"].split())
"""Items with the label of a class that are something else: a party that one gives, the order of a court."""
_MOST_ROOTS = 2
"""Roots of the hierarchy that one thing is below; what is said to be of more is not known."""
_SETTLEMENTS = frozenset(
    ("city", "big city", "town", "village", "human settlement", "municipality")
)
_INDUSTRY = "industry"
"""Classes of trades, not of their products and activities."""
_OF_NO_COUNTRY = frozenset(("international organization", "country", "historical country"))
"""Classes found in one country only, even if the description names another."""
_VAGUE = frozenset(("activity", "organization"))
"""Classes that a class is not put below: what ends there was mostly lost on the way (a string, a period)."""
_DIVISIONS = frozenset(("state", "U.S. state", "province", "region", "administrative region"))
_FROM_PEOPLE = 15_000
_LABEL = 5.0
_ALIAS = 3.5
_MOST_ALIASES = 20
_FAR = 3
_NAMED = 1
"""Steps up to which a class of Wikidata is named: longer ways are the least reliable."""
"""Steps from which what is said is too general to be about the thing."""
_NOWHERE: tuple[int, tuple[str, ...]] = (_FAR, ())


def read_wikidata(
    hierarchy: Hierarchy,
    gazetteer: PlaceGazetteer,
    labels: dict[str, str],
    items: Items,
    demonyms: dict[str, str],
) -> Iterator[Thing]:
    """Yield the things of Wikidata with a known class.

    Args:
        hierarchy: gets the classes.
        gazetteer: places of GeoNames, preferred over Wikidata's.
        labels: labels of Wikidata to classes of ``classes.txt``.
        items: the items, read twice.
        demonyms: folded adjective to country.
    """
    climb = _ItemClimber(hierarchy, labels, {})
    for item in items():
        if "P279" in item.statements or "P8225" in item.statements:
            climb.classes[item.id] = item
    class_ids = {
        value for item in items() for value in item.statements.get("P31", ())
    } - climb.classes.keys()
    for item in items():
        if item.id in class_ids:
            climb.classes[item.id] = item
    described = Descriptions(gazetteer, labels, demonyms)
    for item in items():
        keys = climb.of(item) or described.classes(item.description)
        if item.label.endswith(" relations"):
            continue  # of two countries
        somebody = not item.label[:1].islower() and _of_people(hierarchy, keys)
        if not keys or "person" in keys or somebody:
            continue
        country = described.country(item.description)
        regions = described.regions(item.description)
        yield from _things(hierarchy, gazetteer, item, keys, country, regions)


class _ItemClimber:
    def __init__(
        self, hierarchy: Hierarchy, labels: dict[str, str], classes: dict[str, WikidataItem]
    ) -> None:
        self.classes = classes
        self._hierarchy = hierarchy
        self._labels = labels
        self._cut = read_cut()
        self._known: dict[str, tuple[int, tuple[str, ...]]] = {}

    def of(self, item: WikidataItem) -> tuple[str, ...]:
        """Return the keys of an item's classes; none if it is not a thing to be written of."""
        direct = item.statements.get("P31", ())
        labels = [self.classes[id].label for id in direct if id in self.classes]
        if any(_NO_THINGS.match(label) for label in labels):
            return ()
        keys: list[str] = []
        for property in ("P31", "P279", "P8225"):
            for id in item.statements.get(property, ()):
                keys += self.above(id)[1]
        if not keys:
            for id in item.statements.get("P361", ()):
                keys += self._part(id)
        if (
            len({key for key in self._hierarchy.ancestors(keys) if self._is_root(key)})
            > _MOST_ROOTS
        ):
            return ()
        return self._hierarchy.mainly(tuple(dict.fromkeys(key for key in keys if key != item.id)))

    def _is_unnamed(self, classes: tuple[str, ...]) -> bool:
        """Return whether classes are of people, who are classed by hand, or of fields of study.

        Fields are parts of one another as everyone sees it: jazz studies are no pedagogy.
        """
        above = self._hierarchy.ancestors(classes)
        return "person" in above or "field of study" in above

    def _is_root(self, key: str) -> bool:
        return not self._hierarchy.classes[key].parents

    def above(self, id: str) -> tuple[int, tuple[str, ...]]:
        """Return the class ``id``, or its nearest usable classes above.

        Only the shortest ways up are taken: the longer ones of Wikidata lead to remote classes,
        such as a department of France as a legal person.

        Returns:
            Number of steps to ``classes.txt``, and keys; no keys without a path.
        """
        if id in self._known:
            return self._known[id]
        self._known[id] = _NOWHERE  # a cycle ends here
        item = self.classes.get(id)
        if item is None:
            return _NOWHERE
        upper = self._labels.get(item.label.casefold()) if id not in _OTHERWISE else None
        if upper is not None:
            self._known[id] = 0, (upper,)
            return self._known[id]
        ways = [
            self.above(parent)
            for property in ("P279", "P8225")
            for parent in item.statements.get(property, ())
        ]
        steps = min((steps for steps, _ in ways), default=_FAR)
        classes = tuple(dict.fromkeys(key for far, keys in ways if far == steps for key in keys))
        classes = tuple(key for key in self._hierarchy.mainly(classes) if key != _INDUSTRY)
        if not classes or steps >= _FAR or _VAGUE.issuperset(classes):
            return _NOWHERE
        named = steps <= _NAMED and not self._cut.search(item.label)
        if named and not self._is_unnamed(classes):
            classes = (self._hierarchy.add(id, item.label, classes, id),)
        self._known[id] = steps + 1, classes
        return self._known[id]

    def _part(self, id: str) -> list[str]:
        """Return the class of the parts of a class: a door is *part of a house*."""
        item = self.classes.get(id)
        if item is None or not item.label[:1].islower() or self._cut.search(item.label):
            return []
        text = f"part of {_article(item.label)} {item.label}"
        types = 8
        return [self._hierarchy.add(f"part:{id}", text, (), id, types)]


def _of_people(hierarchy: Hierarchy, classes: tuple[str, ...]) -> bool:
    """Return whether classes are of people: what these are is written by hand."""
    return "person" in hierarchy.ancestors(classes)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _things(
    hierarchy: Hierarchy,
    gazetteer: PlaceGazetteer,
    item: WikidataItem,
    keys: tuple[str, ...],
    country: str,
    regions: list[str],
) -> Iterator[Thing]:
    upper = set(hierarchy.upper(keys))
    name = name_key(item.label)
    duplicate, known = False, 0.0
    where = (*regions, country) if country else ()
    if "country" in upper and name in gazetteer.codes and "historical country" not in upper:
        duplicate, keys = True, (country_class(hierarchy, gazetteer.codes[name]),)
    elif upper & _DIVISIONS and name in gazetteer.regions:
        duplicate = True
    elif upper & _SETTLEMENTS:
        towns = gazetteer.towns.get(name, [])
        code = (
            gazetteer.codes.get(name_key(country), "") if country else towns[0][1] if towns else ""
        )
        if towns and towns[0][0] >= _FROM_PEOPLE and towns[0][1] == code:
            more = tuple(_unlike_towns(hierarchy, keys))
            # With what GeoNames does not say, such as that it is a capital, it is a row of its own.
            duplicate, keys = not more, (*gazetteer.classes[name], *more)
            known = math.log10(towns[0][0] + 10)
            where, country = gazetteer.within[name], ""
    if country and upper.isdisjoint(_OF_NO_COUNTRY):
        keys = _with_country(hierarchy, gazetteer, keys, country)
    common = item.label[:1].islower()
    popular = min(len(item.aliases), _MOST_ALIASES) / _MOST_ALIASES + min(item.links, 200) / 100
    if not duplicate:
        weight = max(_LABEL + popular, known)
        yield Thing((item.label,), keys, weight, item.id, where, common)
    # One common word is said of more things than it is an alias of: "physical" of physics.
    aliases = tuple(
        name
        for name in item.aliases
        if " " in name or not (name.islower() or (common and name.istitle()))
    )
    if aliases:
        weight = _ALIAS + popular
        yield Thing(aliases, keys, weight, item.id, where, common, counts=False)


def _unlike_towns(hierarchy: Hierarchy, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the classes more specific than "town": a capital is one whatever GeoNames counts."""
    for key in keys:
        if key not in _SETTLEMENTS and hierarchy.ancestors([key]) & _SETTLEMENTS:
            yield key


def _with_country(
    hierarchy: Hierarchy, gazetteer: PlaceGazetteer, keys: tuple[str, ...], country: str
) -> tuple[str, ...]:
    """Return the classes, with the country where the nearest class above allows it."""
    _, regions = gazetteer.country(country)
    variants: list[str] = []
    for key in keys:
        waiting = [key]
        while waiting:
            candidate = waiting.pop()
            variant = hierarchy.in_country(candidate, country, regions)
            if variant != candidate:
                variants.append(variant)
            elif hierarchy.classes[candidate].source != "tacenda":
                waiting += hierarchy.classes[candidate].parents
    return tuple(dict.fromkeys((*variants, *keys)))


# Items from a full Wikidata JSON dump, streamed: memory holds one entity.


def read_dump(dump: str, least_links: int, progress: Callable[[], None]) -> Iterator[WikidataItem]:
    """Yield the items with an English label, in the order of the dump.

    Args:
        dump: path of the dump, plain or .gz or .bz2.
        least_links: of how many Wikipedias an item must have an article; classes are yielded
            whatever they have, since they are not named but written.
        progress: called after each entity.

    Raises:
        InputError: if the dump can't be read or a line is not an entity.
    """
    with open_dump(dump) as lines:
        for entity in entities(lines, dump):
            progress()
            item = _item(entity)
            if item is not None and (item.links >= least_links or "P279" in item.statements):
                yield item


def _item(entity: dict[str, Any]) -> WikidataItem | None:
    names = english_names(entity)
    if not names or not entity["id"].startswith("Q"):
        return None
    description = (entity.get("descriptions") or {}).get("en", {"value": ""})
    return WikidataItem(
        entity["id"],
        names[0],
        tuple(names[1:]),
        description["value"],
        _statements(entity),
        sum(site.endswith("wiki") for site in entity.get("sitelinks") or {}),
    )


def _statements(entity: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the values of `PROPERTIES`, the preferred ones alone where there are any."""
    properties = {}
    # Wikidata writes an entity without statements as [] instead of {}.
    claims = entity.get("claims") or {}
    for property in PROPERTIES:
        statements = [
            statement for statement in claims.get(property, ()) if statement["rank"] != "deprecated"
        ]
        preferred = [statement for statement in statements if statement["rank"] == "preferred"]
        values = [item_of(statement["mainsnak"]) for statement in preferred or statements]
        if items := tuple(value for value in values if value is not None):
            properties[property] = items
    return properties


# Items from a slice of Wikidata in KGTK's tables, and from benchmarks that carry Wikidata's ids.
#
# CoDEx has the types of items that the slice's own P31 table lacks; rows of FB15k in
# ``entity_types.tsv.gz`` have labels and descriptions of some items without a label in the slice.


FB15K = "FB15k"


def read_slice(folder: Path) -> list[WikidataItem]:
    """Return the items with a label, those of CoDEx and FB15k included.

    Args:
        folder: as `read_triples` takes it; ``codex_entity2types.json.gz`` and
            ``codex_types_en.json.gz`` are read if they are there.

    Raises:
        InputError: if a table is missing or has other columns.
    """
    table = _TripleTable(folder)
    for id, types in _json(folder / "codex_entity2types.json.gz").items():
        if "P31" not in table.statements[id]:
            table.statements[id]["P31"] = list(types)
    for id, entry in _json(folder / "codex_types_en.json.gz").items():
        if entry["label"]:
            table.labels.setdefault(id, entry["label"])
            table.descriptions.setdefault(id, entry["description"])
    for row in read_entity_types(folder / "entity_types.tsv.gz"):
        if row.source.startswith(FB15K):
            table.labels.setdefault(row.where, row.name)
            table.descriptions.setdefault(row.where, row.kind)
    return table.items()


def read_triples(folder: Path) -> list[WikidataItem]:
    """Return the items with a label, of the tables alone.

    Args:
        folder: holds ``labels.en.tsv.gz``, ``aliases.en.tsv.gz``, ``descriptions.en.tsv.gz``,
            ``derived.P31.tsv.gz``, ``derived.P279.tsv.gz``, and the same for the other properties of
            `PROPERTIES` where there are any.

    Raises:
        InputError: if a table is missing or has other columns.
    """
    return _TripleTable(folder).items()


class _TripleTable:
    """Tables of a slice, read whole."""

    def __init__(self, folder: Path) -> None:
        self.labels = dict(english_texts(folder, "labels"))
        self.descriptions = dict(english_texts(folder, "descriptions"))
        self.statements: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._aliases: dict[str, list[str]] = defaultdict(list)
        for id, alias in english_texts(folder, "aliases"):
            self._aliases[id].append(alias)
        for property in PROPERTIES:
            table = property_table(folder, property)
            if property in ("P31", "P279") or table.exists():
                for id, value in read_rows(table):
                    self.statements[id][property].append(value)

    def items(self) -> list[WikidataItem]:
        """Return the items."""
        return [
            WikidataItem(
                id,
                label,
                tuple(self._aliases.get(id, ())),
                self.descriptions.get(id, ""),
                {name: tuple(values) for name, values in self.statements[id].items()},
            )
            for id, label in self.labels.items()
            if id.startswith("Q")
        ]


def _json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            loaded: dict[str, Any] = json.load(file)
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read as gzipped JSON ({error}).", str(path)) from error
    return loaded
