"""The population risk of a text: how many people fit what it says, and which words narrow it down most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .estimate import PeopleEstimate, load, population
from .reading import Clue, place_of, read_clues


@dataclass(frozen=True, slots=True)
class ClueCost:
    """A clue, and how far it narrows down who is meant.

    Attributes:
        clue: what the text reveals.
        factor: how many times as many people would fit without it, at least 1.
    """

    clue: Clue
    factor: float


@dataclass(frozen=True, slots=True)
class PopulationRisk:
    """How many people fit what a text reveals about its subject.

    Attributes:
        place: the place whose people are counted.
        people: how many people live there.
        estimate: how many fit.
        costs: the clues, the most revealing first.
    """

    place: str
    people: int
    estimate: PeopleEstimate
    costs: tuple[ClueCost, ...]


def population_risk(text: str, country: str = "us", place: str = "") -> PopulationRisk:
    """Return the number of people who fit what a text reveals about its subject.

    Args:
        text: original or sanitized; labels of masks are ignored.
        country: of the tables.
        place: state or county where the person is known to live; if empty, the one in the text, or
            else the country.

    Raises:
        InputError: if the tables have no such country or place.
    """
    clues = read_clues(text, load(country))
    if place:
        clues = tuple(clue for clue in clues if clue.condition is not None)
    estimate = fitting(clues, country, place)
    costs = []
    for clue in clues:
        without = fitting([other for other in clues if other is not clue], country, place)
        costs.append(ClueCost(clue, max(1.0, without.expected / estimate.expected)))
    where = population(country, place or place_of(clues)).place
    return PopulationRisk(
        where.name,
        where.people,
        estimate,
        tuple(sorted(costs, key=lambda cost: (-cost.factor, cost.clue.name))),
    )


def fitting(clues: Sequence[Clue], country: str, place: str = "") -> PeopleEstimate:
    """Return the number of people who fit clues: in a place, or else in a clue's place, or else in the country."""
    conditions = [clue.condition for clue in clues if clue.condition is not None]
    return population(country, place or place_of(clues)).estimate(conditions)
