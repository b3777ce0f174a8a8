"""The population risk of a text: how many people fit what it tells, and which of its words cost most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .estimate import PeopleEstimate, population
from .reading import Clue, read_clues
from .tables import load


@dataclass(frozen=True, slots=True)
class ClueCost:
    """A clue, and by how much it narrows down who is meant.

    Attributes:
        clue: what the text tells.
        factor: how many times as many people would fit without it, at least 1.
    """

    clue: Clue
    factor: float


@dataclass(frozen=True, slots=True)
class PopulationRisk:
    """How many people fit what a text tells of its subject.

    Attributes:
        place: whose people are counted.
        people: how many live there.
        estimate: how many fit.
        costs: the clues, the dearest first.
    """

    place: str
    people: int
    estimate: PeopleEstimate
    costs: tuple[ClueCost, ...]


def population_risk(text: str, country: str = "us", place: str = "") -> PopulationRisk:
    """Return how many people fit what a text tells of its subject.

    Args:
        text: original or sanitized; labels of masks are not read.
        country: of the tables.
        place: state or county where the person is known to live; that of the text, else the country, with none.

    Raises:
        InputError: if the tables have no such country or place.
    """
    tables = load(country)
    clues, told = read_clues(text, tables)
    lives = tables.place(place).name if place else told
    if place:
        clues = tuple(clue for clue in clues if clue.condition is not None)
    return _risk(clues, country, lives, is_given=bool(place))


def _risk(clues: Iterable[Clue], country: str, place: str, *, is_given: bool) -> PopulationRisk:
    told = list(clues)
    estimate = fitting(told, country, place, is_given=is_given)
    costs = []
    for clue in told:
        others = [other for other in told if other is not clue]
        without = fitting(others, country, place, is_given=is_given)
        costs.append(ClueCost(clue, max(1.0, without.expected / estimate.expected)))
    where = population(country, place).place
    return PopulationRisk(
        where.name,
        where.people,
        estimate,
        tuple(sorted(costs, key=lambda cost: (-cost.factor, cost.clue.name))),
    )


def fitting(clues: Iterable[Clue], country: str, place: str, *, is_given: bool) -> PeopleEstimate:
    """Return how many people fit some clues: of the whole country where no clue tells the place and nobody gave it."""
    told = list(clues)
    is_placed = is_given or any(clue.condition is None for clue in told)
    conditions = [clue.condition for clue in told if clue.condition is not None]
    return population(country, place if is_placed else "").estimate(conditions)
