"""Windows over long token sequences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.windows import Placed, batches, windows
from tacenda.models.encoding import Encoding, TextEncoder

sizes = st.integers(2, 60).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@given(n=st.integers(0, 500), size_overlap=sizes)
def test_kept_parts_partition_the_tokens(n: int, size_overlap: tuple[int, int]) -> None:
    """Every token is kept by exactly one window, in order."""
    kept = [
        token
        for window in windows(n, *size_overlap)
        for token in range(window.keep_start, window.keep_end)
    ]
    assert kept == list(range(n))


@given(n=st.integers(1, 500), size_overlap=sizes)
def test_windows_are_no_longer_than_allowed_and_inside(
    n: int, size_overlap: tuple[int, int]
) -> None:
    """A window has at most ``size`` tokens, all of the document, and its kept part is in it."""
    size, _ = size_overlap
    for window in windows(n, *size_overlap):
        assert 0 < len(window) <= size
        assert 0 <= window.start <= window.keep_start < window.keep_end <= window.end <= n


@given(n=st.integers(1, 500), size_overlap=sizes)
def test_neighbours_overlap_by_at_least_the_overlap(n: int, size_overlap: tuple[int, int]) -> None:
    """Two neighbouring windows share at least ``overlap`` tokens."""
    _, overlap = size_overlap
    found = windows(n, *size_overlap)
    for left, right in pairwise(found):
        assert left.end - right.start >= overlap


def test_border_lies_in_the_middle_of_the_overlap() -> None:
    """A token is read from the window in which it is farther from the edge."""
    first, second = windows(14, 8, 2)
    assert (first.start, first.end, second.start, second.end) == (0, 8, 6, 14)
    assert first.keep_end == second.keep_start == 7


@pytest.mark.parametrize("overlap", [-1, 8, 9])
def test_overlap_must_be_below_the_size(overlap: int) -> None:
    """An overlap that leaves no new tokens is refused with both numbers."""
    with pytest.raises(ValueError, match=rf"{overlap}.*8"):
        windows(10, 8, overlap)


@pytest.mark.parametrize(
    ("tokens", "parts", "sizes"),
    [
        (512, 1, [8, 2]),
        (2048, 1, [10]),
        (2048, 2, [5, 5]),
        (512, 4, [3, 3, 3, 1]),
        (32, 1, [1] * 10),
    ],
)
def test_windows_of_one_length_share_batches_of_so_many_tokens_and_are_divided_over_cores(
    encoder: TextEncoder, tokens: int, parts: int, sizes: list[int]
) -> None:
    """A batch has the tokens of its engine at most, but one window at least; each core has some."""
    encoding = Encoding(*[np.zeros(60, np.int64)] * 5)
    placed = [Placed(0, window) for window in windows(60, 254, 32)] * 10
    found = list(batches(placed, [encoding], encoder, tokens, parts))
    assert [len(batch.placed) for batch in found] == sizes
