"""The population tables: adults of a survey, one by one, and how many of which kind live where."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError
from ...shipped import shipped_table
from ...text.place_codes import state_names

_CODES: Final = shipped_table("population_codes")
RACES, MARITAL, EDUCATIONS, OCCUPATIONS, BIRTHPLACES = (
    tuple(_CODES[column].split("|"))
    for column in ("races", "marital", "educations", "occupations", "birthplaces")
)
ROWS: Final = ("weight", "age", "sex", "race", "marital", "education", "occupation", "birthplace")
_SHAPES: Final = {
    "children": (2,),
    "adults_by_age": (2, 3),
    "adults_by_marital": (2, len(MARITAL)),
    "people_by_race": (2, len(RACES)),
    "adults_by_education": (len(EDUCATIONS),),
}
COUNTS: Final = tuple(_SHAPES)
COUNTRIES: Final = {"us": "United States"}
_DIGESTS: Final = {"us": "d0e0d87ba92781967234c41c113882313fe82c8325cc39b3395bddc876d9aeef"}


@dataclass(frozen=True, slots=True)
class CountedPlace:
    """Counts of the people of a place.

    Attributes:
        name: such as *Lane County, Oregon*.
        children: int [2], under 18, by sex (female, male).
        adults_by_age: int [2, 3], by sex, from 18, 65 and 85 years on.
        adults_by_marital: int [2, 5], people from 15 years on, by sex and ``MARITAL``.
        people_by_race: int [2, 5], by sex and ``RACES``.
        adults_by_education: int [7], people from 25 years on, by ``EDUCATIONS``.
    """

    name: str
    children: NDArray[np.int64]
    adults_by_age: NDArray[np.int64]
    adults_by_marital: NDArray[np.int64]
    people_by_race: NDArray[np.int64]
    adults_by_education: NDArray[np.int64]

    @property
    def adults(self) -> int:
        """Number of people aged 18 or older."""
        return int(self.adults_by_age.sum())

    @property
    def people(self) -> int:
        """Number of inhabitants."""
        return self.adults + int(self.children.sum())


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a country.

    Attributes:
        rows: int64 [n] for each column of ``ROWS``: adults of a survey with their weights.
        places: the country first, then states and counties.
    """

    rows: Mapping[str, NDArray[np.int64]]
    places: Mapping[str, CountedPlace]

    @property
    def country(self) -> CountedPlace:
        """The whole country."""
        return next(iter(self.places.values()))

    def place(self, name: str) -> CountedPlace:
        """Return a state or county by its name, whatever the case; a state also by its two letters.

        Raises:
            InputError: if there is none of this name, or several.
        """
        key_wanted = name.strip().casefold()
        key_wanted = state_names().get(key_wanted, key_wanted)
        matches = [place for key, place in self.places.items() if key.casefold() == key_wanted]
        if not matches:
            inside = [
                key for key in self.places if key.casefold().startswith(key_wanted.rstrip() + " ")
            ]
            matches = [self.places[key] for key in inside] if len(inside) == 1 else []
            if len(inside) > 1:
                raise InputError(
                    f"{len(inside)} counties have this name, such as {inside[0]!r} and "
                    f"{inside[1]!r}; name the state, too"
                )
        if not matches:
            raise InputError(
                "the place is not in the tables; name a state or a county, such as 'Lane County, Oregon'"
            )
        return matches[0]


@cache
def load(country: str) -> Tables:
    """Return the tables of a country.

    Raises:
        InputError: if none ship for it.
        ModelError: if they are damaged.
    """
    if country not in COUNTRIES:
        raise InputError(f"unknown country; choose one of {', '.join(COUNTRIES)}")
    content = files("tacenda").joinpath(f"data/population/{country}.npz").read_bytes()
    if hashlib.sha256(content).hexdigest() != _DIGESTS[country]:
        raise ModelError(f"the population tables {country!r} are damaged; reinstall tacenda")
    arrays = dict(np.load(io.BytesIO(content), allow_pickle=False))
    counts = {name: arrays[name].astype(np.int64).reshape(-1, *_SHAPES[name]) for name in COUNTS}
    counties = [str(name) for name in arrays["places"]]
    states: dict[str, list[int]] = {}
    for index, name in enumerate(counties):
        states.setdefault(name.rpartition(", ")[2], []).append(index)
    members = {
        COUNTRIES[country]: list(range(len(counties))),
        **states,
        **{name: [index] for index, name in enumerate(counties)},
    }
    places = {
        name: CountedPlace(name, **{key: counts[key][indices].sum(axis=0) for key in COUNTS})
        for name, indices in members.items()
    }
    return Tables({name: arrays[name].astype(np.int64) for name in ROWS}, places)
