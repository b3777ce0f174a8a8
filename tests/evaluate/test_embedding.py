"""Latent semantic analysis and k-means, against what can be worked out or done the long way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda_lab.evaluation.clustering import (
    LatentSemanticAnalysis,
    WordWeights,
    kmeans,
    kmeans_plus_plus,
    right_singular_vectors,
)

TEXTS = ["Court court of Oslo", "the court", "a cat and the dog", "a dog"]
matrices = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 3), min_size=width, max_size=width), min_size=1, max_size=7
    )
)


def dense(texts: list[str]) -> np.ndarray:
    """Return the weights of texts with all their zeros."""
    rows = WordWeights.fit(texts).rows(texts)
    return rows.times(np.eye(rows.width))


def test_weights_by_hand() -> None:
    """Of "court" twice, "of" and "oslo" once: ln(5/3) + 1 for one of four texts, ln(5/2) + 1."""
    court, rare = 2 * (math.log(5 / 3) + 1), math.log(5 / 2) + 1
    length = math.sqrt(court**2 + 2 * rare**2)
    fitted = WordWeights.fit(TEXTS)
    row = dense(TEXTS)[0]
    assert row[fitted.columns["court"]] == pytest.approx(court / length)
    assert row[fitted.columns["oslo"]] == pytest.approx(rare / length)
    assert np.count_nonzero(row) == 3


def test_words_are_those_of_the_originals() -> None:
    """Words that were not fitted have no weight, and a text without any is 0."""
    encode = LatentSemanticAnalysis().encoder(TEXTS)
    assert encode(["court zebra"]) == pytest.approx(encode(["court"]))
    assert not encode(["***", "", "zebra"]).any()


def test_with_all_dimensions_nothing_is_lost() -> None:
    """Cosines of the originals are those of their weights."""
    vectors = LatentSemanticAnalysis().encoder(TEXTS)(TEXTS)
    assert vectors @ vectors.T == pytest.approx(dense(TEXTS) @ dense(TEXTS).T)


def test_few_dimensions_join_what_shares_company() -> None:
    """In one dimension a topic's texts are the same, though one of them shares a word only."""
    texts = ["court judge", "judge law", "law court", "cat"]
    vectors = LatentSemanticAnalysis(1).encoder(texts)(texts)
    assert vectors[0] @ vectors[1] == pytest.approx(1.0)
    assert not vectors[3].any()


@pytest.mark.parametrize("n", [1, 5, 30, 100])
def test_singular_vectors_are_those_of_the_full_decomposition(n: int) -> None:
    """On 150 documents the plane found holds as much as numpy's, to a thousandth."""
    random = np.random.default_rng(1)
    words = [f"w{idx}" for idx in range(400)]
    topics = random.dirichlet([0.05] * 400, size=12)
    texts = [" ".join(random.choice(words, 60, p=topics[idx % 12])) for idx in range(150)]
    rows = WordWeights.fit(texts).rows(texts)
    found = right_singular_vectors(rows, n)
    assert found.T @ found == pytest.approx(np.eye(n), abs=1e-9)
    values = np.linalg.svd(dense(texts), compute_uv=False)
    held = np.linalg.norm(rows.times(found))
    assert held == pytest.approx(np.sqrt((values[:n] ** 2).sum()), rel=1e-3)


def test_empty_corpora_embed_to_nothing() -> None:
    """No document, and no word, are no error."""
    assert LatentSemanticAnalysis().encoder([])([]).shape[0] == 0
    assert not LatentSemanticAnalysis().encoder(["", "…"])(["", "…"]).any()


def test_groups_far_apart_are_found() -> None:
    """Three pairs of near points are three clusters, from any start that has one of each."""
    points = np.array([[0, 0], [0, 1], [50, 0], [50, 1], [0, 90], [1, 90.0]])
    for seed in range(20):
        chosen = kmeans_plus_plus(points, 3, np.random.default_rng(seed))
        assert sorted(idx // 2 for idx in chosen) == [0, 1, 2]
        labels = kmeans(points, points[chosen])
        assert labels[0] == labels[1] != labels[2] == labels[3] != labels[4] == labels[5]


def test_equal_points_are_one_cluster() -> None:
    """However many clusters are asked for."""
    points = np.ones((5, 2))
    chosen = kmeans_plus_plus(points, 3, np.random.default_rng(0))
    assert len(chosen) == 1
    assert set(kmeans(points, points[[0, 1, 2]])) == {0}


@given(matrices, st.integers(1, 4), st.integers(0, 5))
def test_every_point_is_with_the_mean_nearest_to_it(
    rows: list[list[int]], k: int, seed: int
) -> None:
    """That is where Lloyd's algorithm ends."""
    points = np.array(rows, dtype=float)
    labels = kmeans(points, points[kmeans_plus_plus(points, k, np.random.default_rng(seed))])
    means = {label: points[labels == label].mean(axis=0) for label in set(labels.tolist())}
    for point, label in zip(points, labels.tolist(), strict=True):
        own = np.linalg.norm(point - means[label])
        assert own <= min(np.linalg.norm(point - mean) for mean in means.values()) + 1e-6
