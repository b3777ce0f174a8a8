"""How many people in a place have certain attributes: a survey's joint table, raked to the place's own counts.

Attributes depend on each other (few widows are twenty), so shares aren't multiplied. Each adult in
the survey gets a weight such that the sums by age, marital status, race and education are those of
the place (iterative proportional fitting, Deming and Stephan 1940); the estimate is the total
weight of those who fit. If few do, the estimate is shrunk towards the product of the shares. The
interval covers the survey's size, chance in who lives there, and what the table can't know about
the place; its two constants were fitted to synthetic places (``benchmarks/population.py``).
"""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError
from ...shipped import shipped_table
from ...text.place_codes import state_names

# The population tables: individual adults from a survey, and how many people of each kind live
# where.


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
    """Counts of the people in a place.

    Attributes:
        name: such as *Lane County, Oregon*.
        children: int [2], people under 18 by sex (female, male).
        adults_by_age: int [2, 3], by sex, aged 18 to 64, 65 to 84, and 85 or older.
        adults_by_marital: int [2, 5], people aged 15 or older, by sex and ``MARITAL``.
        people_by_race: int [2, 5], by sex and ``RACES``.
        adults_by_education: int [7], people aged 25 or older, by ``EDUCATIONS``.
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
        rows: int64 [n] for each column in ``ROWS``: adults in a survey with their weights.
        places: the country, followed by states and counties.
    """

    rows: Mapping[str, NDArray[np.int64]]
    places: Mapping[str, CountedPlace]

    @property
    def country(self) -> CountedPlace:
        """The whole country."""
        return next(iter(self.places.values()))

    def place(self, name: str) -> CountedPlace:
        """Return a state or county by name, ignoring case; a state also by its two-letter code.

        Raises:
            InputError: if none or several have this name.
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
    """Return a country's tables.

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


_ROUNDS: Final = 40
_AGE_WIDTH: Final = 5
"""A narrower range of ages is read from one of so many years around it: the survey has few people of one age."""
PRIOR: Final = 30.0
"""Number of people of the survey that the product of the shares stands for."""
PLACE_ERROR: Final = 0.42
"""Standard deviation of the logarithm of a share of a place that its counts don't explain, for each attribute without counts."""
JOINT_ERROR: Final = 0.15
"""The same for how attributes go together there, for each after the first."""
_COUNTED: Final = frozenset(("sex", "race", "marital", "education"))
_Z: Final = 1.645


@dataclass(frozen=True, slots=True)
class Condition:
    """An attribute and the values that fit.

    Attributes:
        column: a column of the rows, such as ``marital``.
        values: the codes that fit; for ``age``, all years.
    """

    column: str
    values: frozenset[int]


@dataclass(frozen=True, slots=True)
class PeopleEstimate:
    """The number of people who fit, with a 90 % interval.

    Attributes:
        expected: the number expected from the tables; may be below 1.
        low: lower end of the interval, at least 1, since the text's person is one of them.
        high: upper end of the interval.
    """

    expected: float
    low: float
    high: float

    @property
    def count(self) -> float:
        """The number of people who fit, at least 1."""
        return max(1.0, self.expected)


