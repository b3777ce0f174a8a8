"""How alike two partitions are: values of published worked examples and of scikit-learn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda_lab.evaluation.clustering import adjusted_rand_index, normalized_mutual_information

labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25)


def test_mutual_information_of_the_textbook() -> None:
    """Manning, Raghavan and Schütze, Figure 16.4 and Table 16.2: NMI is 0.36."""
    clusters = [1] * 6 + [2] * 6 + [3] * 5
    classes = "xxxxxo" + "xoooo+" + "xx+++"
    assert normalized_mutual_information(clusters, classes) == pytest.approx(0.36, abs=5e-3)


def test_rand_index_of_the_worked_example() -> None:
    """Yeung and Ruzzo (2001), details of the adjusted Rand index: ARI is 0.313."""
    table = [[1, 1, 0], [1, 2, 1], [0, 0, 4]]
    pairs = [(u, v) for u, row in enumerate(table) for v, n in enumerate(row) for _ in range(n)]
    assert adjusted_rand_index(*zip(*pairs, strict=True)) == pytest.approx(0.313, abs=5e-4)


@pytest.mark.parametrize(
    ("one", "other", "nmi", "ari"),
    [
        ([0, 0, 1, 1], [1, 1, 0, 0], 1.0, 1.0),
        ([0, 0, 1, 2], [0, 0, 1, 1], 0.8, 4 / 7),
        ([0, 0, 1, 1], [0, 0, 1, 2], 0.8, 4 / 7),
        ([0, 0, 0, 0], [0, 1, 2, 3], 0.0, 0.0),
        ([0, 0, 1, 1], [0, 1, 0, 1], 0.0, -0.5),
    ],
)
def test_small_partitions(one: list[int], other: list[int], nmi: float, ari: float) -> None:
    """The examples of scikit-learn's documentation, and the worst case."""
    assert normalized_mutual_information(one, other) == pytest.approx(nmi, abs=1e-9)
    assert adjusted_rand_index(one, other) == pytest.approx(ari, abs=1e-9)


def test_nothing_to_share_is_undefined() -> None:
    """One cluster on both sides, nothing at all, or each thing alone on both sides."""
    assert normalized_mutual_information([0, 0], [1, 1]) is None
    assert normalized_mutual_information([], []) is None
    assert adjusted_rand_index([0, 0], [1, 1]) is None
    assert adjusted_rand_index([], []) is None
    assert adjusted_rand_index([0, 1], [5, 4]) is None


@given(labels)
def test_names_of_clusters_and_order_are_nothing(pairs: list[tuple[int, int]]) -> None:
    """Renaming clusters, or swapping the partitions, changes no figure."""
    one, other = zip(*pairs, strict=True)
    renamed = [f"cluster {-label}" for label in other]
    for figure in (normalized_mutual_information, adjusted_rand_index):
        expected = pytest.approx(figure(one, other), abs=1e-12)
        assert figure(other, one) == expected
        assert figure(one, renamed) == expected


@given(labels)
def test_figures_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    """Wherever ours are defined; where they are not, scikit-learn says 1."""
    metrics = pytest.importorskip("sklearn.metrics")
    one, other = zip(*pairs, strict=True)
    nmi = normalized_mutual_information(one, other)
    ari = adjusted_rand_index(one, other)
    expected = metrics.normalized_mutual_info_score(one, other)
    assert (1.0 if nmi is None else nmi) == pytest.approx(expected, abs=1e-9)
    expected = metrics.adjusted_rand_score(one, other)
    assert (1.0 if ari is None else ari) == pytest.approx(expected, abs=1e-9)
