"""Bounds on a finite population: exact where that can be worked out, never too small anywhere."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import pytest

from tacenda.audit.confidence import (
    StratumCount,
    StratumTotal,
    binomial_tail,
    largest_number_of_hits,
    largest_total,
)

ERROR = 0.05


def chance(size: int, hits: int, read: int, value: int) -> float:
    """Return the hypergeometric probability."""
    if value > read:
        return 0.0
    return math.comb(hits, value) * math.comb(size - hits, read - value) / math.comb(size, read)


@pytest.mark.parametrize("seen", [0, 1, 4])
def test_one_stratum_has_the_exact_bound(seen: int) -> None:
    """The largest number of hits under which so few are seen with a probability above the error."""
    size, read = 80, 25
    possible = range(seen, size - read + seen + 1)
    exact = max(
        hits
        for hits in possible
        if sum(chance(size, hits, read, value) for value in range(seen + 1)) > ERROR
    )
    assert largest_number_of_hits([StratumCount(size, read, seen)], ERROR) == exact


def test_nothing_found_is_the_rule_of_three() -> None:
    """In a large population the share is 1 - .05 ** (1 / n), about 3 / n."""
    bound = largest_number_of_hits([StratumCount(1_000_000, 300)], ERROR)
    assert bound / 1_000_000 == pytest.approx(1 - ERROR ** (1 / 300), abs=2e-5)


def test_strata_of_one_fraction_cost_nothing_where_nothing_is_found() -> None:
    """With proportional sizes the bound is nearly that of a simple sample."""
    strata = [StratumCount(400, 40), StratumCount(300, 30), StratumCount(300, 30)]
    simple = largest_number_of_hits([StratumCount(1000, 100)], ERROR)
    assert simple <= largest_number_of_hits(strata, ERROR) <= simple + 1


@pytest.mark.parametrize(
    "strata",
    [
        (StratumCount(12, 5, 1), StratumCount(9, 4, 0)),
        (StratumCount(20, 5, 2), StratumCount(9, 6, 1), StratumCount(7, 3, 0)),
        (StratumCount(30, 4, 0), StratumCount(9, 8, 3)),
    ],
)
def test_the_bound_is_that_of_the_worst_split(strata: tuple[StratumCount, ...]) -> None:
    """Every split of a larger total is rejected, and one of the bound's is not."""
    weights = [one.size / one.read for one in strata]
    scores = [max(1, round(weight / min(weights))) for weight in weights]
    seen = sum(score * one.hits for score, one in zip(scores, strata, strict=True))

    def tail(split: tuple[int, ...]) -> float:
        return sum(
            math.prod(
                chance(one.size, hits, one.read, value)
                for one, hits, value in zip(strata, split, values, strict=True)
            )
            for values in product(*(range(one.read + 1) for one in strata))
            if sum(score * value for score, value in zip(scores, values, strict=True)) <= seen
        )

    splits = product(*(range(one.hits, one.size - one.read + one.hits + 1) for one in strata))
    exact = max(sum(split) for split in splits if tail(split) > ERROR)
    assert largest_number_of_hits(strata, ERROR) == exact


@pytest.mark.parametrize("sizes", [((10, 4), (8, 3)), ((12, 3), (5, 4))])
def test_the_bound_holds_in_every_population(sizes: tuple[tuple[int, int], ...]) -> None:
    """Whatever the hits of each stratum, it is at least their number with the confidence."""

    @cache
    def bound(seen: tuple[int, ...]) -> int:
        pairs = zip(sizes, seen, strict=True)
        return largest_number_of_hits([StratumCount(*size, hits) for size, hits in pairs], ERROR)

    for hits in product(*(range(size + 1) for size, _ in sizes)):
        held = sum(
            math.prod(
                chance(size, m, read, x)
                for (size, read), m, x in zip(sizes, hits, seen, strict=True)
            )
            for seen in product(
                *(range(min(m, read) + 1) for (_, read), m in zip(sizes, hits, strict=True))
            )
            if all(
                read - x <= size - m for (size, read), m, x in zip(sizes, hits, seen, strict=True)
            )
            and bound(seen) >= sum(hits)
        )
        assert held >= 1 - ERROR - 1e-9, hits


def test_what_was_read_whole_is_known() -> None:
    """No more is left there than was found, and other strata don't change that."""
    assert largest_number_of_hits([StratumCount(10, 10, 3)], ERROR) == 3
    alone = largest_number_of_hits([StratumCount(50, 20, 1)], ERROR)
    both = [StratumCount(50, 20, 1), StratumCount(10, 10, 3)]
    assert largest_number_of_hits(both, ERROR) == alone + 3


def test_many_hits_in_four_strata_are_bounded_in_time() -> None:
    """Where boxes run out, the bound is larger, and still not far from that of a simple sample."""
    strata = [(900, 90, 12), (300, 30, 9), (100, 10, 4), (50, 5, 2)]
    simple = largest_number_of_hits([StratumCount(1350, 135, 27)], ERROR)
    bound = largest_number_of_hits([StratumCount(*one) for one in strata], ERROR)
    assert simple * 0.95 <= bound <= simple * 1.15


def test_counts_that_no_sample_has_are_refused() -> None:
    """The message has the numbers."""
    with pytest.raises(ValueError, match="5 hits in 4 of 9"):
        StratumCount(9, 4, 5)
    with pytest.raises(ValueError, match="read in part"):
        StratumCount(9, 0)


def test_the_binomial_tail_is_the_sum_of_its_terms() -> None:
    """P(X <= 2), n = 10, p = .3, worked out by hand."""
    by_hand = 0.7**10 + 10 * 0.3 * 0.7**9 + 45 * 0.3**2 * 0.7**8
    assert binomial_tail(2, 10, 0.3) == pytest.approx(by_hand)


@pytest.mark.parametrize("sizes", [((7, 4),), ((5, 3), (4, 2))])
def test_totals_hold_in_every_population(sizes: tuple[tuple[int, int], ...]) -> None:
    """Whatever the counts up to the cap, the bound is at least their sum with the confidence."""
    cap, error = 2, 0.2

    @cache
    def bound(seen: tuple[tuple[int, ...], ...]) -> int:
        strata = [StratumTotal(size, one) for (size, _), one in zip(sizes, seen, strict=True)]
        return largest_total(strata, cap, error)

    populations = product(*(combinations_with_replacement(range(cap + 1), n) for n, _ in sizes))
    for population in populations:
        samples = [
            Counter(tuple(sorted(one)) for one in combinations(counts, read))
            for counts, (_, read) in zip(population, sizes, strict=True)
        ]
        draws = held = 0
        for seen in product(*(sample.items() for sample in samples)):
            number = math.prod(number for _, number in seen)
            draws += number
            held += number * (
                bound(tuple(values for values, _ in seen)) >= sum(map(sum, population))
            )
        assert held >= (1 - error) * draws, population


def test_a_total_is_known_where_everything_was_read() -> None:
    """Counts above the cap count as the cap."""
    assert largest_total([StratumTotal(4, (0, 1, 9, 0))], 5, ERROR) == 6


def test_a_total_of_nothing_is_at_most_the_cap_times_the_rule_of_three() -> None:
    """And a quarter more, for what is bet on finding something."""
    hits = largest_number_of_hits([StratumCount(2000, 100)], ERROR)
    for cap in (1, 4):
        assert largest_total([StratumTotal(2000, (0,) * 100)], cap, ERROR) <= 1.25 * cap * hits
