"""Pseudonyms of whole numbers: a permutation of their own range, chosen by a key."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tacenda.documents.tables.permutation import SIZE, permuted

NUMBERS = st.integers(0, SIZE - 1)


@given(st.sets(NUMBERS, max_size=50), st.binary(max_size=40))
def test_no_two_numbers_share_one(numbers: set[int], key: bytes) -> None:
    """All of them are in the range that goes in."""
    news = {permuted(number, key) for number in numbers}
    assert len(news) == len(numbers)
    assert all(0 <= number < SIZE for number in news)


def test_a_run_of_numbers_is_spread_over_the_range() -> None:
    """Neighbours are no neighbours; 10,000 draws of 2**31 without a key's structure have all of 32 parts, each near 312."""
    news = [permuted(number, b"key") for number in range(10_000)]
    parts = [0] * 32
    for number in news:
        parts[number * 32 // SIZE] += 1
    assert min(parts) > 220
    assert max(parts) < 410
    assert sum(abs(a - b) < 1_000 for a, b in pairwise(news)) < 5
    assert sum(old == new for old, new in enumerate(news)) < 3


def test_another_key_or_tweak_is_another_permutation() -> None:
    """And the same ones are the same one."""
    choices = [(b"a", b""), (b"b", b""), (b"a", b"-")]
    tables = [tuple(permuted(n, key, tweak) for n in range(20)) for key, tweak in choices]
    assert len(set(tables)) == 3
    assert tables[0] == tuple(permuted(n, b"a") for n in range(20))
