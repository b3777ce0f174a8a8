"""Singling out: how many people fit a text in a release.

This is the first test of WP216 (Article 29 Working Party, Opinion 05/2014, section 2.2.1). A text's
predicates are the attributes that follow from it with confidence (``closure``); people fit unless
they have a different value for one of them. As in anonymeter's singling-out attack (Giomi et al.,
2023, section 4.1), the *baseline* uses the same number of random predicates: the same attributes,
with values from other texts.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ..rates import Rate, rate
from .closure import CONFIDENT, infer
from .inference import ReleaseCase, strangers
from .values import Attribute, Values, agree, read_values

Predicates = tuple[tuple[Attribute, str], ...]
_SEED: Final = 216


class Population:
    """People by their attributes.

    Args:
        people: the known values of each person.
        ids: the people's ids.
    """

    def __init__(self, people: Sequence[Values], ids: Sequence[str]) -> None:
        self.number = {id: number for number, id in enumerate(ids)}
        self._n = len(people)
        self._with: dict[Attribute, dict[str, list[int]]] = {}
        self._unknown: dict[Attribute, NDArray[np.bool_]] = {}
        for attribute in Attribute:
            by_value: dict[str, list[int]] = {}
            unknown = np.ones(self._n, dtype=bool)
            for number, values in enumerate(people):
                for value in values.get(attribute, ()):
                    by_value.setdefault(value, []).append(number)
                    unknown[number] = False
            self._with[attribute], self._unknown[attribute] = by_value, unknown
        self._memory: dict[tuple[Attribute, str], NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        return self._n

    @classmethod
    def of_background(cls, people: People) -> Population:
        """Return the people in a store, by the fields of their profiles."""
        everyone = [people.person(number) for number in range(len(people))]
        return cls([read_values(person.profile) for person in everyone], [p.id for p in everyone])

    @classmethod
    def of_release(cls, cases: Sequence[ReleaseCase]) -> Population:
        """Return the people in a release, by their known attributes, or else by their texts."""
        people: dict[str, dict[Attribute, frozenset[str]]] = {}
        for number, case in enumerate(cases):
            values = people.setdefault(case.person or f"\0{number}", {})
            for attribute, value in predicates(case.document.text):
                values[attribute] = values.get(attribute, frozenset()) | {value}
            values |= case.values
        return cls(list(people.values()), list(people))

    def fitting(self, predicates: Predicates) -> NDArray[np.bool_]:
        """Return which people fit all predicates, [people]."""
        fitting = np.ones(self._n, dtype=bool)
        for predicate in predicates:
            fitting &= self._fitting_one(predicate)
        return fitting

    def _fitting_one(self, predicate: tuple[Attribute, str]) -> NDArray[np.bool_]:
        fitting = self._memory.get(predicate)
        if fitting is None:
            attribute, guess = predicate
            fitting = self._unknown[attribute].copy()
            for value, numbers in self._with[attribute].items():
                if agree(attribute, guess, value):
                    fitting[numbers] = True
            self._memory[predicate] = fitting
        return fitting


def predicates(text: str) -> Predicates:
    """Return the attributes that follow from a text with confidence."""
    guesses = infer(text).items()
    return tuple((attribute, g.value) for attribute, g in guesses if g.probability >= CONFIDENT)


@dataclass(frozen=True, slots=True)
class SinglingOutReport:
    """The singling-out test of a release.

    Attributes:
        n_people: number of people in the population.
        is_background: whether they come from a store rather than from the release itself.
        attack: share of texts that exactly one person fits, the right one if known.
        wrong: share of texts that exactly one person fits, but a wrong one.
        baseline: share of random predicates that exactly one person fits.
        control: share of texts that exactly one person fits, and it is the person of another text.
        fitting: number of people who fit each text; all if it says nothing.
        predicates: the predicates of each text.
    """

    n_people: int
    is_background: bool
    attack: Rate
    wrong: Rate
    baseline: Rate
    control: Rate
    fitting: tuple[int, ...]
    predicates: tuple[Predicates, ...]

    @property
    def median_fitting(self) -> float:
        """The number of people who fit the median text."""
        return statistics.median(self.fitting)


def single_out(cases: Sequence[ReleaseCase], people: People | None = None) -> SinglingOutReport:
    """Count the people who fit each text in a release.

    Args:
        cases: at least one.
        people: an adversary's background knowledge; None for the people of the release.
    """
    if people is None:
        population = Population.of_release(cases)
        numbers = [population.number[case.person or f"\0{n}"] for n, case in enumerate(cases)]
    else:
        population = Population.of_background(people)
        numbers = [people.find(case.person) if case.person else -1 for case in cases]
    texts = [predicates(case.document.text) for case in cases]
    fitting = [population.fitting(items) for items in texts]
    counts = [int(fits.sum()) for fits in fitting]
    ones = [int(np.argmax(fits)) if n == 1 else -2 for fits, n in zip(fitting, counts, strict=True)]
    others = [numbers[place] for place in strangers([case.person for case in cases])]
    random = Random(_SEED)
    drawn = [population.fitting(_drawn(items, texts, random)).sum() == 1 for items in texts]
    n = len(cases)
    right = [one >= 0 and number in (one, -1) for one, number in zip(ones, numbers, strict=True)]
    return SinglingOutReport(
        len(population),
        people is not None,
        rate(sum(right), n),
        rate(sum(one >= 0 and not hit for one, hit in zip(ones, right, strict=True)), n),
        rate(int(sum(drawn)), n),
        rate(
            sum(
                one >= 0 and one == other != number
                for one, other, number in zip(ones, others, numbers, strict=True)
            ),
            n,
        ),
        tuple(counts),
        tuple(texts),
    )


def _drawn(items: Predicates, texts: Sequence[Predicates], random: Random) -> Predicates:
    """Return predicates with the same attributes and values from randomly drawn texts."""
    pools = {
        attribute: [value for text in texts for kind, value in text if kind is attribute]
        for attribute, _ in items
    }
    return tuple((attribute, random.choice(pool)) for attribute, pool in pools.items())
