"""How often the interval of the population risk holds the true number of people, on synthetic places.

    python -m benchmarks population            # places of seeds that nothing was fitted to
    python -m benchmarks population --tune     # places of other seeds, for the constants of estimate.py

A place is drawn from one half of the survey, with more or fewer people of each value of every attribute at random (so
its joint table differs, and not only in its margins); the model has the other half, and the place's sums by age, sex,
marital status, race and education. Asked are attributes of people who live there. *error* is the mean of the absolute
logarithm of estimate by truth: of the raked table, of the survey as it is, of shares multiplied as if independent.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import print_header
from tacenda.reidentify.population.estimate import (
    COUNTS,
    ROWS,
    Condition,
    CountedPlace,
    PlacePopulation,
    Tables,
    load,
    margins,
)

_PLACES, _PEOPLE, _TILT = 60, 40, 0.5
_ASKED = tuple(name for name in ROWS if name != "weight")


def _shapes() -> dict[str, tuple[int, ...]]:
    return {name: getattr(load("us").country, name).shape for name in COUNTS}


def world(seed: int, tilting: float) -> tuple[Tables, CountedPlace, dict[str, NDArray[np.int64]]]:
    """Return tables of half the survey, and a place whose people are drawn from the other half."""
    random = np.random.default_rng(seed)
    rows = load("us").rows
    half = random.random(rows["age"].size) < 0.5
    known = {name: column[half] for name, column in rows.items()}
    hidden = {name: column[~half] for name, column in rows.items()}
    adult = hidden["age"] >= 18
    hidden = {name: column[adult] for name, column in hidden.items()}
    tilt = np.log(hidden["weight"].astype(float))
    for name in _ASKED:
        group = hidden[name] // 10 if name == "age" else hidden[name]
        tilt = tilt + random.normal(0, tilting, group.max() + 1)[group]
    share = np.exp(tilt - tilt.max())
    size = int(np.exp(random.uniform(np.log(2_000), np.log(12_000))))
    drawn = random.choice(share.size, size, p=share / share.sum())
    people = {name: column[drawn] for name, column in hidden.items()}
    counts = {
        name: np.bincount(cells[cells >= 0], minlength=int(np.prod(_shapes()[name]))).reshape(
            _shapes()[name]
        )
        for name, cells in margins(people)
    }
    place = CountedPlace("synthetic", children=np.zeros(2, np.int64), **counts)
    return Tables(known, {"synthetic": place}), place, people


def questions(
    people: dict[str, NDArray[np.int64]], random: np.random.Generator
) -> Iterator[tuple[list[Condition], int]]:
    """Yield attributes of people drawn at random, and how many people have them all."""
    for row in random.choice(people["age"].size, _PEOPLE):
        names = random.permutation(_ASKED)[: random.integers(1, len(_ASKED) + 1)]
        fits = np.ones(people["age"].size, bool)
        conditions = []
        for name in names:
            value = int(people[name][row])
            values = {value}
            if name == "age":
                width = int(random.choice([1, 5, 10]))
                values = set(range(value // width * width, value // width * width + width))
            conditions.append(Condition(name, frozenset(values)))
            fits &= np.isin(people[name], list(values))
        yield conditions, int(fits.sum())


def _with_interval(held: list[tuple[int, bool]]) -> str:
    """Return the share that holds, with its 95 % interval by bootstrap over places."""
    of_place = defaultdict(list)
    for seed, is_held in held:
        of_place[seed].append(is_held)
    counts = np.array([(sum(items), len(items)) for items in of_place.values()])
    random = np.random.default_rng(1)
    draws = counts[random.integers(0, len(counts), (2000, len(counts)))].sum(axis=1)
    low, high = np.quantile(draws[:, 0] / draws[:, 1], [0.025, 0.975])
    return f"{counts[:, 0].sum() / counts[:, 1].sum():.3f} [{low:.3f}, {high:.3f}]"


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--tilt", type=float, default=_TILT, help="how much places differ")
    arguments = parser.parse_args()
    base = 0 if arguments.tune else 10_000
    held, errors = defaultdict(list), defaultdict(list)
    for seed in range(base, base + _PLACES):
        tables, place, people = world(seed, arguments.tilt)
        raked, plain = PlacePopulation(tables, place), PlacePopulation(tables, place, raked=False)
        for conditions, true in questions(people, np.random.default_rng(seed + 1)):
            estimate = raked.estimate(conditions)
            n = len(conditions)
            for key in (n, "all"):
                held[key].append((seed, estimate.low <= true <= estimate.high))
                errors["raked", key].append(abs(np.log(estimate.count / true)))
                errors["survey", key].append(abs(np.log(plain.estimate(conditions).count / true)))
                alone = max(1.0, raked.independent(conditions) * place.adults)
                errors["independent", key].append(abs(np.log(alone / true)))
    print_header("| attributes | asked | interval holds | error | survey | independent |")
    for key in (*range(1, len(_ASKED) + 1), "all"):
        means = [f"{np.mean(errors[name, key]):.2f}" for name in ("raked", "survey", "independent")]
        print(f"| {key} | {len(held[key])} | {_with_interval(held[key])} | {' | '.join(means)} |")
