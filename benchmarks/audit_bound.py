"""Whether the bound of an audit holds: samples drawn 1,000 times of sanitized documents with known misses.

    python -m benchmarks audit_bound DATA [--draws 1000] [--passage-words 100]

Documents are sanitized by the default policy; gold is the person who marks: a mention to be masked of which a
letter or digit is left, counts as missed in the passage where it begins. Sets: judgments (`tab/dev.json`,
`tab/dev_real.json`), biographies (`wiki/wikireplace_dev.json`) and everyday documents in which everything personal is
marked (`everyday/dev_everyday.jsonl.gz`). *Few misses* keeps a tenth of the passages with a miss, *worst* moves the
misses to the passages of the least risk. *Held* is the share of draws whose bound is at least the truth: of
passages with a miss, and of misses, up to the cap of a passage. *Exact* is the probability that the bound on passages
holds, summed over all that a sample can show but what has a probability below 1e-6. *Bound* is the mean of the bound on passages, as a
share of them; *one stratum* that of a simple random sample of the same size. *Neyman* is the other allocation.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.sets import add_recognizer_arguments, boxed, complete
from tacenda.audit.confidence import (
    StratumCount,
    StratumTotal,
    hypergeometric,
    largest_number_of_hits,
    largest_total,
)
from tacenda.audit.release import (
    AuditUnit,
    ReleasedDocument,
    released_places,
    units_of,
)
from tacenda.audit.sample import allocate, chosen, stratify
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.pipeline import Sanitizer, load
from tacenda.result import Result

SIZES = (30, 100)
CAP = 5
ERROR = 0.05
NEGLIGIBLE = 1e-6
LARGE = 1_000
"""Of so many passages only the real misses are drawn, by the smallest sample."""
SEED = 16


@dataclass(frozen=True)
class Population:
    """Units of a release with the number of misses in each, by id."""

    name: str
    units: tuple[AuditUnit, ...]
    misses: Mapping[str, int]


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser)
    parser.add_argument("--draws", type=int, default=1_000)
    parser.add_argument("--passage-words", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    sanitizer = load(boxed(), model=arguments.model, threads=arguments.threads)
    print(
        "| release, read, sizes | passages | with a miss | held | exact | bound | one stratum | misses "
        "| their bound | held, misses |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    for name, golds in sets(arguments.data):
        real = population(name, golds, sanitizer, arguments.passage_words)
        rows(real, arguments.draws)
        for one in changed(real) if len(real.units) < LARGE else ():
            rows(one, arguments.draws)


def sets(data: Path) -> Iterator[tuple[str, Sequence[GoldDocument]]]:
    yield "judgments, dev_real", load_gold(data / "tab/dev_real.json")
    yield "biographies", load_gold(data / "wiki/wikireplace_dev.json")
    yield "everyday", complete(data, innocent=False) + complete(data, innocent=True)
    yield "judgments, dev", load_gold(data / "tab/dev.json")


def population(
    name: str, golds: Sequence[GoldDocument], sanitizer: Sanitizer, words: int
) -> Population:
    units: list[AuditUnit] = []
    misses: dict[str, int] = {}
    for number, (gold, result) in enumerate(
        zip(golds, sanitizer.pipe([gold.text for gold in golds]), strict=True)
    ):
        place_of = released_places((e.original.end, e.output_end) for e in result.replacements)
        kept = (
            (one.risk, tuple(place_of(mention.span.start) for mention in one.entity.mentions))
            for one in result.decisions
            if not one.masked
        )
        released = ReleasedDocument(str(number), result.text, tuple(kept))
        places = [place_of(start) for start in missed(gold, result)]
        for unit in units_of(released, words):
            units.append(unit)
            misses[unit.id] = sum(unit.start <= place < unit.end for place in places)
    return Population(name, tuple(units), misses)


def missed(gold: GoldDocument, result: Result) -> set[int]:
    """Start of what is left of each distinct mention to be masked, by any annotator."""
    masked = bytearray(len(gold.text))
    for edit in result.replacements:
        masked[edit.original.start : edit.original.end] = b"\1" * len(edit.original)
    starts = set()
    for entity in gold.entities:
        for mention in entity.mentions:
            left = (
                place
                for place in range(mention.span.start, mention.span.end)
                if gold.text[place].isalnum() and not masked[place]
            )
            if mention.needs_masking and (place := next(left, None)) is not None:
                starts.add(place)
    return starts


def changed(real: Population) -> Iterator[Population]:
    """The release with fewer misses, and with its misses where the risk is least."""
    with_miss = [id for id, count in real.misses.items() if count]
    kept = set(Random(SEED).sample(with_miss, max(1, len(with_miss) // 10)))
    few = {id: count if id in kept else 0 for id, count in real.misses.items()}
    yield Population(f"{real.name}, few misses", real.units, few)
    ordered = sorted(real.units, key=lambda unit: unit.risk)
    counts = sorted(few.values(), reverse=True)
    worst = {unit.id: count for unit, count in zip(ordered, counts, strict=True)}
    yield Population(f"{real.name}, few and worst", real.units, worst)


def rows(population: Population, draws: int) -> None:
    hits = sum(count > 0 for count in population.misses.values())
    total = sum(min(count, CAP) for count in population.misses.values())
    units = len(population.units)
    sizes = SIZES if units < LARGE else SIZES[:1]
    for size in (size for size in sizes if size < units):
        simple = simulate(design_of(population, 1, size, neyman=False), population, draws)
        for neyman in (False, True):
            design = design_of(population, 3, size, neyman=neyman)
            bounds = simulate(design, population, draws)
            print(
                f"| {population.name}, {size}, {'Neyman' if neyman else 'proportional'} "
                f"| {units} | {hits} "
                f"| {np.mean(bounds[:, 0] >= hits):.3f} | {coverage(design, population):.3f} "
                f"| {bounds[:, 0].mean() / units:.3f} | {simple[:, 0].mean() / units:.3f} "
                f"| {total} | {bounds[:, 1].mean():.0f} | {np.mean(bounds[:, 1] >= total):.3f} |",
                flush=True,
            )


Design = Sequence[tuple[Sequence[AuditUnit], int]]
"""Strata, and how many units of each are read."""


def design_of(population: Population, strata: int, size: int, *, neyman: bool) -> Design:
    """The strata of a population, and their sizes in a sample."""
    members = stratify(population.units, strata)
    deviations = [sum((one.risk * (1 - one.risk)) ** 0.5 for one in group) for group in members]
    weights = deviations if neyman else [float(len(group)) for group in members]
    sizes = allocate([len(group) for group in members], weights, size)
    return list(zip(members, sizes, strict=True))


def simulate(design: Design, population: Population, draws: int) -> np.ndarray:
    """Bounds of many draws: of passages with a miss, and of misses; shape (draws, 2)."""
    bounds = np.empty((draws, 2))
    for draw in range(draws):
        counts = tuple(
            (
                len(group),
                tuple(sorted(population.misses[unit.id] for unit in chosen(group, n, str(draw)))),
            )
            for group, n in design
        )
        hits = tuple((n, len(values), sum(count > 0 for count in values)) for n, values in counts)
        bounds[draw] = hits_bound(hits), total_bound(counts)
    return bounds


def coverage(design: Design, population: Population) -> float:
    """Probability that the bound on passages with a miss is at least their number."""
    hits = [sum(population.misses[unit.id] > 0 for unit in group) for group, _ in design]
    chances = [
        hypergeometric(len(group), np.array([count]), n, np.arange(min(count, n) + 1))[0]
        for (group, n), count in zip(design, hits, strict=True)
    ]
    missing = 0.0
    for seen in product(*(range(len(one)) for one in chances)):
        chance = float(np.prod([one[value] for one, value in zip(chances, seen, strict=True)]))
        if chance < NEGLIGIBLE:
            continue
        strata = tuple(
            (len(group), n, value) for (group, n), value in zip(design, seen, strict=True)
        )
        missing += chance * (hits_bound(strata) < sum(hits))
    return 1 - missing


@cache
def hits_bound(strata: tuple[tuple[int, int, int], ...]) -> int:
    return largest_number_of_hits([StratumCount(*one) for one in strata], ERROR)


@cache
def total_bound(strata: tuple[tuple[int, tuple[int, ...]], ...]) -> int:
    return largest_total([StratumTotal(*one) for one in strata], CAP, ERROR)
