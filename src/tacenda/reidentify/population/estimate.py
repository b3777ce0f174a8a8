"""Number of people of a place with some attributes: a survey's joint table, raked to the place's own counts.

Attributes depend on one another (few widows are twenty), so shares are not multiplied. Each adult of the survey gets
the weight with which the sums by age, marital status, race and education are those of the place (iterative proportional
fitting, Deming and Stephan 1940); the people who fit are the weights of those who do. Where few do, the estimate leans
towards the product of the shares. The interval covers the survey's size, the chance of who lives there, and what the
table can't know of the place; its two constants were fitted to synthetic places (``benchmarks/population.py``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .tables import MARITAL, RACES, CountedPlace, Tables, load

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
    """An attribute with the values that fit.

    Attributes:
        column: of the rows, such as ``marital``.
        values: codes that fit; of ``age`` all years.
    """

    column: str
    values: frozenset[int]


@dataclass(frozen=True, slots=True)
class PeopleEstimate:
    """Number of people who fit, with a 90 % interval.

    Attributes:
        expected: number that the tables expect; may be below 1.
        low: end of the interval, at least 1: the person of the text is one of them.
        high: its other end.
    """

    expected: float
    low: float
    high: float

    @property
    def count(self) -> float:
        """Number of people who fit, at least 1."""
        return max(1.0, self.expected)


class PlacePopulation:
    """The people of a place.

    Args:
        tables: of its country.
        place: of the tables.
        raked: whether the survey is made to fit the place.
    """

    def __init__(self, tables: Tables, place: CountedPlace, *, raked: bool = True) -> None:
        self.place = place
        self._rows = tables.rows
        weight = tables.rows["weight"].astype(np.float64)
        self._weight = _raked(tables.rows, weight, place) if raked else weight / weight.sum()
        self.size = float(1.0 / np.square(self._weight).sum())

    def estimate(self, conditions: Iterable[Condition]) -> PeopleEstimate:
        """Return the number of people who fit all conditions; without conditions, all who live there."""
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
        """Return the product of the shares of the conditions among adults, as if none depended on another."""
        return self._product(map(self._factor, conditions))

    def _product(self, factors: Iterable[tuple[NDArray[np.float64], float]]) -> float:
        return math.prod(scale * float((self._weight * fits).sum()) for fits, scale in factors)

    def _factor(self, condition: Condition) -> tuple[NDArray[np.float64], float]:
        """Return the fit of each person, in [0, 1], and the factor for their number."""
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
        """Return the number of children who fit, by age, sex and race alone."""
        by_name = {item.column: item.values for item in wanted}
        sexes = sorted(by_name.get("sex", {0, 1}))
        number = float(self.place.children[sexes].sum()) * len([a for a in ages if a < 18]) / 18
        if "race" in by_name:
            races = self.place.people_by_race.sum(axis=0)
            number *= float(races[sorted(by_name["race"])].sum() / max(1, races.sum()))
        return _with_interval(number, 0.0, wanted)


def _with_interval(count: float, of_survey: float, conditions: list[Condition]) -> PeopleEstimate:
    """Return a count with its interval, from the variance of its logarithm by the size of the survey."""
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
    """Return the counts of a place that rows are raked to, each with the cell of every row; -1 where it has none."""
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
    """Return weights with sum 1 of the adults of the rows, whose shares are those of the place."""
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
    """Return the people of a place by its name; of the country with an empty one.

    Raises:
        InputError: if no table has it.
    """
    tables = load(country)
    return PlacePopulation(tables, tables.place(place) if place else tables.country)