class PlacePopulation:
    """The people in a place.

    Args:
        tables: the tables of its country.
        place: a place in the tables.
        raked: whether the survey is adjusted to the place.
    """

    def __init__(self, tables: Tables, place: CountedPlace, *, raked: bool = True) -> None:
        self.place = place
        self._rows = tables.rows
        weight = tables.rows["weight"].astype(np.float64)
        self._weight = _raked(tables.rows, weight, place) if raked else weight / weight.sum()
        self.size = float(1.0 / np.square(self._weight).sum())

    def estimate(self, conditions: Iterable[Condition]) -> PeopleEstimate:
        """Return the number of people who fit all conditions; without conditions, everybody who lives there."""
        requirements = list(conditions)
        ages = next((item.values for item in requirements if item.column == "age"), None)
        if ages is not None and max(ages) < 18:
            return self._of_children(requirements, ages)
        if not requirements:
            return PeopleEstimate(*(float(self.place.people),) * 3)
        factors = [self._factor(item) for item in requirements]
        joint = math.prod(scale for _, scale in factors) * float(
            (self._weight * np.prod([fits for fits, _ in factors], axis=0)).sum()
        )
        product = self._product(factors)
        share = (self.size * joint + PRIOR * product) / (self.size + PRIOR)
        count = share * self.place.adults
        return _with_interval(count, 1 / (self.size * share + 1), requirements)

    def independent(self, conditions: Iterable[Condition]) -> float:
        """Return the product of the conditions' shares among adults, as if they were independent."""
        return self._product(map(self._factor, conditions))

    def _product(self, factors: Iterable[tuple[NDArray[np.float64], float]]) -> float:
        return math.prod(scale * float((self._weight * fits).sum()) for fits, scale in factors)

    def _factor(self, condition: Condition) -> tuple[NDArray[np.float64], float]:
        """Return how well each person fits, in [0, 1], and the factor for their number."""
        column = self._rows[condition.column]
        if condition.column != "age":
            return np.isin(column, list(condition.values)).astype(np.float64), 1.0
        low, high = min(condition.values), max(condition.values)
        width = high - low + 1
        if width >= _AGE_WIDTH:
            return ((column >= low) & (column <= high)).astype(np.float64), 1.0
        start = max(18, low - (_AGE_WIDTH - width) // 2)
        fits = (column >= start) & (column < start + _AGE_WIDTH)
        return fits.astype(np.float64), width / _AGE_WIDTH

    def _of_children(self, wanted: list[Condition], ages: frozenset[int]) -> PeopleEstimate:
        """Return the number of children who fit, judging only by age, sex and race."""
        by_name = {item.column: item.values for item in wanted}
        sexes = sorted(by_name.get("sex", {0, 1}))
        number = float(self.place.children[sexes].sum()) * len([a for a in ages if a < 18]) / 18
        if "race" in by_name:
            races = self.place.people_by_race.sum(axis=0)
            number *= float(races[sorted(by_name["race"])].sum() / max(1, races.sum()))
        return _with_interval(number, 0.0, wanted)


def _with_interval(count: float, of_survey: float, conditions: list[Condition]) -> PeopleEstimate:
    """Return a count with its interval, from the variance of its logarithm given the size of the survey."""
    likely = max(1.0, count)
    uncounted = sum(item.column not in _COUNTED for item in conditions)
    variance = (
        of_survey
        + 1 / (likely + 1)
        + PLACE_ERROR**2 * uncounted
        + JOINT_ERROR**2 * (len(conditions) - 1)
    )
    factor = math.exp(_Z * math.sqrt(variance))
    return PeopleEstimate(count, max(1.0, likely / factor), likely * factor)


def margins(
    rows: Mapping[str, NDArray[np.int64]],
) -> list[tuple[str, NDArray[np.int64]]]:
    """Return the counts of a place that rows are raked to, each with the cell of every row; -1 if a row has none."""
    age, sex = rows["age"], rows["sex"]
    adult = age >= 18
    return [
        ("adults_by_age", np.where(adult, sex * 3 + (age >= 65) + (age >= 85), -1)),
        ("adults_by_marital", sex * len(MARITAL) + rows["marital"]),
        ("people_by_race", sex * len(RACES) + rows["race"]),
        ("adults_by_education", np.where(age >= 25, rows["education"], -1)),
    ]


def _raked(
    rows: Mapping[str, NDArray[np.int64]], weight: NDArray[np.float64], place: CountedPlace
) -> NDArray[np.float64]:
    """Return weights for the adults in the rows, with sum 1, whose shares are those of the place."""
    weight = np.where(rows["age"] >= 18, weight, 0.0)
    weight /= weight.sum()
    sides = [(cells, getattr(place, name).ravel()) for name, cells in margins(rows)]
    for _ in range(_ROUNDS):
        for cells, counts in sides:
            inside = cells >= 0
            now = np.bincount(cells[inside], weight[inside], minlength=counts.size)
            if not counts.sum() or not now.sum():
                continue
            target = counts / counts.sum() * now.sum()
            factor = np.divide(target, now, out=np.ones_like(now), where=now > 0)
            weight[inside] *= factor[cells[inside]]
    shares: NDArray[np.float64] = weight / weight.sum()
    return shares


@lru_cache(maxsize=64)
def population(country: str, place: str) -> PlacePopulation:
    """Return the people in a place, given its name; in the country if the name is empty.

    Raises:
        InputError: if no table has it.
    """
    tables = load(country)
    return PlacePopulation(tables, tables.place(place) if place else tables.country)
